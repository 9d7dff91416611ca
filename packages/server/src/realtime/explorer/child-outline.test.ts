import { compareKeys, type Key, parseKey } from '@hearth/core/tree/key.ts';
import { leafNode, nodeAt } from '@hearth/core/tree/node.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { historyKeys, historyPaths, spreadNodes } from '../../storage/tree/history.arbitrary.ts';
import {
  everyNth,
  longList,
  object,
  type StoredNode,
  storeNode,
} from '../../storage/tree/stored-node.fixture.ts';
import { writeNode } from '../../storage/tree/write.ts';
import { ChildOutline, findKeyAfterSkipping, type Outline } from './child-outline.ts';

function outlineOf({ store, tree }: StoredNode, path: readonly Key[], pace: number): Outline {
  const outline = new ChildOutline(tree, path);
  const isOver = everyNth(pace);
  while (!store.read((tx) => outline.step(tx, isOver)));
  return outline.outline;
}

/** Returns an object with this many numbers, whose keys are in order. */
function numbers(count: number) {
  const entries = Array.from({ length: count }, (_, index) => [keyAt(index), leafNode(index)] as const);
  return object(Object.fromEntries(entries));
}

function keyAt(index: number): string {
  return `k${String(index).padStart(7, '0')}`;
}

test.each([
  [0, 100, 0],
  [1, 100, 0],
  [100, 100, 0],
  [101, 100, 1],
  [1_000, 100, 9],
])('[K175] of %i children, an outline has a key every %i children: %i keys', (count, stride, keys) => {
  const stored = storeNode(count === 0 ? null : numbers(count));
  const outline = outlineOf(stored, [], 30);
  expect([outline.count, outline.stride, outline.keys.length]).toEqual([count, stride, keys]);
  expect(outline.keys).toEqual(Array.from({ length: keys }, (_, index) => keyAt((index + 1) * stride)));
});

test.each([
  ['keys', { maxKeys: 4, maxKeyBytes: 1_000, maxStride: 100 }, 40],
  ['bytes of keys', { maxKeys: 1_000, maxKeyBytes: 32, maxStride: 100 }, 40],
  ['keys, up to the largest distance', { maxKeys: 4, maxKeyBytes: 1_000, maxStride: 20 }, 20],
])('[K175] an outline of too many %s drops every second one', (_name, limits, stride) => {
  const { store, tree } = storeNode(numbers(130));
  const outline = new ChildOutline(tree, [], { ...limits, minStride: 10 });
  const isOver = everyNth(7);
  while (!store.read((tx) => outline.step(tx, isOver)));
  expect(outline.outline).toEqual({
    count: 130,
    stride,
    keys: Array.from({ length: Math.ceil(130 / stride) - 1 }, (_, index) => keyAt((index + 1) * stride)),
  });
});

test.each([
  ['a child removed behind', 'k0001', null, 20],
  ['a child removed ahead', 'k0015', null, 19],
  ['a child added behind', 'k00005', leafNode(1), 20],
  ['a child added ahead', 'k00155', leafNode(1), 21],
] as const)('[K156] a running outline handles %s its position', (_name, key, node, expected) => {
  const { store, tree } = storeNode(object({ list: longList(20) }));
  const list = parseKey('list');
  const outline = new ChildOutline(tree, [list]);
  expect(store.read((tx) => outline.step(tx, everyNth(10)))).toBe(false);
  store.transact((tx) => writeNode(tx, tree, [list, parseKey(key)], node));
  expect(store.read((tx) => outline.step(tx, () => false))).toBe(true);
  expect(outline.outline.count).toBe(expected);
});

test.each([
  ['by another large one', longList(25), 25],
  [
    'by a small one',
    object({ k0001: leafNode(1), k0009: leafNode(1), k0010: leafNode(1), z: leafNode(1) }),
    12,
  ],
  ['by nothing', null, 10],
] as const)(
  '[K156] an outline continues after the same key in a node that was replaced %s',
  (_name, node, expected) => {
    const { store, tree } = storeNode(object({ list: longList(20) }));
    const list = parseKey('list');
    const outline = new ChildOutline(tree, [list]);
    store.read((tx) => outline.step(tx, everyNth(10)));
    store.transact((tx) => writeNode(tx, tree, [list], node));
    store.read((tx) => outline.step(tx, () => false));
    expect(outline.outline.count).toBe(expected);
  },
);

test('[K176] skipping finds the child at a distance from any position, in nodes of any form', () => {
  const starts = fc.oneof(
    fc.constant({ kind: 'first' as const }),
    fc.record({ kind: fc.constantFrom('from' as const, 'after' as const), key: historyKeys }),
  );
  fc.assert(
    fc.property(
      spreadNodes,
      historyPaths,
      starts,
      fc.integer({ min: 0, max: 6 }),
      (node, path, start, skipped) => {
        const here = nodeAt(node, path);
        const keys = here?.kind === 'inner' ? [...here.children.keys()].sort(compareKeys) : [];
        const first = keys.findIndex(
          (key) => start.kind === 'first' || compareKeys(key, start.key) >= (start.kind === 'from' ? 0 : 1),
        );
        const { store, tree } = storeNode(node);
        expect(store.read((tx) => findKeyAfterSkipping(tx, tree, path, start, skipped))).toBe(
          first < 0 ? undefined : keys[first + skipped],
        );
      },
    ),
  );
});
