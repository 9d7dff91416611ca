import type { Key } from '@hearth/core/tree/key.ts';
import { childEntryKey, type IndexId, NODE_ID_BYTES, type NodeId, nodeIndexKey } from '../kv/keys.ts';
import type { KvRead, KvWrite } from '../kv/store.ts';
import type { StoredIndex } from './stored-tree.ts';

/**
 * How far an index of a node is built.
 * Shape of the record: 1 for complete; 0 for building, then the sort key of the last child that has its entry (none yet:
 * nothing follows). No record: the index is not kept at this node.
 */
export type IndexState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'building'; readonly reached: Buffer }
  | { readonly kind: 'complete' };

const BUILDING = 0;
const COMPLETE = 1;

/**
 * The priority index, which every node may have. It is not kept as long as no child of the node has a priority, so its
 * absence means that priority order is key order.
 */
export const PRIORITY_INDEX: StoredIndex = { id: 1, index: { kind: 'priority' } };

/** The first id of a declared index. */
export const FIRST_DECLARED_INDEX_ID = 2;

export function readIndexState(tx: KvRead, node: NodeId, index: IndexId): IndexState {
  const record = tx.find('index', nodeIndexKey(node, index));
  if (record === undefined) return { kind: 'absent' };
  return record[0] === COMPLETE ? { kind: 'complete' } : { kind: 'building', reached: record.subarray(1) };
}

export function writeIndexComplete(tx: KvWrite, node: NodeId, index: IndexId): void {
  tx.put('index', nodeIndexKey(node, index), Buffer.from([COMPLETE]));
}

export function writeIndexBuilding(tx: KvWrite, node: NodeId, index: IndexId, reached: Buffer): void {
  tx.put('index', nodeIndexKey(node, index), Buffer.concat([Buffer.from([BUILDING]), reached]));
}

/** Does a child of the node have its entry in the index? */
export function isIndexed(state: IndexState, key: Key): boolean {
  if (state.kind !== 'building') return state.kind === 'complete';
  return childEntryKey(0, key).subarray(NODE_ID_BYTES).compare(state.reached) <= 0;
}
