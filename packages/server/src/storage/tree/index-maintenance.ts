import { childIndexValue, type QueryIndex } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import { isAtOrAbove } from '@hearth/core/tree/path.ts';
import {
  childEntryKey,
  type IndexId,
  indexEntryKey,
  NODE_ID_BYTES,
  type NodeId,
  nodeIndexKey,
  nodeKey,
} from '../kv/keys.ts';
import { encodeSortValue } from '../kv/sort-encoding.ts';
import { type KvRead, type KvWrite, prefixRange } from '../kv/store.ts';
import { decodeEntry, entryPriority, type StoredEntry } from './entry.ts';
import { findChildEntry, readValueBelow } from './read.ts';
import type { Location, StoredIndex, StoredTree } from './stored-tree.ts';

/**
 * How much of an index of a node has been built.
 *
 * Shape of the record: 1 for complete; 0 for building, followed by the sort key of the last child that has its
 * entry (empty if no child has). Without a record, this node does not have the index.
 */
export type IndexState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'building'; readonly reached: Buffer }
  | { readonly kind: 'complete' };

const BUILDING = 0;
const COMPLETE = 1;

/**
 * The priority index, which any node may have. A node whose children all lack a priority does not have it. Its absence
 * therefore means that priority order equals key order.
 */
export const PRIORITY_INDEX: StoredIndex = { id: 1, index: { kind: 'priority' } };

/** The first id of a declared index. */
export const FIRST_DECLARED_INDEX_ID = 2;

export function readIndexState(tx: KvRead, node: NodeId, index: IndexId): IndexState {
  const record = tx.find('index', nodeIndexKey(node, index));
  if (record === undefined) return { kind: 'absent' };
  return record[0] === COMPLETE ? { kind: 'complete' } : { kind: 'building', reached: record.subarray(1) };
}

export function writeIndexComplete(tx: KvWrite, node: NodeId, index: IndexId): void {
  tx.put('index', nodeIndexKey(node, index), Buffer.from([COMPLETE]));
}

export function writeIndexBuilding(tx: KvWrite, node: NodeId, index: IndexId, reached: Buffer): void {
  tx.put('index', nodeIndexKey(node, index), Buffer.concat([Buffer.from([BUILDING]), reached]));
}

/** Returns whether a child of the node already has its entry in the index. */
export function isIndexed(state: IndexState, key: Key): boolean {
  if (state.kind !== 'building') return state.kind === 'complete';
  return childEntryKey(0, key).subarray(NODE_ID_BYTES).compare(state.reached) <= 0;
}

/**
 * Requests that an index of a node is built in the background. The stored task is the index's definition as
 * JSON.
 */
export function addBuildTask(tx: KvWrite, node: NodeId, { id, index }: StoredIndex): void {
  writeIndexBuilding(tx, node, id, Buffer.alloc(0));
  tx.put('build', nodeIndexKey(node, id), Buffer.from(JSON.stringify(index)));
}

export function removeBuildTask(tx: KvWrite, node: NodeId, index: IndexId): void {
  tx.remove('build', nodeIndexKey(node, index));
}

/** Maximum number of children of a node whose priority index is built immediately. */
export const MAX_BUILT_AT_ONCE = 1000;

const NOTHING = Buffer.alloc(0);

/** The index entries that a node has for one child before a write. */
export interface IndexedChild {
  readonly node: NodeId;
  readonly key: Key;
  /** Sort bytes of the child's values; `undefined` if the child is absent. */
  readonly values: readonly { readonly index: StoredIndex; readonly before: Buffer | undefined }[];
}

/** Where to read a child for its index values: a node in memory, an entry in the store, or absent. */
export type ChildSource =
  | { readonly kind: 'node'; readonly node: TreeNode }
  | { readonly kind: 'entry'; readonly entry: StoredEntry }
  | { readonly kind: 'absent' };

/**
 * Captures the index entries of one child before a write at or below it. Only includes indexes that `isTouched`
 * accepts and that have an entry for this child.
 */
function trackIndexedChild(
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

/** Updates the captured index entries to the state of the child after the write. */
function updateIndexedChild(tx: KvWrite, recorded: IndexedChild, child: ChildSource): void {
  const entryKey = childEntryKey(recorded.node, recorded.key);
  for (const { index, before } of recorded.values) {
    const after = sortBytes(tx, child, index.index);
    if (before !== undefined && after?.equals(before) === true) continue;
    if (before !== undefined) tx.remove('index', indexEntryKey(entryKey, index.id, before));
    if (after !== undefined) tx.put('index', indexEntryKey(entryKey, index.id, after), NOTHING);
  }
}

/** Starts the priority index of a node if a write gave the first priority to one of its children, `child`. */
function startPriorityIndex(tx: KvWrite, node: NodeId, child: ChildSource): void {
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

/** Writes the priority index entries of all current children of a node. */
export function writePriorityEntries(tx: KvWrite, node: NodeId): void {
  for (const { key, value } of tx.scan('tree', prefixRange(nodeKey(node)))) {
    const bytes = encodeSortValue(entryPriority(decodeEntry(value)));
    tx.put('index', indexEntryKey(key, PRIORITY_INDEX.id, bytes), NOTHING);
  }
}

/** Returns the index value of a stored child. */
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

/** Reads a child's entry, which may be absent, as a `ChildSource`. */
function sourceOf(tx: KvRead, node: NodeId, key: Key): ChildSource {
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

/**
 * Captures the index entries that a write may change, in every interior node on the path. The last of these nodes owns
 * the written entry, whose values may all change. In the nodes above, only indexes whose path overlaps the written
 * path can change, plus those that `isTouchedAnyway` accepts, for example because the child itself may disappear.
 */
export function trackParents(
  tx: KvWrite,
  tree: StoredTree,
  path: readonly Key[],
  location: Location,
  child: ChildSource,
  isTouchedAnyway: (index: QueryIndex) => boolean,
): readonly IndexedChild[] {
  const recorded: IndexedChild[] = [];
  for (const ancestor of location.ancestors) {
    const key = path[ancestor.depth];
    if (key === undefined) break;
    const at = { node: ancestor.node, path: path.slice(0, ancestor.depth), key };
    const isOwner = ancestor.depth + 1 === location.depth;
    if (isOwner) {
      recorded.push(trackIndexedChild(tx, tree, at, child, () => true));
      continue;
    }
    const rest = path.slice(ancestor.depth + 1);
    const isTouched = (index: QueryIndex): boolean => isTouchedAnyway(index) || isOverlapping(index, rest);
    recorded.push(trackIndexedChild(tx, tree, at, sourceOf(tx, ancestor.node, key), isTouched));
  }
  return recorded;
}

/** Updates the captured index entries after the write. The last one belongs to the written entry itself. */
export function finishParents(tx: KvWrite, recorded: readonly IndexedChild[], written: ChildSource): void {
  recorded.forEach((child, index) => {
    if (index < recorded.length - 1) {
      if (child.values.length > 0) updateIndexedChild(tx, child, sourceOf(tx, child.node, child.key));
      return;
    }
    updateIndexedChild(tx, child, written);
    startPriorityIndex(tx, child.node, written);
  });
}

/** Returns whether a write at `rest` below a child may change the child's index value. */
function isOverlapping(index: QueryIndex, rest: readonly Key[]): boolean {
  return index.kind === 'child' && (isAtOrAbove(index.path, rest) || isAtOrAbove(rest, index.path));
}
