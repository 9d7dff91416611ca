import { type JsonAnswer, wholeText } from '../answer.ts';
import { readRulesBody } from '../setting-body.ts';
import type { SettingsRequest } from '../settings-request.ts';

/** `PUT /.settings/rules.json`: replaces the rules and the indexes; with `dryRun=true` it only checks them. */
export async function writeRules(request: SettingsRequest): Promise<JsonAnswer> {
  const { databases, administration, namespace, identity, parameters } = request;
  const source = await readRulesBody(request);
  if (parameters.isDryRun) await administration.checkRules(identity, source);
  else await databases.writeRules(namespace, identity, source);
  return { json: wholeText('{"status":"ok"}') };
}
