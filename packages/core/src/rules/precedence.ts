import type { BinaryOperator, Expression } from './expression.ts';

/** How tightly an operator binds its operands, as in JavaScript; all of them group from the left. */
export const PRECEDENCE = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '===': 3,
  '!==': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
} as const satisfies Readonly<Record<BinaryOperator, number>>;

/** Nothing binds looser: what stands between parentheses. */
export const LOOSEST = 0;
export const UNARY_PRECEDENCE = 7;
/** Values, and what follows them: members, subscripts and calls. */
export const TIGHTEST = 8;

export function isBinaryOperator(text: string): text is BinaryOperator {
  return Object.hasOwn(PRECEDENCE, text);
}

/** An operand that binds looser than its operator stands in parentheses. */
export function precedenceOf(expression: Expression): number {
  switch (expression.kind) {
    case 'conditional':
      return LOOSEST;
    case 'binary':
      return PRECEDENCE[expression.operator];
    case 'unary':
      return UNARY_PRECEDENCE;
    default:
      return TIGHTEST;
  }
}
