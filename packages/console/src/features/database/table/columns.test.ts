import { expect, test } from 'vitest';
import {
  isTime,
  joinTypes,
  KEY_COLUMN,
  MAX_ARRANGED,
  MAX_COLUMN_PX,
  MIN_COLUMN_PX,
  moveColumn,
  NEW_LAYOUT,
  orderColumns,
  parseLayout,
  placeColumns,
  resizeColumn,
  toggleHidden,
  togglePinned,
  totalWidth,
  windowOf,
} from './columns.ts';
import { layoutsKey, MAX_LAYOUTS, readLayout, writeLayout } from './layout-store.ts';

const NAMES = ['a', 'b', 'c', 'd'];

test('[C600] columns are moved, pinned and hidden, and others keep their order', () => {
  const moved = moveColumn(NAMES, NEW_LAYOUT, 'd', -2);
  expect(orderColumns(NAMES, moved)).toEqual(['a', 'd', 'b', 'c']);
  expect(moveColumn(NAMES, moved, 'c', 1)).toBe(moved);
  const pinned = togglePinned(moved, 'c');
  expect(orderColumns([...NAMES, 'e'], pinned)).toEqual(['c', 'a', 'd', 'b', 'e']);
  const hidden = toggleHidden(pinned, 'd');
  expect(placeColumns(NAMES, hidden).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  // A column moves past the hidden ones.
  expect(placeColumns(NAMES, moveColumn(NAMES, hidden, 'b', -1)).map(({ name }) => name)).toEqual([
    'c',
    'b',
    'a',
  ]);
  expect(toggleHidden(hidden, 'd').hidden).toEqual([]);
});

test('[C600] a column is never narrower or wider than the limits', () => {
  expect(resizeColumn(NEW_LAYOUT, 'a', 1).widths).toEqual({ a: MIN_COLUMN_PX });
  expect(resizeColumn(NEW_LAYOUT, 'a', 9_999).widths).toEqual({ a: MAX_COLUMN_PX });
  const [a, b] = placeColumns(NAMES, resizeColumn(NEW_LAYOUT, 'a', 300));
  expect(a?.widthPx).toBe(300);
  expect(b?.startPx).toBe((a?.startPx ?? 0) + 300);
});

test('[C601] of many columns, only those on the screen and the pinned ones are drawn, each at its position', () => {
  const names = Array.from({ length: 60 }, (_, index) => `c${index}`);
  for (const pinned of [[], ['c50'], ['c0', 'c59']]) {
    const layout = { ...NEW_LAYOUT, pinned };
    const columns = placeColumns(names, layout);
    const width = totalWidth(columns, layout);
    for (const scrolled of [0, 150, 3_000, 5_555, width - 1_000]) {
      const { first, end, pinnedCount, gapPx } = windowOf(columns, scrolled, 1_000);
      expect(pinnedCount).toBe(pinned.length);
      expect(end - first).toBeLessThan(12);
      const before = columns[pinnedCount - 1];
      const startPx = before === undefined ? (columns[0]?.startPx ?? 0) : before.startPx + before.widthPx;
      expect(columns[first]?.startPx).toBe(startPx + gapPx);
      for (const [index, { startPx: start, widthPx }] of columns.entries())
        if (start < scrolled + 1_000 && start + widthPx > scrolled)
          expect(index < pinnedCount || (index >= first && index < end)).toBe(true);
    }
  }
  expect(windowOf([], 0, 100)).toEqual({ first: 0, end: 0, pinnedCount: 0, gapPx: 0 });
});

test.each([
  [1_700_000_000_000, true],
  [999_999_999_999, false],
  [10_000_000_000_000, false],
  [1_700_000_000_000.5, false],
  ['1700000000000', false],
])('[C602] %j is a time: %s', (value, expected) => expect(isTime(value)).toBe(expected));

test('[C602] the type of a column is that of its values', () => {
  const join = (...values: readonly unknown[]) => values.reduce(joinTypes, undefined);
  expect(join(undefined, null)).toBeUndefined();
  expect(join(1, undefined, 2n)).toBe('number');
  expect(join(1_700_000_000_000)).toBe('time');
  expect(join('a', true)).toBe('mixed');
  expect(join({ a: 1 })).toBe('json');
});

test('[C600] the columns of a path are stored, and those of the oldest paths are dropped', () => {
  const key = layoutsKey('demo', `test-${crypto.randomUUID()}`);
  for (let index = 0; index <= MAX_LAYOUTS; index++)
    writeLayout(key, `demo/${index}`, { ...NEW_LAYOUT, hidden: [`h${index}`] });
  expect(readLayout(key, 'demo/0')).toEqual(NEW_LAYOUT);
  expect(readLayout(key, `demo/${MAX_LAYOUTS}`).hidden).toEqual([`h${MAX_LAYOUTS}`]);
  localStorage.setItem(key, '{"not": "a list"}');
  expect(readLayout(key, 'demo/1')).toEqual(NEW_LAYOUT);
  localStorage.removeItem(key);
});

test('[C600] any stored text is accepted as a layout, and its invalid parts are ignored', () => {
  for (const json of [null, 1, 'x', [], { widths: 3, hidden: 'a', order: [1] }])
    expect(parseLayout(json)).toEqual(NEW_LAYOUT);
  const many = Array.from({ length: 500 }, (_, index) => String(index));
  expect(parseLayout({ hidden: many }).hidden.length).toBe(MAX_ARRANGED);
  expect(parseLayout({ widths: { [KEY_COLUMN]: 200, a: 2, b: 'x' } }).widths).toEqual({ [KEY_COLUMN]: 200 });
});
