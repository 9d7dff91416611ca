import { must } from '@hearth/core/error/assert.ts';
import { childIndexValue, type QueryIndex } from '@hearth/core/query/query.ts';
import { CombinedWrites } from '@hearth/core/tree/combined-writes.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import {
  childOf,
  type InnerNode,
  nodeAt,
  type Priority,
  replaceAt,
  replacePriorityAt,
  type TreeNode,
} from '@hearth/core/tree/node.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import { Scratch } from '../kv/buffers.ts';
import { childEntryKey, indexEntryKey, type NodeId, nodeKey } from '../kv/keys.ts';
import { encodeSortValue } from '../kv/sort-encoding.ts';
import { type KvWrite, prefixRange } from '../kv/store.ts';
import type { BuiltTree } from './builder-state.ts';
import {
  blobNode,
  decodeEntry,
  encodeBlob,
  encodeReference,
  findBlob,
  HAS_ARRAY,
  HAS_DOTTED,
  MAX_BLOB_BYTES,
  type PackedText,
  packLeaf,
  packText,
} from './entry.ts';
import { addUnreferenced } from './garbage.ts';
import {
  type ChildSource,
  entryValueFor,
  finishParents,
  PRIORITY_INDEX,
  trackParents,
  writeIndexComplete,
} from './index-maintenance.ts';
import { allocateNodeId, type Location, locate, type StoredIndex, type StoredTree } from './stored-tree.ts';

/** An interior node whose children are being written one by one, and the indexes that it will have. */
export interface FilledNode {
  readonly node: NodeId;
  readonly indexes: readonly StoredIndex[];
}

const NOTHING = Buffer.alloc(0);
const ENTRY_KEYS = new Scratch();
const INDEX_KEYS = new Scratch();

/**
 * Writes one child of a new interior node. `valueFor` returns the value of an index for the child and must not
 * write.
 */
export function writeChildEntry(
  tx: KvWrite,
  { node, indexes }: FilledNode,
  key: Key,
  entry: Buffer,
  valueFor: (index: QueryIndex) => IndexValue,
): void {
  const entryKey = childEntryKey(node, key, ENTRY_KEYS);
  tx.put('tree', entryKey, entry);
  for (const { id, index } of indexes)
    tx.put('index', indexEntryKey(entryKey, id, encodeSortValue(valueFor(index)), INDEX_KEYS), NOTHING);
}

/** Marks the indexes as complete, after every child has been written. */
export function completeIndexes(tx: KvWrite, { node, indexes }: FilledNode): void {
  for (const { id } of indexes) writeIndexComplete(tx, node, id);
}

/** The packed form of a node: text that may become part of its parent's text, or separate entries. */
type Packed = PackedText | { readonly kind: 'entries'; readonly node: NodeId };

/**
 * Writes a tree under an entry key, as one entry if it is small, otherwise as entries of its children, with
 * their index entries. `path` is the path of the tree. Overwrites the previous entry under the key without
 * freeing its descendants.
 */
function placeNode(
  tx: KvWrite,
  tree: StoredTree,
  entryKey: Buffer,
  path: readonly Key[],
  node: TreeNode,
  json?: string,
): void {
  tx.put('tree', entryKey, storeNode(tx, tree, path, node, json));
}

/**
 * Writes the descendants of a tree that need separate entries, and returns the tree's own entry. `json` is the
 * tree's text in export form, if known.
 */
function storeNode(
  tx: KvWrite,
  tree: StoredTree,
  path: readonly Key[],
  node: TreeNode,
  json?: string,
): Buffer {
  return findBlob(node, json) ?? encodePacked(pack(tx, tree, [...path], node), node);
}

/** Packs a node. `path` grows and shrinks with the recursion. */
function pack(tx: KvWrite, tree: StoredTree, path: Key[], node: TreeNode): Packed {
  if (node.kind === 'leaf') return packLeaf(node);
  const texts: string[] = [];
  let bytes = 2;
  let flags = 0;
  let entries: EntryWriter | undefined;
  for (const [key, child] of node.children) {
    path.push(key);
    const packed = pack(tx, tree, path, child);
    path.pop();
    if (entries === undefined && packed.kind === 'text') {
      const text = `${JSON.stringify(key)}:${packed.text}`;
      const nextBytes = bytes + Buffer.byteLength(text) + 1;
      if (nextBytes <= MAX_BLOB_BYTES) {
        texts.push(text);
        bytes = nextBytes;
        flags |= packed.flags & (HAS_DOTTED | HAS_ARRAY);
        continue;
      }
    }
    entries ??= new EntryWriter(tx, tree, path, node, texts.length);
    entries.write(key, child, packed);
  }
  return entries === undefined ? packText(node, texts, flags) : entries.end();
}

function encodePacked(packed: Packed, node: TreeNode): Buffer {
  return packed.kind === 'text'
    ? encodeBlob(packed.text, packed.flags, packed.bytes)
    : encodeReference(packed.node, node.priority);
}

/** Writes the children of one inner node as entries, with the node's index entries. */
class EntryWriter {
  readonly #tx: KvWrite;
  readonly #filled: FilledNode;

  /** Writes the first `passed` children of the node, which were packed as text that did not fit in one entry. */
  constructor(tx: KvWrite, tree: StoredTree, path: Key[], parent: InnerNode, passed: number) {
    this.#tx = tx;
    this.#filled = { node: allocateNodeId(tx), indexes: indexesOf(tree, path, parent) };
    let count = 0;
    for (const [key, child] of parent.children) {
      if (count === passed) break;
      count += 1;
      path.push(key);
      this.write(key, child, pack(tx, tree, path, child));
      path.pop();
    }
  }

  write(key: Key, child: TreeNode, packed: Packed): void {
    writeChildEntry(this.#tx, this.#filled, key, encodePacked(packed, child), (index) =>
      childIndexValue(child, index),
    );
  }

  end(): Packed {
    completeIndexes(this.#tx, this.#filled);
    return { kind: 'entries', node: this.#filled.node };
  }
}

function indexesOf(tree: StoredTree, path: readonly Key[], node: InnerNode): readonly StoredIndex[] {
  const declared = tree.indexesAt(path);
  for (const child of node.children.values())
    if (child.priority !== null) return [PRIORITY_INDEX, ...declared];
  return declared;
}

/**
 * Replaces the node at a path; `null` removes it. Writing a child below a leaf turns the leaf into an inner
 * node with the leaf's priority. Removing below a leaf does nothing. Removing the last child also removes the
 * parents that become empty.
 *
 * The replaced node is only unlinked, which costs the same at any size; `reclaimStep` removes it later. Returns
 * false if a removal found nothing to remove. `json` is the node's text in export form, if the caller has it.
 */
export function writeNode(
  tx: KvWrite,
  tree: StoredTree,
  path: readonly Key[],
  node: TreeNode | null,
  json?: string,
): boolean {
  const location = locate(tx, tree, path);
  const { entry, depth } = location;
  if (entry === undefined && node === null) return false;
  if (entry?.kind === 'reference') {
    replaceEntry(tx, tree, path, location, { kind: 'entry', entry }, node, json);
    addUnreferenced(tx, entry.node);
    return true;
  }
  if (entry !== undefined && depth === path.length) {
    replaceEntry(tx, tree, path, location, { kind: 'entry', entry }, node, json);
    return true;
  }
  const before = entry === undefined ? null : blobNode(entry.bytes);
  const after = replaceAt(before, path, node, depth);
  if (after === before) return false;
  const source: ChildSource = before === null ? { kind: 'absent' } : { kind: 'node', node: before };
  replaceEntry(tx, tree, path, location, source, after, after === node ? json : undefined);
  return true;
}

/** A replacement of the node at a path; `null` removes it. */
export interface NodeReplacement {
  readonly path: readonly Key[];
  readonly node: TreeNode | null;
  readonly json: string;
}

/**
 * Like `writeNode` for each of several writes, but writes each entry once. No path may be at or above another one, and if
 * one node is removed, all are. Returns the writes that had an effect.
 */
export function writeNodes<W extends NodeReplacement>(
  tx: KvWrite,
  tree: StoredTree,
  writes: readonly W[],
): readonly W[] {
  const [first] = writes;
  if (first !== undefined && writes.length === 1)
    return writeNode(tx, tree, first.path, first.node, first.json) ? writes : [];
  const byEntry = new Map<string, W[]>();
  const unchanged = new Set<W>();
  for (const write of writes) {
    const { entry, entryKey, depth } = locate(tx, tree, write.path);
    if (entry?.kind === 'reference' || depth === write.path.length) {
      if (!writeNode(tx, tree, write.path, write.node, write.json)) unchanged.add(write);
      continue;
    }
    const key = entryKey.toString('latin1');
    const others = byEntry.get(key);
    if (others === undefined) byEntry.set(key, [write]);
    else others.push(write);
  }
  for (const within of byEntry.values())
    for (const write of writeWithinEntry(tx, tree, within)) unchanged.add(write);
  return unchanged.size === 0 ? writes : writes.filter((write) => !unchanged.has(write));
}

/** Executes writes within one entry. Returns those without an effect. */
function writeWithinEntry<W extends NodeReplacement>(
  tx: KvWrite,
  tree: StoredTree,
  writes: readonly W[],
): readonly W[] {
  const { path, node, json } = must(writes[0], 'an entry has writes');
  if (writes.length === 1) return writeNode(tx, tree, path, node, json) ? [] : writes;
  const { entry, depth } = locate(tx, tree, path);
  const before = entry?.kind === 'blob' ? blobNode(entry.bytes) : null;
  const combined = new CombinedWrites();
  for (const each of writes) combined.writeNode(each.path, each.node, depth);
  const unchanged = writes.filter(
    (each) => each.node === null && nodeAt(before, each.path.slice(depth)) === null,
  );
  if (unchanged.length < writes.length) writeNode(tx, tree, path.slice(0, depth), combined.applyTo(before));
  return unchanged;
}

/** Changes the priority of the node at a path; an absent node stays absent. Returns whether the node exists. */
export function writePriority(
  tx: KvWrite,
  tree: StoredTree,
  path: readonly Key[],
  priority: Priority,
): boolean {
  const location = locate(tx, tree, path);
  const { entry, depth, entryKey } = location;
  if (entry === undefined) return false;
  if (entry.kind === 'blob') {
    const before = blobNode(entry.bytes);
    const rest = path.slice(depth);
    if (nodeAt(before, rest) === null) return false;
    const after = replacePriorityAt(before, rest, priority);
    if (after !== before) replaceEntry(tx, tree, path, location, { kind: 'node', node: before }, after);
    return true;
  }
  const recorded = trackParents(
    tx,
    tree,
    path,
    location,
    { kind: 'entry', entry },
    (index) => index.kind === 'priority',
  );
  tx.put('tree', entryKey, encodeReference(entry.node, priority));
  finishParents(tx, recorded, { kind: 'entry', entry: { ...entry, priority } });
  return true;
}

/** Replaces an entry with another tree, or removes it, and updates indexes and parents. */
function replaceEntry(
  tx: KvWrite,
  tree: StoredTree,
  path: readonly Key[],
  location: Location,
  before: ChildSource,
  after: TreeNode | null,
  json?: string,
): void {
  const isRemoval = after === null;
  const recorded = trackParents(tx, tree, path, location, before, () => isRemoval);
  if (after !== null) {
    placeNode(tx, tree, location.entryKey, path.slice(0, location.depth), after, json);
    finishParents(tx, recorded, { kind: 'node', node: after });
    return;
  }
  removeUpwards(tx, location);
  finishParents(tx, recorded, { kind: 'absent' });
}

/** Removes the entry, and the entries of all parents that have no other child. */
function removeUpwards(tx: KvWrite, location: Location): void {
  let entryKey = location.entryKey;
  tx.remove('tree', entryKey);
  for (const ancestor of location.ancestors.toReversed()) {
    for (const _sibling of tx.scan('tree', prefixRange(nodeKey(ancestor.node)))) return;
    // Only the states of the node's indexes are left.
    addUnreferenced(tx, ancestor.node);
    entryKey = ancestor.entryKey;
    tx.remove('tree', entryKey);
  }
}

/** An unlinked subtree that was built for one path: an interior node, or a single entry if it is small. */
export type StagedTree = Exclude<BuiltTree, { readonly kind: 'nothing' }>;

/**
 * Replaces the node at a path with an unlinked subtree that was built for this path. The cost does not depend
 * on the size of either.
 */
export function linkStaged(tx: KvWrite, tree: StoredTree, path: readonly Key[], staged: StagedTree): void {
  const location = locate(tx, tree, path);
  const { entry, depth } = location;
  if (staged.kind === 'blob' && depth < path.length) {
    // The parent is small, and may remain one entry.
    writeNode(tx, tree, path, blobNode(staged.entry));
    return;
  }
  const before: ChildSource = entry === undefined ? { kind: 'absent' } : { kind: 'entry', entry };
  const recorded = trackParents(tx, tree, path, location, before, () => false);
  const existing = entry?.kind === 'blob' ? blobNode(entry.bytes) : null;
  const linked = storeAround(tx, tree, path, depth, existing, entryOf(staged));
  tx.put('tree', location.entryKey, linked);
  if (entry?.kind === 'reference') addUnreferenced(tx, entry.node);
  finishParents(tx, recorded, { kind: 'entry', entry: decodeEntry(linked) });
}

function entryOf(staged: StagedTree): Buffer {
  return staged.kind === 'blob' ? staged.entry : encodeReference(staged.node, staged.priority);
}

/**
 * Writes the nodes from `depth` to the end of the path as interior nodes, with the other children of
 * `existing`. Returns the entry of the first of these nodes, or `linked` if there are none.
 */
function storeAround(
  tx: KvWrite,
  tree: StoredTree,
  path: readonly Key[],
  depth: number,
  existing: TreeNode | null,
  linked: Buffer,
): Buffer {
  const key = path[depth];
  if (key === undefined) return linked;
  const here = path.slice(0, depth);
  const entry = storeAround(tx, tree, path, depth + 1, childOf(existing, key), linked);
  const decoded = decodeEntry(entry);
  const siblings = existing?.kind === 'inner' ? [...existing.children].filter(([name]) => name !== key) : [];
  const hasPriorities =
    entryValueFor(tx, decoded, PRIORITY_INDEX.index) !== null ||
    siblings.some(([, sibling]) => sibling.priority !== null);
  const declared = tree.indexesAt(here);
  const filled = {
    node: allocateNodeId(tx),
    indexes: hasPriorities ? [PRIORITY_INDEX, ...declared] : declared,
  };
  for (const [name, sibling] of siblings)
    writeChildEntry(tx, filled, name, storeNode(tx, tree, [...here, name], sibling), (index) =>
      childIndexValue(sibling, index),
    );
  writeChildEntry(tx, filled, key, entry, (index) => entryValueFor(tx, decoded, index));
  completeIndexes(tx, filled);
  return encodeReference(filled.node, existing?.priority ?? null);
}
