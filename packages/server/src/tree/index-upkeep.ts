import { childIndexValue, type QueryIndex } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import { childEntryKey, indexEntryKey, type NodeId, nodeKey } from '../kv/keys.ts';
import { encodeSortValue } from '../kv/sort-value.ts';
import { type KvRead, type KvWrite, prefixRange } from '../kv/store.ts';
import { addBuildTask } from './build-task.ts';
import { decodeEntry, entryPriority, type StoredEntry } from './entry.ts';
import { isIndexed, PRIORITY_INDEX, readIndexState, writeIndexComplete } from './index-state.ts';
import { findChildEntry, readValueBelow } from './read.ts';
import type { StoredIndex, StoredTree } from './stored-tree.ts';

/** Most children that a node may have for its priority index to be built at once. */
export const MAX_BUILT_AT_ONCE = 1000;

const NOTHING = Buffer.alloc(0);

/** What the indexes of a node hold for one child, as long as a write has not changed it. */
export interface IndexedChild {
  readonly node: NodeId;
  readonly key: Key;
  /** Sort bytes of the child's values; `undefined` when there is no such child. */
  readonly values: readonly { readonly index: StoredIndex; readonly before: Buffer | undefined }[];
}

/** The child an index speaks of: in memory, in the store, or absent. */
export type ChildSource =
  | { readonly kind: 'node'; readonly node: TreeNode }
  | { readonly kind: 'entry'; readonly entry: StoredEntry }
  | { readonly kind: 'absent' };

/**
 * Notes what the indexes of a node hold for one of its children, before a write at or below that child. Only indexes that
 * `isTouched` names are noted, and those that have an entry for this child.
 */
export function noteIndexedChild(
  tx: KvRead,
  tree: StoredTree,
  at: { readonly node: NodeId; readonly path: readonly Key[]; readonly key: Key },
  child: ChildSource,
  isTouched: (index: QueryIndex) => boolean,
): IndexedChild {
  const values: { index: StoredIndex; before: Buffer | undefined }[] = [];
  for (const index of [PRIORITY_INDEX, ...tree.indexesAt(at.path)]) {
    if (!isTouched(index.index) || !isIndexed(readIndexState(tx, at.node, index.id), at.key)) continue;
    values.push({ index, before: sortBytes(tx, child, index.index) });
  }
  return { node: at.node, key: at.key, values };
}

/** Brings the noted indexes in line with what the child is after the write. */
export function updateIndexedChild(tx: KvWrite, noted: IndexedChild, child: ChildSource): void {
  const entryKey = childEntryKey(noted.node, noted.key);
  for (const { index, before } of noted.values) {
    const after = sortBytes(tx, child, index.index);
    if (before !== undefined && after?.equals(before) === true) continue;
    if (before !== undefined) tx.remove('index', indexEntryKey(entryKey, index.id, before));
    if (after !== undefined) tx.put('index', indexEntryKey(entryKey, index.id, after), NOTHING);
  }
}

/** Starts the priority index of a node whose children had no priorities until a write that gave one to `child`. */
export function startPriorityIndex(tx: KvWrite, node: NodeId, child: ChildSource): void {
  if (child.kind === 'absent' || sourcePriority(child) === null) return;
  if (readIndexState(tx, node, PRIORITY_INDEX.id).kind !== 'absent') return;
  let count = 0;
  for (const _entry of tx.scan('tree', prefixRange(nodeKey(node)))) {
    count += 1;
    if (count <= MAX_BUILT_AT_ONCE) continue;
    addBuildTask(tx, node, PRIORITY_INDEX);
    return;
  }
  writePriorityEntries(tx, node);
  writeIndexComplete(tx, node, PRIORITY_INDEX.id);
}

/** Writes the entries of the priority index for the children that a node has. */
export function writePriorityEntries(tx: KvWrite, node: NodeId): void {
  for (const { key, value } of tx.scan('tree', prefixRange(nodeKey(node)))) {
    const bytes = encodeSortValue(entryPriority(decodeEntry(value)));
    tx.put('index', indexEntryKey(key, PRIORITY_INDEX.id, bytes), NOTHING);
  }
}

/** The index value of a stored child. */
export function entryValueFor(tx: KvRead, entry: StoredEntry, index: QueryIndex): IndexValue {
  switch (index.kind) {
    case 'key':
      return null;
    case 'priority':
      return entryPriority(entry);
    case 'value':
      return readValueBelow(tx, entry, []);
    case 'child':
      return readValueBelow(tx, entry, index.path);
    default:
      return index satisfies never;
  }
}

/** What an entry of the store says of a child, if it is there. */
export function sourceOf(tx: KvRead, node: NodeId, key: Key): ChildSource {
  const entry = findChildEntry(tx, node, key);
  return entry === undefined ? { kind: 'absent' } : { kind: 'entry', entry };
}

function sortBytes(tx: KvRead, child: ChildSource, index: QueryIndex): Buffer | undefined {
  switch (child.kind) {
    case 'absent':
      return undefined;
    case 'node':
      return encodeSortValue(childIndexValue(child.node, index));
    case 'entry':
      return encodeSortValue(entryValueFor(tx, child.entry, index));
    default:
      return child satisfies never;
  }
}

function sourcePriority(child: ChildSource & { readonly kind: 'node' | 'entry' }): TreeNode['priority'] {
  return child.kind === 'node' ? child.node.priority : entryPriority(child.entry);
}
