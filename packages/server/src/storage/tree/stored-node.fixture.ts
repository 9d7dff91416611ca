import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { innerNode, leafNode, type TreeNode } from '@hearth/core/tree/node.ts';
import { MemoryStore } from '../kv/memory.ts';
import type { KvStore } from '../kv/store.ts';
import { allocateNodeId, type StoredTree } from './stored-tree.ts';
import { writeNode } from './write.ts';

export interface StoredNode {
  readonly store: KvStore;
  readonly tree: StoredTree;
}

/** Creates a store in memory whose only tree is the given node. */
export function storeNode(node: TreeNode | null): StoredNode {
  const store = new MemoryStore();
  const tree: StoredTree = { holder: store.transact(allocateNodeId), indexesAt: () => [] };
  store.transact((tx) => void writeNode(tx, tree, [], node));
  return { store, tree };
}

export function object(children: Readonly<Record<string, TreeNode>>): TreeNode {
  const entries = Object.entries(children).map(([key, child]): [Key, TreeNode] => [parseKey(key), child]);
  return innerNode(entries) ?? leafNode(true);
}

/**
 * Returns an object with strings below `<prefix>0000`, `<prefix>0001` and so on, each long enough to be a
 * separate entry.
 */
export function longList(count: number, prefix = 'k'): TreeNode {
  const keys = Array.from({ length: count }, (_, index) => prefix + String(index).padStart(4, '0'));
  return object(Object.fromEntries(keys.map((key) => [key, leafNode(`text of ${key} ${'x'.repeat(2000)}`)])));
}

/** Returns a function that returns true on every `calls`-th call. Steps use it as `isOver`. */
export function everyNth(calls: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % calls === 0;
  };
}
