import { parseTrigger } from '../../database/triggers/trigger.ts';
import { type JsonAnswer, wholeText } from '../answer.ts';
import { readSettingBody } from '../setting-body.ts';
import type { SettingsRequest } from '../settings-request.ts';

/** `POST /.settings/functionTriggers.json`: a function of the functions emulator that is to be told of writes. */
export async function addTrigger(request: SettingsRequest): Promise<JsonAnswer> {
  const trigger = parseTrigger(await readSettingBody(request));
  request.administration.addTrigger(request.identity, request.namespace, trigger);
  return { json: wholeText(JSON.stringify({ name: trigger.name })) };
}
