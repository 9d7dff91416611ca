import { RequestError } from '../error/request-error.ts';
import { canonicalJson } from '../tree/json-text.ts';
import { parseKey } from '../tree/key.ts';
import { canonicalNumber } from '../tree/node.ts';
import type { IndexValue } from '../tree/order.ts';
import { parsePath } from '../tree/path.ts';
import { type Bound, indexName, MAX_KEY, MIN_KEY, type Query, type QueryIndex } from './query.ts';

/** The known fields of a request's query object. Other fields are ignored. */
const QUERY_FIELDS = ['i', 'sp', 'sn', 'sin', 'ep', 'en', 'ein', 'l', 'vf'] as const;

/**
 * Parses the query object of a WebSocket request. Throws `query/invalid` if `json` is not an object or a field has the
 * wrong type or value, such as a limit that is not a positive integer. Throws the errors of `parsePath` and
 * `parseKey`.
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

/**
 * Throws `query/invalid` unless the value is `null`. The caller passes every field of the type `object`, even
 * the key and flag of an absent bound.
 */
function requireNull(value: unknown): void {
  if (value !== null)
    throw new RequestError(
      'query/invalid',
      'A field of the query is an object. Use a string, number, boolean or null.',
    );
}

/**
 * Parses the name of an index in the form that messages and rules use. An absent name means the priority
 * index.
 */
export function parseIndex(name: unknown): QueryIndex {
  if (name === undefined || name === null) return { kind: 'priority' };
  if (typeof name !== 'string')
    throw new RequestError('query/invalid', 'The index "i" of a query must be a string.');
  switch (name) {
    case '.key':
      return { kind: 'key' };
    case '.value':
      return { kind: 'value' };
    case '.priority':
      return { kind: 'priority' };
    default: {
      const path = parsePath(name);
      if (path.length === 0)
        throw new RequestError('query/invalid', 'The index "i" of a query must name a child.');
      return { kind: 'child', path };
    }
  }
}

/** The names of the fields that hold one bound. */
export interface BoundFields {
  readonly value: string;
  readonly key: string;
  readonly inclusive: string;
  /** The key of an inclusive bound and that of an exclusive bound, if the client sends no key. */
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
      throw new RequestError('query/invalid', 'A bound of a query by key must be a string.');
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
  throw new RequestError('query/invalid', 'The fields "sin" and "ein" of a query must be true or false.');
}

function parseBoundKey(name: unknown): string {
  if (name === MIN_KEY || name === MAX_KEY) return name;
  if (typeof name !== 'string')
    throw new RequestError('query/invalid', 'The key of a bound must be a string.');
  return isMobileNeighborKey(name) ? name : parseKey(name);
}

/**
 * Returns whether a bound key is a neighboring key, which mobile clients send instead of an exclusive bound. It may be
 * empty or longer than a valid key, because it is only compared and never stored.
 */
function isMobileNeighborKey(name: string): boolean {
  return name.length === 0 || name.length > 256;
}

function parseBoundValue(value: unknown): IndexValue {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value;
    case 'number':
      if (!Number.isFinite(value))
        throw new RequestError('query/invalid', 'A bound of the query exceeds the range of a number.');
      return canonicalNumber(value);
    case 'bigint':
      return canonicalNumber(value);
    default:
      if (value === null) return null;
      throw new RequestError(
        'query/invalid',
        'A bound of a query must be null, a boolean, a number or a string.',
      );
  }
}

function parseLimit(limit: unknown): number | null {
  if (limit === undefined || limit === null) return null;
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new RequestError('query/invalid', 'The limit "l" of a query must be a positive integer.');
}

function parseSide(side: unknown, lower: Bound | null): 'left' | 'right' {
  if (side === 'l') return 'left';
  if (side === 'r') return 'right';
  if (side === undefined || side === null) return lower === null ? 'right' : 'left';
  throw new RequestError('query/invalid', 'The field "vf" of a query must be "l" or "r".');
}

/** Returns the query object that a client sends for a query. `parseQuery` parses it to the same query. */
export function queryFields(query: Query): Readonly<Record<string, unknown>> {
  return {
    ...(query.index.kind === 'priority' ? {} : { i: indexName(query.index) }),
    ...(query.lower === null ? {} : boundFields(query, query.lower, ['sp', 'sn', 'sin'], MIN_KEY, MAX_KEY)),
    ...(query.upper === null ? {} : boundFields(query, query.upper, ['ep', 'en', 'ein'], MAX_KEY, MIN_KEY)),
    ...(query.limit === null ? {} : { l: query.limit }),
    vf: query.from === 'left' ? 'l' : 'r',
  };
}

/** Returns the fields of one bound. Omits the key if it is the default key. */
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

/**
 * Maximum length of the canonical text of a query to listen to, in UTF-16 code units. The listen stores the
 * text.
 */
const MAX_QUERY_UNITS = 65_536;

/** A query with the text that identifies it. */
export interface NamedQuery {
  readonly query: Query;
  /** Canonical JSON of the known fields that the client sent. Equal queries have equal texts. */
  readonly text: string;
}

/**
 * Parses the query of a listen or unlisten request. Throws `query/invalid` if the text of the query is too long, and
 * the errors of `parseQuery`.
 */
export function parseNamedQuery(json: unknown): NamedQuery {
  const query = parseQuery(json);
  const fields = json as Readonly<Record<string, unknown>>;
  const known = QUERY_FIELDS.filter((name) => Object.hasOwn(fields, name));
  const text = canonicalJson(Object.fromEntries(known.map((name) => [name, fields[name]])));
  if (text.length > MAX_QUERY_UNITS)
    throw new RequestError('query/invalid', `The query is longer than ${MAX_QUERY_UNITS} characters.`);
  return { query, text };
}
