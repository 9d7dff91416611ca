import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Key } from '../tree/key.ts';
import { keyArbitrary, nodesOf, priorityArbitrary } from '../tree/node.arbitrary.ts';
import { childOf, replaceAt, replacePriorityAt, type TreeNode } from '../tree/node.ts';
import { parseNodeJson } from '../tree/node-json.ts';
import { parsePath, pathOf } from '../tree/path.ts';
import { parseQuery } from './fields.ts';
import { queryArbitrary } from './query.arbitrary.ts';
import { childIndexValue, compareEntries, type Entry, evaluateQuery, type Query } from './query.ts';
import { applyToWindow, type ReadBeyond, type TouchedChild, type WindowChange } from './window.ts';

/** Returns a `readBeyond` function that reads the given tree. */
function readerOf(query: Query, node: TreeNode | null): ReadBeyond {
  return (beyond, count) => {
    const all = evaluateQuery({ ...query, limit: null }, node);
    const outward = query.from === 'left' ? all : all.toReversed();
    const isFurther = (entry: Entry) => compareEntries(entry, beyond) === (query.from === 'left' ? 1 : -1);
    return outward.filter(isFurther).slice(0, count);
  };
}

function entryOf(query: Query, key: Key, node: TreeNode | null): Entry | null {
  const child = childOf(node, key);
  return child === null ? null : { key, value: childIndexValue(child, query.index) };
}

function touchedBy(
  query: Query,
  keys: Iterable<Key>,
  before: TreeNode | null,
  after: TreeNode | null,
): readonly TouchedChild[] {
  return [...new Set(keys)].map((key) => ({
    key,
    before: entryOf(query, key, before),
    after: entryOf(query, key, after),
  }));
}

interface Followed {
  readonly change: WindowChange;
  /** The counts with which `readBeyond` was called. */
  readonly reads: readonly number[];
}

/** Applies the writes of one commit to the window of a limited query. */
function follow(
  query: Query,
  before: TreeNode | null,
  after: TreeNode | null,
  keys: Iterable<Key>,
): Followed {
  const reads: number[] = [];
  const read = readerOf(query, after);
  const change = applyToWindow(
    query,
    query.limit ?? 0,
    evaluateQuery(query, before),
    touchedBy(query, keys, before, after),
    (beyond, count) => {
      reads.push(count);
      return read(beyond, count);
    },
  );
  return { change, reads };
}

const DATA = '{"a":{"n":1},"b":{"n":2},"c":{"n":3},"d":{"n":4}}';
const FIRST_TWO = { i: 'n', l: 2, vf: 'l' };
const LAST_TWO = { i: 'n', l: 2, vf: 'r' };

test.each([
  ['the first child is removed', FIRST_TWO, DATA, { a: 'null' }, 'b c', 'a', 'c', '', [1]],
  ['a child enters at the start', FIRST_TWO, DATA, { z: '{"n":0}' }, 'z a', 'b', 'z', '', []],
  ['a child moves out', FIRST_TWO, DATA, { 'b/n': '9' }, 'a c', 'b', 'c', '', [1]],
  ['a child changes in place', FIRST_TWO, DATA, { 'a/y': 'true' }, 'a b', '', '', 'a', []],
  [
    'two children swap their positions',
    FIRST_TWO,
    DATA,
    { 'a/n': '3', 'b/n': '1' },
    'b a',
    '',
    '',
    'a b',
    [1],
  ],
  [
    'children outside the window are written',
    FIRST_TWO,
    DATA,
    { 'd/q': '1', 'e/n': '7', c: 'null' },
    'a b',
    '',
    '',
    '',
    [],
  ],
  [
    'all children of the window are removed',
    FIRST_TWO,
    DATA,
    { a: 'null', b: 'null' },
    'c d',
    'a b',
    'c d',
    '',
    [2],
  ],
  [
    'all children of the node are removed',
    FIRST_TWO,
    DATA,
    { a: 'null', b: 'null', c: 'null', d: 'null' },
    '',
    'a b',
    '',
    '',
    [2],
  ],
  [
    'a child leaves and another enters',
    FIRST_TWO,
    DATA,
    { a: 'null', z: '{"n":1.5}' },
    'z b',
    'a',
    'z',
    '',
    [],
  ],
  ['from the end, the last child is removed', LAST_TWO, DATA, { d: 'null' }, 'b c', 'd', 'b', '', [1]],
  ['from the end, a child enters at the end', LAST_TWO, DATA, { e: '{"n":"s"}' }, 'd e', 'c', 'e', '', []],
  [
    'from the end, a child is added before the window',
    LAST_TWO,
    DATA,
    { e: '{"n":0}' },
    'c d',
    '',
    '',
    '',
    [],
  ],
  [
    'a child with an equal value enters by its key',
    FIRST_TWO,
    DATA,
    { aa: '{"n":2}' },
    'a aa',
    'b',
    'aa',
    '',
    [],
  ],
  [
    'a child with an equal value stays outside by its key',
    FIRST_TWO,
    DATA,
    { bb: '{"n":2}' },
    'a b',
    '',
    '',
    '',
    [],
  ],
  [
    'a window that is not full accepts a child',
    FIRST_TWO,
    '{"a":{"n":1}}',
    { b: '{"n":2}' },
    'a b',
    '',
    'b',
    '',
    [],
  ],
  [
    'a window that is not full is not refilled',
    FIRST_TWO,
    '{"a":{"n":1}}',
    { a: 'null' },
    '',
    'a',
    '',
    '',
    [],
  ],
  ['an empty node gets its first child', FIRST_TWO, 'null', { a: '{"n":1}' }, 'a', '', 'a', '', []],
  [
    'a child leaves the range',
    { ...FIRST_TWO, sp: 1, ep: 3 },
    DATA,
    { 'a/n': '0' },
    'b c',
    'a',
    'c',
    '',
    [1],
  ],
  ['a refill stops at the bound', { ...FIRST_TWO, ep: 2 }, DATA, { a: 'null' }, 'b', 'a', '', '', [1]],
])('[Q22][Q23][Q24] %s', (_name, fields, data, writes, window, left, entered, stayed, reads) => {
  const query = parseQuery(fields);
  const before = parseNodeJson(data);
  let after = before;
  const keys: Key[] = [];
  for (const [path, value] of Object.entries(writes)) {
    after = replaceAt(after, parsePath(path), parseNodeJson(value));
    keys.push(...parsePath(path).slice(0, 1));
  }
  const followed = follow(query, before, after, keys);
  expect(followed.change.window.map(({ key }) => key).join(' ')).toBe(window);
  expect(followed.change.left.join(' ')).toBe(left);
  expect(followed.change.entered.join(' ')).toBe(entered);
  expect(followed.change.stayed.toSorted().join(' ')).toBe(stayed);
  expect(followed.reads).toEqual(reads);
});

/** Creates entries, such as the key `k000001` with the value 1, and counts the reads of their values. */
class CountedEntries {
  reads = 0;

  at(value: number): Entry {
    const key = pathOf(parsePath(`k${String(value).padStart(6, '0')}`))[0];
    if (key === undefined) throw new Error('a key');
    const read = (): number => {
      this.reads++;
      return value;
    };
    return {
      key,
      get value() {
        return read();
      },
    };
  }
}

const WINDOW_SIZE = 100_000;

/**
 * The window has the even values up to twice its size. `from` and `to` are the values of the child before and after
 * the write; `null` means that the child does not exist.
 */
test.each([
  ['stays', FIRST_TWO, 6, 6, 'stayed'],
  ['moves inside', FIRST_TWO, 6, 100_001, 'stayed'],
  ['moves inside', LAST_TWO, 6, 100_001, 'stayed'],
  ['enters', FIRST_TWO, null, 7, 'entered'],
  ['enters', LAST_TWO, null, 100_001, 'entered'],
  ['leaves', FIRST_TWO, 6, null, 'left'],
  ['leaves', LAST_TWO, 6, null, 'left'],
  ['is written outside', FIRST_TWO, 200_001, 200_003, 'none'],
] as const)(
  '[Q26] a child that %s costs fewer than 100 reads in a window of 100,000 entries (%j)',
  (_name, fields, from, to, list) => {
    const counted = new CountedEntries();
    const window = Array.from({ length: WINDOW_SIZE }, (_, i) => counted.at(2 * (i + 1)));
    const query: Query = { ...parseQuery(fields), limit: WINDOW_SIZE };
    const key = counted.at(from ?? to ?? 0).key;
    const before = from === null ? null : { key, value: from };
    const after = to === null ? null : { key, value: to };
    const refill = counted.at(query.from === 'left' ? 300_000 : 1);
    const change = applyToWindow(query, WINDOW_SIZE, window, [{ key, before, after }], () => [refill]);
    expect(counted.reads).toBeLessThan(100);
    expect(change.window.length).toBe(WINDOW_SIZE);
    expect(list === 'none' ? [key] : change[list]).toEqual([key]);
    if (list === 'none') expect(change).toEqual({ window, left: [], entered: [], stayed: [] });
    // The previous window array is not modified.
    expect(window.length).toBe(WINDOW_SIZE);
  },
);

test('[Q26] 5,000 changed children cost fewer than 100 reads each on average', () => {
  const counted = new CountedEntries();
  const window = Array.from({ length: WINDOW_SIZE }, (_, i) => counted.at(2 * (i + 1)));
  const query: Query = { ...parseQuery(FIRST_TWO), limit: WINDOW_SIZE };
  const touched = Array.from({ length: 5000 }, (_, i): TouchedChild => {
    const { key } = counted.at(4 * (i + 1));
    return { key, before: { key, value: 4 * (i + 1) }, after: { key, value: 4 * (i + 1) + 1 } };
  });
  const { window: next, stayed } = applyToWindow(query, WINDOW_SIZE, window, touched, () => []);
  expect(counted.reads).toBeLessThan(5000 * 100);
  expect(stayed.length).toBe(5000);
  expect(next.length).toBe(WINDOW_SIZE);
  expect(next.slice(0, 4).map(({ value }) => value)).toEqual([2, 5, 6, 9]);
});

/** Generates a write of a child, of a path below it, or of a priority. */
const writeArbitrary = fc.oneof(
  fc.record({
    kind: fc.constant('value' as const),
    path: fc.tuple(keyArbitrary, fc.constantFrom('', 'n', 'a', 'n/a', 'b')),
    value: fc.option(nodesOf(2, 2), { freq: 3 }),
  }),
  fc.record({
    kind: fc.constant('priority' as const),
    path: fc.tuple(keyArbitrary, fc.constantFrom('', 'n')),
    value: priorityArbitrary,
  }),
);

type Write = typeof writeArbitrary extends fc.Arbitrary<infer T> ? T : never;

function applyWrite(node: TreeNode | null, write: Write): TreeNode | null {
  const [key, rest] = write.path;
  const path = pathOf([key, ...parsePath(rest)]);
  return write.kind === 'value'
    ? replaceAt(node, path, write.value)
    : replacePriorityAt(node, path, write.value);
}

test('[Q21][Q22][Q23][Q24] after every commit the window equals a new evaluation of the query', () => {
  const commits = fc.array(fc.array(writeArbitrary, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(
      queryArbitrary,
      fc.integer({ min: 1, max: 4 }),
      nodesOf(3, 8),
      commits,
      (anyQuery, limit, start, all) => {
        const query: Query = { ...anyQuery, limit };
        let node: TreeNode | null = start.kind === 'inner' ? start : null;
        for (const writes of all) {
          const before = node;
          const keys = writes.map((write) => write.path[0]);
          for (const write of writes) node = applyWrite(node, write);
          const { change, reads } = follow(query, before, node, keys);
          const windowBefore = evaluateQuery(query, before);
          expect(change.window).toEqual(evaluateQuery(query, node));
          const wasShown = new Set(windowBefore.map(({ key }) => key));
          const isShown = new Set(change.window.map(({ key }) => key));
          expect(change.left).toEqual([...wasShown].filter((key) => !isShown.has(key)));
          expect(change.entered).toEqual([...isShown].filter((key) => !wasShown.has(key)));
          expect(change.stayed).toEqual(
            [...isShown].filter((key) => wasShown.has(key) && keys.includes(key)),
          );
          expect(reads.length).toBeLessThanOrEqual(windowBefore.length === limit ? 1 : 0);
          const isOutside = change.left.length + change.entered.length + change.stayed.length === 0;
          if (isOutside) expect(reads).toEqual([]);
        }
      },
    ),
    { numRuns: 1000 },
  );
});
