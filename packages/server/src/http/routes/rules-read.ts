import type { RulesRequest } from '../rules-request.ts';

/** `GET /.settings/rules.json`: the rules as they were uploaded. */
export function readRules({ databases, namespace, identity }: RulesRequest): Promise<string> {
  return databases.readRules(namespace, identity);
}
