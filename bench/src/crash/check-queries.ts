import type { Client } from '../client/client.ts';
import { canonicalJson, isRecord, type Json, type JsonRecord } from '../client/json.ts';
import { evaluateNaively } from './naive-query.ts';
import type { Violation } from './violation.ts';

type Query = { readonly [key: string]: Json };

/** Queries over the whole range of values: ends, windows, ranges, single values, each type. */
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

/** Compares queries answered from indexes on the given children with looking at every row. Returns how many were compared, too. */
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
      violations.push({ kind: 'index', round, detail: `${name} was not answered: ${reason}` });
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
      detail: `${name}: ${missing} missing, ${extra} too many of ${expected.length}`,
    });
  }
  return { compared: queries.length, violations };
}
