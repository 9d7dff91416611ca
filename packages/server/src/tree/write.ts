import type { Key } from '@hearth/core/tree/key.ts';
import {
  nodeAt,
  type Priority,
  replaceAt,
  replacePriorityAt,
  type TreeNode,
} from '@hearth/core/tree/node.ts';
import { nodeKey } from '../kv/keys.ts';
import { type KvWrite, prefixRange } from '../kv/store.ts';
import { blobNode, encodeReference } from './entry.ts';
import type { ChildSource } from './index-upkeep.ts';
import { type Location, locate } from './locate.ts';
import { finishParents, noteParents } from './parents-upkeep.ts';
import { placeNode } from './place-node.ts';
import { addGarbage } from './reclaim.ts';
import type { StoredTree } from './stored-tree.ts';

/**
 * Replaces the node at a path; `null` removes it. A child written below a leaf turns it into an inner node that keeps the
 * leaf's priority; removing below a leaf does nothing; removing the last child removes the parents upwards. What is
 * replaced is only unlinked, whatever its size: `reclaimStep` removes it. Returns whether there was anything to write:
 * false when a removal found nothing. `json` is the node's text in export form, for callers who have it.
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
    addGarbage(tx, entry.node);
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

/** Gives the node at a path another priority; an absent node stays absent. Returns whether there is such a node. */
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
  const noted = noteParents(
    tx,
    tree,
    path,
    location,
    { kind: 'entry', entry },
    (index) => index.kind === 'priority',
  );
  tx.put('tree', entryKey, encodeReference(entry.node, priority));
  finishParents(tx, noted, { kind: 'entry', entry: { ...entry, priority } });
  return true;
}

/** Puts another tree in the place of an entry, or none, and keeps indexes and parents in line. */
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
  const noted = noteParents(tx, tree, path, location, before, () => isRemoval);
  if (after !== null) {
    placeNode(tx, tree, location.entryKey, path.slice(0, location.depth), after, json);
    finishParents(tx, noted, { kind: 'node', node: after });
    return;
  }
  removeUpwards(tx, location);
  finishParents(tx, noted, { kind: 'absent' });
}

/** Removes the entry, and the entries of those parents that have no other child. */
function removeUpwards(tx: KvWrite, location: Location): void {
  let entryKey = location.entryKey;
  tx.remove('tree', entryKey);
  for (const ancestor of location.ancestors.toReversed()) {
    for (const _sibling of tx.scan('tree', prefixRange(nodeKey(ancestor.node)))) return;
    // Nothing is left but the states of its indexes.
    addGarbage(tx, ancestor.node);
    entryKey = ancestor.entryKey;
    tx.remove('tree', entryKey);
  }
}
