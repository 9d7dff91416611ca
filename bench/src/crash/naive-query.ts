import { isRecord, type JsonRecord } from '../client/json.ts';

/** Order of index values of different types: nothing, false, true, numbers, strings, objects. */
function rank(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (value === false) return 1;
  if (value === true) return 2;
  if (typeof value === 'number') return 3;
  return typeof value === 'string' ? 4 : 5;
}

function compareValues(left: unknown, right: unknown): number {
  const byRank = rank(left) - rank(right);
  if (byRank !== 0) return byRank;
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right);
  return 0;
}

/**
 * Keys of the children a query selects, in query order, by looking at every child.
 * For children whose keys are not integers, queries ordered by key or by a direct child, with inclusive bounds without keys.
 */
export function evaluateNaively(children: JsonRecord, query: JsonRecord): readonly string[] {
  const index = query['i'];
  const indexValue = (key: string): unknown => {
    if (index === '.key') return key;
    const child = children[key];
    return isRecord(child) && typeof index === 'string' ? child[index] : null;
  };
  const selected = Object.keys(children)
    .filter((key) => !('sp' in query) || compareValues(indexValue(key), query['sp']) >= 0)
    .filter((key) => !('ep' in query) || compareValues(indexValue(key), query['ep']) <= 0)
    .sort((a, b) => compareValues(indexValue(a), indexValue(b)) || (a < b ? -1 : 1));
  const limit = query['l'];
  if (typeof limit !== 'number') return selected;
  return query['vf'] === 'r' ? selected.slice(-limit) : selected.slice(0, limit);
}
