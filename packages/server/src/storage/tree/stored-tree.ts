import type { QueryIndex } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { childEntryKey, type IndexId, META_NEXT_NODE_ID, type NodeId, nodeKey } from '../kv/keys.ts';
import type { KvRead, KvWrite } from '../kv/store.ts';
import { decodeEntry, type StoredEntry } from './entry.ts';

const COUNTER_BYTES = 6;

/** Returns the next number of a persisted counter that starts at `first`. A number is never returned twice. */
export function allocateId(tx: KvWrite, counterKey: Buffer, first: number): number {
  const stored = tx.find('meta', counterKey);
  const id = stored === undefined ? first : stored.readUIntBE(0, COUNTER_BYTES);
  const next = Buffer.allocUnsafe(COUNTER_BYTES);
  next.writeUIntBE(id + 1, 0, COUNTER_BYTES);
  tx.put('meta', counterKey, next);
  return id;
}

/** An index of the children of some nodes. Its id is never reused, not even for the same definition. */
export interface StoredIndex {
  readonly id: IndexId;
  readonly index: QueryIndex;
}

/**
 * The tree of one database in a store. `holder` is the id under which its root is stored. `indexesAt` returns
 * the indexes that the rules declare for the children of the node at a path; `index-catalog.ts` creates such a
 * function. Two calls with the same path must return the same indexes as long as the catalog does not change.
 */
export interface StoredTree {
  readonly holder: NodeId;
  readonly indexesAt: (path: readonly Key[]) => readonly StoredIndex[];
}

/** An empty tree, for a database whose tree does not exist. No stored tree has the id 0. */
export const NO_TREE: StoredTree = { holder: 0, indexesAt: () => [] };

/** Returns an id for a new tree's root, or for an interior node. */
export function allocateNodeId(tx: KvWrite): NodeId {
  return allocateId(tx, META_NEXT_NODE_ID, 1);
}

/** An interior node on a path. */
export interface Ancestor {
  readonly node: NodeId;
  /** Number of keys from the root to the node. */
  readonly depth: number;
  /** Key of the entry that refers to the node. */
  readonly entryKey: Buffer;
}

/** The last entry on a path. The node at the path is this entry, or is inside its blob, or would be below it. */
export interface Location {
  /** From the root down. The last ancestor owns the entry, unless the entry is the root's. */
  readonly ancestors: readonly Ancestor[];
  readonly entryKey: Buffer;
  readonly entry: StoredEntry | undefined;
  /** Number of keys from the root to the entry. */
  readonly depth: number;
}

/** Walks along a path from entry to entry as far as entries exist. Needs one point read per interior node. */
export function locate(tx: KvRead, tree: StoredTree, path: readonly Key[]): Location {
  const ancestors: Ancestor[] = [];
  let entryKey = nodeKey(tree.holder);
  let depth = 0;
  for (;;) {
    const value = tx.find('tree', entryKey);
    const entry = value === undefined ? undefined : decodeEntry(value);
    const key = path[depth];
    if (entry?.kind !== 'reference' || key === undefined) return { ancestors, entryKey, entry, depth };
    ancestors.push({ node: entry.node, depth, entryKey });
    entryKey = childEntryKey(entry.node, key);
    depth += 1;
  }
}
