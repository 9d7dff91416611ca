import { expect, test } from 'vitest';
import type { ChildPage, ChildRow } from '../../../api/data.ts';
import { applyPage, dropRemovedRows, hasRemovedRows, openBranch, withRemovedRows } from './branch.ts';

const FADE_OUT_MS = 100;

function row(key: string): ChildRow {
  return { key, kind: 'number', value: 1, priority: null };
}

function page(keys: readonly string[], edges: Partial<ChildPage> = {}): ChildPage {
  return { node: null, children: keys.map(row), previous: null, next: null, ...edges };
}

const shown = (before: readonly string[], response: ChildPage): readonly string[] =>
  withRemovedRows(before.map(row), response.children, response, 1, FADE_OUT_MS).map(
    ({ key, removedAtMs }) => `${removedAtMs === undefined ? '' : '-'}${key}`,
  );

test.each<readonly [string, readonly string[], ChildPage, readonly string[]]>([
  ['stays in position for a moment', ['a', 'b', 'c'], page(['a', 'c']), ['a', '-b', 'c']],
  ['stays after all others', ['a', 'b'], page(['a']), ['a', '-b']],
  [
    'is not shown if it has only moved to another page',
    ['b', 'c'],
    page(['a', 'b'], { next: 'b' }),
    ['a', 'b'],
  ],
  [
    'is not shown if it has only moved off the followed end',
    ['a', 'b'],
    page(['b', 'c'], { previous: 'b' }),
    ['b', 'c'],
  ],
])('[C342] a missing row %s', (_name, before, response, rows) => {
  expect(shown(before, response)).toEqual(rows);
});

test('[C342] if more than fifty rows are removed together, they disappear immediately', () => {
  const many = Array.from({ length: 60 }, (_, index) => `k${100 + index}`);
  expect(shown(many, page([]))).toEqual([]);
  expect(shown(many, page(many.slice(10)))).toHaveLength(60);
});

test('[C342] removed rows are dropped after they have faded out, and immediately if they do not fade out', () => {
  const empty = openBranch('/');
  const id = empty.pages[0]?.id ?? 0;
  const before = applyPage(empty, id, page(['a', 'b']), 1);
  const fading = applyPage(before, id, page(['a']), 10, FADE_OUT_MS);
  expect(fading.pages[0]?.count).toBe(2);
  expect(hasRemovedRows(fading)).toBe(true);
  expect(dropRemovedRows(fading, 9).pages[0]?.count).toBe(2);
  expect(dropRemovedRows(fading, 10).pages[0]?.rows).toEqual([row('a')]);
  const back = applyPage(fading, id, page(['a', 'b']), 20, FADE_OUT_MS);
  expect(hasRemovedRows(back)).toBe(false);
  expect([...(back.pages[0]?.changes.keys() ?? [])]).toContain('b');
  expect(applyPage(before, id, page(['a']), 10).pages[0]?.count).toBe(1);
});
