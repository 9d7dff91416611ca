import { findChildRule, type RuleNode, type RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Path } from '@hearth/core/tree/path.ts';

/** A push ID, a UUID, a number, or another long text with digits: a key that an app generates. */
const GENERATED =
  /^(?:[-\d_][\w-]{19}|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|\d+|(?=.*\d)[\w-]{16,})$/i;

/** Returns whether a key was probably generated, so that a rule for it alone would be useless. */
export function isGenerated(key: string): boolean {
  return GENERATED.test(key);
}

/**
 * Returns the location at which rules for a path belong. It consists of the names that the rules have for the path.
 * Below the last existing name, it has the keys of the path, or a wildcard for the user's own ID and for a generated
 * key. No rules exist at the new locations, so adding them affects no other path.
 */
export function locationOfPath(rules: RuleSet, path: Path, uid: string): readonly string[] {
  const location: string[] = [];
  let node: RuleNode | undefined = rules.root;
  for (const key of path) {
    const child: RuleNode | undefined = node && findChildRule(node, key);
    location.push(
      child === undefined || node === undefined ? newName(key, uid, location) : nameOf(node, key),
    );
    node = child;
  }
  return location;
}

function nameOf(node: RuleNode, key: Key): string {
  return node.children.has(key) ? key : (node.wildcard?.name ?? key);
}

function newName(key: Key, uid: string, taken: readonly string[]): string {
  const base = key === uid ? '$uid' : isGenerated(key) ? '$id' : undefined;
  if (base === undefined) return key;
  let name = base;
  for (let number = 2; taken.includes(name); number++) name = `${base}${number}`;
  return name;
}
