import type { Binary, Unary } from './expression.ts';
import { operandFaults } from './operand-faults.ts';
import type { Evaluate } from './rule-set.ts';
import { Fault } from './rule-value.ts';
import { MAX_TEXT_UNITS, tooLongText } from './text-limit.ts';
import { spendWork, tooMuchWorkFault } from './work-budget.ts';

/** `-`, `*`, `/` and `%`. */
export function compileArithmetic(
  e: Binary,
  compute: (a: number, b: number) => number,
  left: Evaluate,
  right: Evaluate,
): Evaluate {
  const failLeft = operandFaults(e.left.span, `The left operand of ${e.operator}`, 'a number');
  const failRight = operandFaults(e.right.span, `The right operand of ${e.operator}`, 'a number');
  return (scope) => {
    const a = left(scope);
    if (typeof a !== 'number') return failLeft(a);
    const b = right(scope);
    return typeof b === 'number' ? compute(a, b) : failRight(b);
  };
}

/** A quotient by zero is not a number, and so neither more nor less than any. */
export function divide(a: number, b: number): number {
  return b === 0 ? Number.NaN : a / b;
}

/** `-a`. */
export function compileMinus(e: Unary, operand: Evaluate): Evaluate {
  const fail = operandFaults(e.operand.span, 'The operand of -', 'a number');
  return (scope) => {
    const value = operand(scope);
    return typeof value === 'number' ? -value : fail(value);
  };
}

/** `a + b`: the sum of two numbers; else a text of both, numbers as JavaScript prints them. */
export function compileSum(e: Binary, left: Evaluate, right: Evaluate): Evaluate {
  const failLeft = operandFaults(e.left.span, 'The left operand of +', 'a number or a string');
  const failRight = operandFaults(e.right.span, 'The right operand of +', 'a number or a string');
  const tooLong = new Fault(e.span, tooLongText('The string that + makes'));
  const tooMuchWork = tooMuchWorkFault(e.span);
  return (scope) => {
    const a = left(scope);
    if (typeof a !== 'number' && typeof a !== 'string') return failLeft(a);
    const b = right(scope);
    if (typeof b !== 'number' && typeof b !== 'string') return failRight(b);
    if (typeof a === 'number' && typeof b === 'number') return a + b;
    const first = String(a);
    const second = String(b);
    const length = first.length + second.length;
    if (!spendWork(scope.work, length)) return tooMuchWork;
    return length > MAX_TEXT_UNITS ? tooLong : first + second;
  };
}
