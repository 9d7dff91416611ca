import type { Key } from '@hearth/core/tree/key.ts';
import { nodeAt, type Priority, type TreeNode } from '@hearth/core/tree/node.ts';
import { type IndexValue, indexValueOf, OBJECT } from '@hearth/core/tree/order.ts';
import { childEntryKey, decodeChildKey, type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvRange, type KvRead, prefixRange } from '../kv/store.ts';
import { keyBoundEntry } from './bound.ts';
import { blobNode, decodeEntry, entryPriority, isInnerEntry, type StoredEntry } from './entry.ts';
import { locate } from './locate.ts';
import { ParsedBlobs } from './parsed-blobs.ts';
import type { StoredTree } from './stored-tree.ts';

/** Of all databases: what a blob stands for depends on nothing but its bytes. */
const PARSED = new ParsedBlobs(256 * 1_024);

/** What is at a path: nothing, an entry, or a node inside an entry's blob. */
export type Place =
  | { readonly kind: 'absent' }
  | { readonly kind: 'entry'; readonly entry: StoredEntry }
  | { readonly kind: 'inside'; readonly node: TreeNode };

export function readPlace(tx: KvRead, tree: StoredTree, path: readonly Key[]): Place {
  const { entry, depth } = locate(tx, tree, path);
  if (entry === undefined) return { kind: 'absent' };
  if (depth === path.length || entry.kind === 'reference') return { kind: 'entry', entry };
  if (!isInnerEntry(entry)) return { kind: 'absent' };
  const node = nodeAt(PARSED.node(entry.bytes), path.slice(depth));
  return node === null ? { kind: 'absent' } : { kind: 'inside', node };
}

/** The tree at a path as objects in memory: for places that are known to be small, or bounded by a request. */
export function findNode(tx: KvRead, tree: StoredTree, path: readonly Key[]): TreeNode | null {
  const place = readPlace(tx, tree, path);
  switch (place.kind) {
    case 'absent':
      return null;
    case 'entry':
      return readEntryNode(tx, place.entry);
    case 'inside':
      return place.node;
    default:
      return place satisfies never;
  }
}

/** The tree that an entry stands for, as objects in memory. */
export function readEntryNode(tx: KvRead, entry: StoredEntry): TreeNode {
  if (entry.kind === 'blob') return blobNode(entry.bytes);
  const children = new Map<Key, TreeNode>();
  for (const child of scanChildEntries(tx, entry.node))
    children.set(child.key, readEntryNode(tx, child.entry));
  return { kind: 'inner', children, priority: entry.priority };
}

/** The scalar at a path, `OBJECT` for an inner node, `null` for nothing; costs the same at any size. */
export function readIndexValue(tx: KvRead, tree: StoredTree, path: readonly Key[]): IndexValue {
  const place = readPlace(tx, tree, path);
  switch (place.kind) {
    case 'absent':
      return null;
    case 'entry':
      return entryIndexValue(place.entry);
    case 'inside':
      return indexValueOf(place.node);
    default:
      return place satisfies never;
  }
}

/** The priority at a path; an absent node has none. */
export function readPriority(tx: KvRead, tree: StoredTree, path: readonly Key[]): Priority {
  const place = readPlace(tx, tree, path);
  switch (place.kind) {
    case 'absent':
      return null;
    case 'entry':
      return entryPriority(place.entry);
    case 'inside':
      return place.node.priority;
    default:
      return place satisfies never;
  }
}

/** Is there an inner node at a path? */
export function hasChildren(tx: KvRead, tree: StoredTree, path: readonly Key[]): boolean {
  return readIndexValue(tx, tree, path) === OBJECT;
}

/** The scalar of an entry, or `OBJECT`. */
function entryIndexValue(entry: StoredEntry): IndexValue {
  return isInnerEntry(entry) ? OBJECT : indexValueOf(readLeaf(entry));
}

/** The index value at a path below an entry. */
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

/** A child that has an entry of its own. */
export interface ChildEntry {
  readonly key: Key;
  readonly entry: StoredEntry;
}

/** The children of an interior node in key order, from `from` to `to`, both included where given. */
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
