import type { RuleType } from './rule-type.ts';

/** What a method takes. The names of children are an array literal, and may be left out; so is the regular expression a literal. */
export type Parameters = 'none' | 'string' | 'two-strings' | 'regular-expression' | 'children';

export interface KnownProperty {
  readonly kind: 'property';
  readonly type: RuleType;
}

export interface KnownMethod {
  readonly kind: 'method';
  readonly parameters: Parameters;
  readonly result: RuleType;
}

/** What can stand after a dot. */
export type KnownMember = KnownProperty | KnownMethod;

export type MemberTable = ReadonlyMap<string, KnownMember>;

export const SNAPSHOT_MEMBERS: MemberTable = new Map([
  ['val', method('none', 'value')],
  ['child', method('string', 'snapshot')],
  ['parent', method('none', 'snapshot')],
  ['hasChild', method('string', 'boolean')],
  ['hasChildren', method('children', 'boolean')],
  ['exists', method('none', 'boolean')],
  ['getPriority', method('none', 'value')],
  ['isNumber', method('none', 'boolean')],
  ['isString', method('none', 'boolean')],
  ['isBoolean', method('none', 'boolean')],
]);

export const STRING_MEMBERS: MemberTable = new Map([
  ['length', property('number')],
  ['contains', method('string', 'boolean')],
  ['beginsWith', method('string', 'boolean')],
  ['endsWith', method('string', 'boolean')],
  ['replace', method('two-strings', 'string')],
  ['toLowerCase', method('none', 'string')],
  ['toUpperCase', method('none', 'string')],
  ['matches', method('regular-expression', 'boolean')],
]);

export const QUERY_MEMBERS: MemberTable = new Map([
  ['orderByKey', property('boolean')],
  ['orderByValue', property('boolean')],
  ['orderByPriority', property('boolean')],
  ['orderByChild', property('query-value')],
  ['startAt', property('query-value')],
  ['endAt', property('query-value')],
  ['equalTo', property('query-value')],
  ['limitToFirst', property('query-value')],
  ['limitToLast', property('query-value')],
]);

/** The members of a type; `undefined` for types that have none. Besides those of strings, `auth` has any property. */
export function findMembers(type: RuleType): MemberTable | undefined {
  switch (type) {
    case 'snapshot':
      return SNAPSHOT_MEMBERS;
    case 'string':
    case 'value':
    case 'auth':
      return STRING_MEMBERS;
    case 'query':
      return QUERY_MEMBERS;
    default:
      return undefined;
  }
}

function property(type: RuleType): KnownMember {
  return { kind: 'property', type };
}

function method(parameters: Parameters, result: RuleType): KnownMember {
  return { kind: 'method', parameters, result };
}
