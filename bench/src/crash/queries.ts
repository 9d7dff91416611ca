import type { Client } from '../client/client.ts';
import { canonicalJson, isRecord, type Json, type JsonRecord } from '../client/json.ts';
import type { Violation } from './history.ts';

/** Returns the position of a value in the order of types: null, false, true, numbers, strings, others. */
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
 * Returns the keys of the children that a query selects, in query order, by evaluating every child. Supports
 * children whose keys are not integers, queries ordered by key or by a direct child, and inclusive bounds
 * without keys.
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

type Query = { readonly [key: string]: Json };

/** Returns queries for both ends of the order, ranges, single values, and values of each type. */
function queriesBy(child: string): readonly Query[] {
  return [
    { i: child },
    { i: child, l: 25, vf: 'l' },
    { i: child, l: 25, vf: 'r' },
    { i: child, sp: null, ep: null },
    { i: child, sp: false, ep: true },
    { i: child, sp: 10, ep: 20 },
    { i: child, sp: 7, ep: 7 },
    { i: child, sp: -20_000.5, l: 10, vf: 'l' },
    { i: child, ep: 20_000, l: 10, vf: 'r' },
    { i: child, sp: 'word1', ep: 'word2' },
    { i: child, sp: 'word7', ep: 'word7' },
    { i: child, sp: 'word', l: 15, vf: 'l' },
  ];
}

const KEY_QUERIES: readonly Query[] = [
  { i: '.key', l: 30, vf: 'l' },
  { i: '.key', l: 30, vf: 'r' },
  { i: '.key', sp: 'w1-k1', ep: 'w2-k1', l: 20, vf: 'l' },
];

/**
 * Compares the results of queries that use indexes with an evaluation of every row. Returns the violations
 * and the number of compared queries.
 */
export async function checkQueries(
  client: Client,
  rows: JsonRecord,
  children: readonly string[],
  round: number,
): Promise<{ readonly compared: number; readonly violations: readonly Violation[] }> {
  const queries = [...children.flatMap(queriesBy), ...KEY_QUERIES];
  const violations: Violation[] = [];
  for (const query of queries) {
    const outcome = await client.request('g', { p: '/crash/indexed', q: query });
    const name = JSON.stringify(query);
    if (outcome.kind !== 'ok') {
      const reason = outcome.kind === 'refused' ? `${outcome.status}: ${outcome.text}` : outcome.kind;
      violations.push({ kind: 'index', round, detail: `${name} failed: ${reason}` });
      continue;
    }
    const expected = evaluateNaively(rows, query);
    const actual = isRecord(outcome.data) ? outcome.data : {};
    if (canonicalJson(actual) === canonicalJson(Object.fromEntries(expected.map((key) => [key, rows[key]]))))
      continue;
    const missing = expected.filter((key) => !(key in actual)).length;
    const extra = Object.keys(actual).filter((key) => !expected.includes(key)).length;
    violations.push({
      kind: 'index',
      round,
      detail: `${name}: ${missing} missing and ${extra} unexpected of ${expected.length}`,
    });
  }
  return { compared: queries.length, violations };
}
