import { compareKeys, type Key } from './key.ts';

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const TWO_POW_63 = 2 ** 63;

/**
 * Returns a number in its canonical form: a JavaScript number, or a bigint for a 64-bit integer that a double
 * may not represent exactly. `-0` becomes `0`. Integers beyond 64 bits become doubles.
 */
export function canonicalNumber(value: number | bigint): number | bigint {
  if (typeof value === 'number') {
    if (value === 0) return 0;
    if (Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
    // The double -2^63 stays a double: sums below the 64-bit range round to it, and mobile clients
    // distinguish it from the integer.
    return Math.abs(value) < TWO_POW_63 ? BigInt(value) : value;
  }
  if (value < MIN_INT64 || value > MAX_INT64) return Number(value);
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}

/**
 * Returns the sum for an increment: exact within 64-bit integers, otherwise in doubles. The result may be
 * infinite; the caller rejects it.
 */
export function addNumbers(a: number | bigint, b: number | bigint): number | bigint {
  const doubleSum = Number(a) + Number(b);
  if (!isInt64(a) || !isInt64(b)) return canonicalNumber(doubleSum);
  // Safe integers with a safe sum need no bigints.
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(doubleSum)) return doubleSum;
  const sum = BigInt(a) + BigInt(b);
  return sum < MIN_INT64 || sum > MAX_INT64 ? doubleSum : canonicalNumber(sum);
}

/** Returns whether a canonical number is a 64-bit integer. */
function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** The value of a leaf. A bigint is a 64-bit integer that a double may not represent exactly. */
export type Scalar = boolean | number | bigint | string;

/** A node's sort weight. `null` means that the node has no priority. */
export type Priority = null | number | string;

export interface LeafNode {
  readonly kind: 'leaf';
  readonly value: Scalar;
  readonly priority: Priority;
}

/** An inner node. It always has children: an empty node is `null` and has no priority. */
export interface InnerNode {
  readonly kind: 'inner';
  /** In key order. */
  readonly children: ReadonlyMap<Key, TreeNode>;
  readonly priority: Priority;
}

/** An immutable tree, read from the store or resolved from a write. `null` represents an absent tree. */
export type TreeNode = LeafNode | InnerNode;

/** A placeholder in written data. The server replaces it when it decides the write. */
export type ServerValue =
  | { readonly kind: 'timestamp' }
  | { readonly kind: 'increment'; readonly by: number | bigint };

export interface DraftLeaf {
  readonly kind: 'leaf';
  readonly value: Scalar | ServerValue;
  readonly priority: Priority | ServerValue;
}

export interface DraftInner {
  readonly kind: 'inner';
  readonly children: ReadonlyMap<Key, DraftNode>;
  readonly priority: Priority | ServerValue;
}

/**
 * A tree as a client sends it: values and priorities may be placeholders. A `TreeNode` is a `DraftNode`
 * without placeholders.
 */
export type DraftNode = DraftLeaf | DraftInner;

export function leafNode(value: Scalar, priority: Priority = null): LeafNode {
  return { kind: 'leaf', value, priority };
}

/** Returns an inner node with the given children, in any order. Returns `null` if there are none. */
export function innerNode(
  children: Iterable<readonly [Key, TreeNode]>,
  priority: Priority = null,
): InnerNode | null {
  const sorted = sortEntries([...children]);
  return sorted.length === 0 ? null : { kind: 'inner', children: new Map(sorted), priority };
}

/** Returns the entries in key order. Sorts in place, and only if they are not in order already. */
export function sortEntries<T>(entries: (readonly [Key, T])[]): (readonly [Key, T])[] {
  for (let i = 1; i < entries.length; i++) {
    const previous = entries[i - 1];
    const current = entries[i];
    if (previous !== undefined && current !== undefined && compareKeys(previous[0], current[0]) > 0)
      return entries.sort((a, b) => compareKeys(a[0], b[0]));
  }
  return entries;
}

export function childOf(node: TreeNode | null, key: Key): TreeNode | null;
export function childOf(node: DraftNode | null, key: Key): DraftNode | null;
export function childOf(node: DraftNode | null, key: Key): DraftNode | null {
  return node?.kind === 'inner' ? (node.children.get(key) ?? null) : null;
}

export function nodeAt(node: TreeNode | null, path: readonly Key[]): TreeNode | null {
  let current = node;
  for (const key of path) {
    if (current === null) return null;
    current = childOf(current, key);
  }
  return current;
}

/**
 * Returns the tree after the node at `path` is replaced:
 * - Writing a child below a leaf turns the leaf into an inner node that keeps the leaf's priority.
 * - Removing a child below a leaf changes nothing.
 * - Removing the last child removes the parent with its priority, and so on upwards.
 *
 * `from` is the index in `path` of the first key below `node`.
 */
export function replaceAt(
  node: TreeNode | null,
  path: readonly Key[],
  value: TreeNode | null,
  from?: number,
): TreeNode | null;
export function replaceAt(
  node: DraftNode | null,
  path: readonly Key[],
  value: DraftNode | null,
  from?: number,
): DraftNode | null;
export function replaceAt(
  node: DraftNode | null,
  path: readonly Key[],
  value: DraftNode | null,
  from = 0,
): DraftNode | null {
  const key = path[from];
  if (key === undefined) return value;
  const previous = childOf(node, key);
  const child = replaceAt(previous, path, value, from + 1);
  // If nothing changes below, the same node is returned, so callers can detect changes by identity.
  if (child === previous) return node;
  if (node?.kind !== 'inner') {
    if (child === null) return node;
    return { kind: 'inner', children: new Map([[key, child]]), priority: node?.priority ?? null };
  }
  return replaceChild(node, key, child);
}

/** Returns the tree with another priority at `path`. An absent node stays absent. */
export function replacePriorityAt(
  node: TreeNode | null,
  path: readonly Key[],
  priority: Priority,
): TreeNode | null {
  const target = nodeAt(node, path);
  return target === null ? node : replaceAt(node, path, withPriority(target, priority));
}

function withPriority(node: TreeNode, priority: Priority): TreeNode {
  return node.priority === priority ? node : { ...node, priority };
}

function replaceChild(node: DraftInner, key: Key, child: DraftNode | null): DraftInner | null {
  if (child === null) {
    if (!node.children.has(key)) return node;
    if (node.children.size === 1) return null;
    const children = new Map(node.children);
    children.delete(key);
    return { kind: 'inner', children, priority: node.priority };
  }
  if (node.children.has(key))
    // Setting an existing key keeps its position.
    return { kind: 'inner', children: new Map(node.children).set(key, child), priority: node.priority };
  const entries: [Key, DraftNode][] = [];
  let isInserted = false;
  for (const entry of node.children) {
    if (!isInserted && compareKeys(key, entry[0]) < 0) {
      entries.push([key, child]);
      isInserted = true;
    }
    entries.push(entry);
  }
  if (!isInserted) entries.push([key, child]);
  return { kind: 'inner', children: new Map(entries), priority: node.priority };
}

/** Returns whether two trees have the same values, priorities and children. */
export function isEqualNode(a: TreeNode | null, b: TreeNode | null): boolean {
  if (a === b) return true;
  if (a === null || b === null || a.priority !== b.priority) return false;
  if (a.kind === 'leaf') return b.kind === 'leaf' && a.value === b.value;
  if (b.kind === 'leaf' || a.children.size !== b.children.size) return false;
  for (const [key, child] of a.children) {
    const other = b.children.get(key);
    if (other === undefined || !isEqualNode(child, other)) return false;
  }
  return true;
}
