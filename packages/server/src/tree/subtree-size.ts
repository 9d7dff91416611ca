import type { Key } from '@hearth/core/tree/key.ts';
import type { Priority, TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { decodeChildKey } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import { type StoredEntry, TEXT_OFFSET } from './entry.ts';
import type { StoredTree } from './stored-tree.ts';
import { SubtreeWalk, type WalkVisitor } from './subtree-walk.ts';

/** Measures all that is at and below a path, step by step. */
export class SubtreeSize implements WalkVisitor {
  readonly #walk: SubtreeWalk;
  #isOver: () => boolean = () => true;
  #entries = 0;
  #bytes = 0;

  constructor(tree: StoredTree, path: readonly Key[]) {
    this.#walk = new SubtreeWalk(tree, path);
  }

  /** Entries of the store so far. A small object is one, with all that is in it. */
  get entries(): number {
    return this.#entries;
  }

  /** Length so far of the JSON text in export form, in UTF-8. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Measures until `isOver` says so; returns whether that was all. */
  step(tx: KvRead, isOver: () => boolean): boolean {
    this.#isOver = isOver;
    return this.#walk.step(tx, this);
  }

  entry(entry: StoredEntry, entryKey: Buffer | undefined): boolean {
    this.#entries += 1;
    // A member takes a colon and, as one of them has none, a comma less one per object.
    if (entryKey !== undefined)
      this.#bytes += Buffer.byteLength(JSON.stringify(decodeChildKey(entryKey))) + 2;
    this.#bytes +=
      entry.kind === 'blob'
        ? entry.bytes.length - TEXT_OFFSET
        : '{}'.length - 1 + priorityBytes(entry.priority);
    return !this.#isOver();
  }

  inside(node: TreeNode): void {
    this.#entries += 1;
    this.#bytes += Buffer.byteLength(exportJson(node));
  }
}

function priorityBytes(priority: Priority): number {
  return priority === null ? 0 : Buffer.byteLength(`,".priority":${priorityJson(priority)}`);
}
