import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { joinPaths, type Path, pathOf } from '@hearth/core/tree/path.ts';
import type { ValueWrite } from '../../log/commit.ts';
import type { PatternSegment } from './trigger.ts';

/**
 * Places of a pattern whose values a write may change: the one it is at or below or, if it is above, each that is or was
 * there. `keysAt` tells the keys of the children that a place had before the write.
 */
export function* matchingPlaces(
  pattern: readonly PatternSegment[],
  { path, node }: ValueWrite & { readonly kind: 'node' },
  keysAt: (path: Path) => Iterable<Key>,
): Generator<Path, void, undefined> {
  const isOnTheWay = pattern.every((segment, depth) => {
    const key = path[depth];
    return key === undefined || segment.kind === 'any' || segment.key === key;
  });
  if (!isOnTheWay) return;
  if (path.length >= pattern.length) yield pathOf(path.slice(0, pattern.length));
  else yield* placesBelow(path, pattern.slice(path.length), node, keysAt);
}

function* placesBelow(
  path: Path,
  [segment, ...rest]: readonly PatternSegment[],
  node: TreeNode | null,
  keysAt: (path: Path) => Iterable<Key>,
): Generator<Path, void, undefined> {
  if (segment === undefined) {
    yield path;
    return;
  }
  const children: ReadonlyMap<Key, TreeNode> = node?.kind === 'inner' ? node.children : new Map();
  const keys = segment.kind === 'key' ? [segment.key] : new Set([...keysAt(path), ...children.keys()]);
  for (const key of keys) yield* placesBelow(joinPaths(path, [key]), rest, children.get(key) ?? null, keysAt);
}
