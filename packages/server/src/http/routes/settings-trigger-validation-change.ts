import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type JsonAnswer, wholeText } from '../answer.ts';
import { readSettingBody } from '../setting-body.ts';
import type { SettingsRequest } from '../settings-request.ts';

/** `PUT /.settings/strictTriggerValidation.json`: `true` or `false`. */
export async function changeTriggerValidation(request: SettingsRequest): Promise<JsonAnswer> {
  const value = await readSettingBody(request);
  if (typeof value !== 'boolean') throw new Refusal('value/invalid', 'The setting must be true or false.');
  const { administration, identity, namespace } = request;
  await administration.changeSettings(identity, namespace, { strictTriggerValidation: value });
  return { json: wholeText(JSON.stringify({ value })) };
}
