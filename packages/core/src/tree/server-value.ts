import { RequestError } from '../error/request-error.ts';
import type { Key } from './key.ts';
import {
  addNumbers,
  type DraftNode,
  leafNode,
  type Priority,
  type Scalar,
  type ServerValue,
  type TreeNode,
} from './node.ts';
import type { IndexValue } from './order.ts';

/** The parsed value of a write, without placeholders (`resolved`) or with placeholders (`pending`). */
export type Draft =
  | { readonly kind: 'resolved'; readonly node: TreeNode | null }
  | { readonly kind: 'pending'; readonly node: DraftNode };

/** The data at and below the written path before the write. Paths are relative to the written path. */
export interface ExistingData {
  findValue(relative: readonly Key[]): IndexValue;
  findPriority(relative: readonly Key[]): Priority;
}

/**
 * Replaces every placeholder. A timestamp becomes `nowMs`. An increment becomes the number at the same path before the
 * write plus the delta, or the delta if there was no number. Throws `server-value/overflow` when a sum is not finite.
 */
export function resolveDraft(draft: Draft, nowMs: number, existing: ExistingData): TreeNode | null {
  return draft.kind === 'resolved' ? draft.node : resolveNode(draft.node, nowMs, existing, []);
}

function resolveNode(node: DraftNode, nowMs: number, existing: ExistingData, at: readonly Key[]): TreeNode {
  const priority = resolvePriority(node.priority, nowMs, () => existing.findPriority(at));
  if (node.kind === 'leaf') return leafNode(resolveScalar(node.value, nowMs, existing, at), priority);
  const children = new Map<Key, TreeNode>();
  for (const [key, child] of node.children)
    children.set(key, resolveNode(child, nowMs, existing, [...at, key]));
  return { kind: 'inner', children, priority };
}

function resolveScalar(
  value: Scalar | ServerValue,
  nowMs: number,
  existing: ExistingData,
  at: readonly Key[],
): Scalar {
  if (typeof value !== 'object') return value;
  if (value.kind === 'timestamp') return nowMs;
  return resolveIncrement(value.by, existing.findValue(at));
}

/**
 * Returns the value of an increment: the existing number plus the delta, or the delta if there is no number. Throws
 * `server-value/overflow` when the sum is not finite.
 */
export function resolveIncrement(by: number | bigint, base: IndexValue): number | bigint {
  if (typeof base !== 'number' && typeof base !== 'bigint') return by;
  return requireFinite(addNumbers(base, by));
}

/**
 * Returns a priority with its placeholder replaced. `before` returns the existing priority. Throws
 * `server-value/overflow` when a sum is not finite.
 */
export function resolvePriority(
  priority: Priority | ServerValue,
  nowMs: number,
  before: () => Priority,
): Priority {
  if (priority === null || typeof priority !== 'object') return priority;
  if (priority.kind === 'timestamp') return nowMs;
  const base = before();
  return Number(requireFinite(addNumbers(typeof base === 'number' ? base : 0, priority.by)));
}

function requireFinite(sum: number | bigint): number | bigint {
  if (typeof sum === 'number' && !Number.isFinite(sum)) throw new RequestError('server-value/overflow');
  return sum;
}
