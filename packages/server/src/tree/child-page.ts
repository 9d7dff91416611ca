import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import { type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvRead, prefixRange } from '../kv/store.ts';
import { type ChildRange, readChildren, type StoredChild } from './children.ts';
import { type NodeSummary, summarizeEntry, summarizeNode, summarizePlace } from './node-summary.ts';
import { readPlace } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/** Where a page of children begins or, for `before` and `last`, ends. A key need not be that of a child. */
export type PagePlace =
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | { readonly kind: 'from'; readonly key: Key }
  | { readonly kind: 'after'; readonly key: Key }
  | { readonly kind: 'before'; readonly key: Key };

export interface ChildSummary {
  readonly key: Key;
  readonly node: NodeSummary;
}

/** What of a page depends on more than its children. */
export interface PageEdges {
  /** The node itself; `null` when there is none. */
  readonly node: NodeSummary | null;
  /** Key before which the previous page ends; `null` when there is none. */
  readonly previous: Key | null;
  /** Key after which the next page begins; `null` when there is none. */
  readonly next: Key | null;
}

/** A page of the children of a node, in key order. */
export interface ChildPage extends PageEdges {
  readonly children: readonly ChildSummary[];
}

/** A page is shorter than asked for once its children have taken this much, so that long strings cost no more. */
const MAX_PAGE_BYTES = 2 * 2 ** 20;

/** Children up to which those of an interior node are counted on the way. */
const MAX_COUNTED = 64;

/** Entries that may be counted on the way for one page. */
const MAX_COUNTED_OF_PAGE = 4_000;

/** Reads at most `limit` children at a place; costs the same however many there are. */
export function readChildPage(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  place: PagePlace,
  limit: number,
): ChildPage {
  const childCount = smallCounts(tx);
  const node = summarizePlace(readPlace(tx, tree, path), childCount);
  const { found, hasMore } = takeChildren(childrenAt(tx, tree, path, place), limit);
  if (isBackward(place)) found.reverse();
  const first = found.at(0)?.key;
  const last = found.at(-1)?.key;
  const hasBefore = isBackward(place) ? hasMore : hasNeighbour(tx, tree, path, first, 'before');
  const hasAfter = isBackward(place) ? hasNeighbour(tx, tree, path, last, 'after') : hasMore;
  return {
    node,
    children: found.map((child) => ({ key: child.key, node: summarizeChild(child, childCount) })),
    previous: (hasBefore ? first : undefined) ?? null,
    next: (hasAfter ? last : undefined) ?? null,
  };
}

/** What the edges of a page have become whose children are still the same, with these keys; a few reads, whatever the size of the page. */
export function readPageEdges(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  keys: readonly Key[],
): PageEdges {
  const first = keys.at(0);
  const last = keys.at(-1);
  return {
    node: summarizePlace(readPlace(tx, tree, path), smallCounts(tx)),
    previous: (hasNeighbour(tx, tree, path, first, 'before') ? first : undefined) ?? null,
    next: (hasNeighbour(tx, tree, path, last, 'after') ? last : undefined) ?? null,
  };
}

/** Might a child of this key be on the page, if it is there? It is what `place` and the edges of the page enclose. */
export function isWithinPage(key: Key, place: PagePlace, { previous, next }: PageEdges): boolean {
  if (place.kind === 'from' && compareKeys(key, place.key) < 0) return false;
  if (place.kind === 'after' && compareKeys(key, place.key) <= 0) return false;
  if (place.kind === 'before' && compareKeys(key, place.key) >= 0) return false;
  return isBackward(place)
    ? previous === null || compareKeys(key, previous) >= 0
    : next === null || compareKeys(key, next) <= 0;
}

function isBackward({ kind }: PagePlace): boolean {
  return kind === 'before' || kind === 'last';
}

function* childrenAt(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  place: PagePlace,
): Generator<StoredChild> {
  const excluded = place.kind === 'after' || place.kind === 'before' ? place.key : undefined;
  for (const child of readChildren(tx, tree, path, rangeOf(place))) if (child.key !== excluded) yield child;
}

function rangeOf(place: PagePlace): ChildRange {
  switch (place.kind) {
    case 'first':
      return {};
    case 'last':
      return { isReversed: true };
    case 'from':
    case 'after':
      return { from: place.key };
    case 'before':
      return { to: place.key, isReversed: true };
    default:
      return place satisfies never;
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

function hasNeighbour(
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

function summarizeChild(child: StoredChild, childCount: (node: NodeId) => number | null): NodeSummary {
  return child.kind === 'inside' ? summarizeNode(child.node) : summarizeEntry(child.entry, childCount);
}

/** Counts the children of interior nodes that have few, as long as not too much was counted already. */
function smallCounts(tx: KvRead): (node: NodeId) => number | null {
  let left = MAX_COUNTED_OF_PAGE;
  return (node) => {
    if (left <= 0) return null;
    let count = 0;
    for (const _entry of tx.scan('tree', prefixRange(nodeKey(node)))) {
      count += 1;
      if (count > MAX_COUNTED) break;
    }
    left -= count;
    return count > MAX_COUNTED ? null : count;
  };
}
