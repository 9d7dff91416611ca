import type { QueryIndex } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { isAtOrAbove } from '@hearth/core/tree/path.ts';
import type { KvWrite } from '../kv/store.ts';
import {
  type ChildSource,
  type IndexedChild,
  noteIndexedChild,
  sourceOf,
  startPriorityIndex,
  updateIndexedChild,
} from './index-upkeep.ts';
import type { Location } from './locate.ts';
import type { StoredTree } from './stored-tree.ts';

/**
 * Notes the index entries that the write may change, in every interior node on the way. The last of them owns the written
 * entry, all of whose values may change. In those above, only indexes of a path that meets the written one may, and
 * others if the child itself may vanish.
 */
export function noteParents(
  tx: KvWrite,
  tree: StoredTree,
  path: readonly Key[],
  location: Location,
  child: ChildSource,
  isTouchedAnyway: (index: QueryIndex) => boolean,
): readonly IndexedChild[] {
  const noted: IndexedChild[] = [];
  for (const ancestor of location.ancestors) {
    const key = path[ancestor.depth];
    if (key === undefined) break;
    const at = { node: ancestor.node, path: path.slice(0, ancestor.depth), key };
    const isOwner = ancestor.depth + 1 === location.depth;
    if (isOwner) {
      noted.push(noteIndexedChild(tx, tree, at, child, () => true));
      continue;
    }
    const rest = path.slice(ancestor.depth + 1);
    const isTouched = (index: QueryIndex): boolean => isTouchedAnyway(index) || isMeeting(index, rest);
    noted.push(noteIndexedChild(tx, tree, at, sourceOf(tx, ancestor.node, key), isTouched));
  }
  return noted;
}

/** Updates what was noted; the last one noted is the written entry itself. */
export function finishParents(tx: KvWrite, noted: readonly IndexedChild[], written: ChildSource): void {
  noted.forEach((child, place) => {
    if (place < noted.length - 1) {
      if (child.values.length > 0) updateIndexedChild(tx, child, sourceOf(tx, child.node, child.key));
      return;
    }
    updateIndexedChild(tx, child, written);
    startPriorityIndex(tx, child.node, written);
  });
}

/** May a write at `rest` below a child change what the index sees of the child? */
function isMeeting(index: QueryIndex, rest: readonly Key[]): boolean {
  return index.kind === 'child' && (isAtOrAbove(index.path, rest) || isAtOrAbove(rest, index.path));
}
