import { replaceAt, replacePriorityAt, type TreeNode } from '../../tree/node.ts';
import type { ProposedWrite } from '../operation.ts';

/** The whole tree after the writes of one update: first removals, then values, then priorities. */
export function mergeWrites(tree: TreeNode | null, writes: readonly ProposedWrite[]): TreeNode | null {
  return writes
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .reduce(
      (node, write) =>
        write.kind === 'node'
          ? replaceAt(node, write.path, write.node)
          : replacePriorityAt(node, write.path, write.priority),
      tree,
    );
}

function rankOf(write: ProposedWrite): number {
  if (write.kind === 'priority') return 2;
  return write.node === null ? 0 : 1;
}
