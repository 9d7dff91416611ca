import type { TreeNode } from '../../tree/node.ts';
import type { Binary, Call, Conditional, Expression, Member, Unary } from '../expression.ts';
import type { AuthObject, QueryVariables } from '../rule-value.ts';
import { callPlaceMethod } from './naive-place.ts';
import { naiveRegExp } from './naive-regexp.ts';
import { callStringMethod } from './naive-string.ts';
import { NaiveFault, type NaiveValue } from './naive-value.ts';

/** What the variables of a rule stand for: whole trees, and the keys that lead to the rule's location. */
export interface NaiveScope {
  readonly auth: AuthObject | null;
  readonly now: number;
  readonly before: TreeNode | null;
  readonly after: TreeNode | null;
  readonly query: QueryVariables;
  readonly keys: readonly string[];
  /** Names of the rule's location, as many as there are keys. */
  readonly location: readonly string[];
}

/** Does a rule hold? Interprets its tree. Throws `NaiveFault` where an expression has no value. */
export function naiveEvaluate(expression: Expression, scope: NaiveScope): NaiveValue {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'regular-expression':
      return naiveRegExp(expression.pattern);
    case 'variable':
      return variable(expression.name, scope);
    case 'array':
      return expression.items.map((item) => naiveEvaluate(item, scope));
    case 'member':
      return member(expression, scope);
    case 'subscript':
      return property(naiveEvaluate(expression.target, scope), naiveEvaluate(expression.key, scope));
    case 'call':
      return call(expression, scope);
    case 'unary':
      return unary(expression, scope);
    case 'binary':
      return binary(expression, scope);
    case 'conditional':
      return conditional(expression, scope);
    default:
      return expression satisfies never;
  }
}

function variable(name: string, scope: NaiveScope): NaiveValue {
  switch (name) {
    case 'auth':
      return scope.auth === null ? null : { kind: 'auth', object: scope.auth };
    case 'now':
      return scope.now;
    case 'root':
      return { kind: 'place', tree: scope.before, keys: [] };
    case 'data':
      return { kind: 'place', tree: scope.before, keys: scope.keys };
    case 'newData':
      return { kind: 'place', tree: scope.after, keys: scope.keys };
    case 'query':
      return { kind: 'query', variables: scope.query };
    default:
      return scope.keys[scope.location.indexOf(name)] ?? null;
  }
}

function member({ target, name }: Member, scope: NaiveScope): NaiveValue {
  const value = naiveEvaluate(target, scope);
  if (isKind(value, 'query')) {
    const variables: ReadonlyMap<string, NaiveValue> = new Map(Object.entries(value.variables));
    return variables.get(name) ?? null;
  }
  if (name !== 'length') return property(value, name);
  if (typeof value !== 'string') throw new NaiveFault('length of no string');
  return value.length;
}

/** What a name stands for within `auth`; nothing at all is within everything else. */
function property(target: NaiveValue, name: NaiveValue): NaiveValue {
  if (!isKind(target, 'auth')) return null;
  const value: unknown = Object.entries(target.object).find(([key]) => key === String(name))?.[1];
  switch (typeof value) {
    case 'boolean':
    case 'number':
    case 'string':
      return value;
    case 'object':
      return value === null ? null : { kind: 'auth', object: value as AuthObject };
    default:
      return null;
  }
}

function call({ callee, args }: Call, scope: NaiveScope): NaiveValue {
  if (callee.kind !== 'member') throw new NaiveFault('no method');
  const target = naiveEvaluate(callee.target, scope);
  const values = args.map((argument) => naiveEvaluate(argument, scope));
  if (isKind(target, 'place')) return callPlaceMethod(target, callee.name, values);
  if (typeof target === 'string') return callStringMethod(target, callee.name, values);
  throw new NaiveFault('no string');
}

function unary({ operator, operand }: Unary, scope: NaiveScope): NaiveValue {
  const value = naiveEvaluate(operand, scope);
  return operator === '!' ? !mustBeBoolean(value) : -mustBeNumber(value);
}

function conditional({ condition, consequent, alternate }: Conditional, scope: NaiveScope): NaiveValue {
  return naiveEvaluate(mustBeBoolean(naiveEvaluate(condition, scope)) ? consequent : alternate, scope);
}

function binary({ operator, left, right }: Binary, scope: NaiveScope): NaiveValue {
  const a = naiveEvaluate(left, scope);
  if (operator === '&&') return mustBeBoolean(a) && mustBeBoolean(naiveEvaluate(right, scope));
  if (operator === '||') return mustBeBoolean(a) || mustBeBoolean(naiveEvaluate(right, scope));
  const b = naiveEvaluate(right, scope);
  switch (operator) {
    case '==':
    case '===':
      return isEqual(a, b);
    case '!=':
    case '!==':
      return !isEqual(a, b);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(operator, a, b);
    case '+':
      return add(a, b);
    case '-':
      return mustBeNumber(a) - mustBeNumber(b);
    case '*':
      return mustBeNumber(a) * mustBeNumber(b);
    case '/':
      return mustBeNumber(b) === 0 ? mustBeNumber(a) * Number.NaN : mustBeNumber(a) / mustBeNumber(b);
    case '%':
      return mustBeNumber(a) % mustBeNumber(b);
    default:
      return operator satisfies never;
  }
}

/** No object is equal to anything. */
function isEqual(a: NaiveValue, b: NaiveValue): boolean {
  if (typeof a === 'object' && a !== null) return false;
  return a === b;
}

function compare(operator: '<' | '<=' | '>' | '>=', a: NaiveValue, b: NaiveValue): boolean {
  const areNumbers = typeof a === 'number' && typeof b === 'number';
  const areStrings = typeof a === 'string' && typeof b === 'string';
  if (!areNumbers && !areStrings) throw new NaiveFault('neither two numbers nor two strings');
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  if (operator === '>') return a > b;
  return a >= b;
}

function add(a: NaiveValue, b: NaiveValue): number | string {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  const isText = (value: NaiveValue) => typeof value === 'number' || typeof value === 'string';
  if (!isText(a) || !isText(b)) throw new NaiveFault('neither numbers nor strings');
  return `${a}${b}`;
}

function mustBeBoolean(value: NaiveValue): boolean {
  if (typeof value !== 'boolean') throw new NaiveFault('no boolean');
  return value;
}

function mustBeNumber(value: NaiveValue): number {
  if (typeof value !== 'number') throw new NaiveFault('no number');
  return value;
}

function isKind<K extends 'place' | 'auth' | 'query'>(
  value: NaiveValue,
  kind: K,
): value is Extract<NaiveValue, { readonly kind: K }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}
