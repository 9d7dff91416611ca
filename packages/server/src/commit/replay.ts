import { replaceAt, replacePriorityAt, type TreeNode } from '@hearth/core/tree/node.ts';
import type { Commit } from '../log/commit.ts';

/** The tree after a commit. All commits of a database, applied in order to an empty tree, give its tree. */
export function applyCommit(node: TreeNode | null, { writes }: Pick<Commit, 'writes'>): TreeNode | null {
  let after = node;
  for (const write of writes)
    after =
      write.kind === 'node'
        ? replaceAt(after, write.path, write.node)
        : replacePriorityAt(after, write.path, write.priority);
  return after;
}
