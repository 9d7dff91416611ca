import { must } from '@hearth/core/fault/assert.ts';
import { type Entry, isInRange, type Query } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { NodeId } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import type { StoredChild } from './children.ts';
import { entryValueFor } from './index-upkeep.ts';
import { CHILDREN_PER_PAUSE, PAUSE } from './json-bytes.ts';
import type { QueryPlan } from './query-plan.ts';
import { findChildEntry, scanChildEntries } from './read.ts';
import { insertBest, type QueryRow, readingOrder, rowOf, runPlan } from './run-query.ts';

/** The children that a query shows. */
export interface QueryRows {
  /** In query order, whichever side the limit counts from; as often as needed. `null` is a place to pause. */
  readonly read: () => Iterable<QueryRow | null>;
  /** Is that key order too? */
  readonly isInKeyOrder: boolean;
  /** One of them. */
  readonly at: (key: Key) => StoredChild;
}

/**
 * Prepares to read what a query shows of a node that is there. Keeps nothing of it, except for a query with a limit as long
 * as its index is being built: the places of the window. A query without a limit comes in key order meanwhile.
 */
export function* openQueryRows(
  tx: KvRead,
  plan: Exclude<QueryPlan, { readonly kind: 'empty' }>,
  query: Query,
): Generator<Buffer, QueryRows> {
  switch (plan.kind) {
    case 'memory':
      return memoryRows([...runPlan(tx, plan, query)], query);
    case 'keys':
    case 'index': {
      const fromLeft = yield* countFromLeft(tx, plan, query);
      return storedRows(tx, plan.node, plan.kind === 'keys', () => runPlan(tx, plan, fromLeft));
    }
    case 'scan': {
      const { node } = plan;
      if (query.limit === null) return storedRows(tx, node, true, () => matchingChildren(tx, node, query));
      const places = yield* findWindow(tx, node, query, query.limit);
      return storedRows(tx, node, false, () => rowsAt(tx, node, places));
    }
    default:
      return plan satisfies never;
  }
}

function memoryRows(shown: readonly QueryRow[], query: Query): QueryRows {
  const rows = query.from === 'left' ? shown : shown.toReversed();
  const children = new Map(rows.map(({ child }) => [child.key, child]));
  return {
    read: () => rows,
    isInKeyOrder: query.index.kind === 'key',
    at: (key) => must(children.get(key), 'a row has its child'),
  };
}

function storedRows(
  tx: KvRead,
  node: NodeId,
  isInKeyOrder: boolean,
  read: () => Iterable<QueryRow | null>,
): QueryRows {
  const at = (key: Key): StoredChild => ({
    kind: 'entry',
    key,
    entry: must(findChildEntry(tx, node, key), 'a row has its child'),
  });
  return { read, isInKeyOrder, at };
}

/** The same query with its limit counted from the left, from the place where that from the right has been reached. */
function* countFromLeft(tx: KvRead, plan: QueryPlan, query: Query): Generator<Buffer, Query> {
  if (query.from === 'left' || query.limit === null) return { ...query, from: 'left' };
  let count = 0;
  let first: Entry | undefined;
  for (const { entry } of runPlan(tx, plan, query)) {
    first = entry;
    count += 1;
    if (count % CHILDREN_PER_PAUSE === 0) yield PAUSE;
  }
  const lower = first === undefined ? query.lower : { ...first, isInclusive: true };
  return { ...query, from: 'left', lower };
}

function* matchingChildren(tx: KvRead, node: NodeId, query: Query): Generator<QueryRow | null> {
  let looked = 0;
  for (const { key, entry: stored } of scanChildEntries(tx, node)) {
    const entry: Entry = { value: entryValueFor(tx, stored, query.index), key };
    if (isInRange(query, entry)) yield { entry, child: { kind: 'entry', key, entry: stored } };
    looked += 1;
    if (looked % CHILDREN_PER_PAUSE === 0) yield null;
  }
}

/** The places of a window of `limit` children, in query order. */
function* findWindow(
  tx: KvRead,
  node: NodeId,
  query: Query,
  limit: number,
): Generator<Buffer, readonly Entry[]> {
  const compare = readingOrder(query);
  const best: Entry[] = [];
  for (const row of matchingChildren(tx, node, query))
    if (row === null) yield PAUSE;
    else insertBest(best, row.entry, limit, compare);
  return query.from === 'left' ? best : best.reverse();
}

function* rowsAt(tx: KvRead, node: NodeId, places: readonly Entry[]): Generator<QueryRow> {
  for (const entry of places) yield rowOf(tx, node, entry);
}
