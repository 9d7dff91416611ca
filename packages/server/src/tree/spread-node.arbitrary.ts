import { innerNode, leafNode, type Priority, type TreeNode } from '@hearth/core/tree/node.ts';
import fc from 'fast-check';
import { historyKeys, historyScalars } from './history.arbitrary.ts';

const priorities: fc.Arbitrary<Priority> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom<Priority>(7, 'é"') },
);

/** Trees of several levels, of which the long strings spread some over many entries of a store. */
export const spreadNodes: fc.Arbitrary<TreeNode> = fc.letrec<{
  node: TreeNode;
  leaf: TreeNode;
  inner: TreeNode;
}>((tie) => ({
  node: fc.oneof({ maxDepth: 4 }, tie('leaf'), { weight: 3, arbitrary: tie('inner') }),
  leaf: fc.tuple(historyScalars, priorities).map(([value, priority]) => leafNode(value, priority)),
  inner: fc
    .tuple(
      fc.array(fc.tuple(historyKeys, tie('node')), { minLength: 1, maxLength: 6, size: 'max' }),
      priorities,
    )
    .map(([entries, priority]) => innerNode(new Map(entries), priority) ?? leafNode(true)),
})).node;
