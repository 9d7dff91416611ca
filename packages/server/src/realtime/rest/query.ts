import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseIndex } from '@hearth/core/query/fields.ts';
import { type Bound, MAX_KEY, MIN_KEY, type Query, type QueryIndex } from '@hearth/core/query/query.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import { canonicalNumber } from '@hearth/core/tree/node.ts';

const BOUND_NAMES = ['startAt', 'startAfter', 'endAt', 'endBefore', 'equalTo'] as const;
const LIMIT_NAMES = ['limitToFirst', 'limitToLast'] as const;

const QUERY_NAMES: ReadonlySet<string> = new Set(['orderBy', ...BOUND_NAMES, ...LIMIT_NAMES]);

type BoundName = (typeof BOUND_NAMES)[number];

/** Returns whether the request has query parameters, with or without `orderBy`. */
export function hasQueryParameters(query: URLSearchParams): boolean {
  for (const name of query.keys()) if (QUERY_NAMES.has(name)) return true;
  return false;
}

/**
 * Parses `orderBy` with its bounds and limits. Returns `null` if the request has none of these parameters. Throws
 * `query/invalid` with the messages of the official service.
 */
export function parseRestQuery(query: URLSearchParams): Query | null {
  if (!hasQueryParameters(query)) return null;
  const orderBy = query.get('orderBy');
  if (orderBy === null) throw invalid('orderBy must be defined when other query parameters are defined');
  const index = parseOrder(orderBy);
  const bound = (name: BoundName): RestBound | null => parseBound(index, query.get(name));
  const bounds = chooseBounds({
    startAt: bound('startAt'),
    startAfter: bound('startAfter'),
    endAt: bound('endAt'),
    endBefore: bound('endBefore'),
    equalTo: bound('equalTo'),
  });
  return { index, ...bounds, ...parseLimits(query) };
}

/**
 * Parses the limit of a request. Throws `query/invalid` if there are two limits, or if a limit is not a
 * positive integer.
 */
export function parseLimits(query: URLSearchParams): Pick<Query, 'limit' | 'from'> {
  const first = query.get('limitToFirst');
  const last = query.get('limitToLast');
  if (first !== null && last !== null)
    throw invalid('Only one of limitToFirst and limitToLast may be specified');
  if (last !== null) return { limit: parseLimit(last, 'limitToLast'), from: 'right' };
  return { limit: first === null ? null : parseLimit(first, 'limitToFirst'), from: 'left' };
}

/** The parsed value of a parameter such as `startAt=5,"k"`. */
interface RestBound {
  readonly value: Bound['value'];
  /** `null` if the parameter has only a value. */
  readonly key: string | null;
}

function chooseBounds(given: Readonly<Record<BoundName, RestBound | null>>): Pick<Query, 'lower' | 'upper'> {
  const { startAt, startAfter, endAt, endBefore, equalTo } = given;
  if (equalTo !== null) {
    if ([startAt, startAfter, endAt, endBefore].some((other) => other !== null))
      throw invalid('equalTo cannot be specified in addition to startAfter, startAt, endAt, or endBefore');
    return { lower: toBound(equalTo, MIN_KEY, true), upper: toBound(equalTo, MAX_KEY, true) };
  }
  if (startAt !== null && startAfter !== null)
    throw invalid('Only one of startAt and startAfter may be specified');
  if (endAt !== null && endBefore !== null) throw invalid('Only one of endAt and endBefore may be specified');
  return {
    lower: toBound(startAt, MIN_KEY, true) ?? toBound(startAfter, MAX_KEY, false),
    upper: toBound(endAt, MAX_KEY, true) ?? toBound(endBefore, MIN_KEY, false),
  };
}

function toBound(bound: RestBound | null, defaultKey: string, isInclusive: boolean): Bound | null {
  return bound === null ? null : { value: bound.value, key: bound.key ?? defaultKey, isInclusive };
}

function parseOrder(text: string): QueryIndex {
  const requestError = invalid('orderBy must be a valid JSON encoded path');
  const json = parseList(text);
  if (json?.length !== 1 || typeof json[0] !== 'string') throw requestError;
  const name = json[0];
  if (name === '$key' || name === '$value' || name === '$priority') return parseIndex(`.${name.slice(1)}`);
  if (name.startsWith('.')) throw requestError;
  try {
    return parseIndex(name);
  } catch (cause) {
    if (cause instanceof RequestError) throw requestError;
    throw cause;
  }
}

function parseBound(index: QueryIndex, text: string | null): RestBound | null {
  if (text === null) return null;
  const [value, key, ...more] = parseList(text) ?? [{}];
  if (more.length > 0 || !isPrimitive(value))
    throw invalid('Constraint index field must be a JSON primitive');
  if (index.kind === 'key') return { value: null, key: parseBoundKey(value) };
  return {
    value: typeof value === 'number' || typeof value === 'bigint' ? canonicalNumber(value) : value,
    key: key === undefined ? null : parseBoundKey(key),
  };
}

/**
 * Parses a key to compare with. Throws `query/invalid` for a key that no child can have, because this is an
 * error of the client.
 */
function parseBoundKey(key: unknown): string {
  const requestError = invalid('Constraint key field must be a valid key name');
  if (typeof key !== 'string') throw requestError;
  try {
    return parseKey(key);
  } catch (cause) {
    if (cause instanceof RequestError) throw requestError;
    throw cause;
  }
}

/** Parses JSON values that are separated by commas. Returns `undefined` for any other text. */
function parseList(text: string): readonly unknown[] | undefined {
  try {
    const list = parseJsonText(`[${text}]`);
    return Array.isArray(list) ? list : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof RangeError) return undefined;
    throw cause;
  }
}

function isPrimitive(value: unknown): value is null | boolean | number | bigint | string {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || ['boolean', 'bigint', 'string'].includes(typeof value);
}

function parseLimit(text: string, name: (typeof LIMIT_NAMES)[number]): number {
  if (!/^[0-9]{1,15}$/.test(text) || Number(text) === 0) throw invalid(`${name} must be an integer`);
  return Number(text);
}

function invalid(sentence: string): RequestError {
  return new RequestError('query/invalid', sentence);
}
