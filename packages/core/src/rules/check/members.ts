import type { Call, Member, Subscript } from '../syntax/expression.ts';
import { didYouMean, quoteName, type Report } from '../syntax/problems.ts';
import { type RuleType, STRINGS, SUBSCRIPTS } from './rule-type.ts';

/**
 * The parameters of a method. `children` is an optional array literal of names. `regular-expression` is a regular
 * expression literal.
 */
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

/** A property or method that can follow a dot. */
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

/**
 * Returns the members of a type, or `undefined` if it has none. `auth` has the string members and properties
 * of any name.
 */
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

const NOT_AN_OBJECT = 'Invalid property access: target is not an object.';

/** Returns the type of a member that is not called. Reports a member that the target does not have. */
export function memberType({ target, name, nameSpan }: Member, type: RuleType, report: Report): RuleType {
  if (type === 'unknown') return 'unknown';
  const members = findMembers(type);
  if (members === undefined) {
    report(target.span.start, NOT_AN_OBJECT);
    return 'unknown';
  }
  const member = members.get(name);
  if (member?.kind === 'property') return member.type;
  // A token may contain any property, even with the name of a method.
  if (type === 'auth') return 'auth';
  if (member?.kind === 'method') return 'method';
  report(nameSpan.start, `No such method/property ${quoteName(name)}.`, () =>
    didYouMean(name, members.keys()),
  );
  return 'unknown';
}

/** Returns the type of `target[key]`. Only `auth` and its properties have subscripts. Reports any other use. */
export function subscriptType(
  { target, key }: Subscript,
  type: RuleType,
  keyType: RuleType,
  report: Report,
): RuleType {
  if (type === 'unknown') return 'unknown';
  if (findMembers(type) === undefined) report(target.span.start, NOT_AN_OBJECT);
  else if (type !== 'auth' || !SUBSCRIPTS.has(keyType)) report(key.span.start, 'Invalid property access.');
  return type === 'auth' ? 'auth' : 'unknown';
}

/** Reports arguments that a method does not accept. `types` are the types of the arguments. */
export function checkArguments(
  name: string,
  { parameters }: KnownMethod,
  { args, span }: Call,
  types: readonly RuleType[],
  report: Report,
): void {
  const [first = 'unknown'] = types;
  const argumentOffset = (args[0]?.span ?? span).start;
  switch (parameters) {
    case 'none':
      if (types.length > 0) report(argumentOffset, `${name}() expects no arguments.`);
      return;
    case 'string':
      if (types.length !== 1) report(span.start, `${name}() expects 1 argument.`);
      else if (!STRINGS.has(first)) report(argumentOffset, `${name}() expects a string argument.`);
      return;
    case 'two-strings':
      if (types.length !== 2) report(span.start, `${name}() expects two arguments.`);
      else
        args.forEach((argument, i) => {
          if (!STRINGS.has(types[i] ?? 'unknown'))
            report(argument.span.start, `Argument ${i + 1} of ${name}() must be a string.`);
        });
      return;
    case 'regular-expression':
      if (types.length !== 1) report(span.start, `${name}() expects 1 regular expression literal argument.`);
      else if (args[0]?.kind !== 'regular-expression')
        report(argumentOffset, `${name}() expects a regular expression literal argument.`);
      return;
    case 'children':
      if (types.length > 1)
        report(span.start, `${name}() expects only a single argument (containing an array of child names).`);
      else if (first !== 'array' && first !== 'unknown')
        report(argumentOffset, `${name}() expects an array of child names.`);
      return;
    default:
      parameters satisfies never;
  }
}
