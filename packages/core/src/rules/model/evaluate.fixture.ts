import type { TreeNode } from '../../tree/node.ts';
import type { AuthObject, QueryVariables } from '../evaluate/values.ts';
import type { Binary, Call, Conditional, Expression, Member, Unary } from '../syntax/expression.ts';
import type { RegularExpression } from '../syntax/regular-expression.ts';

/** A path in a whole tree. `keys` is `null` for a path that cannot exist. */
export interface NaiveSnapshot {
  readonly kind: 'snapshot';
  readonly tree: TreeNode | null;
  readonly keys: readonly string[] | null;
}

/** `auth` or an object inside it. */
export interface NaiveAuth {
  readonly kind: 'auth';
  readonly object: AuthObject;
}

export interface NaiveQuery {
  readonly kind: 'query';
  readonly variables: QueryVariables;
}

/** The value of an inner node. */
export interface NaiveInner {
  readonly kind: 'inner';
}

export type NaiveValue =
  | boolean
  | number
  | string
  | null
  | NaiveSnapshot
  | NaiveAuth
  | NaiveQuery
  | NaiveInner
  | readonly NaiveValue[]
  | RegExp;

/** The error that evaluation throws when an expression has no value. */
export class NaiveFault extends Error {}

/** Calls a method of a snapshot. */
function callSnapshotMethod(snapshot: NaiveSnapshot, name: string, args: readonly NaiveValue[]): NaiveValue {
  const node = nodeOf(snapshot);
  const value = node?.kind === 'leaf' ? node.value : null;
  switch (name) {
    case 'val':
      if (node?.kind === 'inner') return { kind: 'inner' };
      return typeof value === 'bigint' ? Number(value) : value;
    case 'getPriority':
      return node?.priority ?? null;
    case 'exists':
      return node !== null;
    case 'isString':
      return typeof value === 'string';
    case 'isNumber':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'isBoolean':
      return typeof value === 'boolean';
    case 'parent':
      return parentOf(snapshot);
    case 'child':
      return childOf(snapshot, args[0]);
    case 'hasChild':
      return nodeOf(childOf(snapshot, args[0])) !== null;
    case 'hasChildren':
      return args[0] === undefined ? node?.kind === 'inner' : hasAll(snapshot, args[0]);
    default:
      throw new NaiveFault(`no method ${name}`);
  }
}

function nodeOf({ tree, keys }: NaiveSnapshot): TreeNode | null {
  if (keys === null) return null;
  return keys.reduce<TreeNode | null>((node, key) => {
    if (node?.kind !== 'inner') return null;
    return [...node.children].find(([name]) => name === key)?.[1] ?? null;
  }, tree);
}

function parentOf({ kind, tree, keys }: NaiveSnapshot): NaiveSnapshot {
  if (keys?.length === 0) throw new NaiveFault('the root has no parent');
  return { kind, tree, keys: keys?.slice(0, -1) ?? null };
}

function childOf({ kind, tree, keys }: NaiveSnapshot, path: NaiveValue | undefined): NaiveSnapshot {
  if (typeof path !== 'string') throw new NaiveFault('no path');
  const below = path.split('/').filter((key) => key !== '');
  const isPossible = keys !== null && below.length > 0 && below.every((key) => /^[^.#$[\]]+$/.test(key));
  return { kind, tree, keys: isPossible ? [...keys, ...below] : null };
}

function hasAll(snapshot: NaiveSnapshot, paths: NaiveValue): boolean {
  if (!Array.isArray(paths)) throw new NaiveFault('no array');
  return paths.every((path) => nodeOf(childOf(snapshot, path)) !== null);
}

/**
 * Returns the JavaScript equivalent of a pattern. JavaScript can be slow on some patterns, so the generated
 * rules contain none of those.
 */
function naiveRegExp({ source, ignoresCase }: RegularExpression): RegExp {
  return new RegExp(source, ignoresCase ? 'i' : '');
}

/** Calls a method of a string. */
function callStringMethod(text: string, name: string, args: readonly NaiveValue[]): NaiveValue {
  const [first, second] = args;
  switch (name) {
    case 'contains':
      return text.includes(requireString(first));
    case 'beginsWith':
      return text.startsWith(requireString(first));
    case 'endsWith':
      return text.endsWith(requireString(first));
    case 'replace':
      return text.split(requireString(first)).join(requireString(second));
    case 'toLowerCase':
      return text.toLowerCase();
    case 'toUpperCase':
      return text.toUpperCase();
    case 'matches':
      return first instanceof RegExp && first.test(text);
    default:
      throw new NaiveFault(`no method ${name}`);
  }
}

function requireString(value: NaiveValue | undefined): string {
  if (typeof value !== 'string') throw new NaiveFault('not a string');
  return value;
}

/** The values of a rule's variables: whole trees, and the keys that lead to the rule's location. */
export interface NaiveScope {
  readonly auth: AuthObject | null;
  readonly now: number;
  readonly before: TreeNode | null;
  readonly after: TreeNode | null;
  readonly query: QueryVariables;
  readonly keys: readonly string[];
  /** Names of the rule's location, one for each key. */
  readonly location: readonly string[];
}

/**
 * Interprets the syntax tree of a rule and returns its value. Throws `NaiveFault` when an expression has no
 * value.
 */
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
      return { kind: 'snapshot', tree: scope.before, keys: [] };
    case 'data':
      return { kind: 'snapshot', tree: scope.before, keys: scope.keys };
    case 'newData':
      return { kind: 'snapshot', tree: scope.after, keys: scope.keys };
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
  if (typeof value !== 'string') throw new NaiveFault('length of a value that is not a string');
  return value.length;
}

/** Returns the value of a property inside `auth`. A property of any other value is `null`. */
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
  if (isKind(target, 'snapshot')) return callSnapshotMethod(target, callee.name, values);
  if (typeof target === 'string') return callStringMethod(target, callee.name, values);
  throw new NaiveFault('not a string');
}

function unary({ operator, operand }: Unary, scope: NaiveScope): NaiveValue {
  const value = naiveEvaluate(operand, scope);
  return operator === '!' ? !requireBoolean(value) : -requireNumber(value);
}

function conditional({ condition, consequent, alternate }: Conditional, scope: NaiveScope): NaiveValue {
  return naiveEvaluate(requireBoolean(naiveEvaluate(condition, scope)) ? consequent : alternate, scope);
}

function binary({ operator, left, right }: Binary, scope: NaiveScope): NaiveValue {
  const a = naiveEvaluate(left, scope);
  if (operator === '&&') return requireBoolean(a) && requireBoolean(naiveEvaluate(right, scope));
  if (operator === '||') return requireBoolean(a) || requireBoolean(naiveEvaluate(right, scope));
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
      return requireNumber(a) - requireNumber(b);
    case '*':
      return requireNumber(a) * requireNumber(b);
    case '/':
      return requireNumber(b) === 0 ? requireNumber(a) * Number.NaN : requireNumber(a) / requireNumber(b);
    case '%':
      return requireNumber(a) % requireNumber(b);
    default:
      return operator satisfies never;
  }
}

/** Returns whether two values are equal. An object equals no value. */
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

function requireBoolean(value: NaiveValue): boolean {
  if (typeof value !== 'boolean') throw new NaiveFault('no boolean');
  return value;
}

function requireNumber(value: NaiveValue): number {
  if (typeof value !== 'number') throw new NaiveFault('no number');
  return value;
}

function isKind<K extends 'snapshot' | 'auth' | 'query'>(
  value: NaiveValue,
  kind: K,
): value is Extract<NaiveValue, { readonly kind: K }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}
