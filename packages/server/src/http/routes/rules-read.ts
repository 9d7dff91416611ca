import { strictRules } from '@hearth/core/rules/strict-rules.ts';
import { type JsonAnswer, wholeText } from '../answer.ts';
import type { SettingsRequest } from '../settings-request.ts';

/** `GET /.settings/rules.json`: the rules as they were uploaded or, with `format=strict`, without comments. */
export async function readRules(request: SettingsRequest): Promise<JsonAnswer> {
  const { databases, namespace, identity, parameters } = request;
  const source = await databases.readRules(namespace, identity);
  return { json: wholeText(parameters.form === 'export' ? strictRules(source) : source) };
}
