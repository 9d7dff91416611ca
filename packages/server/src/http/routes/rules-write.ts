import { decodeBody } from '../request-body.ts';
import type { RulesRequest } from '../rules-request.ts';

/** `PUT /.settings/rules.json`: replaces the rules and the indexes. */
export async function writeRules({ databases, namespace, identity, body }: RulesRequest): Promise<string> {
  await databases.writeRules(namespace, identity, decodeBody(body));
  return '{"status":"ok"}';
}
