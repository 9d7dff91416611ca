import type { Span } from './problems.ts';
import type { RegularExpression } from './regular-expression.ts';

export type UnaryOperator = '!' | '-';

export type BinaryOperator =
  | '||'
  | '&&'
  | '=='
  | '!='
  | '==='
  | '!=='
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

export interface Literal {
  readonly kind: 'literal';
  readonly span: Span;
  readonly value: boolean | number | string | null;
}

export interface RegularExpressionLiteral {
  readonly kind: 'regular-expression';
  readonly span: Span;
  readonly pattern: RegularExpression;
}

/** `auth`, `now`, `root`, `data`, `newData`, `query`, or a wildcard with its `$`. */
export interface Variable {
  readonly kind: 'variable';
  readonly span: Span;
  readonly name: string;
}

/** `target.name`, or `target['name']`, which means the same. */
export interface Member {
  readonly kind: 'member';
  readonly span: Span;
  readonly target: Expression;
  readonly name: string;
  readonly nameSpan: Span;
}

/** `target[key]` with a computed key. */
export interface Subscript {
  readonly kind: 'subscript';
  readonly span: Span;
  readonly target: Expression;
  readonly key: Expression;
}

/** A call. In a valid rule, the callee is a method, and therefore a `Member`. */
export interface Call {
  readonly kind: 'call';
  readonly span: Span;
  readonly callee: Expression;
  readonly args: readonly Expression[];
}

/** An array. Only `hasChildren` accepts one. */
export interface ArrayLiteral {
  readonly kind: 'array';
  readonly span: Span;
  readonly items: readonly Expression[];
}

export interface Unary {
  readonly kind: 'unary';
  readonly span: Span;
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export interface Binary {
  readonly kind: 'binary';
  readonly span: Span;
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Conditional {
  readonly kind: 'conditional';
  readonly span: Span;
  readonly condition: Expression;
  readonly consequent: Expression;
  readonly alternate: Expression;
}

/** An expression of the rules language. Parentheses are not part of the tree, and spans exclude them. */
export type Expression =
  | Literal
  | RegularExpressionLiteral
  | Variable
  | Member
  | Subscript
  | Call
  | ArrayLiteral
  | Unary
  | Binary
  | Conditional;

/** Returns the direct sub-expressions of an expression, in source order. */
export function subExpressions(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'regular-expression':
    case 'variable':
      return [];
    case 'member':
      return [expression.target];
    case 'subscript':
      return [expression.target, expression.key];
    case 'call':
      return [expression.callee, ...expression.args];
    case 'array':
      return expression.items;
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.condition, expression.consequent, expression.alternate];
    default:
      return expression satisfies never;
  }
}

/** How tightly an operator binds its operands, as in JavaScript. All binary operators are left-associative. */
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

/** The lowest precedence. Parentheses accept any expression of at least this precedence. */
export const LOWEST_PRECEDENCE = 0;
export const UNARY_PRECEDENCE = 7;
/** The precedence of values, members, subscripts and calls. */
export const HIGHEST_PRECEDENCE = 8;

export function isBinaryOperator(text: string): text is BinaryOperator {
  return Object.hasOwn(PRECEDENCE, text);
}

/**
 * Returns the precedence of an expression. An operand with a lower precedence than its operator needs parentheses.
 */
export function precedenceOf(expression: Expression): number {
  switch (expression.kind) {
    case 'conditional':
      return LOWEST_PRECEDENCE;
    case 'binary':
      return PRECEDENCE[expression.operator];
    case 'unary':
      return UNARY_PRECEDENCE;
    default:
      return HIGHEST_PRECEDENCE;
  }
}
