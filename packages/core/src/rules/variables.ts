import type { RuleKind } from './rule-set.ts';
import type { RuleType } from './rule-type.ts';

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
