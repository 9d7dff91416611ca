import { expect, test } from 'vitest';
import type { ChildPage, ChildRow } from '../../../api/data.ts';
import { dropRemovedRows, hasRemovedRows, openBranch, positionAnswer, withRemovedRows } from './branch.ts';

const FADE_OUT_MS = 100;

function row(key: string): ChildRow {
  return { key, kind: 'number', value: 1, priority: null };
}

function page(keys: readonly string[], edges: Partial<ChildPage> = {}): ChildPage {
  return { node: null, children: keys.map(row), previous: null, next: null, ...edges };
}

const shown = (before: readonly string[], answer: ChildPage): readonly string[] =>
  withRemovedRows(before.map(row), answer.children, answer, 1, FADE_OUT_MS).map(
    ({ key, removedAtMs }) => `${removedAtMs === undefined ? '' : '-'}${key}`,
  );

test.each<readonly [string, readonly string[], ChildPage, readonly string[]]>([
  ['stays a moment where it was', ['a', 'b', 'c'], page(['a', 'c']), ['a', '-b', 'c']],
  ['stays after all others', ['a', 'b'], page(['a']), ['a', '-b']],
  ['was only pushed off its page', ['b', 'c'], page(['a', 'b'], { next: 'b' }), ['a', 'b']],
  [
    'was only pushed off the end that is followed',
    ['a', 'b'],
    page(['b', 'c'], { previous: 'b' }),
    ['b', 'c'],
  ],
])('[C342] a row that is not there any more %s', (_name, before, answer, rows) => {
  expect(shown(before, answer)).toEqual(rows);
});

test('[C342] of more than fifty rows that go at once, none stays', () => {
  const many = Array.from({ length: 60 }, (_, index) => `k${100 + index}`);
  expect(shown(many, page([]))).toEqual([]);
  expect(shown(many, page(many.slice(10)))).toHaveLength(60);
});

test('[C342] rows that fade are forgotten, and gone at once for whoever asks for less motion', () => {
  const empty = openBranch('/');
  const id = empty.pages[0]?.id ?? 0;
  const before = positionAnswer(empty, id, page(['a', 'b']), 1);
  const fading = positionAnswer(before, id, page(['a']), 10, FADE_OUT_MS);
  expect(fading.pages[0]?.count).toBe(2);
  expect(hasRemovedRows(fading)).toBe(true);
  expect(dropRemovedRows(fading, 9).pages[0]?.count).toBe(2);
  expect(dropRemovedRows(fading, 10).pages[0]?.rows).toEqual([row('a')]);
  const back = positionAnswer(fading, id, page(['a', 'b']), 20, FADE_OUT_MS);
  expect(hasRemovedRows(back)).toBe(false);
  expect([...(back.pages[0]?.changes.keys() ?? [])]).toContain('b');
  expect(positionAnswer(before, id, page(['a']), 10).pages[0]?.count).toBe(1);
});
