import type { Key } from '@hearth/core/tree/key.ts';
import type { Identity } from '../identity/identity.ts';
import type { Condition, RuleNode, RuleSet } from './rule-set.ts';

/** May `identity` read the node at `path`? */
export function canRead(rules: RuleSet, path: readonly Key[], identity: Identity): boolean {
  if (identity.kind === 'admin' || isMet(rules.root.read, identity)) return true;
  let rule: RuleNode | null = rules.root;
  for (const key of path) {
    rule = findRule(rule, key);
    if (rule === null) return false;
    if (isMet(rule.read, identity)) return true;
  }
  return false;
}

/** May `identity` write the node at `path`, or its priority? */
export function canWrite(rules: RuleSet, path: readonly Key[], identity: Identity): boolean {
  if (identity.kind === 'admin' || isMet(rules.root.write, identity)) return true;
  let rule: RuleNode | null = rules.root;
  for (const key of path) {
    rule = findRule(rule, key);
    if (rule === null) return false;
    if (isMet(rule.write, identity)) return true;
  }
  return false;
}

const NO_INDEXES: readonly string[] = [];

/** The indexes that the rules declare for the children of the node at `path`: `.value` or child paths. */
export function indexOnAt(rules: RuleSet, path: readonly Key[]): readonly string[] {
  let rule: RuleNode | null = rules.root;
  for (const key of path) {
    rule = findRule(rule, key);
    if (rule === null) return NO_INDEXES;
  }
  return rule.indexOn;
}

/** A name's own rule, else the wildcard's: there is no way back to the wildcard from inside a name's own rule. */
function findRule(rule: RuleNode, key: Key): RuleNode | null {
  return rule.children.get(key) ?? rule.wildcard;
}

function isMet(condition: Condition | null, identity: Identity): boolean {
  return condition === 'always' || (condition === 'signed-in' && identity.kind === 'user');
}
