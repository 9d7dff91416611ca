import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import type { KvRead } from '../kv/store.ts';
import type { StoredEntry } from './entry.ts';
import { readEntryNode, readPlace, scanChildEntries } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/** One child as it was found: an entry of the store, or a node inside a blob. */
export type StoredChild =
  | { readonly kind: 'entry'; readonly key: Key; readonly entry: StoredEntry }
  | { readonly kind: 'inside'; readonly key: Key; readonly node: TreeNode };

/** Which children, in key order: from `from` to `to`, both included where given. */
export interface ChildRange {
  readonly from?: string;
  readonly to?: string;
  readonly isReversed?: boolean;
}

/** The children at a path in key order, read as they are asked for. A leaf has none. */
export function* readChildren(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  range: ChildRange = {},
): Generator<StoredChild> {
  const place = readPlace(tx, tree, path);
  if (place.kind === 'absent') return;
  if (place.kind === 'entry' && place.entry.kind === 'reference') {
    for (const { key, entry } of scanChildEntries(
      tx,
      place.entry.node,
      range.from,
      range.to,
      range.isReversed,
    ))
      yield { kind: 'entry', key, entry };
    return;
  }
  const node = place.kind === 'entry' ? readEntryNode(tx, place.entry) : place.node;
  if (node.kind === 'leaf') return;
  const children = range.isReversed === true ? [...node.children].reverse() : node.children;
  for (const [key, child] of children) {
    if (range.from !== undefined && compareKeys(key, range.from) < 0) continue;
    if (range.to !== undefined && compareKeys(key, range.to) > 0) continue;
    yield { kind: 'inside', key, node: child };
  }
}

/** A child as objects in memory. */
export function readChildNode(tx: KvRead, child: StoredChild): TreeNode {
  return child.kind === 'inside' ? child.node : readEntryNode(tx, child.entry);
}
