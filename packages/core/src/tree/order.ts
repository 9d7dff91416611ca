import { compareKeys, type Key } from './key.ts';
import type { Priority, Scalar, TreeNode } from './node.ts';

/** Represents every inner node in an index. All inner nodes are equal in an index and sort last. */
export const OBJECT = Symbol('object');

/**
 * The value that an index sorts by: the scalar at a path, `null` if there is no data, or `OBJECT` for an
 * inner node.
 */
export type IndexValue = Scalar | null | typeof OBJECT;

/** Returns the index value of a node. Ignores the priority of the node. */
export function indexValueOf(node: TreeNode | null): IndexValue {
  if (node === null) return null;
  return node.kind === 'leaf' ? node.value : OBJECT;
}

/**
 * Compares index values in this order: `null`, `false`, `true`, numbers, strings by UTF-16 code units,
 * objects.
 */
export function compareIndexValues(a: IndexValue, b: IndexValue): number {
  const rankA = rankOf(a);
  const rankB = rankOf(b);
  if (rankA !== rankB) return rankA < rankB ? -1 : 1;
  if (a === b || a === null || b === null || typeof a === 'symbol' || typeof b === 'symbol') return 0;
  if (typeof a === 'string' || typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  // Clients compare doubles, so two integers that convert to the same double are equal here and are ordered
  // by key.
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

/** Compares priorities in this order: none, numbers, strings. */
export function comparePriorities(a: Priority, b: Priority): number {
  return compareIndexValues(a, b);
}

/** Compares children under the priority index: by priority, then by key. */
export function compareByPriority(a: readonly [Key, TreeNode], b: readonly [Key, TreeNode]): number {
  return comparePriorities(a[1].priority, b[1].priority) || compareKeys(a[0], b[0]);
}
