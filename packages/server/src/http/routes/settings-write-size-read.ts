import { type JsonAnswer, wholeText } from '../answer.ts';
import type { SettingsRequest } from '../settings-request.ts';

/** `GET /.settings/defaultWriteSizeLimit.json`: how much a write may bring along that does not say so itself. */
export async function readWriteSizeLimit(request: SettingsRequest): Promise<JsonAnswer> {
  const settings = await request.administration.settings(request.identity, request.namespace);
  return { json: wholeText(JSON.stringify(settings.defaultWriteSizeLimit)) };
}
