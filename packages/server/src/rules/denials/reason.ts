import type { StoredRule, StoredStep } from './denial.ts';

/** The condition because of which a rule did not hold. */
export interface DenialReason {
  /** The text of the condition, such as `auth.uid == $uid`. A long text is truncated and ends in `…`. */
  readonly condition: string;
  /** Whether the condition was false or had no value. */
  readonly outcome: 'false' | 'error';
  /** Why the condition had no value; `null` if it was false. */
  readonly error: string | null;
  /** The values that the condition compared, at most two, each with its expression. Long expressions end in `…`. */
  readonly values: readonly { readonly text: string; readonly value: StoredStep['value'] }[];
}

/** Longest text of a condition or of a compared expression, in UTF-16 code units. */
const MAX_TEXT_UNITS = 200;

const MAX_VALUES = 2;

/** Returns the condition that decided that a rule does not hold. */
export function findReason({ text, step }: Pick<StoredRule, 'text' | 'step'>): DenialReason {
  const condition = findFailedCondition(step, text);
  const { value, steps } = condition;
  const values = steps
    .filter((part) => part.value.kind !== 'snapshot' && part.value.kind !== 'error')
    .map((part) => ({ text: cut(textOf(part, text)), value: part.value }));
  return {
    condition: cut(textOf(condition, text)),
    outcome: value.kind === 'error' ? 'error' : 'false',
    error: value.kind === 'error' ? value.message : null,
    values: values.length <= MAX_VALUES ? values : [],
  };
}

/**
 * Returns the step of the condition that failed. Follows `&&` to the operand that did not hold, `?:` to the branch
 * that was taken, and an error to its source. In `a || b`, both operands failed, so `a || b` is the condition.
 */
function findFailedCondition(step: StoredStep, text: string): StoredStep {
  const last = step.steps.at(-1);
  if (last === undefined) return step;
  if (step.value.kind === 'error') {
    const failed = step.steps.findLast(({ value }) => value.kind === 'error');
    return failed === undefined ? step : findFailedCondition(failed, text);
  }
  const operator = operatorAfterFirst(step, text);
  const isDecisive = operator === '&&' || (operator === '?' && step.steps.length > 1);
  return isDecisive && isFalse(last) ? findFailedCondition(last, text) : step;
}

function isFalse({ value }: StoredStep): boolean {
  return value.kind === 'scalar' && value.value === false;
}

/** Returns the operator between the first operand of a step and the next one; `undefined` if there is none. */
function operatorAfterFirst({ span, steps: [first] }: StoredStep, text: string): string | undefined {
  if (first === undefined) return undefined;
  const rest = text.slice(first.span.end, span.end);
  return first.span.start === span.start || /^[\s(]*$/.test(text.slice(span.start, first.span.start))
    ? /^[\s)]*(&&|\|\||\?)/.exec(rest)?.[1]
    : undefined;
}

function textOf({ span }: StoredStep, text: string): string {
  return text.slice(span.start, span.end);
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_UNITS ? text : `${text.slice(0, MAX_TEXT_UNITS - 1)}…`;
}
