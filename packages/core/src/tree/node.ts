import { compareKeys, type Key } from './key.ts';

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const TWO_POW_63 = 2 ** 63;

/**
 * The one form in which a number is kept: a JavaScript number, except that integers of 64 bits which a
 * double may not hold exactly are bigints. `-0` becomes `0`; integers beyond 64 bits become doubles.
 */
export function canonicalNumber(value: number | bigint): number | bigint {
  if (typeof value === 'number') {
    if (value === 0) return 0;
    if (Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
    // The double -2^63 stays one: sums below 64 bits round to it, and mobile clients tell it from the integer.
    return Math.abs(value) < TWO_POW_63 ? BigInt(value) : value;
  }
  if (value < MIN_INT64 || value > MAX_INT64) return Number(value);
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}

/**
 * Sum as the increment server value defines it: exact within 64-bit integers, else in doubles.
 * May be infinite; the caller refuses that.
 */
export function addNumbers(a: number | bigint, b: number | bigint): number | bigint {
  const inDoubles = Number(a) + Number(b);
  if (!isInt64(a) || !isInt64(b)) return canonicalNumber(inDoubles);
  // Safe integers whose sum is safe need no bigints.
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(inDoubles)) return inDoubles;
  const sum = BigInt(a) + BigInt(b);
  return sum < MIN_INT64 || sum > MAX_INT64 ? inDoubles : canonicalNumber(sum);
}

/** Is a canonical number an integer of 64 bits? */
function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** What a leaf holds. A bigint is an integer of 64 bits that a double may not hold exactly. */
export type Scalar = boolean | number | bigint | string;

/** A node's sort weight; `null` is none. */
export type Priority = null | number | string;

export interface LeafNode {
  readonly kind: 'leaf';
  readonly value: Scalar;
  readonly priority: Priority;
}

/** Never without children: an empty node is `null`, and has no priority. */
export interface InnerNode {
  readonly kind: 'inner';
  /** In key order. */
  readonly children: ReadonlyMap<Key, TreeNode>;
  readonly priority: Priority;
}

/** An immutable tree, as read from the store or resolved from a write. Absence is `null`. */
export type TreeNode = LeafNode | InnerNode;

/** A placeholder in written data that the server replaces when the write is decided. */
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

/** A tree as a client sends it: values and priorities may be placeholders. A `TreeNode` is one without any. */
export type DraftNode = DraftLeaf | DraftInner;

export function leafNode(value: Scalar, priority: Priority = null): LeafNode {
  return { kind: 'leaf', value, priority };
}

/** An inner node of children in any order; `null` when there are none. */
export function innerNode(
  children: Iterable<readonly [Key, TreeNode]>,
  priority: Priority = null,
): InnerNode | null {
  const sorted = sortEntries([...children]);
  return sorted.length === 0 ? null : { kind: 'inner', children: new Map(sorted), priority };
}

/** Entries in key order; sorts in place, and only when they are not in order already. */
export function sortEntries<T>(entries: (readonly [Key, T])[]): (readonly [Key, T])[] {
  for (let i = 1; i < entries.length; i++) {
    const before = entries[i - 1];
    const here = entries[i];
    if (before !== undefined && here !== undefined && compareKeys(before[0], here[0]) > 0)
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
  let here = node;
  for (const key of path) {
    if (here === null) return null;
    here = childOf(here, key);
  }
  return here;
}

/**
 * The tree after the node at `path` is replaced. A child written below a leaf turns it into an inner node
 * that keeps the leaf's priority; a removal below a leaf changes nothing; removing the last child removes
 * the parent with its priority, upwards.
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
  const before = childOf(node, key);
  const child = replaceAt(before, path, value, from + 1);
  // Nothing to do below is nothing to do here: who compares by identity sees that nothing has changed.
  if (child === before) return node;
  if (node?.kind !== 'inner') {
    if (child === null) return node;
    return { kind: 'inner', children: new Map([[key, child]]), priority: node?.priority ?? null };
  }
  return replaceChild(node, key, child);
}

/** The tree with another priority at `path`; an absent node stays absent. */
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
    // Setting a present key keeps its place.
    return { kind: 'inner', children: new Map(node.children).set(key, child), priority: node.priority };
  const entries: [Key, DraftNode][] = [];
  let isPlaced = false;
  for (const entry of node.children) {
    if (!isPlaced && compareKeys(key, entry[0]) < 0) {
      entries.push([key, child]);
      isPlaced = true;
    }
    entries.push(entry);
  }
  if (!isPlaced) entries.push([key, child]);
  return { kind: 'inner', children: new Map(entries), priority: node.priority };
}

/** Same values, same priorities, same children. */
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
