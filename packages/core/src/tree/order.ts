import { compareKeys, type Key } from './key.ts';
import type { Priority, Scalar, TreeNode } from './node.ts';

/** Stands for every inner node in an index: all of them are equal, and sort last. */
export const OBJECT = Symbol('object');

/** What an index sorts by: the scalar at a place, `null` where there is nothing, `OBJECT` for an inner node. */
export type IndexValue = Scalar | null | typeof OBJECT;

/** The index value of a node: its scalar, without its priority. */
export function indexValueOf(node: TreeNode | null): IndexValue {
  if (node === null) return null;
  return node.kind === 'leaf' ? node.value : OBJECT;
}

/** null, false, true, numbers, strings by UTF-16 code units, objects. */
export function compareIndexValues(a: IndexValue, b: IndexValue): number {
  const rankA = rankOf(a);
  const rankB = rankOf(b);
  if (rankA !== rankB) return rankA < rankB ? -1 : 1;
  if (a === b || a === null || b === null || typeof a === 'symbol' || typeof b === 'symbol') return 0;
  if (typeof a === 'string' || typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  // Clients compare doubles, so two integers that share a double are equal here and ordered by key.
  const left = Number(a);
  const right = Number(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function rankOf(value: IndexValue): number {
  switch (typeof value) {
    case 'boolean':
      return value ? 2 : 1;
    case 'number':
    case 'bigint':
      return 3;
    case 'string':
      return 4;
    case 'symbol':
      return 5;
    default:
      return 0;
  }
}

/** None, then numbers, then strings. */
export function comparePriorities(a: Priority, b: Priority): number {
  return compareIndexValues(a, b);
}

/** Order of children under the priority index: priority, then key. */
export function compareByPriority(a: readonly [Key, TreeNode], b: readonly [Key, TreeNode]): number {
  return comparePriorities(a[1].priority, b[1].priority) || compareKeys(a[0], b[0]);
}
