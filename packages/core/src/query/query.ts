import { Refusal } from '../fault/refusal.ts';
import { compareKeys, type Key, parseKey } from '../tree/key.ts';
import { childOf, type TreeNode } from '../tree/node.ts';
import { canonicalNumber } from '../tree/number.ts';
import { compareIndexValues, type IndexValue, indexValueOf } from '../tree/order.ts';
import { parsePath } from '../tree/path.ts';

/** What children are ordered by. */
export type QueryIndex =
  | { readonly kind: 'key' }
  | { readonly kind: 'value' }
  | { readonly kind: 'priority' }
  | { readonly kind: 'child'; readonly path: readonly Key[] };

/** Below and above every key. Not valid keys themselves, so no key can be taken for them. */
export const MIN_KEY = '[MIN_NAME]';
export const MAX_KEY = '[MAX_NAME]';

/** A place between the children of a node in query order: an index value, and a key or a sentinel. */
export interface Bound {
  /** `null` for the key index. */
  readonly value: IndexValue;
  readonly key: string;
  readonly isInclusive: boolean;
}

export interface Query {
  readonly index: QueryIndex;
  readonly lower: Bound | null;
  readonly upper: Bound | null;
  /** Most children, or `null` for all in range. */
  readonly limit: number | null;
  /** The side from which a limit counts. */
  readonly from: 'left' | 'right';
}

/** One child's place in query order. `value` is `null` for the key index. */
export interface Entry {
  readonly value: IndexValue;
  readonly key: Key;
}

/** Every field that means something in the query object of a request. */
export const QUERY_FIELDS = ['i', 'sp', 'sn', 'sin', 'ep', 'en', 'ein', 'l', 'vf'] as const;

/**
 * Reads the query object of a WebSocket request. Refuses whatever a client could not have meant, with
 * `query/invalid` (limits that are not positive integers, bounds that are not primitives, keys that are not
 * strings) or as `parsePath` and `parseKey` do.
 */
export function parseQuery(json: unknown): Query {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Refusal('query/invalid');
  const fields = json as Readonly<Record<string, unknown>>;
  for (const name of QUERY_FIELDS) if (typeof fields[name] === 'object') mustBeNull(fields[name]);
  const index = parseIndex(fields['i']);
  const lower = parseBound(fields, LOWER_FIELDS, index);
  const upper = parseBound(fields, UPPER_FIELDS, index);
  const limit = parseLimit(fields['l']);
  return { index, lower, upper, limit, from: parseSide(fields['vf'], lower) };
}

/** No field is an object, not even one that nothing reads for want of its bound. */
function mustBeNull(value: unknown): void {
  if (value !== null) throw new Refusal('query/invalid', 'The fields of a query are no objects.');
}

/** Does the query show every child, so that it differs from a plain listen in order only? */
export function isUnfiltered(query: Query): boolean {
  return query.lower === null && query.upper === null && query.limit === null;
}

/** Name of an index as rules and messages write it: `.key`, `.value`, `.priority` or a child path. */
export function indexName(index: QueryIndex): string {
  return index.kind === 'child' ? index.path.join('/') : `.${index.kind}`;
}

/** The index value of a child. */
export function childIndexValue(child: TreeNode, index: QueryIndex): IndexValue {
  switch (index.kind) {
    case 'key':
      return null;
    case 'value':
      return indexValueOf(child);
    case 'priority':
      return child.priority;
    case 'child': {
      let here: TreeNode | null = child;
      for (const key of index.path) here = childOf(here, key);
      return indexValueOf(here);
    }
    default:
      return index satisfies never;
  }
}

/** Query order of two places, ascending. */
export function compareEntries(
  a: { readonly value: IndexValue; readonly key: string },
  b: { readonly value: IndexValue; readonly key: string },
): number {
  return compareIndexValues(a.value, b.value) || compareBoundKeys(a.key, b.key);
}

function compareBoundKeys(a: string, b: string): number {
  if (a === b) return 0;
  if (a === MIN_KEY || b === MAX_KEY) return -1;
  if (a === MAX_KEY || b === MIN_KEY) return 1;
  return compareKeys(a, b);
}

/** Is the place within the query's bounds? */
export function isInRange(query: Query, entry: Entry): boolean {
  return isAboveLower(query.lower, entry) && isBelowUpper(query.upper, entry);
}

function isAboveLower(lower: Bound | null, entry: Entry): boolean {
  if (lower === null) return true;
  const order = compareEntries(entry, lower);
  return lower.isInclusive ? order >= 0 : order > 0;
}

function isBelowUpper(upper: Bound | null, entry: Entry): boolean {
  if (upper === null) return true;
  const order = compareEntries(entry, upper);
  return upper.isInclusive ? order <= 0 : order < 0;
}

/** Reads the name of an index as messages and rules write it; absent means the priority index. */
export function parseIndex(name: unknown): QueryIndex {
  if (name === undefined || name === null) return { kind: 'priority' };
  if (typeof name !== 'string') throw new Refusal('query/invalid', 'The index of a query is a string.');
  switch (name) {
    case '.key':
      return { kind: 'key' };
    case '.value':
      return { kind: 'value' };
    case '.priority':
      return { kind: 'priority' };
    default: {
      const path = parsePath(name);
      if (path.length === 0) throw new Refusal('query/invalid', 'The index of a query names a child.');
      return { kind: 'child', path };
    }
  }
}

interface BoundFields {
  readonly value: string;
  readonly key: string;
  readonly inclusive: string;
  /** Key that is meant when none is given, for an inclusive and for an exclusive bound. */
  readonly defaultKeys: readonly [inclusive: string, exclusive: string];
}

const LOWER_FIELDS: BoundFields = {
  value: 'sp',
  key: 'sn',
  inclusive: 'sin',
  defaultKeys: [MIN_KEY, MAX_KEY],
};
const UPPER_FIELDS: BoundFields = {
  value: 'ep',
  key: 'en',
  inclusive: 'ein',
  defaultKeys: [MAX_KEY, MIN_KEY],
};

function parseBound(
  fields: Readonly<Record<string, unknown>>,
  names: BoundFields,
  index: QueryIndex,
): Bound | null {
  if (!(names.value in fields)) return null;
  const isInclusive = parseInclusive(fields[names.inclusive]);
  const value = fields[names.value];
  if (index.kind === 'key') {
    if (typeof value !== 'string') throw new Refusal('query/invalid', 'A bound of a key query is a string.');
    return { value: null, key: parseBoundKey(value), isInclusive };
  }
  const name = fields[names.key];
  const key =
    name === undefined || name === null ? names.defaultKeys[isInclusive ? 0 : 1] : parseBoundKey(name);
  return { value: parseBoundValue(value), key, isInclusive };
}

function parseInclusive(flag: unknown): boolean {
  if (flag === undefined || flag === null) return true;
  if (typeof flag === 'boolean') return flag;
  throw new Refusal('query/invalid', 'A bound of a query is inclusive or not: true or false.');
}

function parseBoundKey(name: unknown): string {
  if (name === MIN_KEY || name === MAX_KEY) return name;
  if (typeof name !== 'string') throw new Refusal('query/invalid', 'The key of a bound is a string.');
  return isMobileNeighbourKey(name) ? name : parseKey(name);
}

/**
 * Some clients turn an exclusive bound into the neighbouring key, which may be empty or longer than a key may
 * be. Such a bound is compared, never stored.
 */
function isMobileNeighbourKey(name: string): boolean {
  return name.length === 0 || name.length > 256;
}

function parseBoundValue(value: unknown): IndexValue {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new Refusal('query/invalid', 'A bound of a query is out of range.');
      return canonicalNumber(value);
    case 'bigint':
      return canonicalNumber(value);
    default:
      if (value === null) return null;
      throw new Refusal('query/invalid', 'A bound of a query is null, a boolean, a number or a string.');
  }
}

function parseLimit(limit: unknown): number | null {
  if (limit === undefined || limit === null) return null;
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new Refusal('query/invalid', 'The limit of a query is a positive integer.');
}

function parseSide(side: unknown, lower: Bound | null): 'left' | 'right' {
  if (side === 'l') return 'left';
  if (side === 'r') return 'right';
  if (side === undefined || side === null) return lower === null ? 'right' : 'left';
  throw new Refusal('query/invalid', 'The side of a limit is "l" or "r".');
}
