import { parseQuery } from '@hearth/core/query/fields.ts';
import { compareEntries, evaluateQuery, type Query } from '@hearth/core/query/query.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { leafNode, type TreeNode } from '@hearth/core/tree/node.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QueryScan } from './query-scan.ts';
import { readContent, readEntryNode } from './read.ts';
import { everyNth, object, type StoredNode, storeNode } from './stored-node.fixture.ts';
import { writeNode } from './write.ts';

const LIST = parseKey('list');

const QUERIES = [
  { i: 'n' },
  { i: 'n', sp: 3, ep: 7 },
  { i: 'n', l: 3, vf: 'l' },
  { i: 'n', l: 3, vf: 'r' },
  { i: 'n', sp: 4, l: 2, vf: 'l' },
  { i: '.value', l: 5, vf: 'r' },
].map(parseQuery);

/** A change of the data between two steps of a scan. */
type Change =
  | { readonly kind: 'child'; readonly key: Key; readonly n: number | null }
  | { readonly kind: 'whole'; readonly count: number };

const CHANGES: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('child' as const),
      key: fc.integer({ min: 0, max: 40 }).map((index) => parseKey(`k${String(index).padStart(4, '0')}`)),
      n: fc.option(fc.integer({ min: 0, max: 9 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('whole' as const), count: fc.constantFrom(0, 3, 30) }),
  },
);

/** Applies a change, and reports it to the scan. */
function apply({ store, tree }: StoredNode, scan: QueryScan, change: Change): void {
  store.transact((tx) => {
    if (change.kind === 'whole') writeNode(tx, tree, [LIST], change.count === 0 ? null : rows(change.count));
    else writeNode(tx, tree, [LIST, change.key], change.n === null ? null : row(change.n));
  });
  scan.touch(change.kind === 'whole' ? null : [change.key]);
}

/** Returns a child that is long enough to be a separate entry. */
function row(n: number): TreeNode {
  return object({ n: leafNode(n), text: leafNode('x'.repeat(2_000)) });
}

function readList({ store, tree }: StoredNode): TreeNode | null {
  return store.read((tx) => {
    const content = readContent(tx, tree, [LIST]);
    if (content.kind === 'absent') return null;
    return content.kind === 'inside' ? content.node : readEntryNode(tx, content.entry);
  });
}

function rows(count: number): TreeNode {
  return object(
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`k${String(index).padStart(4, '0')}`, row(index % 10)]),
    ),
  );
}

/** Runs a scan to its end, and applies one of the changes after each step. */
function scanWith(stored: StoredNode, query: Query, pace: number, changes: readonly Change[]): QueryScan {
  const scan = new QueryScan([LIST], query);
  const left = [...changes];
  for (;;) {
    const isDone = stored.store.read((tx) => scan.step(tx, stored.tree, everyNth(pace)));
    const change = left.shift();
    if (change !== undefined) apply(stored, scan, change);
    else if (isDone) return scan;
  }
}

function keysOf(entries: readonly { readonly key: Key }[]): readonly Key[] {
  return entries.map(({ key }) => key);
}

test('[Q28] a query that is evaluated in steps selects the children of the last state, whatever changes between the steps', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...QUERIES),
      fc.integer({ min: 2, max: 12 }),
      fc.array(CHANGES, { maxLength: 30 }),
      (query, pace, changes) => {
        const stored = storeNode(object({ list: rows(30) }));
        const scan = scanWith(stored, query, pace, changes);
        const node = readList(stored);
        const expected = node === null ? [] : evaluateQuery(query, node);
        expect(keysOf([...scan.entries()].sort(compareEntries))).toEqual(keysOf(expected));
      },
    ),
  );
});

test('[Q28] a scan whose result loses more entries than it keeps in reserve starts again', () => {
  const stored = storeNode(object({ list: rows(1_000) }));
  const scan = new QueryScan([LIST], parseQuery({ i: 'n', l: 2, vf: 'l' }));
  const step = (): boolean => stored.store.read((tx) => scan.step(tx, stored.tree, () => false));
  expect(step()).toBe(true);
  for (let index = 0; index < 1_000; index++) {
    const n = index % 10;
    if (n < 3)
      apply(stored, scan, { kind: 'child', key: parseKey(`k${String(index).padStart(4, '0')}`), n: null });
  }
  let isDone = false;
  for (let count = 0; !isDone && count < 3; count++) isDone = step();
  expect(isDone).toBe(true);
  expect(keysOf(scan.entries())).toEqual(['k0003', 'k0013']);
});

test('[Q28] a query of a node that is small or absent is evaluated in one step', () => {
  const stored = storeNode(object({ list: object({ a: leafNode(1), b: leafNode(2) }) }));
  const scan = new QueryScan([LIST], parseQuery({ i: '.value', l: 1, vf: 'l' }));
  expect(stored.store.read((tx) => scan.step(tx, stored.tree, () => true))).toBe(true);
  expect(scan.entries()).toHaveLength(1);
  const absent = new QueryScan([parseKey('none')], parseQuery({ i: '.value' }));
  expect(stored.store.read((tx) => absent.step(tx, stored.tree, () => true))).toBe(true);
  expect(absent.entries()).toEqual([]);
});
