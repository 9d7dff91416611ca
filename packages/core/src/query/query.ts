import { compareKeys, type Key } from '../tree/key.ts';
import { childOf, type InnerNode, innerNode, type TreeNode } from '../tree/node.ts';
import { compareIndexValues, type IndexValue, indexValueOf } from '../tree/order.ts';

/** What children are ordered by. */
export type QueryIndex =
  | { readonly kind: 'key' }
  | { readonly kind: 'value' }
  | { readonly kind: 'priority' }
  | { readonly kind: 'child'; readonly path: readonly Key[] };

/** Below and above every key. Not valid keys themselves, so no key can be taken for them. */
export const MIN_KEY = '[MIN_NAME]';
export const MAX_KEY = '[MAX_NAME]';

/** A place between the children of a node in query order: an index value, and a key or a sentinel. */
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
  /** Most children, or `null` for all in range. */
  readonly limit: number | null;
  /** The side from which a limit counts. */
  readonly from: 'left' | 'right';
}

/** One child's place in query order. `value` is `null` for the key index. */
export interface Entry {
  readonly value: IndexValue;
  readonly key: Key;
}

/** Does the query show every child, so that it differs from a plain listen in order only? */
export function isUnfiltered(query: Query): boolean {
  return query.lower === null && query.upper === null && query.limit === null;
}

/** Name of an index as rules and messages write it: `.key`, `.value`, `.priority` or a child path. */
export function indexName(index: QueryIndex): string {
  return index.kind === 'child' ? index.path.join('/') : `.${index.kind}`;
}

/** The index value of a child. */
export function childIndexValue(child: TreeNode, index: QueryIndex): IndexValue {
  switch (index.kind) {
    case 'key':
      return null;
    case 'value':
      return indexValueOf(child);
    case 'priority':
      return child.priority;
    case 'child': {
      let here: TreeNode | null = child;
      for (const key of index.path) here = childOf(here, key);
      return indexValueOf(here);
    }
    default:
      return index satisfies never;
  }
}

/** Query order of two places, ascending. */
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

/** Is the place within the query's bounds? */
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

/** The children of a node that a query shows, in query order. A leaf or an absent node has none. */
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

/** The node that a query shows: the children in its window, without the node's own priority. */
export function queryView(query: Query, node: TreeNode | null): InnerNode | null {
  if (node?.kind !== 'inner') return null;
  const shown: [Entry['key'], TreeNode][] = [];
  for (const { key } of evaluateQuery(query, node)) {
    const child = node.children.get(key);
    if (child !== undefined) shown.push([key, child]);
  }
  return innerNode(shown);
}
