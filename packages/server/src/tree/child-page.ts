import type { Key } from '@hearth/core/tree/key.ts';
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

/** A page of the children of a node, in key order. */
export interface ChildPage {
  /** The node itself; `null` when there is none. */
  readonly node: NodeSummary | null;
  readonly children: readonly ChildSummary[];
  /** Key before which the previous page ends; `null` when there is none. */
  readonly previous: Key | null;
  /** Key after which the next page begins; `null` when there is none. */
  readonly next: Key | null;
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
