import { nodeAt, replaceAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { isAtOrBelow, type NodePath } from '../model/node-path.ts';
import { keysBelow } from './keys-below.ts';
import { endsOf, type StagedList, type StagedPlace } from './staged-list.ts';

/** The staged place that says what is to stand at a path; `undefined` when none does, or only for what is below. */
export function findHolder(list: StagedList, path: NodePath): StagedPlace | undefined {
  return list.find((place) => isAtOrBelow(path, place.path));
}

/** Is there a staged place at a path, above or below it? */
export function isStagedAround(list: StagedList, path: NodePath): boolean {
  return list.some((place) => isAtOrBelow(path, place.path) || isAtOrBelow(place.path, path));
}

/** A node as it is to be, out of what it is on the server. As there, what goes is gone before anything comes. */
export function nodeWithStaged(path: NodePath, live: TreeNode | null, list: StagedList): TreeNode | null {
  const holder = findHolder(list, path);
  if (holder !== undefined) return nodeAt(endsOf(holder).after, keysBelow(holder.path, path));
  const below = list.filter((place) => isAtOrBelow(place.path, path));
  return [
    ...below.filter((place) => endsOf(place).after === null),
    ...below.filter((place) => endsOf(place).after !== null),
  ].reduce((node, place) => replaceAt(node, keysBelow(path, place.path), endsOf(place).after), live);
}
