import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { leafNode, nodeAt, replaceAt, replacePriorityAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { joinPaths, type Path, parsePath } from '@hearth/core/tree/path.ts';
import type { KeptRead } from '../denials/kept-values.ts';

/** Name of a child that stands for those of an inner node that nobody looked at. */
const SOME_CHILD = parseKey('other');

/** A small tree in which the same reads see the same. */
export function nodeOfReads(reads: readonly KeptRead[]): TreeNode | null {
  let root: TreeNode | null = null;
  const fill = (path: Path): void => {
    if (nodeAt(root, path) === null) root = replaceAt(root, path, leafNode(true));
  };
  for (const read of reads)
    if (read.kind === 'value' && read.value !== null)
      root = replaceAt(root, parsePath(read.path), leafNode(read.value));
  for (const read of reads) if (read.kind === 'keys') for (const key of childrenOf(read)) fill(key);
  for (const read of reads)
    if (read.kind === 'object' && nodeAt(root, parsePath(read.path))?.kind !== 'inner')
      fill(joinPaths(parsePath(read.path), [SOME_CHILD]));
  for (const read of reads)
    if (read.kind === 'priority') root = replacePriorityAt(root, parsePath(read.path), read.priority);
  return root;
}

function childrenOf({ path, keys }: KeptRead & { readonly kind: 'keys' }): readonly Path[] {
  return keys.map((key): Path => joinPaths(parsePath(path), [parseKey(key) satisfies Key]));
}
