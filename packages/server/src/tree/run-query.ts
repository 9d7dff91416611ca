import { must } from '@hearth/core/fault/assert.ts';
import { evaluateQuery } from '@hearth/core/query/evaluate.ts';
import { type Bound, compareEntries, type Entry, isInRange, type Query } from '@hearth/core/query/query.ts';
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
import { decodeSortValue } from '../kv/sort-value.ts';
import { type KvRead, prefixRange } from '../kv/store.ts';
import { keyBoundEntry, lowerIndexBound, upperIndexBound } from './bound.ts';
import type { StoredChild } from './children.ts';
import { decodeEntry } from './entry.ts';
import { entryValueFor } from './index-upkeep.ts';
import { planQuery, type QueryPlan } from './query-plan.ts';
import { findChildEntry, scanChildEntries } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/** A child that a query shows. `entry.value` is a double where the child holds an integer of 64 bits. */
export interface QueryRow {
  readonly entry: Entry;
  readonly child: StoredChild;
}

/** Counts what a query takes. */
export interface LookedAt {
  /** Children that it has looked at, whether it shows them or not. */
  children: number;
}

/**
 * The children that a query shows, read as they are asked for: in query order for a query from the left, in the opposite
 * order for one from the right, so that a limit is always reached without reading what lies beyond it.
 */
export function runQuery(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  query: Query,
  lookedAt?: LookedAt,
): Iterable<QueryRow> {
  return runPlan(tx, planQuery(tx, tree, path, query), query, lookedAt);
}

export function* runPlan(
  tx: KvRead,
  plan: QueryPlan,
  query: Query,
  lookedAt: LookedAt = { children: 0 },
): Generator<QueryRow> {
  let count = 0;
  for (const row of rowsOf(tx, plan, query, lookedAt)) {
    if (query.limit !== null && count >= query.limit) return;
    count += 1;
    yield row;
  }
}

function rowsOf(tx: KvRead, plan: QueryPlan, query: Query, lookedAt: LookedAt): Iterable<QueryRow> {
  switch (plan.kind) {
    case 'empty':
      return [];
    case 'memory':
      lookedAt.children += plan.node.kind === 'inner' ? plan.node.children.size : 0;
      return memoryRows(plan.node, query);
    case 'keys':
      return counting(keyRows(tx, plan.node, query), lookedAt);
    case 'index':
      return counting(indexRows(tx, plan.node, plan.index, query), lookedAt);
    case 'scan':
      return scanRows(tx, plan.node, query, lookedAt);
    default:
      return plan satisfies never;
  }
}

function* counting(rows: Iterable<QueryRow>, lookedAt: LookedAt): Generator<QueryRow> {
  for (const row of rows) {
    lookedAt.children += 1;
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

/** Children that all have the value null, which is so for the key index, and for priorities when there are none. */
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

/** Children whose strings were cut to the same bytes, and so stand in key order instead of query order. */
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

/** Looks at every child; keeps no more than the limit of them, and of those only their places. */
function* scanRows(tx: KvRead, node: NodeId, query: Query, lookedAt: LookedAt): Generator<QueryRow> {
  const compare = readingOrder(query);
  const best: Entry[] = [];
  for (const { key, entry: stored } of scanChildEntries(tx, node)) {
    const entry: Entry = { value: entryValueFor(tx, stored, query.index), key };
    lookedAt.children += 1;
    if (!isInRange(query, entry)) continue;
    if (query.limit === null) best.push(entry);
    else insertBest(best, entry, query.limit, compare);
  }
  if (query.limit === null) best.sort(compare);
  for (const entry of best) yield rowOf(tx, node, entry);
}

/** Keeps the first `limit` of all entries inserted, in order. */
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

/** The order in which `runQuery` shows places. */
export function readingOrder(query: Query): (a: Entry, b: Entry) => number {
  return query.from === 'left' ? compareEntries : (a, b) => compareEntries(b, a);
}

/** The row of a child that is there. */
export function rowOf(tx: KvRead, node: NodeId, entry: Entry): QueryRow {
  const stored = must(findChildEntry(tx, node, entry.key), 'an index entry has its child');
  return { entry, child: { kind: 'entry', key: entry.key, entry: stored } };
}
