import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Key } from '../tree/key.ts';
import { keyArbitrary, nodesOf, priorityArbitrary } from '../tree/node.arbitrary.ts';
import { childOf, replaceAt, replacePriorityAt, type TreeNode } from '../tree/node.ts';
import { parseNodeJson } from '../tree/node-json.ts';
import { parsePath, pathOf } from '../tree/path.ts';
import { evaluateQuery } from './evaluate.ts';
import { queryArbitrary } from './query.arbitrary.ts';
import { childIndexValue, compareEntries, type Entry, parseQuery, type Query } from './query.ts';
import {
  applyToWindow,
  compareWindows,
  type ReadBeyond,
  type TouchedChild,
  type WindowChange,
} from './window.ts';

/** What `readBeyond` promises, read from the tree as it stands. */
function readerOf(query: Query, node: TreeNode | null): ReadBeyond {
  return (beyond, count) => {
    const all = evaluateQuery({ ...query, limit: null }, node);
    const outward = query.from === 'left' ? all : all.toReversed();
    const isFurther = (entry: Entry) => compareEntries(entry, beyond) === (query.from === 'left' ? 1 : -1);
    return outward.filter(isFurther).slice(0, count);
  };
}

function touchedBy(query: Query, keys: Iterable<Key>, after: TreeNode | null): readonly TouchedChild[] {
  return [...new Set(keys)].map((key) => {
    const child = childOf(after, key);
    return { key, after: child === null ? null : { key, value: childIndexValue(child, query.index) } };
  });
}

interface Followed {
  readonly change: WindowChange;
  /** The counts that were asked of `readBeyond`. */
  readonly reads: readonly number[];
}

/** Moves the window of a limited query over the writes of one commit. */
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
    touchedBy(query, keys, after),
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
  ['the first is removed', FIRST_TWO, DATA, { a: 'null' }, 'b c', 'a', 'c', '', [1]],
  ['one enters before', FIRST_TWO, DATA, { z: '{"n":0}' }, 'z a', 'b', 'z', '', []],
  ['one moves out', FIRST_TWO, DATA, { 'b/n': '9' }, 'a c', 'b', 'c', '', [1]],
  ['one changes in place', FIRST_TWO, DATA, { 'a/y': 'true' }, 'a b', '', '', 'a', []],
  ['two change places', FIRST_TWO, DATA, { 'a/n': '3', 'b/n': '1' }, 'b a', '', '', 'a b', [1]],
  ['one is written outside', FIRST_TWO, DATA, { 'd/q': '1', 'e/n': '7', c: 'null' }, 'a b', '', '', '', []],
  ['all that is shown is removed', FIRST_TWO, DATA, { a: 'null', b: 'null' }, 'c d', 'a b', 'c d', '', [2]],
  [
    'everything is removed',
    FIRST_TWO,
    DATA,
    { a: 'null', b: 'null', c: 'null', d: 'null' },
    '',
    'a b',
    '',
    '',
    [2],
  ],
  ['one out, another in', FIRST_TWO, DATA, { a: 'null', z: '{"n":1.5}' }, 'z b', 'a', 'z', '', []],
  ['from the end, the last is removed', LAST_TWO, DATA, { d: 'null' }, 'b c', 'd', 'b', '', [1]],
  ['from the end, one enters behind', LAST_TWO, DATA, { e: '{"n":"s"}' }, 'd e', 'c', 'e', '', []],
  ['from the end, one enters in front', LAST_TWO, DATA, { e: '{"n":0}' }, 'c d', '', '', '', []],
  ['a tie enters by its key', FIRST_TWO, DATA, { aa: '{"n":2}' }, 'a aa', 'b', 'aa', '', []],
  ['a tie stays out by its key', FIRST_TWO, DATA, { bb: '{"n":2}' }, 'a b', '', '', '', []],
  ['a window with room takes one in', FIRST_TWO, '{"a":{"n":1}}', { b: '{"n":2}' }, 'a b', '', 'b', '', []],
  ['a window with room is not refilled', FIRST_TWO, '{"a":{"n":1}}', { a: 'null' }, '', 'a', '', '', []],
  ['nothing becomes something', FIRST_TWO, 'null', { a: '{"n":1}' }, 'a', '', 'a', '', []],
  ['one leaves the range', { ...FIRST_TWO, sp: 1, ep: 3 }, DATA, { 'a/n': '0' }, 'b c', 'a', 'c', '', [1]],
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

test('[Q22] two windows are compared by their keys', () => {
  const entries = (text: string): readonly Entry[] => parsePath(text).map((key, value) => ({ key, value }));
  expect(compareWindows(entries('a/b/c'), entries('b/c/d'), new Set(parsePath('a/b/d')))).toEqual({
    window: entries('b/c/d'),
    left: ['a'],
    entered: ['d'],
    stayed: ['b'],
  });
});

/** A write of one child, or of a place or a priority below it. */
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

test('[Q21][Q22][Q23][Q24] over any commits the window is what evaluating anew would show', () => {
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
