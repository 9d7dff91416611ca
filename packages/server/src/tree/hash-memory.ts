import type { Key } from '@hearth/core/tree/key.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import type { NodeId } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import { locate } from './locate.ts';
import type { StoredTree } from './stored-tree.ts';

/** Most hashes remembered; beyond, all are forgotten. Some 150 bytes each. */
const MAX_REMEMBERED = 50_000;

interface Remembered {
  readonly priority: Priority;
  readonly hash: string;
}

/**
 * Hashes of interior nodes, so that asking again for that of a large tree costs what has changed since. Exact as long as
 * every write of a tree is announced by `forget`, and `clear` is called when a transaction was undone.
 */
export class HashMemory {
  readonly #hashes = new Map<NodeId, Remembered>();

  /** The hash of an interior node that has this priority, if it is remembered. */
  find(node: NodeId, priority: Priority): string | undefined {
    const known = this.#hashes.get(node);
    return known?.priority === priority ? known.hash : undefined;
  }

  remember(node: NodeId, priority: Priority, hash: string): void {
    if (this.#hashes.size >= MAX_REMEMBERED) this.#hashes.clear();
    this.#hashes.set(node, { priority, hash });
  }

  /** Forgets every interior node that a write at `path` changes; to be called before the write. */
  forget(tx: KvRead, tree: StoredTree, path: readonly Key[]): void {
    if (this.#hashes.size === 0) return;
    for (const { node } of locate(tx, tree, path).ancestors) this.#hashes.delete(node);
  }

  clear(): void {
    this.#hashes.clear();
  }
}
