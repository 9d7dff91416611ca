import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import type { Priority, TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson, parseNodeJson } from '@hearth/core/tree/node-json.ts';
import type { NodeId } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import { blobText, type StoredEntry } from './entry.ts';
import { findChildEntry, readContent, scanChildEntries } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/**
 * Numbers of leaves in a comparison of two trees: only in the second, in both with a different value or
 * priority, only in the first, and equal in both.
 */
export interface LeafCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
}

/** A tree, or a part of one: absent, small enough to be text, or an interior node. */
export type Subtree =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly json: string }
  | { readonly kind: 'node'; readonly node: NodeId; readonly priority: Priority };

/**
 * The state of a comparison, as JSON: the open nodes from the outside in, each with the last child that is
 * done.
 */
export interface TreeWalk {
  readonly counts: LeafCounts;
  readonly open: readonly OpenPair[];
}

interface OpenPair {
  readonly before: Subtree;
  readonly after: Subtree;
  readonly reached: Key | null;
}

const ABSENT: Subtree = { kind: 'absent' };
const NO_LEAVES: LeafCounts = { added: 0, changed: 0, removed: 0, unchanged: 0 };

export function subtreeOf(entry: StoredEntry | undefined): Subtree {
  if (entry === undefined) return ABSENT;
  return entry.kind === 'reference'
    ? { kind: 'node', node: entry.node, priority: entry.priority }
    : { kind: 'text', json: blobText(entry.bytes) };
}

/** Returns the node at a path. */
export function readSubtree(tx: KvRead, tree: StoredTree, path: readonly Key[]): Subtree {
  const content = readContent(tx, tree, path);
  switch (content.kind) {
    case 'absent':
      return ABSENT;
    case 'entry':
      return subtreeOf(content.entry);
    case 'inside':
      return sideOfNode(content.node);
    default:
      return content satisfies never;
  }
}

function sideOfNode(node: TreeNode | null): Subtree {
  return node === null ? ABSENT : { kind: 'text', json: exportJson(node) };
}

/** Returns the state of a comparison that has not visited any node yet. */
export function beginComparison(before: Subtree, after: Subtree): TreeWalk {
  return { counts: NO_LEAVES, open: [{ before, after, reached: null }] };
}

/**
 * Returns whether all nodes of the first tree that the comparison still has to visit are at their original paths.
 * `before` is the current root of the first tree.
 */
export function isComparable(tx: KvRead, { open }: TreeWalk, before: Subtree): boolean {
  let existing = before;
  for (const pair of open) {
    if (pair.before.kind === 'node' && !(existing.kind === 'node' && existing.node === pair.before.node))
      return false;
    if (pair.before.kind !== 'node' || pair.reached === null) return true;
    existing = subtreeOf(findChildEntry(tx, pair.before.node, pair.reached));
  }
  return true;
}

/**
 * Continues a comparison for about `maxChildren` children. The comparison is complete when `open` is empty.
 * Interior nodes are not counted, except that an interior node whose priority changed counts as one changed
 * leaf.
 */
export function compareStep(tx: KvRead, walk: TreeWalk, maxChildren: number): TreeWalk {
  const step = new ComparisonStep(tx, walk, maxChildren);
  while (step.hasMore) step.advance();
  return step.walk();
}

interface Child {
  readonly key: Key;
  readonly side: Subtree;
}

class ComparisonStep {
  readonly #tx: KvRead;
  readonly #open: OpenPair[];
  #childrenLeft: number;
  #added: number;
  #changed: number;
  #removed: number;
  #unchanged: number;

  constructor(tx: KvRead, { counts, open }: TreeWalk, maxChildren: number) {
    this.#tx = tx;
    this.#open = [...open];
    this.#childrenLeft = maxChildren;
    this.#added = counts.added;
    this.#changed = counts.changed;
    this.#removed = counts.removed;
    this.#unchanged = counts.unchanged;
  }

  get hasMore(): boolean {
    return this.#open.length > 0 && this.#childrenLeft > 0;
  }

  walk(): TreeWalk {
    const counts = {
      added: this.#added,
      changed: this.#changed,
      removed: this.#removed,
      unchanged: this.#unchanged,
    };
    return { counts, open: this.#open };
  }

  /**
   * Compares children of the innermost pair, until one of them is a large node and becomes the innermost pair.
   */
  advance(): void {
    const pair = this.#open.pop();
    if (pair === undefined) return;
    const { before, after } = pair;
    this.#childrenLeft -= 1;
    if (before.kind !== 'node' && after.kind !== 'node') {
      this.#compareNodes(nodeOf(before), nodeOf(after));
      return;
    }
    if (pair.reached === null) this.#compareOwn(before, after);
    for (const child of mergeChildren(this.#tx, before, after, pair.reached)) {
      this.#childrenLeft -= 1;
      const isSmall = child.before.kind !== 'node' && child.after.kind !== 'node';
      if (isSmall) this.#compareSmall(child.before, child.after);
      if (isSmall && this.#childrenLeft > 0) continue;
      this.#open.push({ ...pair, reached: child.key });
      if (!isSmall) this.#open.push({ before: child.before, after: child.after, reached: null });
      return;
    }
  }

  /** Compares two nodes, but not their children. At least one of them has children that are separate entries. */
  #compareOwn(before: Subtree, after: Subtree): void {
    const left = before.kind === 'node' ? before : nodeOf(before);
    const right = after.kind === 'node' ? after : nodeOf(after);
    if (left?.kind === 'leaf') this.#removed += 1;
    if (right?.kind === 'leaf') this.#added += 1;
    const areBothInner = left !== null && right !== null && left.kind !== 'leaf' && right.kind !== 'leaf';
    if (areBothInner && left.priority !== right.priority) this.#changed += 1;
  }

  #compareSmall(before: Subtree, after: Subtree): void {
    if (before.kind === 'text' && after.kind === 'text' && before.json === after.json)
      this.#unchanged += countLeaves(nodeOf(before));
    else this.#compareNodes(nodeOf(before), nodeOf(after));
  }

  #compareNodes(before: TreeNode | null, after: TreeNode | null): void {
    if (before === null || after === null) {
      this.#removed += countLeaves(before);
      this.#added += countLeaves(after);
      return;
    }
    if (before.kind === 'leaf' && after.kind === 'leaf') {
      if (before.value === after.value && before.priority === after.priority) this.#unchanged += 1;
      else this.#changed += 1;
      return;
    }
    if (before.kind === 'leaf' || after.kind === 'leaf') {
      this.#removed += countLeaves(before);
      this.#added += countLeaves(after);
      return;
    }
    if (before.priority !== after.priority) this.#changed += 1;
    for (const [key, child] of before.children) this.#compareNodes(child, after.children.get(key) ?? null);
    for (const [key, child] of after.children)
      if (!before.children.has(key)) this.#added += countLeaves(child);
  }
}

/** Yields the children of two nodes in key order, pairing those with the same key. */
function* mergeChildren(
  tx: KvRead,
  before: Subtree,
  after: Subtree,
  reached: Key | null,
): Generator<{ readonly key: Key; readonly before: Subtree; readonly after: Subtree }> {
  const lefts = childrenAfter(tx, before, reached);
  const rights = childrenAfter(tx, after, reached);
  let left = lefts.next();
  let right = rights.next();
  while (left.done !== true || right.done !== true) {
    const order =
      left.done === true ? 1 : right.done === true ? -1 : compareKeys(left.value.key, right.value.key);
    const takenLeft: Child | undefined = order <= 0 && left.done !== true ? left.value : undefined;
    const takenRight: Child | undefined = order >= 0 && right.done !== true ? right.value : undefined;
    const key = (takenLeft ?? takenRight)?.key;
    if (key === undefined) return;
    yield { key, before: takenLeft?.side ?? ABSENT, after: takenRight?.side ?? ABSENT };
    if (takenLeft !== undefined) left = lefts.next();
    if (takenRight !== undefined) right = rights.next();
  }
}

function* childrenAfter(tx: KvRead, side: Subtree, reached: Key | null): Generator<Child> {
  if (side.kind === 'node') {
    for (const { key, entry } of scanChildEntries(tx, side.node, reached ?? undefined))
      if (key !== reached) yield { key, side: subtreeOf(entry) };
    return;
  }
  const node = nodeOf(side);
  if (node?.kind !== 'inner') return;
  for (const [key, child] of node.children)
    if (reached === null || compareKeys(key, reached) > 0) yield { key, side: sideOfNode(child) };
}

function nodeOf(side: Subtree): TreeNode | null {
  return side.kind === 'text' ? parseNodeJson(side.json) : null;
}

function countLeaves(node: TreeNode | null): number {
  if (node === null) return 0;
  if (node.kind === 'leaf') return 1;
  let count = 0;
  for (const child of node.children.values()) count += countLeaves(child);
  return count;
}
