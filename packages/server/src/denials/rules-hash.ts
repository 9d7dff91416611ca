import { createHash } from 'node:crypto';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';

const KNOWN = new WeakMap<RuleSet, string>();

/** SHA-256 of the document, in hexadecimal: tells which version of the rules decided. */
export function rulesHash(rules: RuleSet): string {
  const known = KNOWN.get(rules);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(rules.source).digest('hex');
  KNOWN.set(rules, hash);
  return hash;
}
