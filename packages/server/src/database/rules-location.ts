import type { Capture, RuleNode, RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { Key } from '@hearth/core/tree/key.ts';

/** Where the rules for a path stand, such as `/rooms/$room`; keys that they have nothing for are told as they are. */
export function rulesLocation(rules: RuleSet, path: readonly Key[]): string {
  let node: RuleNode | undefined = rules.root;
  let location = '';
  for (const key of path) {
    const own: RuleNode | undefined = node?.children.get(key);
    const capture: Capture | null | undefined = own === undefined ? node?.capture : undefined;
    location += `/${capture?.name ?? key}`;
    node = own ?? capture?.node;
  }
  return location || '/';
}
