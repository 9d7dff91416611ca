import { type JsonAnswer, wholeText } from '../answer.ts';
import { readRulesBody } from '../setting-body.ts';
import type { SettingsRequest } from '../settings-request.ts';

/** `POST /.settings/rulesets.json`: keeps rules that a label can put in force; answers `{"id":"<id>"}`. */
export async function addRuleset(request: SettingsRequest): Promise<JsonAnswer> {
  const { administration, identity, namespace } = request;
  const id = await administration.addRuleset(identity, namespace, await readRulesBody(request));
  return { json: wholeText(JSON.stringify({ id })) };
}
