import { Refusal } from '@hearth/core/fault/refusal.ts';
import { isWriteSizeLimit } from '../../database/write-size-limit.ts';
import { type JsonAnswer, wholeText } from '../answer.ts';
import { readSettingBody } from '../setting-body.ts';
import type { SettingsRequest } from '../settings-request.ts';

/** `PUT /.settings/defaultWriteSizeLimit.json`: a JSON string. `tiny` is for single requests only. */
export async function changeWriteSizeLimit(request: SettingsRequest): Promise<JsonAnswer> {
  const limit = await readSettingBody(request);
  if (!isWriteSizeLimit(limit) || limit === 'tiny')
    throw new Refusal('value/invalid', 'The limit must be "small", "medium", "large" or "unlimited".');
  const { administration, identity, namespace } = request;
  await administration.changeSettings(identity, namespace, { defaultWriteSizeLimit: limit });
  return { json: wholeText(JSON.stringify(limit)) };
}
