import type { RuleKind } from '../evaluate/rule-set.ts';

/**
 * The static type of an expression:
 * - `value` comes from the database, `auth` from a token, `query-value` from the query of a read.
 * - `mixed` is the type of a conditional whose branches have different types.
 * - `method` is a method that is not called.
 * - `unknown` is the type after a reported problem.
 */
export type RuleType =
  | 'boolean'
  | 'number'
  | 'string'
  | 'null'
  | 'regular-expression'
  | 'array'
  | 'snapshot'
  | 'value'
  | 'auth'
  | 'query'
  | 'query-value'
  | 'mixed'
  | 'method'
  | 'unknown';

/**
 * Types that are allowed for an operand or argument. A value whose type is known only at evaluation is allowed
 * nearly everywhere.
 */
export type TypeSet = ReadonlySet<RuleType>;

/** Operands of `&&`, `||` and `!`, conditions of `?:`, and whole rules. Their type must be known to be boolean. */
export const BOOLEANS: TypeSet = new Set(['unknown', 'boolean']);

/** Operands of `-`, `*`, `/` and `%`. */
export const NUMBERS: TypeSet = new Set(['unknown', 'number', 'value', 'auth', 'query-value', 'mixed']);

/** Operands of `+`, `<`, `<=`, `>` and `>=`. */
export const NUMBERS_AND_STRINGS: TypeSet = new Set([...NUMBERS, 'string']);

/** Operands of `==`, `!=`, `===` and `!==`. */
export const COMPARABLE: TypeSet = new Set([...NUMBERS_AND_STRINGS, 'boolean', 'null']);

/** Arguments of methods. */
export const STRINGS: TypeSet = new Set(['unknown', 'string', 'value', 'auth', 'mixed']);

/** Keys of the subscripts of `auth`. The elements of an array have numbers as keys. */
export const SUBSCRIPTS: TypeSet = new Set([...STRINGS, 'number']);

/** Branches of `?:`. */
export const BRANCHES: TypeSet = new Set([...COMPARABLE, 'snapshot', 'query']);

/** Returns the type of a conditional whose branches have the types `a` and `b`. */
export function commonType(a: RuleType, b: RuleType): RuleType {
  if (a === 'unknown' || b === 'unknown') return 'unknown';
  return a === b ? a : 'mixed';
}

/** Returns the type of `a + b`. */
export function sumType(a: RuleType, b: RuleType): RuleType {
  if (a === 'unknown' || b === 'unknown') return 'unknown';
  if (a === 'string' || b === 'string') return 'string';
  return a === 'number' && b === 'number' ? 'number' : 'value';
}

/** A built-in variable, and the kinds of rules that may use it. */
export interface KnownVariable {
  readonly type: RuleType;
  readonly kinds: readonly RuleKind[];
}

/** All variables except wildcards, which are strings. */
export const VARIABLES: ReadonlyMap<string, KnownVariable> = new Map([
  ['auth', { type: 'auth', kinds: ['read', 'write', 'validate'] }],
  ['now', { type: 'number', kinds: ['read', 'write', 'validate'] }],
  ['root', { type: 'snapshot', kinds: ['read', 'write', 'validate'] }],
  ['data', { type: 'snapshot', kinds: ['read', 'write', 'validate'] }],
  ['newData', { type: 'snapshot', kinds: ['write', 'validate'] }],
  ['query', { type: 'query', kinds: ['read'] }],
]);
