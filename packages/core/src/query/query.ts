import { compareKeys, type Key } from '../tree/key.ts';
import { childOf, type InnerNode, innerNode, type TreeNode } from '../tree/node.ts';
import { compareIndexValues, type IndexValue, indexValueOf } from '../tree/order.ts';

/** The property that orders the children of a query. */
export type QueryIndex =
  | { readonly kind: 'key' }
  | { readonly kind: 'value' }
  | { readonly kind: 'priority' }
  | { readonly kind: 'child'; readonly path: readonly Key[] };

/** Sentinels that sort below and above every key. They are not valid keys, so no key equals them. */
export const MIN_KEY = '[MIN_NAME]';
export const MAX_KEY = '[MAX_NAME]';

/** One end of a query's range in query order: an index value, and a key or a sentinel. */
export interface Bound {
  /** `null` for the key index. */
  readonly value: IndexValue;
  readonly key: string;
  readonly isInclusive: boolean;
}

export interface Query {
  readonly index: QueryIndex;
  readonly lower: Bound | null;
  readonly upper: Bound | null;
  /** Maximum number of children, or `null` for all children in range. */
  readonly limit: number | null;
  /** The end of the range from which the limit counts. */
  readonly from: 'left' | 'right';
}

/**
 * The index value and the key of a child. They determine the child's position in query order. `value` is `null` for
 * the key index.
 */
export interface Entry {
  readonly value: IndexValue;
  readonly key: Key;
}

/**
 * Returns whether the query selects every child. A client receives the same data for such a query as without a query,
 * except for the order of the children.
 */
export function isUnfiltered(query: Query): boolean {
  return query.lower === null && query.upper === null && query.limit === null;
}

/**
 * Returns the name of an index as rules and messages write it: `.key`, `.value`, `.priority` or a child path.
 */
export function indexName(index: QueryIndex): string {
  return index.kind === 'child' ? index.path.join('/') : `.${index.kind}`;
}

/** Returns the index value of a child. It is `null` for the key index. */
export function childIndexValue(child: TreeNode, index: QueryIndex): IndexValue {
  switch (index.kind) {
    case 'key':
      return null;
    case 'value':
      return indexValueOf(child);
    case 'priority':
      return child.priority;
    case 'child': {
      let node: TreeNode | null = child;
      for (const key of index.path) node = childOf(node, key);
      return indexValueOf(node);
    }
    default:
      return index satisfies never;
  }
}

/** Compares two entries or bounds in ascending query order. */
export function compareEntries(
  a: { readonly value: IndexValue; readonly key: string },
  b: { readonly value: IndexValue; readonly key: string },
): number {
  return compareIndexValues(a.value, b.value) || compareBoundKeys(a.key, b.key);
}

function compareBoundKeys(a: string, b: string): number {
  if (a === b) return 0;
  if (a === MIN_KEY || b === MAX_KEY) return -1;
  if (a === MAX_KEY || b === MIN_KEY) return 1;
  return compareKeys(a, b);
}

/** Returns whether an entry is within the bounds of the query. */
export function isInRange(query: Query, entry: Entry): boolean {
  return isAboveLower(query.lower, entry) && isBelowUpper(query.upper, entry);
}

function isAboveLower(lower: Bound | null, entry: Entry): boolean {
  if (lower === null) return true;
  const order = compareEntries(entry, lower);
  return lower.isInclusive ? order >= 0 : order > 0;
}

function isBelowUpper(upper: Bound | null, entry: Entry): boolean {
  if (upper === null) return true;
  const order = compareEntries(entry, upper);
  return upper.isInclusive ? order <= 0 : order < 0;
}

/** Returns the children that a query selects, in query order. A leaf or an absent node has none. */
export function evaluateQuery(query: Query, node: TreeNode | null): readonly Entry[] {
  if (node?.kind !== 'inner') return [];
  const entries: Entry[] = [];
  for (const [key, child] of node.children) {
    const entry: Entry = { value: childIndexValue(child, query.index), key };
    if (isInRange(query, entry)) entries.push(entry);
  }
  entries.sort(compareEntries);
  if (query.limit === null || entries.length <= query.limit) return entries;
  return query.from === 'left' ? entries.slice(0, query.limit) : entries.slice(-query.limit);
}

/**
 * Returns a node with the children that a query selects, without the priority of `node`. Returns `null` if there are
 * no such children.
 */
export function queryView(query: Query, node: TreeNode | null): InnerNode | null {
  if (node?.kind !== 'inner') return null;
  const shown: [Entry['key'], TreeNode][] = [];
  for (const { key } of evaluateQuery(query, node)) {
    const child = node.children.get(key);
    if (child !== undefined) shown.push([key, child]);
  }
  return innerNode(shown);
}
