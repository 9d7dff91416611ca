import { mustBeAdmin } from '../identity/must-be-admin.ts';
import { parseBody, readBodyText } from './request-body.ts';
import type { SettingsRequest } from './settings-request.ts';

/** Longest body of a setting other than rules, in bytes. */
const MAX_SETTING_BYTES = 65_536;

/** The JSON that an administrator sends as a setting. What others send is not read. */
export async function readSettingBody({ identity, body }: SettingsRequest): Promise<unknown> {
  mustBeAdmin(identity);
  return parseBody(await readBodyText(body, MAX_SETTING_BYTES));
}

/** The rules that an administrator sends, as text. What others send is not read. */
export async function readRulesBody({ identity, body, maxBodyBytes }: SettingsRequest): Promise<string> {
  mustBeAdmin(identity);
  return readBodyText(body, maxBodyBytes);
}
