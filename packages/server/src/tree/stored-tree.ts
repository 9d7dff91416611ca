import type { QueryIndex } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { type IndexId, META_NEXT_NODE_ID, type NodeId } from '../kv/keys.ts';
import type { KvWrite } from '../kv/store.ts';
import { allocateId } from './counter.ts';

/** An index of the children of some nodes. Its id is never used again, not even for the same definition. */
export interface StoredIndex {
  readonly id: IndexId;
  readonly index: QueryIndex;
}

/**
 * One database's tree in a store. `holder` is the id under which its root is kept; `indexesAt` tells the indexes that rules
 * declare for the children of the node at a path (`index-catalog.ts` makes such a function). Two calls with the same path
 * must agree as long as the catalog does not change.
 */
export interface StoredTree {
  readonly holder: NodeId;
  readonly indexesAt: (path: readonly Key[]) => readonly StoredIndex[];
}

/** What is read in place of a tree that does not exist. No tree has this id. */
export const NO_TREE: StoredTree = { holder: 0, indexesAt: () => [] };

/** An id for a new tree's root, or for an interior node. */
export function allocateNodeId(tx: KvWrite): NodeId {
  return allocateId(tx, META_NEXT_NODE_ID, 1);
}
