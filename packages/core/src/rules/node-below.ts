import type { Key } from '../tree/key.ts';
import { childOf, type TreeNode } from '../tree/node.ts';

/** The node that the keys of `path` from the one at `from` on lead to; as `nodeAt`, and without a copy of the path. */
export function nodeBelow(node: TreeNode | null, path: readonly Key[], from: number): TreeNode | null {
  let here = node;
  for (let depth = from; here !== null; depth++) {
    const key = path[depth];
    if (key === undefined) return here;
    here = childOf(here, key);
  }
  return null;
}
