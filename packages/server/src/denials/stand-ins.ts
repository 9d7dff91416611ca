import type { Expression } from '@hearth/core/rules/expression.ts';
import { replaceConditions } from './conditions.ts';
import { usesData } from './data-use.ts';
import type { KeptStep } from './denial.ts';
import { spanName } from './redact-step.ts';

/**
 * The rule with what its conditions on data came to in place of these conditions. What was not evaluated then has an
 * error in its place, and no look at a tree is left.
 */
export function standIn(expression: Expression, step: KeptStep): Expression {
  const outcomes = outcomesBySpan(step);
  return replaceConditions(expression, (condition) => {
    if (!usesData(condition)) return condition;
    const outcome = outcomes.get(spanName(condition.span))?.value;
    return outcome?.kind === 'scalar' && typeof outcome.value === 'boolean'
      ? { kind: 'literal', span: condition.span, value: outcome.value }
      : errorAt(condition);
  });
}

function outcomesBySpan(step: KeptStep): ReadonlyMap<string, KeptStep> {
  const steps = new Map<string, KeptStep>();
  const collect = (here: KeptStep): void => {
    steps.set(spanName(here.span), here);
    here.steps.forEach(collect);
  };
  collect(step);
  return steps;
}

/** What can be compiled, and has no value: the negative of nothing. */
function errorAt({ span }: Expression): Expression {
  return { kind: 'unary', span, operator: '-', operand: { kind: 'literal', span, value: null } };
}
