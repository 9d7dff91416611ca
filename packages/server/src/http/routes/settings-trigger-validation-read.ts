import { type JsonAnswer, wholeText } from '../answer.ts';
import type { SettingsRequest } from '../settings-request.ts';

/** `GET /.settings/strictTriggerValidation.json`: are writes refused that would trigger too much? */
export async function readTriggerValidation(request: SettingsRequest): Promise<JsonAnswer> {
  const settings = await request.administration.settings(request.identity, request.namespace);
  return { json: wholeText(JSON.stringify({ value: settings.strictTriggerValidation })) };
}
