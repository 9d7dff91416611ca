import { type Bound, MAX_KEY, MIN_KEY, type Query, type QueryIndex } from '../query/query.ts';
import type { QueryVariables } from './rule-value.ts';

/** What rules see of a read without a query. */
export const NO_QUERY: QueryVariables = {
  orderByKey: false,
  orderByValue: false,
  orderByPriority: false,
  orderByChild: null,
  startAt: null,
  endAt: null,
  equalTo: null,
  limitToFirst: null,
  limitToLast: null,
};

/** What rules see of a plain read over REST, which is in key order. */
export const PLAIN_REST_QUERY: QueryVariables = { ...NO_QUERY, orderByKey: true };

/** What rules see of a query. An exclusive bound shows like an inclusive one. */
export function queryVariables(query: Query | null): QueryVariables {
  if (query === null) return NO_QUERY;
  const { index, lower, upper, limit, from } = query;
  const startAt = boundVariable(index, lower);
  return {
    orderByKey: index.kind === 'key',
    orderByValue: index.kind === 'value',
    orderByPriority: index.kind === 'priority',
    orderByChild: index.kind === 'child' ? index.path.join('/') : null,
    startAt,
    endAt: boundVariable(index, upper),
    equalTo: isOneValue(lower, upper) ? startAt : null,
    limitToFirst: from === 'left' ? limit : null,
    limitToLast: from === 'right' ? limit : null,
  };
}

function boundVariable(index: QueryIndex, bound: Bound | null): boolean | number | string | null {
  if (bound === null) return null;
  if (index.kind === 'key') return isKeySentinel(bound.key) ? null : bound.key;
  const { value } = bound;
  // No bound is an inner node: there is none in a request.
  if (typeof value === 'symbol') return null;
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Do the bounds let through one value only, with whatever key, or with one key? */
function isOneValue(lower: Bound | null, upper: Bound | null): boolean {
  if (lower === null || upper === null || !lower.isInclusive || !upper.isInclusive) return false;
  if (lower.value !== upper.value) return false;
  return lower.key === upper.key || (lower.key === MIN_KEY && upper.key === MAX_KEY);
}

function isKeySentinel(key: string): boolean {
  return key === MIN_KEY || key === MAX_KEY;
}
