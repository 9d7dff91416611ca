import { nodeAt } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { historyPaths, spreadNodes } from './history.arbitrary.ts';
import { everyNth, longList, object, storeNode } from './stored-node.fixture.ts';
import { SubtreeSize } from './subtree-walk.ts';

test('[K154] the size is the length of the exported JSON text, in steps of any length', () => {
  fc.assert(
    fc.property(spreadNodes, historyPaths, fc.integer({ min: 1, max: 5 }), (node, path, pace) => {
      const { store, tree } = storeNode(node);
      const size = new SubtreeSize(tree, path);
      const isOver = everyNth(pace);
      while (!store.read((tx) => size.step(tx, isOver)));
      const here = nodeAt(node, path);
      expect(size.bytes).toBe(here === null ? 0 : Buffer.byteLength(exportJson(here)));
    }),
  );
});

test('[K154] each entry of the store is counted once', () => {
  const { store, tree } = storeNode(object({ a: longList(30), b: longList(20) }));
  const size = new SubtreeSize(tree, []);
  expect(store.read((tx) => size.step(tx, () => false))).toBe(true);
  expect(size.entries).toBe(1 + 2 + 30 + 20);
});
