import { type Bound, indexName, MAX_KEY, MIN_KEY, type Query } from './query.ts';

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
