import type { ReadOperation, WriteOperation } from './operation.ts';
import type { Rule, RuleSet } from './rule-set.ts';
import { MAX_RULES_ASKED, tooManyRules } from './rules-asked.ts';
import type { Scope } from './scope.ts';
import { type Ask, findRefusedRead, findRefusedWrite } from './walk-rules.ts';

/** Does `.read` hold at the place or above it? */
export function isReadAllowed(rules: RuleSet, operation: ReadOperation): boolean {
  return findRefusedRead(rules, operation, holds) === null;
}

/**
 * Does `.write` hold at or above each place, and every `.validate` of what comes to be above it and of what is written?
 * Without any write the answer is yes. Refuses with `write/too-big` a write of which too many rules would be asked.
 */
export function isWriteAllowed(rules: RuleSet, operation: WriteOperation): boolean {
  let asked = 0;
  const ask: Ask = (rule, scope) => {
    if (++asked > MAX_RULES_ASKED) throw tooManyRules();
    return rule.evaluate(scope) === true;
  };
  return findRefusedWrite(rules, operation, ask) === null;
}

function holds(rule: Rule, scope: Scope): boolean {
  return rule.evaluate(scope) === true;
}
