import { mentionsNewData } from './mentions-new-data.ts';
import type { WriteOperation } from './operation.ts';
import type { Rule, RuleSet } from './rule-set.ts';
import { findRefusedWrite } from './walk-rules.ts';

/**
 * Is a write refused for what it would write, so that writing something else might be allowed? It is if it was granted and then
 * is not valid, or if a rule that might have granted it looked at `newData`.
 */
export function isRefusedForWritten(rules: RuleSet, operation: WriteOperation): boolean {
  let last: Rule | undefined;
  let hasLooked = false;
  const refused = findRefusedWrite(rules, operation, (rule, scope) => {
    last = rule;
    const holds = rule.evaluate(scope) === true;
    hasLooked ||= !holds && mentionsNewData(rule.expression);
    return holds;
  });
  return refused !== null && (last?.kind === 'validate' || hasLooked);
}
