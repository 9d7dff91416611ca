import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import { decodeChildKey, NODE_ID_BYTES, type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvRead, keyAfter, prefixRange } from '../kv/store.ts';
import { keyBoundEntry } from './bound.ts';
import { readChildren } from './children.ts';
import { readPlace } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/** Counts the children of a node step by step, each as it is when its turn comes; with `before`, those before a key. */
export class ChildCount {
  readonly #tree: StoredTree;
  readonly #path: readonly Key[];
  readonly #before: Key | undefined;
  /** Key of the entry that was counted last. The node may have been replaced since, so only its child's part counts. */
  #passed: Buffer | undefined;
  #count = 0;

  constructor(tree: StoredTree, path: readonly Key[], before?: Key) {
    this.#tree = tree;
    this.#path = path;
    this.#before = before;
  }

  /** How many there are so far. */
  get count(): number {
    return this.#count;
  }

  /** Counts until `isOver` says so; returns whether that was all. */
  step(tx: KvRead, isOver: () => boolean): boolean {
    const place = readPlace(tx, this.#tree, this.#path);
    if (place.kind === 'entry' && place.entry.kind === 'reference')
      return this.#countEntries(tx, place.entry.node, isOver);
    this.#countInside(tx);
    return true;
  }

  #countEntries(tx: KvRead, node: NodeId, isOver: () => boolean): boolean {
    const prefix = nodeKey(node);
    const range = {
      ...prefixRange(prefix),
      ...(this.#passed && { lower: keyAfter(Buffer.concat([prefix, this.#passed.subarray(NODE_ID_BYTES)])) }),
      ...(this.#before !== undefined && { upper: keyBoundEntry(prefix, this.#before, 'at') }),
    };
    for (const { key } of tx.scan('tree', range)) {
      this.#count += 1;
      this.#passed = key;
      if (isOver()) return false;
    }
    return true;
  }

  /** The children of a node that is, or has become, small enough to be in one entry. */
  #countInside(tx: KvRead): void {
    const passed = this.#passed === undefined ? undefined : decodeChildKey(this.#passed);
    for (const { key } of readChildren(tx, this.#tree, this.#path)) {
      if (passed !== undefined && compareKeys(key, passed) <= 0) continue;
      if (this.#before !== undefined && compareKeys(key, this.#before) >= 0) return;
      this.#count += 1;
    }
  }
}
