import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import { decodeChildKey, NODE_ID_BYTES, type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvRead, keyAfter, prefixRange } from '../kv/store.ts';
import {
  type CountChildren,
  type CountedChildren,
  type NodeSummary,
  summarizeContent,
  summarizeEntry,
  summarizeNode,
} from './node-summary.ts';
import { type ChildRange, keyBoundEntry, readChildren, readContent, type StoredChild } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/** The start of a page of children, or its end for `before` and `last`. The key does not have to exist. */
export type PagePosition =
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | { readonly kind: 'from'; readonly key: Key }
  | { readonly kind: 'after'; readonly key: Key }
  | { readonly kind: 'before'; readonly key: Key };

export interface ChildSummary {
  readonly key: Key;
  readonly node: NodeSummary;
}

/** The parts of a page that depend on more than its children. */
export interface PageEdges {
  /** The node itself; `null` if it does not exist. */
  readonly node: NodeSummary | null;
  /** Key before which the previous page ends; `null` if there is no previous page. */
  readonly previous: Key | null;
  /** Key after which the next page begins; `null` if there is no next page. */
  readonly next: Key | null;
}

/** A page of the children of a node, in key order. */
export interface ChildPage extends PageEdges {
  readonly children: readonly ChildSummary[];
}

/** Bytes of children after which a page ends early, so that long strings do not make a page expensive. */
const MAX_PAGE_BYTES = 2 * 2 ** 20;

/** Number of children that are always counted for each interior node of a page. */
const MIN_COUNTED = 64;

/** Maximum number of children that are counted for one interior node of a page. */
const MAX_COUNTED = 1_000;

/** Number of counted children of a page after which each further node is counted only up to `MIN_COUNTED`. */
const MAX_COUNTED_OF_PAGE = 10_000;

/**
 * Reads at most `limit` children at a position, with previews of at most `previewUnits` UTF-16 code units. The cost does
 * not depend on the number of children.
 */
export function readChildPage(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  position: PagePosition,
  limit: number,
  previewUnits?: number,
): ChildPage {
  const countChildren = childCounter(tx);
  const node = summarizeContent(readContent(tx, tree, path), countChildren);
  const { found, hasMore } = takeChildren(childrenAt(tx, tree, path, position), limit);
  if (isBackward(position)) found.reverse();
  const first = found.at(0)?.key;
  const last = found.at(-1)?.key;
  const hasBefore = isBackward(position) ? hasMore : hasNeighbor(tx, tree, path, first, 'before');
  const hasAfter = isBackward(position) ? hasNeighbor(tx, tree, path, last, 'after') : hasMore;
  return {
    node,
    children: found.map((child) => ({
      key: child.key,
      node: summarizeChild(child, countChildren, previewUnits),
    })),
    previous: (hasBefore ? first : undefined) ?? null,
    next: (hasAfter ? last : undefined) ?? null,
  };
}

/**
 * Reads the current edges of a page whose children still have exactly these keys. Needs only a few reads,
 * independent of the size of the page.
 */
export function readPageEdges(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  keys: readonly Key[],
): PageEdges {
  const first = keys.at(0);
  const last = keys.at(-1);
  return {
    node: summarizeContent(readContent(tx, tree, path), childCounter(tx)),
    previous: (hasNeighbor(tx, tree, path, first, 'before') ? first : undefined) ?? null,
    next: (hasNeighbor(tx, tree, path, last, 'after') ? last : undefined) ?? null,
  };
}

/** Returns whether a child with this key would be on the page, between its position and its edges. */
export function isWithinPage(key: Key, position: PagePosition, { previous, next }: PageEdges): boolean {
  if (position.kind === 'from' && compareKeys(key, position.key) < 0) return false;
  if (position.kind === 'after' && compareKeys(key, position.key) <= 0) return false;
  if (position.kind === 'before' && compareKeys(key, position.key) >= 0) return false;
  return isBackward(position)
    ? previous === null || compareKeys(key, previous) >= 0
    : next === null || compareKeys(key, next) <= 0;
}

function isBackward({ kind }: PagePosition): boolean {
  return kind === 'before' || kind === 'last';
}

function* childrenAt(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  position: PagePosition,
): Generator<StoredChild> {
  const excluded = position.kind === 'after' || position.kind === 'before' ? position.key : undefined;
  for (const child of readChildren(tx, tree, path, rangeOf(position)))
    if (child.key !== excluded) yield child;
}

function rangeOf(position: PagePosition): ChildRange {
  switch (position.kind) {
    case 'first':
      return {};
    case 'last':
      return { isReversed: true };
    case 'from':
    case 'after':
      return { from: position.key };
    case 'before':
      return { to: position.key, isReversed: true };
    default:
      return position satisfies never;
  }
}

function takeChildren(
  children: Iterable<StoredChild>,
  limit: number,
): { readonly found: StoredChild[]; readonly hasMore: boolean } {
  const found: StoredChild[] = [];
  let bytes = 0;
  for (const child of children) {
    if (found.length >= limit || bytes >= MAX_PAGE_BYTES) return { found, hasMore: true };
    found.push(child);
    if (child.kind === 'entry' && child.entry.kind === 'blob') bytes += child.entry.bytes.length;
  }
  return { found, hasMore: false };
}

function hasNeighbor(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  key: Key | undefined,
  kind: 'before' | 'after',
): boolean {
  if (key === undefined) return false;
  for (const _child of childrenAt(tx, tree, path, { kind, key })) return true;
  return false;
}

function summarizeChild(
  child: StoredChild,
  countChildren: CountChildren,
  previewUnits: number | undefined,
): NodeSummary {
  return child.kind === 'inside'
    ? summarizeNode(child.node, previewUnits)
    : summarizeEntry(child.entry, countChildren, previewUnits);
}

/**
 * Returns a function that counts the children of interior nodes for one page: up to `MAX_COUNTED` of each node while
 * the page is below `MAX_COUNTED_OF_PAGE`, and up to `MIN_COUNTED` afterwards.
 */
function childCounter(tx: KvRead): CountChildren {
  let left = MAX_COUNTED_OF_PAGE;
  return (node) => {
    const counted = countChildrenUpTo(tx, node, Math.max(MIN_COUNTED, Math.min(MAX_COUNTED, left)));
    left -= counted.childCount;
    return counted;
  };
}

/** Counts the children of an interior node, at most `limit`. */
export function countChildrenUpTo(tx: KvRead, node: NodeId, limit = MIN_COUNTED): CountedChildren {
  const count = tx.count('tree', prefixRange(nodeKey(node)), limit + 1);
  return { childCount: Math.min(count, limit), isCountPartial: count > limit };
}

/**
 * Counts the children of a node in steps. Each step reads the current state. With `before`, counts only the
 * children before that key.
 */
export class ChildCount {
  readonly #tree: StoredTree;
  readonly #path: readonly Key[];
  readonly #before: Key | undefined;
  /**
   * Key of the entry that was counted last. The node may have been replaced since then, so only the part with
   * the child's key is used.
   */
  #passed: Buffer | undefined;
  #count = 0;

  constructor(tree: StoredTree, path: readonly Key[], before?: Key) {
    this.#tree = tree;
    this.#path = path;
    this.#before = before;
  }

  /** The number counted so far. */
  get count(): number {
    return this.#count;
  }

  /** Counts until `isOver` returns true. Returns whether the count is complete. */
  step(tx: KvRead, isOver: () => boolean): boolean {
    const content = readContent(tx, this.#tree, this.#path);
    if (content.kind === 'entry' && content.entry.kind === 'reference')
      return this.#countEntries(tx, content.entry.node, isOver);
    this.#countInside(tx);
    return true;
  }

  #countEntries(tx: KvRead, node: NodeId, isOver: () => boolean): boolean {
    const prefix = nodeKey(node);
    const range = {
      ...prefixRange(prefix),
      ...(this.#passed && { lower: keyAfter(Buffer.concat([prefix, this.#passed.subarray(NODE_ID_BYTES)])) }),
      ...(this.#before !== undefined && { upper: keyBoundEntry(prefix, this.#before, 'at') }),
    };
    for (const { key } of tx.scan('tree', range)) {
      this.#count += 1;
      this.#passed = key;
      if (isOver()) return false;
    }
    return true;
  }

  /** Counts the children of a node that is, or has become, small enough for one entry. */
  #countInside(tx: KvRead): void {
    const passed = this.#passed === undefined ? undefined : decodeChildKey(this.#passed);
    for (const { key } of readChildren(tx, this.#tree, this.#path)) {
      if (passed !== undefined && compareKeys(key, passed) <= 0) continue;
      if (this.#before !== undefined && compareKeys(key, this.#before) >= 0) return;
      this.#count += 1;
    }
  }
}
