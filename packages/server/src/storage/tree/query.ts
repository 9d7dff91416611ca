import { must } from '@hearth/core/error/assert.ts';
import {
  type Bound,
  compareEntries,
  type Entry,
  evaluateQuery,
  indexName,
  isInRange,
  type Query,
  type QueryIndex,
} from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { childOf, type TreeNode } from '@hearth/core/tree/node.ts';
import { compareIndexValues } from '@hearth/core/tree/order.ts';
import {
  decodeChildKey,
  INDEX_VALUE_OFFSET,
  type IndexId,
  type NodeId,
  nodeIndexKey,
  nodeKey,
} from '../kv/keys.ts';
import { decodeSortValue } from '../kv/sort-encoding.ts';
import { type KvRead, prefixRange } from '../kv/store.ts';
import { decodeEntry } from './entry.ts';
import { entryValueFor, PRIORITY_INDEX, readIndexState } from './index-maintenance.ts';
import {
  findChildEntry,
  keyBoundEntry,
  lowerIndexBound,
  readContent,
  readEntryNode,
  type StoredChild,
  scanChildEntries,
  upperIndexBound,
} from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/**
 * How a query is executed: on nothing, on a small node in memory, on a range of children in key order, on a
 * range of index entries, or, without a usable index, on every child. Only the cost of the last grows with the
 * node.
 */
export type QueryPlan =
  | { readonly kind: 'empty' }
  | { readonly kind: 'memory'; readonly node: TreeNode }
  | { readonly kind: 'keys'; readonly node: NodeId }
  | { readonly kind: 'index'; readonly node: NodeId; readonly index: IndexId }
  | { readonly kind: 'scan'; readonly node: NodeId };

/** Chooses how to execute a query on the node at a path. */
export function planQuery(tx: KvRead, tree: StoredTree, path: readonly Key[], query: Query): QueryPlan {
  const content = readContent(tx, tree, path);
  if (content.kind === 'absent') return { kind: 'empty' };
  if (content.kind === 'inside') return { kind: 'memory', node: content.node };
  if (content.entry.kind === 'blob') return { kind: 'memory', node: readEntryNode(tx, content.entry) };
  return planForNode(tx, tree, path, content.entry.node, query.index);
}

function planForNode(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  node: NodeId,
  index: QueryIndex,
): QueryPlan {
  if (index.kind === 'key') return { kind: 'keys', node };
  if (index.kind === 'priority') return planByPriority(tx, node);
  const name = indexName(index);
  for (const declared of tree.indexesAt(path)) {
    if (indexName(declared.index) !== name) continue;
    if (readIndexState(tx, node, declared.id).kind === 'complete')
      return { kind: 'index', node, index: declared.id };
  }
  return { kind: 'scan', node };
}

/** Returns the plan that visits the children of an interior node in priority order. */
export function planByPriority(tx: KvRead, node: NodeId): QueryPlan {
  const state = readIndexState(tx, node, PRIORITY_INDEX.id);
  switch (state.kind) {
    case 'absent':
      return { kind: 'keys', node };
    case 'building':
      return { kind: 'scan', node };
    case 'complete':
      return { kind: 'index', node, index: PRIORITY_INDEX.id };
    default:
      return state satisfies never;
  }
}

/** A child in a query result. `entry.value` may be a double even if the child holds a 64-bit integer. */
export interface QueryRow {
  readonly entry: Entry;
  readonly child: StoredChild;
}

/** Counts the work of a query. */
export interface ScanCount {
  /** Number of children that the query read, including those that it does not show. */
  children: number;
  /** Number of children that a query without a usable index may read. Beyond it, `ScanTooLong` is thrown. */
  readonly max?: number;
}

/** Thrown when a query without a usable index would read more children than `ScanCount.max` allows. */
export class ScanTooLong extends Error {
  constructor() {
    super('The query would read too many children.');
    this.name = 'ScanTooLong';
  }
}

/**
 * Yields the children that a query shows and reads them as they are requested. The order is query order for a
 * query from the left, and the reverse for one from the right. A limit is therefore reached without reading
 * anything beyond it.
 */
export function runQuery(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  query: Query,
  scanned?: ScanCount,
): Iterable<QueryRow> {
  return runPlan(tx, planQuery(tx, tree, path, query), query, scanned);
}

export function* runPlan(
  tx: KvRead,
  plan: QueryPlan,
  query: Query,
  scanned: ScanCount = { children: 0 },
): Generator<QueryRow> {
  let count = 0;
  for (const row of rowsOf(tx, plan, query, scanned)) {
    if (query.limit !== null && count >= query.limit) return;
    count += 1;
    yield row;
  }
}

function rowsOf(tx: KvRead, plan: QueryPlan, query: Query, scanned: ScanCount): Iterable<QueryRow> {
  switch (plan.kind) {
    case 'empty':
      return [];
    case 'memory':
      scanned.children += plan.node.kind === 'inner' ? plan.node.children.size : 0;
      return memoryRows(plan.node, query);
    case 'keys':
      return counting(keyRows(tx, plan.node, query), scanned);
    case 'index':
      return counting(indexRows(tx, plan.node, plan.index, query), scanned);
    case 'scan':
      return scanRows(tx, plan.node, query, scanned);
    default:
      return plan satisfies never;
  }
}

function* counting(rows: Iterable<QueryRow>, scanned: ScanCount): Generator<QueryRow> {
  for (const row of rows) {
    scanned.children += 1;
    yield row;
  }
}

function memoryRows(node: TreeNode, query: Query): readonly QueryRow[] {
  const rows = evaluateQuery(query, node).map((entry): QueryRow => {
    const child = must(childOf(node, entry.key), 'a query shows children');
    return { entry, child: { kind: 'inside', key: entry.key, node: child } };
  });
  return query.from === 'left' ? rows : rows.reverse();
}

/**
 * Yields children that all have the value null: for the key index, and for the priority index if no child has a
 * priority.
 */
function* keyRows(tx: KvRead, node: NodeId, query: Query): Generator<QueryRow> {
  const { lower, upper } = query;
  if (lower !== null && compareIndexValues(lower.value, null) > 0) return;
  const prefix = nodeKey(node);
  const range = prefixRange(prefix);
  const lowerKey =
    lower === null ? range.lower : keyBoundEntry(prefix, lower.key, lower.isInclusive ? 'at' : 'after');
  const upperKey = isKeyBound(upper)
    ? keyBoundEntry(prefix, upper.key, upper.isInclusive ? 'after' : 'at')
    : range.upper;
  const bounds = {
    lower: lowerKey,
    ...(upperKey && { upper: upperKey }),
    isReversed: query.from === 'right',
  };
  for (const { key, value } of tx.scan('tree', bounds)) {
    const childKey = decodeChildKey(key);
    yield {
      entry: { value: null, key: childKey },
      child: { kind: 'entry', key: childKey, entry: decodeEntry(value) },
    };
  }
}

function isKeyBound(bound: Bound | null): bound is Bound {
  return bound !== null && bound.value === null;
}

function* indexRows(tx: KvRead, node: NodeId, index: IndexId, query: Query): Generator<QueryRow> {
  const prefix = nodeIndexKey(node, index);
  const upper = upperIndexBound(prefix, query.upper);
  const bounds = {
    lower: lowerIndexBound(prefix, query.lower),
    ...(upper && { upper }),
    isReversed: query.from === 'right',
  };
  let group: CutGroup | undefined;
  for (const { key } of tx.scan('index', bounds)) {
    const sorted = decodeSortValue(key, INDEX_VALUE_OFFSET);
    const childKey = decodeChildKey(key, sorted.end);
    if (group !== undefined && !group.valueBytes.equals(key.subarray(INDEX_VALUE_OFFSET, sorted.end))) {
      yield* groupRows(tx, node, group, query);
      group = undefined;
    }
    if (sorted.kind === 'whole') {
      yield rowOf(tx, node, { value: sorted.value, key: childKey });
    } else {
      group ??= { valueBytes: key.subarray(INDEX_VALUE_OFFSET, sorted.end), keys: [] };
      group.keys.push(childKey);
    }
  }
  if (group !== undefined) yield* groupRows(tx, node, group, query);
}

/** Children whose strings were cut to the same bytes. The index has them in key order instead of query order. */
interface CutGroup {
  readonly valueBytes: Buffer;
  readonly keys: Key[];
}

function* groupRows(tx: KvRead, node: NodeId, group: CutGroup, query: Query): Generator<QueryRow> {
  const entries = group.keys.map((key): Entry => ({ value: fullValue(tx, node, key, query), key }));
  const shown = entries.filter((entry) => isInRange(query, entry)).sort(readingOrder(query));
  for (const entry of shown) yield rowOf(tx, node, entry);
}

function fullValue(tx: KvRead, node: NodeId, key: Key, query: Query): Entry['value'] {
  const entry = must(findChildEntry(tx, node, key), 'an index entry has its child');
  return entryValueFor(tx, entry, query.index);
}

/** Reads every child. Holds at most `limit` of them, and only their keys and values. */
function* scanRows(tx: KvRead, node: NodeId, query: Query, scanned: ScanCount): Generator<QueryRow> {
  const compare = readingOrder(query);
  const best: Entry[] = [];
  for (const { key, entry: stored } of scanChildEntries(tx, node)) {
    const entry: Entry = { value: entryValueFor(tx, stored, query.index), key };
    scanned.children += 1;
    if (scanned.max !== undefined && scanned.children > scanned.max) throw new ScanTooLong();
    if (!isInRange(query, entry)) continue;
    if (query.limit === null) best.push(entry);
    else insertBest(best, entry, query.limit, compare);
  }
  if (query.limit === null) best.sort(compare);
  for (const entry of best) yield rowOf(tx, node, entry);
}

/** Inserts an entry into a sorted list that holds at most the first `limit` entries. */
export function insertBest(
  best: Entry[],
  entry: Entry,
  limit: number,
  compare: (a: Entry, b: Entry) => number,
): void {
  const last = best.at(-1);
  if (best.length === limit && last !== undefined && compare(entry, last) >= 0) return;
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = best[middle];
    if (other !== undefined && compare(other, entry) < 0) low = middle + 1;
    else high = middle;
  }
  best.splice(low, 0, entry);
  if (best.length > limit) best.pop();
}

/** Returns the order in which `runQuery` yields entries. */
export function readingOrder(query: Query): (a: Entry, b: Entry) => number {
  return query.from === 'left' ? compareEntries : (a, b) => compareEntries(b, a);
}

/** Returns the row of an existing child. */
export function rowOf(tx: KvRead, node: NodeId, entry: Entry): QueryRow {
  const stored = must(findChildEntry(tx, node, entry.key), 'an index entry has its child');
  return { entry, child: { kind: 'entry', key: entry.key, entry: stored } };
}
