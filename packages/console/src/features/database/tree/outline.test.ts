import { compareKeys } from '@hearth/core/tree/key.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PAGE_SIZE, type PageRequest } from '../../../api/children-address.ts';
import type { ChildPage, Outline } from '../../../api/data.ts';
import { applyPage, type Branch, limitOf, openBranch, releasePages } from './branch.ts';
import { isLongUnread, joinUnreadPages, outlineBranch, splitPage } from './outline.ts';

const keyAt = (index: number): string => `k${String(index).padStart(7, '0')}`;

/** A node of a server: its keys, in order. */
type Keys = readonly string[];

const keysOf = (count: number): Keys => Array.from({ length: count }, (_, index) => keyAt(index));

function outlineOf(keys: Keys, stride: number): Outline {
  return {
    count: keys.length,
    stride,
    keys: keys.filter((_key, index) => index > 0 && index % stride === 0),
  };
}

/** Returns the page that the server sends for a request. */
function answer(
  keys: Keys,
  { position, skipped = 0, limit = PAGE_SIZE }: Partial<PageRequest> & Pick<PageRequest, 'position'>,
): ChildPage {
  const at = (key: string, isAfter: boolean): number => {
    const index = keys.findIndex((one) => compareKeys(one, key) >= (isAfter ? 1 : 0));
    return index < 0 ? keys.length : index;
  };
  let [first, end] = [0, limit];
  if (position.kind === 'before')
    [first, end] = [Math.max(0, at(position.key, false) - limit), at(position.key, false)];
  else if (position.kind !== 'last') {
    first = (position.kind === 'first' ? 0 : at(position.key, position.kind === 'after')) + skipped;
    end = first + limit;
  }
  if (position.kind === 'last' || (skipped > 0 && first >= keys.length))
    [first, end] = [Math.max(0, keys.length - limit), keys.length];
  const shown = keys.slice(first, end);
  const childCount = keys.length;
  return {
    node: { kind: 'object', childCount, isCountPartial: childCount > 1_000, priority: null },
    children: shown.map((key) => ({ key, kind: 'number', value: 1, priority: null })),
    previous: first > 0 ? (shown[0] ?? null) : null,
    next: end < keys.length ? (shown.at(-1) ?? null) : null,
  };
}

const heightOf = ({ pages }: Branch): number => pages.reduce((sum, { count }) => sum + count, 0);

/** Returns the loaded keys, each with its row. */
function shownKeys({ pages }: Branch): readonly (readonly [number, string])[] {
  const found: (readonly [number, string])[] = [];
  let index = 0;
  for (const { rows, count } of pages) {
    for (const [at, { key }] of (rows ?? []).entries()) found.push([index + at, key]);
    index += count;
  }
  return found;
}

/** Reads the page at a row, as the tree does when the user scrolls there. */
function readAt(branch: Branch, row: number, keys: Keys, outline: Outline | undefined): Branch {
  let index = 0;
  for (const page of branch.pages) {
    if (row < index + page.count) {
      if (page.rows !== null) return branch;
      if (isLongUnread(page)) return readAt(splitPage(branch, page.id, row - index), row, keys, outline);
      return outlineBranch(
        applyPage(branch, page.id, answer(keys, { ...page, limit: limitOf(page) }), 1),
        outline,
      );
    }
    index += page.count;
  }
  return branch;
}

function openOutlined(keys: Keys, outline: Outline): Branch {
  return outlineBranch(readAt(openBranch('/'), 0, keys, undefined), outline);
}

test.each([201, 400, 401, 1_000, 10_123])(
  '[C620] a node with %i children is as high as all their rows',
  (count) => {
    const keys = keysOf(count);
    expect(heightOf(openOutlined(keys, outlineOf(keys, 400)))).toBe(count);
  },
);

test('[C620] scrolling to any place of a node shows the children there, and the height stays', () => {
  const keys = keysOf(10_123);
  const outline = outlineOf(keys, 400);
  fc.assert(
    fc.property(fc.array(fc.nat(10_122), { minLength: 1, maxLength: 20 }), (places) => {
      let branch = openOutlined(keys, outline);
      for (const place of places) {
        branch = readAt(branch, place, keys, outline);
        expect(shownKeys(branch).find(([row]) => row === place)?.[1]).toBe(keyAt(place));
        expect(heightOf(branch)).toBe(keys.length);
      }
      expect(shownKeys(branch).every(([row, key]) => key === keyAt(row))).toBe(true);
    }),
  );
});

test('[C620] scrolling through everything shows each child once, whatever is added or removed in between', () => {
  const before = keysOf(2_000);
  const outline = outlineOf(before, 200);
  fc.assert(
    fc.property(
      fc.array(fc.nat(1_999), { maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(1_999), fc.nat(500)), { maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(1_999), fc.nat(300)), { maxLength: 4 }),
      (places, removals, additions) => {
        let branch = openOutlined(before, outline);
        for (const place of places) branch = readAt(branch, place, before, outline);
        const removed = new Set(removals.flatMap(([from, count]) => before.slice(from, from + count)));
        const added = additions.flatMap(([at, count]) =>
          Array.from({ length: count }, (_, index) => `${keyAt(at)}-${String(index).padStart(3, '0')}`),
        );
        const after = [...new Set([...before.filter((key) => !removed.has(key)), ...added])].sort(
          compareKeys,
        );
        // All rows are read again.
        branch = releasePages(branch, new Set(branch.pages.map(({ id }) => id)));
        for (let row = 0; row < heightOf(branch); row++) branch = readAt(branch, row, after, outline);
        expect(shownKeys(branch).map(([, key]) => key)).toEqual(after);
      },
    ),
    { numRuns: 30 },
  );
});

test('[C620] a view that starts at a key is scrolled to its place, and shows the children before it', () => {
  const keys = keysOf(4_000);
  const outline = outlineOf(keys, 400);
  const jumped = readAt(openBranch('/', { kind: 'from', key: keyAt(2_000) }), 0, keys, undefined);
  let branch = outlineBranch(jumped, outline);
  expect([heightOf(branch), shownKeys(branch)[0]]).toEqual([4_000, [2_000, keyAt(2_000)]]);
  for (const row of [1_999, 330, 0]) branch = readAt(branch, row, keys, outline);
  expect(shownKeys(branch).every(([row, key]) => key === keyAt(row))).toBe(true);
  expect(shownKeys(branch)).toHaveLength(4 * PAGE_SIZE);
});

test('[C620] a node that has lost its children is not as high as before', () => {
  const keys = keysOf(10_000);
  const outline = outlineOf(keys, 400);
  const branch = openOutlined(keys, outline);
  const few = keysOf(10);
  const emptied = applyPage(
    branch,
    branch.pages[0]?.id ?? 0,
    answer(few, { position: { kind: 'first' } }),
    1,
  );
  expect(heightOf(emptied)).toBe(10);
});

test('[C620] too many unread pages are joined, and show the same children when they are read', () => {
  const keys = keysOf(4_000);
  const outline = outlineOf(keys, 100);
  const branch = openOutlined(keys, outline);
  const joined = joinUnreadPages(branch, 10);
  expect([joined.pages.length, heightOf(joined)]).toEqual([2, 4_000]);
  const read = readAt(joined, 3_000, keys, outline);
  expect(shownKeys(read).find(([row]) => row === 3_000)?.[1]).toBe(keyAt(3_000));
  expect(joinUnreadPages(branch, 100)).toBe(branch);
});
