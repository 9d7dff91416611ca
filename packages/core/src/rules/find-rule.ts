import type { Key } from '../tree/key.ts';
import type { RuleNode, RuleSet } from './rule-set.ts';

/** A name's own rules, else the capture's: there is no way back to the capture from inside a name's own rules. */
export function findChildRule(node: RuleNode, key: Key): RuleNode | undefined {
  // A location with a capture seldom has anything else: looking for nothing costs as much as finding something.
  const own = node.children.size === 0 ? undefined : node.children.get(key);
  return own ?? node.capture?.node;
}

/** The location of the rules that matches a whole path. */
export function findRuleNode(rules: RuleSet, path: readonly Key[]): RuleNode | undefined {
  let node: RuleNode | undefined = rules.root;
  for (const key of path) {
    node = findChildRule(node, key);
    if (node === undefined) return undefined;
  }
  return node;
}

const NO_INDEXES: readonly string[] = [];

/** The indexes that the rules declare for the children of the node at `path`: `.value` or child paths. */
export function indexOnAt(rules: RuleSet, path: readonly Key[]): readonly string[] {
  return findRuleNode(rules, path)?.indexOn ?? NO_INDEXES;
}
