import { RequestError } from '../error/request-error.ts';
import { canonicalJson } from '../tree/json-text.ts';
import { parseKey } from '../tree/key.ts';
import { canonicalNumber } from '../tree/node.ts';
import type { IndexValue } from '../tree/order.ts';
import { parsePath } from '../tree/path.ts';
import { type Bound, indexName, MAX_KEY, MIN_KEY, type Query, type QueryIndex } from './query.ts';

/** Every field that means something in the query object of a request. */
const QUERY_FIELDS = ['i', 'sp', 'sn', 'sin', 'ep', 'en', 'ein', 'l', 'vf'] as const;

/**
 * Reads the query object of a WebSocket request. Refuses whatever a client could not have meant, with
 * `query/invalid` (limits that are not positive integers, bounds that are not primitives, keys that are not
 * strings) or as `parsePath` and `parseKey` do.
 */
export function parseQuery(json: unknown): Query {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new RequestError('query/invalid');
  const fields = json as Readonly<Record<string, unknown>>;
  for (const name of QUERY_FIELDS) if (typeof fields[name] === 'object') requireNull(fields[name]);
  const index = parseIndex(fields['i']);
  const lower = parseBound(fields, LOWER_FIELDS, index);
  const upper = parseBound(fields, UPPER_FIELDS, index);
  const limit = parseLimit(fields['l']);
  return { index, lower, upper, limit, from: parseSide(fields['vf'], lower) };
}

/** No field is an object, not even one that nothing reads for want of its bound. */
function requireNull(value: unknown): void {
  if (value !== null) throw new RequestError('query/invalid', 'The fields of a query are no objects.');
}

/** Reads the name of an index as messages and rules write it; absent means the priority index. */
export function parseIndex(name: unknown): QueryIndex {
  if (name === undefined || name === null) return { kind: 'priority' };
  if (typeof name !== 'string') throw new RequestError('query/invalid', 'The index of a query is a string.');
  switch (name) {
    case '.key':
      return { kind: 'key' };
    case '.value':
      return { kind: 'value' };
    case '.priority':
      return { kind: 'priority' };
    default: {
      const path = parsePath(name);
      if (path.length === 0) throw new RequestError('query/invalid', 'The index of a query names a child.');
      return { kind: 'child', path };
    }
  }
}

export interface BoundFields {
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
    if (typeof value !== 'string')
      throw new RequestError('query/invalid', 'A bound of a key query is a string.');
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
  throw new RequestError('query/invalid', 'A bound of a query is inclusive or not: true or false.');
}

function parseBoundKey(name: unknown): string {
  if (name === MIN_KEY || name === MAX_KEY) return name;
  if (typeof name !== 'string') throw new RequestError('query/invalid', 'The key of a bound is a string.');
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
      if (!Number.isFinite(value))
        throw new RequestError('query/invalid', 'A bound of a query is out of range.');
      return canonicalNumber(value);
    case 'bigint':
      return canonicalNumber(value);
    default:
      if (value === null) return null;
      throw new RequestError('query/invalid', 'A bound of a query is null, a boolean, a number or a string.');
  }
}

function parseLimit(limit: unknown): number | null {
  if (limit === undefined || limit === null) return null;
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new RequestError('query/invalid', 'The limit of a query is a positive integer.');
}

function parseSide(side: unknown, lower: Bound | null): 'left' | 'right' {
  if (side === 'l') return 'left';
  if (side === 'r') return 'right';
  if (side === undefined || side === null) return lower === null ? 'right' : 'left';
  throw new RequestError('query/invalid', 'The side of a limit is "l" or "r".');
}

/** The query object of a WebSocket request that means this query: `parseQuery` of it is the query again. */
export function queryFields(query: Query): Readonly<Record<string, unknown>> {
  return {
    ...(query.index.kind === 'priority' ? {} : { i: indexName(query.index) }),
    ...(query.lower === null ? {} : boundFields(query, query.lower, ['sp', 'sn', 'sin'], MIN_KEY, MAX_KEY)),
    ...(query.upper === null ? {} : boundFields(query, query.upper, ['ep', 'en', 'ein'], MAX_KEY, MIN_KEY)),
    ...(query.limit === null ? {} : { l: query.limit }),
    vf: query.from === 'left' ? 'l' : 'r',
  };
}

/** The key of a bound is left out where it goes without saying. */
function boundFields(
  { index }: Query,
  { value, key, isInclusive }: Bound,
  [valueName, keyName, inclusiveName]: readonly [string, string, string],
  inclusiveKey: string,
  exclusiveKey: string,
): Readonly<Record<string, unknown>> {
  const inclusive = isInclusive ? {} : { [inclusiveName]: false };
  if (index.kind === 'key') return { [valueName]: key, ...inclusive };
  const isPlain = key === (isInclusive ? inclusiveKey : exclusiveKey);
  return { [valueName]: value, ...(isPlain ? {} : { [keyName]: key }), ...inclusive };
}

/** Longest canonical text of a query that somebody may listen to, in UTF-16 code units: it is kept with the listen. */
const MAX_QUERY_UNITS = 65_536;

/** A query with the text that tells it apart from others. */
export interface NamedQuery {
  readonly query: Query;
  /** Canonical JSON of the fields that mean something, just those the client sent: equal for equal queries. */
  readonly text: string;
}

/** Reads a query to listen to, or to stop listening to. Refuses with `query/invalid` too long a text, and as `parseQuery`. */
export function parseNamedQuery(json: unknown): NamedQuery {
  const query = parseQuery(json);
  const fields = json as Readonly<Record<string, unknown>>;
  const known = QUERY_FIELDS.filter((name) => Object.hasOwn(fields, name));
  const text = canonicalJson(Object.fromEntries(known.map((name) => [name, fields[name]])));
  if (text.length > MAX_QUERY_UNITS)
    throw new RequestError('query/invalid', `The query is longer than ${MAX_QUERY_UNITS} characters.`);
  return { query, text };
}
