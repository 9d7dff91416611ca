import type { Binary, Literal } from './expression.ts';
import { operandFaults } from './operand-faults.ts';
import type { Evaluate } from './rule-set.ts';
import { Fault, type RuleValue } from './rule-value.ts';

/** `==` and `===`; `!=` and `!==` where `isEqual` is false. Never a fault of its own. */
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

/** The same, for a literal: the most common of all conditions. */
function compileEqualsLiteral(isEqual: boolean, operand: Evaluate, literal: Literal['value']): Evaluate {
  return (scope) => {
    const value = operand(scope);
    return value instanceof Fault ? value : (value === literal) === isEqual;
  };
}

/** Nothing that is not a scalar is equal to anything. */
function isScalar(value: RuleValue): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'symbol');
}

/** Says whether an order holds between two numbers, or two strings by their UTF-16 units. */
export type Order = <T extends number | string>(a: T, b: T) => boolean;

/** `<`, `<=`, `>` and `>=`. */
export function compileOrder(e: Binary, holds: Order, left: Evaluate, right: Evaluate): Evaluate {
  const subject = `operand of ${e.operator}`;
  const failLeft = operandFaults(e.left.span, `The left ${subject}`, 'a number or a string');
  const failNumber = operandFaults(e.right.span, `The right ${subject}`, 'a number, as the left one is');
  const failString = operandFaults(e.right.span, `The right ${subject}`, 'a string, as the left one is');
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
