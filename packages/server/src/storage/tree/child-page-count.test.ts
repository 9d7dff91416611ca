import { compareKeys, type Key, parseKey } from '@hearth/core/tree/key.ts';
import { leafNode, nodeAt } from '@hearth/core/tree/node.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChildCount } from './child-page.ts';
import { historyKeys, historyPaths, spreadNodes } from './history.arbitrary.ts';
import { everyNth, longList, object, type StoredNode, storeNode } from './stored-node.fixture.ts';
import { writeNode } from './write.ts';

function countAll(
  { store, tree }: StoredNode,
  path: readonly Key[],
  before: Key | undefined,
  callsPerStep: number,
): number {
  const count = new ChildCount(tree, path, before);
  const isOver = everyNth(callsPerStep);
  while (!store.read((tx) => count.step(tx, isOver)));
  return count.count;
}

test('[K153] the count of all children, or of those before a key, is exact in steps of any length', () => {
  const paths = fc.tuple(historyPaths, fc.option(historyKeys, { nil: undefined }));
  fc.assert(
    fc.property(spreadNodes, paths, fc.integer({ min: 1, max: 5 }), (node, [path, before], callsPerStep) => {
      const here = nodeAt(node, path);
      const keys = here?.kind === 'inner' ? [...here.children.keys()] : [];
      const counted = keys.filter((key) => before === undefined || compareKeys(key, before) < 0);
      expect(countAll(storeNode(node), path, before, callsPerStep)).toBe(counted.length);
    }),
  );
});

test.each([
  ['a child removed behind', 'k0001', null, 20],
  ['a child removed ahead', 'k0015', null, 19],
  ['a child added behind', 'k00005', leafNode(1), 20],
  ['a child added ahead', 'k00155', leafNode(1), 21],
] as const)('[K156] a running count ends correctly with %s its position', (_name, key, node, expected) => {
  const { store, tree } = storeNode(object({ list: longList(20) }));
  const list = parseKey('list');
  const count = new ChildCount(tree, [list]);
  expect(store.read((tx) => count.step(tx, everyNth(10)))).toBe(false);
  store.transact((tx) => writeNode(tx, tree, [list, parseKey(key)], node));
  expect(store.read((tx) => count.step(tx, () => false))).toBe(true);
  expect(count.count).toBe(expected);
});

test.each([
  ['by another large one', longList(25), 25],
  [
    'by a small one',
    object({ k0001: leafNode(1), k0009: leafNode(1), k0010: leafNode(1), z: leafNode(1) }),
    12,
  ],
  ['by a leaf', leafNode(true), 10],
  ['by nothing', null, 10],
] as const)(
  '[K156] a running count continues after the same key if the node is replaced %s',
  (_name, node, expected) => {
    const { store, tree } = storeNode(object({ list: longList(20) }));
    const count = new ChildCount(tree, [parseKey('list')]);
    expect(store.read((tx) => count.step(tx, everyNth(10)))).toBe(false);
    store.transact((tx) => writeNode(tx, tree, [parseKey('list')], node));
    expect(store.read((tx) => count.step(tx, () => false))).toBe(true);
    expect(count.count).toBe(expected);
  },
);
