import { nodeAt } from '@hearth/core/tree/node.ts';
import { isAtOrBelow, type NodePath } from '../model/node-path.ts';
import { type Difference, findDifferences } from './differences.ts';
import { keysBelow } from './keys-below.ts';
import { findHolder } from './node-with-staged.ts';
import { endsOf, type StagedList } from './staged-list.ts';

/** What staged edits make other at and below a node. */
export function stagedDifferences(path: NodePath, list: StagedList): readonly Difference[] {
  const holder = findHolder(list, path);
  if (holder !== undefined) {
    const { before, after } = endsOf(holder);
    const keys = keysBelow(holder.path, path);
    return findDifferences(nodeAt(before, keys), nodeAt(after, keys));
  }
  return list
    .filter((place) => isAtOrBelow(place.path, path))
    .flatMap((place) => {
      const { before, after } = endsOf(place);
      return findDifferences(before, after, keysBelow(path, place.path));
    });
}
