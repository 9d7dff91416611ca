import type { Key } from '@hearth/core/tree/key.ts';
import { childEntryKey, type NodeId, nodeKey } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import { decodeEntry, type StoredEntry } from './entry.ts';
import type { StoredTree } from './stored-tree.ts';

/** An interior node on the way to a place. */
export interface Ancestor {
  readonly node: NodeId;
  /** Number of keys from the root to it. */
  readonly depth: number;
  /** Key of the entry that refers to it. */
  readonly entryKey: Buffer;
}

/** The last entry on the way to a place: the place is that entry, or inside its blob, or would be below it. */
export interface Location {
  /** From the root down; the last of them owns the entry, unless the entry is the root's. */
  readonly ancestors: readonly Ancestor[];
  readonly entryKey: Buffer;
  readonly entry: StoredEntry | undefined;
  /** Number of keys from the root to the entry. */
  readonly depth: number;
}

/** Walks from entry to entry along a path, as far as there are any; one point read per interior node on the way. */
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
