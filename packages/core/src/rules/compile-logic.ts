import type { Binary, Conditional, Unary } from './expression.ts';
import { operandFaults } from './operand-faults.ts';
import type { Evaluate } from './rule-set.ts';

/** `a && b`. */
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

/** `a || b`. */
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

/** `!a`. */
export function compileNot(e: Unary, operand: Evaluate): Evaluate {
  const fail = operandFaults(e.operand.span, 'The operand of !', 'true or false');
  return (scope) => {
    const value = operand(scope);
    return typeof value === 'boolean' ? !value : fail(value);
  };
}

/** `condition ? a : b`. */
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
