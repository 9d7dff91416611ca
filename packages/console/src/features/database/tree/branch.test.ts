import { expect, test } from 'vitest';
import { PAGE_SIZE } from '../../../api/children-address.ts';
import type { ChildPage, ChildRow } from '../../../api/data.ts';
import { applyPage, type Branch, openBranch, releasePages, settleTail } from './branch.ts';
import { choosePages, MAX_STREAMS } from './page-loader.ts';
import { arrangeRows, findIndex, findRow } from './rows.ts';

const OBJECT = { kind: 'object', childCount: 1_000, isCountPartial: true, priority: null } as const;

function row(key: string): ChildRow {
  return { key, kind: 'number', value: 1, priority: null };
}

function page(keys: readonly string[], edges: Partial<ChildPage> = {}): ChildPage {
  return { node: OBJECT, children: keys.map(row), previous: null, next: null, ...edges };
}

/** Fills the first unread page with a response. */
function fill(branch: Branch, response: ChildPage): Branch {
  const unread = branch.pages.find(({ rows }) => rows === null);
  return applyPage(branch, unread?.id ?? 0, response, 1);
}

const keysOf = (branch: Branch): readonly string[] =>
  branch.pages.flatMap(({ rows }) => rows?.map(({ key }) => key) ?? ['…']);

test('[C68] pages follow each other, and children between two pages are found', () => {
  const first = fill(openBranch('/'), page(['a', 'b'], { next: 'b' }));
  expect(keysOf(first)).toEqual(['a', 'b', '…']);
  const second = fill(first, page(['c', 'd']));
  expect(keysOf(second)).toEqual(['a', 'b', 'c', 'd']);
  const again = applyPage(second, second.pages[0]?.id ?? 0, page(['a', 'aa'], { next: 'aa' }), 2);
  expect(keysOf(again)).toEqual(['a', 'aa', '…', 'c', 'd']);
  expect(keysOf(fill(again, page(['b', 'c'])))).toEqual(['a', 'aa', 'b', 'c', 'd']);
});

test('[C68] after a jump to a key or to the end, the children before it are found page by page', () => {
  const jumped = fill(openBranch('/', { kind: 'from', key: 'm' }), page(['m', 'n'], { previous: 'm' }));
  expect(keysOf(jumped)).toEqual(['…', 'm', 'n']);
  expect(keysOf(fill(jumped, page(['k', 'l'], { previous: 'k', next: 'l' })))).toEqual([
    '…',
    'k',
    'l',
    'm',
    'n',
  ]);
  const tail = settleTail(fill(openBranch('/', { kind: 'last' }), page(['y', 'z'], { previous: 'y' })));
  expect(tail.pages.map(({ position }) => position)).toEqual([
    { kind: 'before', key: 'y' },
    { kind: 'from', key: 'y' },
  ]);
});

test('[C68] released rows keep their height', () => {
  const branch = fill(fill(openBranch('/'), page(['a', 'b'], { next: 'b' })), page(['c', 'd']));
  const [first] = branch.pages;
  const released = releasePages(branch, new Set([first?.id ?? 0]));
  expect(released.pages.map(({ count, rows }) => [count, rows === null])).toEqual([
    [2, true],
    [2, false],
  ]);
  expect(PAGE_SIZE).toBeLessThanOrEqual(500);
});

test('[C68] no row is added between two pages that follow each other when the first is read again', () => {
  const first = fill(openBranch('/'), page(['a', 'b'], { next: 'b' }));
  const both = fill(first, page(['c', 'd']));
  const again = applyPage(both, both.pages[0]?.id ?? 0, page(['a', 'b'], { next: 'b' }), 2);
  expect(keysOf(again)).toEqual(['a', 'b', 'c', 'd']);
});

test('[C54] changed and added children are marked', () => {
  const before = fill(openBranch('/'), page(['a', 'b']));
  const id = before.pages[0]?.id ?? 0;
  const after = applyPage(before, id, { ...page(['a', 'b', 'c']), changed: ['b'] }, 7);
  expect([...(after.pages[0]?.changes ?? [])]).toEqual([
    ['b', 7],
    ['c', 7],
  ]);
});

test('[C55] the children of an open node are below its row, and are found by index and by path', () => {
  const top: Branch = fill(openBranch('/'), { ...page([]), children: [{ ...OBJECT, key: 'a' }, row('z')] });
  const below = fill(openBranch('/a'), page(['x', 'y']));
  const rows = arrangeRows(
    '/',
    new Map([
      ['/', top],
      ['/a', below],
    ]),
  );
  const paths = Array.from({ length: rows.total }, (_, index) => {
    const found = findRow(rows, index);
    return found?.kind === 'node' ? found.path : found?.kind;
  });
  expect(paths).toEqual(['/a', '/a/x', '/a/y', '/z']);
  expect(paths.map((path) => findIndex(rows, path ?? ''))).toEqual([0, 1, 2, 3]);
});

test('[C69] of the visible pages, the one nearest to the root and the one with the most rows are followed', () => {
  const [first] = openBranch('/').pages;
  if (first === undefined) throw new Error('Expected a branch with a page.');
  const visible = [
    { path: '/a/b', page: first, level: 3, lines: 5 },
    { path: '/', page: first, level: 1, lines: 1 },
    { path: '/a', page: first, level: 2, lines: 30 },
  ];
  expect(choosePages(visible).map(({ path }) => path)).toEqual(['/', '/a']);
  expect(MAX_STREAMS).toBe(2);
});
