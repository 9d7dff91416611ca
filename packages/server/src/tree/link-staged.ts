import { childIndexValue } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { childOf, type TreeNode } from '@hearth/core/tree/node.ts';
import type { KvWrite } from '../kv/store.ts';
import { completeIndexes, writeChildEntry } from './child-entries.ts';
import type { BuiltTree } from './container-stack.ts';
import { blobNode, decodeEntry, encodeReference } from './entry.ts';
import { PRIORITY_INDEX } from './index-state.ts';
import { type ChildSource, entryValueFor } from './index-upkeep.ts';
import { locate } from './locate.ts';
import { finishParents, noteParents } from './parents-upkeep.ts';
import { storeNode } from './place-node.ts';
import { addGarbage } from './reclaim.ts';
import { allocateNodeId, type StoredTree } from './stored-tree.ts';
import { writeNode } from './write.ts';

/** A subtree that was built for one path: under a node to which nothing refers, or small enough to be one entry. */
export type StagedTree = Exclude<BuiltTree, { readonly kind: 'nothing' }>;

/** Replaces the node at the path that a subtree was built for by that subtree. Costs the same whatever the sizes of both. */
export function linkStaged(tx: KvWrite, tree: StoredTree, path: readonly Key[], staged: StagedTree): void {
  const location = locate(tx, tree, path);
  const { entry, depth } = location;
  if (staged.kind === 'blob' && depth < path.length) {
    // Its parent is small, and may stay so.
    writeNode(tx, tree, path, blobNode(staged.entry));
    return;
  }
  const before: ChildSource = entry === undefined ? { kind: 'absent' } : { kind: 'entry', entry };
  const noted = noteParents(tx, tree, path, location, before, () => false);
  const standing = entry?.kind === 'blob' ? blobNode(entry.bytes) : null;
  const linked = storeAround(tx, tree, path, depth, standing, entryOf(staged));
  tx.put('tree', location.entryKey, linked);
  if (entry?.kind === 'reference') addGarbage(tx, entry.node);
  finishParents(tx, noted, { kind: 'entry', entry: decodeEntry(linked) });
}

function entryOf(staged: StagedTree): Buffer {
  return staged.kind === 'blob' ? staged.entry : encodeReference(staged.node, staged.priority);
}

/**
 * Writes the nodes on the way from `depth` to the end of the path as interior nodes, with what `standing` has beside the
 * path. Returns the entry of the first of them, or `linked` if there are none.
 */
function storeAround(
  tx: KvWrite,
  tree: StoredTree,
  path: readonly Key[],
  depth: number,
  standing: TreeNode | null,
  linked: Buffer,
): Buffer {
  const key = path[depth];
  if (key === undefined) return linked;
  const here = path.slice(0, depth);
  const entry = storeAround(tx, tree, path, depth + 1, childOf(standing, key), linked);
  const decoded = decodeEntry(entry);
  const siblings = standing?.kind === 'inner' ? [...standing.children].filter(([name]) => name !== key) : [];
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
  return encodeReference(filled.node, standing?.priority ?? null);
}
