import type { Evaluate } from '../evaluate/rule-set.ts';
import { Fault, type RuleValue } from '../evaluate/values.ts';
import { spendWork, tooMuchWorkFault } from '../evaluate/work-budget.ts';
import type { Binary, Conditional, Literal, Unary } from '../syntax/expression.ts';
import { operandFaults } from './faults.ts';
import { MAX_TEXT_UNITS, tooLongText } from './text.ts';

/** Compiles `-`, `*`, `/` and `%`. */
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

/** Returns the quotient. A division by zero returns NaN, which is neither less nor greater than any number. */
export function divide(a: number, b: number): number {
  return b === 0 ? Number.NaN : a / b;
}

/** Compiles `-a`. */
export function compileMinus(e: Unary, operand: Evaluate): Evaluate {
  const fail = operandFaults(e.operand.span, 'The operand of -', 'a number');
  return (scope) => {
    const value = operand(scope);
    return typeof value === 'number' ? -value : fail(value);
  };
}

/**
 * Compiles `a + b`: the sum of two numbers, otherwise the concatenation. Numbers are printed as in
 * JavaScript.
 */
export function compileSum(e: Binary, left: Evaluate, right: Evaluate): Evaluate {
  const failLeft = operandFaults(e.left.span, 'The left operand of +', 'a number or a string');
  const failRight = operandFaults(e.right.span, 'The right operand of +', 'a number or a string');
  const tooLong = new Fault(e.span, tooLongText('The result of +'));
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

/**
 * Compiles `==` and `===`, or `!=` and `!==` if `isEqual` is false. The result is a fault only if an operand is
 * a fault.
 */
export function compileEquality(e: Binary, isEqual: boolean, left: Evaluate, right: Evaluate): Evaluate {
  if (e.right.kind === 'literal') return compileEqualsLiteral(isEqual, left, e.right.value);
  if (e.left.kind === 'literal') return compileEqualsLiteral(isEqual, right, e.left.value);
  return (scope) => {
    const a = left(scope);
    if (a instanceof Fault) return a;
    const b = right(scope);
    if (b instanceof Fault) return b;
    return (a === b && isScalar(a)) === isEqual;
  };
}

/** Compiles a comparison with a literal, which is the most common condition. */
function compileEqualsLiteral(isEqual: boolean, operand: Evaluate, literal: Literal['value']): Evaluate {
  return (scope) => {
    const value = operand(scope);
    return value instanceof Fault ? value : (value === literal) === isEqual;
  };
}

/** Returns whether a value is a scalar. In rules, any other value is unequal to every value, including itself. */
function isScalar(value: RuleValue): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'symbol');
}

/** Returns whether two numbers, or two strings by UTF-16 code units, are in the order of an operator. */
export type Order = <T extends number | string>(a: T, b: T) => boolean;

/** Compiles `<`, `<=`, `>` and `>=`. */
export function compileOrder(e: Binary, holds: Order, left: Evaluate, right: Evaluate): Evaluate {
  const subject = `operand of ${e.operator}`;
  const failLeft = operandFaults(e.left.span, `The left ${subject}`, 'a number or a string');
  const failNumber = operandFaults(e.right.span, `The right ${subject}`, 'a number like the left operand');
  const failString = operandFaults(e.right.span, `The right ${subject}`, 'a string like the left operand');
  const literal = e.right.kind === 'literal' && typeof e.right.value === 'number' ? e.right.value : undefined;
  return (scope) => {
    const a = left(scope);
    if (typeof a === 'number') {
      const b = literal ?? right(scope);
      return typeof b === 'number' ? holds(a, b) : failNumber(b);
    }
    if (typeof a !== 'string') return failLeft(a);
    const b = right(scope);
    return typeof b === 'string' ? holds(a, b) : failString(b);
  };
}

/** Compiles `a && b`. */
export function compileAnd(e: Binary, left: Evaluate, right: Evaluate): Evaluate {
  const failLeft = operandFaults(e.left.span, 'The left operand of &&', 'true or false');
  const failRight = operandFaults(e.right.span, 'The right operand of &&', 'true or false');
  return (scope) => {
    const first = left(scope);
    if (first === false) return false;
    if (first !== true) return failLeft(first);
    const second = right(scope);
    return typeof second === 'boolean' ? second : failRight(second);
  };
}

/** Compiles `a || b`. */
export function compileOr(e: Binary, left: Evaluate, right: Evaluate): Evaluate {
  const failLeft = operandFaults(e.left.span, 'The left operand of ||', 'true or false');
  const failRight = operandFaults(e.right.span, 'The right operand of ||', 'true or false');
  return (scope) => {
    const first = left(scope);
    if (first === true) return true;
    if (first !== false) return failLeft(first);
    const second = right(scope);
    return typeof second === 'boolean' ? second : failRight(second);
  };
}

/** Compiles `!a`. */
export function compileNot(e: Unary, operand: Evaluate): Evaluate {
  const fail = operandFaults(e.operand.span, 'The operand of !', 'true or false');
  return (scope) => {
    const value = operand(scope);
    return typeof value === 'boolean' ? !value : fail(value);
  };
}

/** Compiles `condition ? a : b`. */
export function compileConditional(
  e: Conditional,
  condition: Evaluate,
  consequent: Evaluate,
  alternate: Evaluate,
): Evaluate {
  const fail = operandFaults(e.condition.span, 'The condition before ?', 'true or false');
  return (scope) => {
    const value = condition(scope);
    if (value === true) return consequent(scope);
    return value === false ? alternate(scope) : fail(value);
  };
}
