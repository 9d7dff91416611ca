import type { RuleKind } from '../evaluate/rule-set.ts';

/**
 * What is known of an expression before it is evaluated. `value` comes from the database, `auth` from a token, `query-value`
 * from a read; `mixed` is one of two types, `method` one that is not called, `unknown` what a reported problem leaves open.
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

/** Types that a place of an expression takes. A value whose type shows only when a rule is evaluated is taken nearly everywhere. */
export type TypeSet = ReadonlySet<RuleType>;

/** Operands of `&&`, `||` and `!`, and a whole rule: nothing that might turn out to be something else. */
export const BOOLEANS: TypeSet = new Set(['unknown', 'boolean']);

/** Operands of `-`, `*`, `/` and `%`. */
export const NUMBERS: TypeSet = new Set(['unknown', 'number', 'value', 'auth', 'query-value', 'mixed']);

/** Operands of `+`, `<`, `<=`, `>` and `>=`. */
export const NUMBERS_AND_STRINGS: TypeSet = new Set([...NUMBERS, 'string']);

/** Operands of `==` and its like. */
export const COMPARABLE: TypeSet = new Set([...NUMBERS_AND_STRINGS, 'boolean', 'null']);

/** Arguments of methods. */
export const STRINGS: TypeSet = new Set(['unknown', 'string', 'value', 'auth', 'mixed']);

/** Names within `auth` that are computed; arrays in it have numbers for names. */
export const SUBSCRIPTS: TypeSet = new Set([...STRINGS, 'number']);

/** Branches of `?:`. */
export const BRANCHES: TypeSet = new Set([...COMPARABLE, 'snapshot', 'query']);

/** The type of one of two expressions. */
export function commonType(a: RuleType, b: RuleType): RuleType {
  if (a === 'unknown' || b === 'unknown') return 'unknown';
  return a === b ? a : 'mixed';
}

/** The type of a sum. */
export function sumType(a: RuleType, b: RuleType): RuleType {
  if (a === 'unknown' || b === 'unknown') return 'unknown';
  if (a === 'string' || b === 'string') return 'string';
  return a === 'number' && b === 'number' ? 'number' : 'value';
}

/** A variable that has its name in every rules document, and the rules it may be used in. */
export interface KnownVariable {
  readonly type: RuleType;
  readonly kinds: readonly RuleKind[];
}

/** All variables but captures, which are strings. */
export const VARIABLES: ReadonlyMap<string, KnownVariable> = new Map([
  ['auth', { type: 'auth', kinds: ['read', 'write', 'validate'] }],
  ['now', { type: 'number', kinds: ['read', 'write', 'validate'] }],
  ['root', { type: 'snapshot', kinds: ['read', 'write', 'validate'] }],
  ['data', { type: 'snapshot', kinds: ['read', 'write', 'validate'] }],
  ['newData', { type: 'snapshot', kinds: ['write', 'validate'] }],
  ['query', { type: 'query', kinds: ['read'] }],
]);
