import type { ReadOperation, WriteOperation } from './operation.ts';
import type { Rule, RuleSet } from './rule-set.ts';
import type { Scope } from './scope.ts';
import { findRefusedRead, findRefusedWrite } from './walk-rules.ts';

/** Does `.read` hold at the place or above it? */
export function isReadAllowed(rules: RuleSet, operation: ReadOperation): boolean {
  return findRefusedRead(rules, operation, holds) === null;
}

/**
 * Does `.write` hold at or above each place, and every `.validate` of what comes to be above it and of what is written?
 * Without any write the answer is yes. Refuses with `write/too-big` a write whose rules take too long.
 */
export function isWriteAllowed(rules: RuleSet, operation: WriteOperation): boolean {
  return findRefusedWrite(rules, operation, holds) === null;
}

function holds(rule: Rule, scope: Scope): boolean {
  return rule.evaluate(scope) === true;
}
