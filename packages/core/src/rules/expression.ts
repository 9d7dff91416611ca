import type { RegularExpression } from './regular-expression.ts';
import type { Span } from './span.ts';

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

/** `auth`, `now`, `root`, `data`, `newData`, `query`, or a capture with its `$`. */
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

/** `target[key]` with a key that is computed. */
export interface Subscript {
  readonly kind: 'subscript';
  readonly span: Span;
  readonly target: Expression;
  readonly key: Expression;
}

/** What is called is a method, and so a `Member`, unless the rule is wrong. */
export interface Call {
  readonly kind: 'call';
  readonly span: Span;
  readonly callee: Expression;
  readonly args: readonly Expression[];
}

/** Only `hasChildren` takes one. */
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

/** An expression of the rules language. Parentheses leave no trace but the span, which is without them. */
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
