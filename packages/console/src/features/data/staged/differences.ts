import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import { isEqualNode, type TreeNode } from '@hearth/core/tree/node.ts';

/** What becomes of a node. */
export type ChangeSign = 'added' | 'changed' | 'removed';

export interface Difference {
  /** From the node that was compared. */
  readonly keys: readonly Key[];
  readonly sign: ChangeSign;
}

/** Where two trees differ, as deep as both have children, in key order. */
export function findDifferences(
  before: TreeNode | null,
  after: TreeNode | null,
  keys: readonly Key[] = [],
): readonly Difference[] {
  if (isEqualNode(before, after)) return [];
  if (before?.kind !== 'inner' || after?.kind !== 'inner')
    return [{ keys, sign: before === null ? 'added' : after === null ? 'removed' : 'changed' }];
  const names = [...new Set([...before.children.keys(), ...after.children.keys()])].sort(compareKeys);
  const below = names.flatMap((name) =>
    findDifferences(before.children.get(name) ?? null, after.children.get(name) ?? null, [...keys, name]),
  );
  return before.priority === after.priority ? below : [{ keys, sign: 'changed' }, ...below];
}
