import { type Bound, MAX_KEY, MIN_KEY } from '@hearth/core/query/query.ts';
import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import { nodeAt, type Priority, type TreeNode } from '@hearth/core/tree/node.ts';
import { type IndexValue, indexValueOf, OBJECT } from '@hearth/core/tree/order.ts';
import { childEntryKey, decodeChildKey, type NodeId, nodeKey } from '../kv/keys.ts';
import {
  encodeSortValue,
  isCutValue,
  MAX_SORT_KEY_BYTES,
  sortKeyLength,
  writeSortKey,
} from '../kv/sort-encoding.ts';
import { findPrefixEnd, type KvRange, type KvRead, keyAfter, prefixRange } from '../kv/store.ts';
import {
  blobNode,
  decodeEntry,
  entryPriority,
  isInnerEntry,
  ParsedBlobs,
  type StoredEntry,
} from './entry.ts';
import { locate, type StoredTree } from './stored-tree.ts';

const AFTER_ALL_KEYS = Buffer.from([0xff]);
const BEFORE_ALL_KEYS = Buffer.alloc(0);

/**
 * Returns the sort bytes of a key that is only the bound of a range. It may be empty, longer than a valid key,
 * or a sentinel. A bound longer than any key is cut, which keeps every key on the same side of the bound.
 */
function sortKeyBound(key: string): Buffer {
  if (key === MIN_KEY) return BEFORE_ALL_KEYS;
  if (key === MAX_KEY) return AFTER_ALL_KEYS;
  const bytes = Buffer.allocUnsafe(sortKeyLength(key));
  writeSortKey(key, bytes, 0);
  return bytes.subarray(0, MAX_SORT_KEY_BYTES + 1);
}

/** Returns a bound in the tree table: at the child `key` of the node with this prefix, or just after it. */
export function keyBoundEntry(nodePrefix: Buffer, key: string, position: 'at' | 'after'): Buffer {
  const entryKey = Buffer.concat([nodePrefix, sortKeyBound(key)]);
  return position === 'at' ? entryKey : keyAfter(entryKey);
}

/**
 * Returns the lower bound of a range of index entries. `indexPrefix` is the prefix of an index at a node. The range
 * includes all values that are cut to the same bytes as the bound; the caller must compare these values with the
 * bound.
 */
export function lowerIndexBound(indexPrefix: Buffer, bound: Bound | null): Buffer {
  // The key equal to the prefix holds the state of the index.
  if (bound === null) return keyAfter(indexPrefix);
  const value = encodeSortValue(bound.value);
  if (isCutValue(value)) return Buffer.concat([indexPrefix, value]);
  const entryKey = Buffer.concat([indexPrefix, value, sortKeyBound(bound.key)]);
  return bound.isInclusive ? entryKey : keyAfter(entryKey);
}

/**
 * Returns the upper bound of a range of index entries. Like the lower bound, it includes all values that are cut to
 * the same bytes as the bound.
 */
export function upperIndexBound(indexPrefix: Buffer, bound: Bound | null): Buffer | undefined {
  if (bound === null) return findPrefixEnd(indexPrefix);
  const value = encodeSortValue(bound.value);
  if (isCutValue(value)) return findPrefixEnd(Buffer.concat([indexPrefix, value]));
  const entryKey = Buffer.concat([indexPrefix, value, sortKeyBound(bound.key)]);
  return bound.isInclusive ? keyAfter(entryKey) : entryKey;
}

/** Shared by all databases, because the tree of a blob depends only on its bytes. */
const PARSED = new ParsedBlobs(256 * 1_024);

/** The content at a path: nothing, an entry, or a node inside an entry's blob. */
export type StoredContent =
  | { readonly kind: 'absent' }
  | { readonly kind: 'entry'; readonly entry: StoredEntry }
  | { readonly kind: 'inside'; readonly node: TreeNode };

export function readContent(tx: KvRead, tree: StoredTree, path: readonly Key[]): StoredContent {
  const { entry, depth } = locate(tx, tree, path);
  if (entry === undefined) return { kind: 'absent' };
  if (depth === path.length || entry.kind === 'reference') return { kind: 'entry', entry };
  if (!isInnerEntry(entry)) return { kind: 'absent' };
  const node = nodeAt(PARSED.node(entry.bytes), path.slice(depth));
  return node === null ? { kind: 'absent' } : { kind: 'inside', node };
}

/**
 * Returns the tree at a path as a node in memory. Only for trees that are known to be small, or whose size the
 * request limits.
 */
export function findNode(tx: KvRead, tree: StoredTree, path: readonly Key[]): TreeNode | null {
  const content = readContent(tx, tree, path);
  switch (content.kind) {
    case 'absent':
      return null;
    case 'entry':
      return readEntryNode(tx, content.entry);
    case 'inside':
      return content.node;
    default:
      return content satisfies never;
  }
}

/** Returns the tree of an entry as a node in memory. */
export function readEntryNode(tx: KvRead, entry: StoredEntry): TreeNode {
  if (entry.kind === 'blob') return blobNode(entry.bytes);
  const children = new Map<Key, TreeNode>();
  for (const child of scanChildEntries(tx, entry.node))
    children.set(child.key, readEntryNode(tx, child.entry));
  return { kind: 'inner', children, priority: entry.priority };
}

/**
 * Returns the tree of an entry as a node whose children are read from the store when they are needed. Only within the
 * transaction of `tx`.
 */
export function storedNode(tx: KvRead, entry: StoredEntry): TreeNode {
  if (entry.kind === 'blob') return blobNode(entry.bytes);
  return { kind: 'inner', children: new StoredChildren(tx, entry.node), priority: entry.priority };
}

/** The children of an interior node in the store. */
class StoredChildren implements ReadonlyMap<Key, TreeNode> {
  readonly #tx: KvRead;
  readonly #node: NodeId;
  /** The child that was read last, because rules read the same one again and again, and walks take each key's child. */
  #last: { readonly key: Key; readonly entry: StoredEntry; child: TreeNode | undefined } | undefined;

  constructor(tx: KvRead, node: NodeId) {
    this.#tx = tx;
    this.#node = node;
  }

  /** Reads all children. */
  get size(): number {
    return this.keys().reduce((count) => count + 1, 0);
  }

  get(key: Key): TreeNode | undefined {
    if (this.#last?.key !== key) {
      const entry = findChildEntry(this.#tx, this.#node, key);
      if (entry === undefined) return undefined;
      this.#last = { key, entry, child: undefined };
    }
    this.#last.child ??= storedNode(this.#tx, this.#last.entry);
    return this.#last.child;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  forEach(visit: (child: TreeNode, key: Key, children: ReadonlyMap<Key, TreeNode>) => void): void {
    for (const [key, child] of this) visit(child, key, this);
  }

  *entries(): Generator<[Key, TreeNode]> {
    for (const { key, entry } of scanChildEntries(this.#tx, this.#node)) {
      const child = storedNode(this.#tx, entry);
      this.#last = { key, entry, child };
      yield [key, child];
    }
  }

  *keys(): Generator<Key> {
    for (const { key, entry } of scanChildEntries(this.#tx, this.#node)) {
      this.#last = { key, entry, child: undefined };
      yield key;
    }
  }

  *values(): Generator<TreeNode> {
    for (const [, child] of this) yield child;
  }

  [Symbol.iterator](): Generator<[Key, TreeNode]> {
    return this.entries();
  }
}

/**
 * Returns the scalar at a path, `OBJECT` for an inner node, or `null` if nothing is there. The cost does not
 * depend on the size of the node.
 */
export function readIndexValue(tx: KvRead, tree: StoredTree, path: readonly Key[]): IndexValue {
  const content = readContent(tx, tree, path);
  switch (content.kind) {
    case 'absent':
      return null;
    case 'entry':
      return entryIndexValue(content.entry);
    case 'inside':
      return indexValueOf(content.node);
    default:
      return content satisfies never;
  }
}

/** Returns the priority at a path; `null` for an absent node. */
export function readPriority(tx: KvRead, tree: StoredTree, path: readonly Key[]): Priority {
  const content = readContent(tx, tree, path);
  switch (content.kind) {
    case 'absent':
      return null;
    case 'entry':
      return entryPriority(content.entry);
    case 'inside':
      return content.node.priority;
    default:
      return content satisfies never;
  }
}

/** Returns whether an inner node is at a path. */
export function hasChildren(tx: KvRead, tree: StoredTree, path: readonly Key[]): boolean {
  return readIndexValue(tx, tree, path) === OBJECT;
}

/** Returns the scalar of an entry, or `OBJECT`. */
function entryIndexValue(entry: StoredEntry): IndexValue {
  return isInnerEntry(entry) ? OBJECT : indexValueOf(readLeaf(entry));
}

/** Returns the index value at a path below an entry. */
export function readValueBelow(tx: KvRead, entry: StoredEntry, path: readonly Key[]): IndexValue {
  let here = entry;
  for (let depth = 0; ; depth += 1) {
    const key = path[depth];
    if (key === undefined) return entryIndexValue(here);
    if (here.kind === 'blob') {
      if (!isInnerEntry(here)) return null;
      return indexValueOf(nodeAt(blobNode(here.bytes), path.slice(depth)));
    }
    const child = findChildEntry(tx, here.node, key);
    if (child === undefined) return null;
    here = child;
  }
}

export function findChildEntry(tx: KvRead, node: NodeId, key: Key): StoredEntry | undefined {
  const value = tx.find('tree', childEntryKey(node, key));
  return value === undefined ? undefined : decodeEntry(value);
}

/** A child that is a separate entry. */
export interface ChildEntry {
  readonly key: Key;
  readonly entry: StoredEntry;
}

/** Yields the children of an interior node in key order, from `from` to `to`; both are inclusive and optional. */
export function* scanChildEntries(
  tx: KvRead,
  node: NodeId,
  from?: string,
  to?: string,
  isReversed = false,
): Generator<ChildEntry> {
  const prefix = nodeKey(node);
  const range: KvRange = {
    ...prefixRange(prefix),
    ...(from === undefined ? {} : { lower: keyBoundEntry(prefix, from, 'at') }),
    ...(to === undefined ? {} : { upper: keyBoundEntry(prefix, to, 'after') }),
    isReversed,
  };
  for (const { key, value } of tx.scan('tree', range))
    yield { key: decodeChildKey(key), entry: decodeEntry(value) };
}

function readLeaf(entry: StoredEntry): TreeNode | null {
  return entry.kind === 'blob' ? blobNode(entry.bytes) : null;
}

/** One child as it is stored: an entry of the store, or a node inside a blob. */
export type StoredChild =
  | { readonly kind: 'entry'; readonly key: Key; readonly entry: StoredEntry }
  | { readonly kind: 'inside'; readonly key: Key; readonly node: TreeNode };

/** A range of children in key order, from `from` to `to`; both are inclusive and optional. */
export interface ChildRange {
  readonly from?: string;
  readonly to?: string;
  readonly isReversed?: boolean;
}

/** Yields the children at a path in key order and reads them as they are requested. A leaf has no children. */
export function* readChildren(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  range: ChildRange = {},
): Generator<StoredChild> {
  const content = readContent(tx, tree, path);
  if (content.kind === 'absent') return;
  if (content.kind === 'entry' && content.entry.kind === 'reference') {
    for (const { key, entry } of scanChildEntries(
      tx,
      content.entry.node,
      range.from,
      range.to,
      range.isReversed,
    ))
      yield { kind: 'entry', key, entry };
    return;
  }
  const node = content.kind === 'entry' ? readEntryNode(tx, content.entry) : content.node;
  if (node.kind === 'leaf') return;
  const children = range.isReversed === true ? [...node.children].reverse() : node.children;
  for (const [key, child] of children) {
    if (range.from !== undefined && compareKeys(key, range.from) < 0) continue;
    if (range.to !== undefined && compareKeys(key, range.to) > 0) continue;
    yield { kind: 'inside', key, node: child };
  }
}

/** Returns a child as a tree node in memory. */
export function readChildNode(tx: KvRead, child: StoredChild): TreeNode {
  return child.kind === 'inside' ? child.node : readEntryNode(tx, child.entry);
}
