import { decodeNodeId, type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvRead, type KvWrite, prefixRange, type Table } from '../kv/store.ts';
import { decodeEntry } from './entry.ts';

const NOTHING = Buffer.alloc(0);

/** Marks an unreferenced interior node for removal by `reclaimStep`. */
export function addUnreferenced(tx: KvWrite, node: NodeId): void {
  tx.put('garbage', nodeKey(node), NOTHING);
}

/**
 * Removes up to `maxRemovals` entries of unlinked nodes, with their index entries. Returns how many were
 * removed. Fewer than `maxRemovals` means that none are left.
 */
export function reclaimStep(tx: KvWrite, maxRemovals: number): number {
  let removed = 0;
  for (;;) {
    const node = findGarbage(tx);
    if (node === undefined) return removed;
    for (const table of OWNED_TABLES) {
      for (const { key, value } of tx.scan(table, prefixRange(nodeKey(node)))) {
        if (removed === maxRemovals) return removed;
        if (table === 'tree') unlinkChild(tx, value);
        tx.remove(table, key);
        removed += 1;
      }
    }
    if (removed === maxRemovals) return removed;
    tx.remove('garbage', nodeKey(node));
    removed += 1;
  }
}

/** Returns whether `reclaimStep` has any work. */
export function hasGarbage(tx: KvRead): boolean {
  return findGarbage(tx) !== undefined;
}

/**
 * Returns the next node to remove. The caller repeats the call after each node, because the children of that
 * node may have become garbage.
 */
function findGarbage(tx: KvRead): NodeId | undefined {
  for (const { key } of tx.scan('garbage', {})) return decodeNodeId(key);
  return undefined;
}

const OWNED_TABLES = ['tree', 'index', 'build'] as const satisfies readonly Table[];

function unlinkChild(tx: KvWrite, value: Buffer): void {
  const entry = decodeEntry(value);
  if (entry.kind === 'reference') addUnreferenced(tx, entry.node);
}
