import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseKey } from './key.ts';
import { numberArbitrary, priorityArbitrary, scalarArbitrary } from './node.arbitrary.ts';
import { leafNode, type Priority, type TreeNode } from './node.ts';
import { parseNodeJson } from './node-json.ts';
import {
  compareByPriority,
  compareIndexValues,
  comparePriorities,
  type IndexValue,
  indexValueOf,
  OBJECT,
} from './order.ts';

const ASCENDING: readonly IndexValue[] = [
  ...[null, false, true],
  ...[-1e308, -(2n ** 63n), -1.5, -1, 0, 5e-324, 1, 1.5, 2, 10, 2n ** 53n, 2n ** 63n - 1n, 1e308],
  ...['', '!', '1', '10', '2', 'A', 'a', 'aa', 'b', 'é', '\ud83d\ude00', '\ufffd'],
  OBJECT,
];

test('[T13] values are ordered: no value, false, true, numbers, strings, objects', () => {
  ASCENDING.forEach((low, i) => {
    ASCENDING.forEach((high, j) => {
      expect([i, j, compareIndexValues(low, high)]).toEqual([i, j, Math.sign(i - j)]);
    });
  });
});

test.each([
  ['null', null],
  ['false', false],
  ['"s"', 's'],
  ['{".value":1,".priority":9}', 1],
  ['{"a":1}', OBJECT],
  ['[1]', OBJECT],
])('[T13] the index value of the node %s is %s', (text, value) => {
  expect(indexValueOf(parseNodeJson(text))).toBe(value);
});

test('[T15] integers that convert to the same double are equal in order', () => {
  expect(compareIndexValues(2n ** 53n, 2n ** 53n + 1n)).toBe(0);
  expect(compareIndexValues(2n ** 63n - 1n, 2 ** 63)).toBe(0);
  expect(compareIndexValues(2n ** 53n, 2n ** 53n + 2n)).toBe(-1);
});

test('[T13] the order of values is total', () => {
  const value: fc.Arbitrary<IndexValue> = fc.oneof(
    scalarArbitrary,
    numberArbitrary,
    fc.constantFrom<IndexValue>(null, OBJECT),
  );
  fc.assert(
    fc.property(value, value, value, (a, b, c) => {
      expect(compareIndexValues(a, a)).toBe(0);
      expect(compareIndexValues(a, b) + compareIndexValues(b, a)).toBe(0);
      if (compareIndexValues(a, b) <= 0 && compareIndexValues(b, c) <= 0)
        expect(compareIndexValues(a, c)).toBeLessThanOrEqual(0);
    }),
    { numRuns: 2000 },
  );
});

test.each<[Priority, Priority]>([
  [null, -1e308],
  [-1, 0],
  [2, 10],
  [1e308, ''],
  ['10', '2'],
  ['a', 'b'],
])('[T14] the priority %j comes before %j', (low, high) => {
  expect(comparePriorities(low, high)).toBe(-1);
  expect(comparePriorities(high, low)).toBe(1);
  expect(comparePriorities(low, low)).toBe(0);
});

test('[T14] children are ordered by priority, then by key', () => {
  const children: [ReturnType<typeof parseKey>, TreeNode][] = [
    ['b', null],
    ['10', null],
    ['a', 'x'],
    ['9', null],
    ['z', 1],
    ['c', 1],
    ['y', -1],
  ].map(([key, priority]) => [parseKey(String(key)), leafNode(true, priority ?? null)]);
  expect(children.sort(compareByPriority).map(([key]) => key)).toEqual(['9', '10', 'b', 'y', 'c', 'z', 'a']);
});

test('[T14] the order of priorities is total', () => {
  fc.assert(
    fc.property(priorityArbitrary, priorityArbitrary, (a, b) => {
      expect(comparePriorities(a, b) + comparePriorities(b, a)).toBe(0);
      expect(comparePriorities(a, b) === 0).toBe(a === b);
    }),
  );
});
