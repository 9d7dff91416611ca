import { indexName, isUnfiltered, MAX_KEY, MIN_KEY, type Query } from '@hearth/core/query/query.ts';

/** Maximum length of a shape, in UTF-16 code units. The end of a longer one is cut off. */
const MAX_SHAPE_UNITS = 200;

/**
 * Returns the form of a query as the official SDK writes it, without the values of its range, such as
 * `orderByChild("age").startAt(…).limitToLast(10)`. Returns `null` for a query that selects every child.
 */
export function queryShape(query: Query): string | null {
  if (isUnfiltered(query)) return null;
  const { index, lower, upper, limit, from } = query;
  const parts = [
    orderOf(query),
    ...(isSingleValue(query)
      ? ['equalTo(…)']
      : [
          ...(lower === null ? [] : [lower.isInclusive ? 'startAt(…)' : 'startAfter(…)']),
          ...(upper === null ? [] : [upper.isInclusive ? 'endAt(…)' : 'endBefore(…)']),
        ]),
    ...(limit === null ? [] : [`${from === 'left' ? 'limitToFirst' : 'limitToLast'}(${limit})`]),
  ];
  const isDefault = index.kind === 'priority' && lower === null && upper === null;
  return parts
    .slice(isDefault ? 1 : 0)
    .join('.')
    .slice(0, MAX_SHAPE_UNITS);
}

function orderOf({ index }: Query): string {
  switch (index.kind) {
    case 'child':
      return `orderByChild(${JSON.stringify(indexName(index))})`;
    case 'key':
      return 'orderByKey()';
    case 'value':
      return 'orderByValue()';
    case 'priority':
      return 'orderByPriority()';
    default:
      return index satisfies never;
  }
}

/** Returns whether the range contains one value only. */
function isSingleValue({ index, lower, upper }: Query): boolean {
  if (lower === null || upper === null || !lower.isInclusive || !upper.isInclusive) return false;
  if (index.kind === 'key') return lower.key === upper.key;
  const isWhole = lower.key === upper.key || (lower.key === MIN_KEY && upper.key === MAX_KEY);
  return isWhole && lower.value === upper.value;
}
