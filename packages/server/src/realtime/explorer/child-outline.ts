import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import { decodeChildKey, NODE_ID_BYTES, type NodeId, nodeKey } from '../../storage/kv/keys.ts';
import { type KvRead, keyAfter, prefixRange } from '../../storage/kv/store.ts';
import { keyBoundEntry, readChildren, readContent } from '../../storage/tree/read.ts';
import type { StoredTree } from '../../storage/tree/stored-tree.ts';

/**
 * Maximum number of children that a page may skip before it begins. No two keys of an outline are farther apart, so
 * that every child is on a page that begins at or after one of the keys.
 */
export const MAX_SKIPPED = 6_400;

/** Bytes of keys, in UTF-8, after which an outline takes no further key. It still counts the children. */
const MAX_OUTLINE_BYTES = 2 ** 20;

/** The limits on the number of keys of an outline. */
export interface OutlineLimits {
  /** Distance of the keys in the outline of a small node, in children. */
  readonly minStride: number;
  /**
   * Every second key is dropped when there are this many keys, or bytes of keys in UTF-8, up to a distance of
   * `maxStride`.
   */
  readonly maxKeys: number;
  readonly maxKeyBytes: number;
  readonly maxStride: number;
}

const LIMITS: OutlineLimits = {
  minStride: 100,
  maxKeys: 4_000,
  maxKeyBytes: 256 * 2 ** 10,
  maxStride: MAX_SKIPPED,
};

/** The number of children of a node, and keys of children at even distances. */
export interface Outline {
  readonly count: number;
  /** Distance of two keys: the first key is that of the child with this index, counted from 0. */
  readonly stride: number;
  readonly keys: readonly Key[];
}

/** Outlines the children of a node in steps. Each step reads the current state. */
export class ChildOutline {
  readonly #tree: StoredTree;
  readonly #path: readonly Key[];
  /** The part of the last counted entry's key that stays the same if the node is replaced. */
  #passed: Buffer | undefined;
  #count = 0;
  readonly #limits: OutlineLimits;
  #stride: number;
  #keys: Key[] = [];
  #bytes = 0;

  constructor(tree: StoredTree, path: readonly Key[], limits = LIMITS) {
    this.#tree = tree;
    this.#path = path;
    this.#limits = limits;
    this.#stride = limits.minStride;
  }

  get outline(): Outline {
    return { count: this.#count, stride: this.#stride, keys: this.#keys };
  }

  /** Continues until `isOver` returns true. Returns whether the outline is complete. */
  step(tx: KvRead, isOver: () => boolean): boolean {
    const content = readContent(tx, this.#tree, this.#path);
    if (content.kind === 'entry' && content.entry.kind === 'reference')
      return this.#outlineEntries(tx, content.entry.node, isOver);
    const passed = this.#passed === undefined ? undefined : keyOf(this.#passed);
    for (const { key } of readChildren(tx, this.#tree, this.#path))
      if (passed === undefined || compareKeys(key, passed) > 0) this.#add(() => key);
    return true;
  }

  #outlineEntries(tx: KvRead, node: NodeId, isOver: () => boolean): boolean {
    const prefix = nodeKey(node);
    const range = {
      ...prefixRange(prefix),
      ...(this.#passed && { lower: keyAfter(Buffer.concat([prefix, this.#passed])) }),
    };
    for (const { key } of tx.scan('tree', range)) {
      this.#add(() => decodeChildKey(key));
      this.#passed = key.subarray(NODE_ID_BYTES);
      if (isOver()) return false;
    }
    return true;
  }

  #add(readKey: () => Key): void {
    if (this.#count > 0 && this.#count % this.#stride === 0 && this.#bytes < MAX_OUTLINE_BYTES) {
      const key = readKey();
      this.#keys.push(key);
      this.#bytes += Buffer.byteLength(key);
      const { maxKeys, maxKeyBytes, maxStride } = this.#limits;
      const isLarge = this.#keys.length >= maxKeys || this.#bytes >= maxKeyBytes;
      if (isLarge && this.#stride < maxStride) this.#halve();
    }
    this.#count += 1;
  }

  /** Keeps every second key. */
  #halve(): void {
    this.#stride *= 2;
    this.#keys = this.#keys.filter((_key, index) => index % 2 === 1);
    this.#bytes = this.#keys.reduce((sum, key) => sum + Buffer.byteLength(key), 0);
  }
}

function keyOf(passed: Buffer): Key {
  return decodeChildKey(Buffer.concat([Buffer.alloc(NODE_ID_BYTES), passed]));
}

/** The position from which a page skips children before it begins. */
export type SkipStart =
  | { readonly kind: 'first' }
  | { readonly kind: 'from'; readonly key: Key }
  | { readonly kind: 'after'; readonly key: Key };

/**
 * Returns the key of the child that is `skipped` places after the first child at a position. Returns `undefined` if the
 * node has fewer children there. Reads no value of a skipped child.
 */
export function findKeyAfterSkipping(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  start: SkipStart,
  skipped: number,
): Key | undefined {
  let left = skipped;
  for (const readKey of keysFrom(tx, tree, path, start)) {
    if (left === 0) return readKey();
    left -= 1;
  }
  return undefined;
}

/** Yields a function for each child from a position on, which decodes its key. */
function* keysFrom(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  start: SkipStart,
): Generator<() => Key> {
  const content = readContent(tx, tree, path);
  if (content.kind === 'entry' && content.entry.kind === 'reference') {
    const prefix = nodeKey(content.entry.node);
    const range = {
      ...prefixRange(prefix),
      ...(start.kind !== 'first' && {
        lower: keyBoundEntry(prefix, start.key, start.kind === 'from' ? 'at' : 'after'),
      }),
    };
    for (const { key } of tx.scan('tree', range)) yield () => decodeChildKey(key);
    return;
  }
  const range = start.kind === 'first' ? {} : { from: start.key };
  for (const { key } of readChildren(tx, tree, path, range))
    if (start.kind !== 'after' || key !== start.key) yield () => key;
}
