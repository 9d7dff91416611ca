import { indexName, type Query, type QueryIndex } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import type { IndexId, NodeId } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import { PRIORITY_INDEX, readIndexState } from './index-state.ts';
import { readEntryNode, readPlace } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/**
 * How a query is answered: there is nothing; a small node in memory; a range of children in key order; a range of index
 * entries; or, for want of an index, a look at every child. The last is the only one whose cost grows with the node.
 */
export type QueryPlan =
  | { readonly kind: 'empty' }
  | { readonly kind: 'memory'; readonly node: TreeNode }
  | { readonly kind: 'keys'; readonly node: NodeId }
  | { readonly kind: 'index'; readonly node: NodeId; readonly index: IndexId }
  | { readonly kind: 'scan'; readonly node: NodeId };

/** Chooses how to answer a query on the node at a path. */
export function planQuery(tx: KvRead, tree: StoredTree, path: readonly Key[], query: Query): QueryPlan {
  const place = readPlace(tx, tree, path);
  if (place.kind === 'absent') return { kind: 'empty' };
  if (place.kind === 'inside') return { kind: 'memory', node: place.node };
  if (place.entry.kind === 'blob') return { kind: 'memory', node: readEntryNode(tx, place.entry) };
  return planForNode(tx, tree, path, place.entry.node, query.index);
}

function planForNode(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  node: NodeId,
  index: QueryIndex,
): QueryPlan {
  if (index.kind === 'key') return { kind: 'keys', node };
  if (index.kind === 'priority') return planByPriority(tx, node);
  const name = indexName(index);
  for (const declared of tree.indexesAt(path)) {
    if (indexName(declared.index) !== name) continue;
    if (readIndexState(tx, node, declared.id).kind === 'complete')
      return { kind: 'index', node, index: declared.id };
  }
  return { kind: 'scan', node };
}

/** The plan that visits the children of an interior node in priority order. */
export function planByPriority(tx: KvRead, node: NodeId): QueryPlan {
  const state = readIndexState(tx, node, PRIORITY_INDEX.id);
  switch (state.kind) {
    case 'absent':
      return { kind: 'keys', node };
    case 'building':
      return { kind: 'scan', node };
    case 'complete':
      return { kind: 'index', node, index: PRIORITY_INDEX.id };
    default:
      return state satisfies never;
  }
}
