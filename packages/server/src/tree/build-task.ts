import { type IndexId, type NodeId, nodeIndexKey } from '../kv/keys.ts';
import type { KvWrite } from '../kv/store.ts';
import { writeIndexBuilding } from './index-state.ts';
import type { StoredIndex } from './stored-tree.ts';

/** Asks for an index of a node to be built in the background. The record is the index's definition, as JSON. */
export function addBuildTask(tx: KvWrite, node: NodeId, { id, index }: StoredIndex): void {
  writeIndexBuilding(tx, node, id, Buffer.alloc(0));
  tx.put('build', nodeIndexKey(node, id), Buffer.from(JSON.stringify(index)));
}

export function removeBuildTask(tx: KvWrite, node: NodeId, index: IndexId): void {
  tx.remove('build', nodeIndexKey(node, index));
}
