import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import type { Priority, TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson, parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, pathOf } from '@hearth/core/tree/path.ts';
import type { NodeId } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import { blobText, type StoredEntry } from './entry.ts';
import { findChildEntry, readContent, scanChildEntries } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/**
 * Numbers of leaves in a comparison of two trees: only in the second, in both with a different value or
 * priority, only in the first, and equal in both. A leaf that is an object in the other tree is changed; the leaves of
 * that object are added or removed.
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
 * What stays of the first tree although the second one lacks it. `nothing`: the second tree replaces the first.
 * `children`: each child of the second root replaces the child of the same key. `everything`: only leaves replace. Nodes
 * that stay are not visited, and not counted.
 */
export type Kept = 'nothing' | 'children' | 'everything';

/** A leaf, or a subtree that only one tree has. */
export interface Difference {
  readonly kind: 'added' | 'changed' | 'removed';
  /** The path below the compared nodes, without a slash at its start. */
  readonly path: string;
  /** The start of the JSON text; `null` if the tree has nothing there, and empty for a large node. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Maximum number of differences of each kind that a comparison lists. */
export const MAX_DIFFERENCES = 50;
/** Longest text of a value in a listed difference, in UTF-16 code units. */
const SHOWN_UNITS = 60;
/** Longest path of a listed difference, in UTF-16 code units. Differences at longer paths are only counted. */
const MAX_PATH_UNITS = 500;

/**
 * The state of a comparison, as JSON: the open nodes from the outside in, each with the last child that is
 * done.
 */
export interface TreeWalk {
  readonly counts: LeafCounts;
  readonly differences: readonly Difference[];
  readonly kept: Kept;
  /** A node whose keys are the children that are removed although others stay; `null` if there are none. */
  readonly dropped: NodeId | null;
  readonly open: readonly OpenPair[];
}

interface OpenPair {
  readonly before: Subtree;
  readonly after: Subtree;
  readonly reached: Key | null;
  /** Whether a difference above this pair is listed, so that those below it are not. */
  readonly isListed: boolean;
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

/** Returns the state of a comparison that has not visited any node yet. `dropped` is only for `kept: 'children'`. */
export function beginComparison(
  before: Subtree,
  after: Subtree,
  kept: Kept = 'nothing',
  dropped: NodeId | null = null,
): TreeWalk {
  const isEmpty = kept !== 'nothing' && after.kind === 'absent' && dropped === null;
  const open = isEmpty ? [] : [{ before, after, reached: null, isListed: false }];
  return { counts: NO_LEAVES, differences: [], kept, dropped, open };
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
  readonly #walk: TreeWalk;
  readonly #open: OpenPair[];
  readonly #differences: Difference[];
  #childrenLeft: number;
  #added: number;
  #changed: number;
  #removed: number;
  #unchanged: number;

  constructor(tx: KvRead, walk: TreeWalk, maxChildren: number) {
    this.#tx = tx;
    this.#walk = walk;
    this.#open = [...walk.open];
    this.#differences = [...walk.differences];
    this.#childrenLeft = maxChildren;
    this.#added = walk.counts.added;
    this.#changed = walk.counts.changed;
    this.#removed = walk.counts.removed;
    this.#unchanged = walk.counts.unchanged;
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
    return { ...this.#walk, counts, differences: this.#differences, open: this.#open };
  }

  /**
   * Compares children of the innermost pair, until one of them is a large node and becomes the innermost pair.
   */
  advance(): void {
    const pair = this.#open.pop();
    if (pair === undefined) return;
    const { before, after, isListed } = pair;
    const path = this.#open.flatMap(({ reached }) => reached ?? []);
    this.#childrenLeft -= 1;
    const dropsOnly = after.kind === 'absent' && this.#keeps(path.length, false);
    if (before.kind !== 'node' && after.kind !== 'node') {
      if (dropsOnly) this.#compareDropped(nodeOf(before));
      else this.#compareNodes(nodeOf(before), nodeOf(after), path, isListed);
      return;
    }
    let isRootListed = isListed || (!dropsOnly && this.#listOneSided(before, after, path));
    if (pair.reached === null && this.#compareOwn(before, after, path, isRootListed)) isRootListed = true;
    for (const child of this.#childrenOf(pair, path.length)) {
      this.#childrenLeft -= 1;
      const isSmall = child.before.kind !== 'node' && child.after.kind !== 'node';
      if (isSmall) this.#compareSmall(child.before, child.after, [...path, child.key], isRootListed);
      if (isSmall && this.#childrenLeft > 0) continue;
      this.#open.push({ ...pair, reached: child.key, isListed: isRootListed });
      if (!isSmall)
        this.#open.push({ before: child.before, after: child.after, reached: null, isListed: isRootListed });
      return;
    }
  }

  /** Returns whether children of the first node stay if the second one lacks them. */
  #keeps(depth: number, isAfterInner: boolean): boolean {
    const { kept } = this.#walk;
    return (kept === 'children' && depth === 0) || (kept === 'everything' && isAfterInner);
  }

  /** Yields the children of a pair that are compared, in key order. */
  #childrenOf(pair: OpenPair, depth: number): Generator<ChildPair> {
    const { before, after, reached } = pair;
    const isAfterInner = after.kind === 'node' || nodeOf(after)?.kind === 'inner';
    if (!this.#keeps(depth, isAfterInner)) return mergeChildren(this.#tx, before, after, reached);
    return replacedChildren(this.#tx, before, after, reached, depth === 0 ? this.#walk.dropped : null);
  }

  /** Lists a large node that only one tree has. Returns whether the pair is one. */
  #listOneSided(before: Subtree, after: Subtree, path: readonly Key[]): boolean {
    if (before.kind !== 'absent' && after.kind !== 'absent') return false;
    if (before.kind === 'absent') this.#list('added', path, null, '');
    else this.#list('removed', path, '', null);
    return true;
  }

  /**
   * Compares two nodes, but not their children. At least one of them has children that are separate entries. Returns
   * whether the difference stands for all differences below.
   */
  #compareOwn(before: Subtree, after: Subtree, path: readonly Key[], isListed: boolean): boolean {
    const left = before.kind === 'node' ? before : nodeOf(before);
    const right = after.kind === 'node' ? after : nodeOf(after);
    if (left === null || right === null) return false;
    if (left.kind !== 'leaf' && right.kind !== 'leaf') {
      this.#comparePriorities(left.priority, right.priority, path);
      return false;
    }
    this.#changed += 1;
    if (!isListed) this.#list('changed', path, leafJson(left), leafJson(right));
    return true;
  }

  /** Compares the priorities of two objects. An object that others are merged into keeps its priority. */
  #comparePriorities(before: Priority, after: Priority, path: readonly Key[]): void {
    if (before === after || this.#keeps(path.length, true)) return;
    this.#changed += 1;
    this.#list('changed', path, '', '');
  }

  #compareSmall(before: Subtree, after: Subtree, path: readonly Key[], isListed: boolean): void {
    if (before.kind === 'text' && after.kind === 'text' && before.json === after.json)
      this.#unchanged += countLeaves(nodeOf(before));
    else this.#compareNodes(nodeOf(before), nodeOf(after), path, isListed);
  }

  #compareNodes(
    before: TreeNode | null,
    after: TreeNode | null,
    path: readonly Key[],
    isListed: boolean,
  ): void {
    if (before?.kind === 'inner' && after?.kind === 'inner') {
      this.#comparePriorities(before.priority, after.priority, path);
      const keeps = this.#keeps(path.length, true);
      for (const [key, child] of before.children) {
        const other = after.children.get(key) ?? null;
        if (other === null && keeps && !this.#isDropped(key)) continue;
        this.#compareNodes(child, other, [...path, key], isListed);
      }
      for (const [key, child] of after.children)
        if (!before.children.has(key)) this.#compareNodes(null, child, [...path, key], isListed);
      return;
    }
    if (before?.kind === 'leaf' && after?.kind === 'leaf') {
      if (before.value === after.value && before.priority === after.priority) {
        this.#unchanged += 1;
        return;
      }
      this.#changed += 1;
    } else {
      const isBoth = before !== null && after !== null;
      if (isBoth) this.#changed += 1;
      if (!(isBoth && before.kind === 'leaf')) this.#removed += countLeaves(before);
      if (!(isBoth && after.kind === 'leaf')) this.#added += countLeaves(after);
    }
    if (isListed || (before === null && after === null)) return;
    const kind = before === null ? 'added' : after === null ? 'removed' : 'changed';
    this.#list(kind, path, before && exportJson(before), after && exportJson(after));
  }

  /** Compares a small node with a source that has nothing but children that it drops. */
  #compareDropped(before: TreeNode | null): void {
    if (before?.kind !== 'inner') return;
    for (const [key, child] of before.children)
      if (this.#isDropped(key)) this.#compareNodes(child, null, [key], false);
  }

  #isDropped(key: Key): boolean {
    const { dropped } = this.#walk;
    return dropped !== null && findChildEntry(this.#tx, dropped, key) !== undefined;
  }

  #list(kind: Difference['kind'], path: readonly Key[], before: string | null, after: string | null): void {
    if (this.#differences.filter((known) => known.kind === kind).length >= MAX_DIFFERENCES) return;
    const text = formatPath(pathOf(path));
    if (text.length > MAX_PATH_UNITS) return;
    this.#differences.push({ kind, path: text, before: startOf(before), after: startOf(after) });
  }
}

function startOf(json: string | null): string | null {
  if (json === null || json.length <= SHOWN_UNITS) return json;
  return `${json.slice(0, SHOWN_UNITS).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns the JSON text of a leaf; an empty text for a large node. */
function leafJson(node: TreeNode | Subtree): string {
  return node.kind === 'leaf' ? exportJson(node) : '';
}

interface ChildPair {
  readonly key: Key;
  readonly before: Subtree;
  readonly after: Subtree;
}

/** Yields the children of the second node, and the dropped ones, with the children that they replace. */
function* replacedChildren(
  tx: KvRead,
  before: Subtree,
  after: Subtree,
  reached: Key | null,
  dropped: NodeId | null,
): Generator<ChildPair> {
  const names: Subtree = dropped === null ? ABSENT : { kind: 'node', node: dropped, priority: null };
  const parent = nodeOf(before);
  for (const { key, after: replacement } of mergeChildren(tx, names, after, reached)) {
    const small = parent?.kind === 'inner' ? (parent.children.get(key) ?? null) : null;
    const replaced =
      before.kind === 'node' ? subtreeOf(findChildEntry(tx, before.node, key)) : sideOfNode(small);
    if (replaced.kind !== 'absent' || replacement.kind !== 'absent')
      yield { key, before: replaced, after: replacement };
  }
}

/** Yields the children of two nodes in key order, pairing those with the same key. */
function* mergeChildren(
  tx: KvRead,
  before: Subtree,
  after: Subtree,
  reached: Key | null,
): Generator<ChildPair> {
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
