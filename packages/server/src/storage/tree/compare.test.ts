import type { TreeNode } from '@hearth/core/tree/node.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryStore } from '../kv/memory.ts';
import { beginComparison, compareStep, type LeafCounts, readSubtree, type TreeWalk } from './compare.ts';
import { historyKeys, historyNodes } from './history.arbitrary.ts';
import { allocateNodeId, type StoredTree } from './stored-tree.ts';
import { writeNode } from './write.ts';

/** Returns every leaf with its priority, by path. */
function leavesOf(
  node: TreeNode | null,
  path = '',
  found = new Map<string, string>(),
): ReadonlyMap<string, string> {
  if (node === null) return found;
  if (node.kind === 'leaf')
    return found.set(path, `${typeof node.value} ${String(node.value)} ${node.priority}`);
  for (const [key, child] of node.children) leavesOf(child, `${path}/${key}`, found);
  return found;
}

/** Returns the number of inner nodes of both trees that differ in priority. */
function changedPriorities(before: TreeNode | null, after: TreeNode | null): number {
  if (before?.kind !== 'inner' || after?.kind !== 'inner') return 0;
  let count = before.priority === after.priority ? 0 : 1;
  for (const [key, child] of before.children)
    count += changedPriorities(child, after.children.get(key) ?? null);
  return count;
}

function expectedCounts(before: TreeNode | null, after: TreeNode | null): LeafCounts {
  const left = leavesOf(before);
  const right = leavesOf(after);
  const counts = { added: 0, changed: changedPriorities(before, after), removed: 0, unchanged: 0 };
  for (const [path, value] of left) {
    const other = right.get(path);
    if (hasBelow(right, path)) counts.changed += 1;
    else if (other === undefined) counts.removed += 1;
    else if (other === value) counts.unchanged += 1;
    else counts.changed += 1;
  }
  for (const path of right.keys())
    if (hasBelow(left, path)) counts.changed += 1;
    else if (!left.has(path)) counts.added += 1;
  return counts;
}

/** Returns whether the path of a leaf of one tree is an object in the other tree. */
function hasBelow(leaves: ReadonlyMap<string, string>, path: string): boolean {
  return [...leaves.keys()].some((other) => other.startsWith(`${path}/`));
}

function storeTree(store: MemoryStore, node: TreeNode | null): StoredTree {
  return store.transact((tx) => {
    const tree = { holder: allocateNodeId(tx), indexesAt: () => [] };
    writeNode(tx, tree, [], node);
    return tree;
  });
}

test('[K130] the leaves of two trees are counted in steps of any size, and a step needs only the state of the previous one', () => {
  const trees = fc.option(historyNodes, { freq: 6 });
  const paths = fc.array(historyKeys, { maxLength: 1 });
  fc.assert(
    fc.property(trees, trees, paths, fc.integer({ min: 1, max: 5 }), (before, after, path, stepChildren) => {
      using store = new MemoryStore();
      const left = storeTree(store, before);
      const right = storeTree(store, after);
      const at = (node: TreeNode | null): TreeNode | null =>
        path.reduce<TreeNode | null>(
          (here, key) => (here?.kind === 'inner' ? (here.children.get(key) ?? null) : null),
          node,
        );
      let walk: TreeWalk = store.read((tx) =>
        beginComparison(readSubtree(tx, left, path), readSubtree(tx, right, path)),
      );
      while (walk.open.length > 0) {
        const saved: TreeWalk = JSON.parse(JSON.stringify(walk));
        walk = store.read((tx) => compareStep(tx, saved, stepChildren));
      }
      expect(walk.counts).toEqual(expectedCounts(at(before), at(after)));
    }),
    { numRuns: 1000 },
  );
});
