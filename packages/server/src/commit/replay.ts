import { replaceAt, replacePriorityAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { formatPath } from '@hearth/core/tree/path.ts';
import type { Commit, CommitWrite } from '../log/commit.ts';

/**
 * The tree after a commit. All commits of a database, applied in order to an empty tree, give its tree. Throws at a commit whose
 * value is not in the log.
 */
export function applyCommit(node: TreeNode | null, { writes }: Pick<Commit, 'writes'>): TreeNode | null {
  let after = node;
  for (const write of writes) after = applyWrite(after, write);
  return after;
}

function applyWrite(node: TreeNode | null, write: CommitWrite): TreeNode | null {
  switch (write.kind) {
    case 'node':
      return replaceAt(node, write.path, write.node);
    case 'priority':
      return replacePriorityAt(node, write.path, write.priority);
    case 'linked':
      throw new Error(
        `The log does not hold what was written to /${formatPath(write.path)}: only the tree of that time has it.`,
      );
    default:
      return write satisfies never;
  }
}
