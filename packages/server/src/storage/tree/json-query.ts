import { must } from '@hearth/core/error/assert.ts';
import { type Entry, isInRange, type Query } from '@hearth/core/query/query.ts';
import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson, isArrayIndex, plainJson, scalarJson } from '@hearth/core/tree/node-json.ts';
import { type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvRead, prefixRange } from '../kv/store.ts';
import { blobNode } from './entry.ts';
import { entryValueFor } from './index-maintenance.ts';
import {
  ArrayItems,
  CHILDREN_PER_PAUSE,
  type JsonForm,
  JsonWriter,
  PAUSE,
  writeEntry,
} from './json-bytes.ts';
import {
  insertBest,
  planQuery,
  type QueryPlan,
  type QueryRow,
  readingOrder,
  rowOf,
  runPlan,
} from './query.ts';
import { findChildEntry, keyBoundEntry, readContent, type StoredChild, scanChildEntries } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/** A page of keys: at most `limit` keys after `startAfter`, in key order. */
export interface KeyPage {
  readonly startAfter: string | null;
  readonly limit: number | null;
}

const COMMA = 0x2c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const TRUE = Buffer.from('true');

/**
 * Yields the keys at a path as JSON text: `{"key":true,…}` for an object, the value of a leaf, or `null` if
 * nothing is there. The pieces are like those of `jsonBytes`.
 */
export function* shallowJsonBytes(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  page: KeyPage,
): Generator<Buffer> {
  const content = readContent(tx, tree, path);
  const out = new JsonWriter();
  if (content.kind === 'absent') out.writeText('null');
  else if (content.kind === 'inside') out.writeText(shallowJson(content.node, page));
  else if (content.entry.kind === 'blob') out.writeText(shallowJson(blobNode(content.entry.bytes), page));
  else yield* writeKeys(tx, content.entry.node, page, out);
  yield* out.end();
}

function shallowJson(node: TreeNode, { startAfter, limit }: KeyPage): string {
  if (node.kind === 'leaf') return scalarJson(node.value);
  const keys = [...node.children.keys()].filter(
    (key) => startAfter === null || compareKeys(key, startAfter) > 0,
  );
  const members = keys.slice(0, limit ?? keys.length).map((key) => `${JSON.stringify(key)}:true`);
  return `{${members.join(',')}}`;
}

function* writeKeys(
  tx: KvRead,
  node: NodeId,
  { startAfter, limit }: KeyPage,
  out: JsonWriter,
): Generator<Buffer> {
  const prefix = nodeKey(node);
  const range = prefixRange(prefix);
  const lower = startAfter === null ? range.lower : keyBoundEntry(prefix, startAfter, 'after');
  let count = 0;
  out.writeByte(OPEN);
  for (const { key } of tx.scan('tree', { ...range, lower, isPassing: true, isPausing: true })) {
    if (key.length === 0) {
      yield PAUSE;
      continue;
    }
    if (count === limit) break;
    if (count > 0) out.writeByte(COMMA);
    count += 1;
    out.writeName(key);
    out.writeBytes(TRUE, 0);
    if (out.hasPiece) yield* out.take();
  }
  out.writeByte(CLOSE);
}

/** The children that a query selects. */
export interface QueryRows {
  /**
   * Yields the rows from left to right in query order, or in key order if `isInKeyOrder` is true. May be called
   * several times. `null` means that the caller may pause.
   */
  readonly read: () => Iterable<QueryRow | null>;
  /** Whether the rows are in key order. */
  readonly isInKeyOrder: boolean;
  /** Returns one of the children. */
  readonly at: (key: Key) => StoredChild;
}

/**
 * Prepares to read the result of a query on an existing node. The rows of a large node are read only when they
 * are needed. If the index of the query is not complete, a query with a limit keeps the keys and values of its
 * window in memory, and a query without a limit uses key order.
 */
function* openQueryRows(
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
      const entries = yield* findWindow(tx, node, query, query.limit);
      return storedRows(tx, node, false, () => rowsAt(tx, node, entries));
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

/**
 * Returns a query from the left with the same result. For a limit from the right, it starts at the entry where
 * that limit is reached.
 */
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
  let scanned = 0;
  for (const { key, entry: stored } of scanChildEntries(tx, node)) {
    const entry: Entry = { value: entryValueFor(tx, stored, query.index), key };
    if (isInRange(query, entry)) yield { entry, child: { kind: 'entry', key, entry: stored } };
    scanned += 1;
    if (scanned % CHILDREN_PER_PAUSE === 0) yield null;
  }
}

/** Returns the entries of a window of `limit` children, in query order. */
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

function* rowsAt(tx: KvRead, node: NodeId, entries: readonly Entry[]): Generator<QueryRow> {
  for (const entry of entries) yield rowOf(tx, node, entry);
}

/**
 * Maximum number of children in an array if the query order is not key order. Their keys are sorted in memory, which
 * takes about 10 MB. A larger result is written as an object.
 */
const MAX_SORTED = 100_000;

/**
 * Yields the result of a query as JSON text: an object of children in the order of `QueryRows`, or in plain
 * form an array if the keys are array-like. `{}` means that there are no children, and `null` that there is no
 * node. The pieces are like those of `jsonBytes`.
 */
export function* queryJsonBytes(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  query: Query,
  form: JsonForm,
): Generator<Buffer> {
  const plan = planQuery(tx, tree, path, query);
  const out = new JsonWriter();
  if (plan.kind === 'empty') {
    out.writeText('null');
  } else {
    const rows = yield* openQueryRows(tx, plan, query);
    const isArray = form === 'plain' && (yield* areArrayLike(rows));
    if (isArray) yield* writeArray(tx, rows, out);
    else yield* writeObject(tx, rows, form, out);
  }
  yield* out.end();
}

function* writeObject(tx: KvRead, rows: QueryRows, form: JsonForm, out: JsonWriter): Generator<Buffer> {
  let separator = '{';
  for (const row of rows.read()) {
    if (row === null) {
      yield PAUSE;
      continue;
    }
    out.writeText(`${separator}${JSON.stringify(row.child.key)}:`);
    separator = ',';
    yield* writeChild(tx, row.child, form, out);
  }
  out.writeText(separator === '{' ? '{}' : '}');
}

function* writeArray(tx: KvRead, rows: QueryRows, out: JsonWriter): Generator<Buffer> {
  const items = new ArrayItems(out);
  if (rows.isInKeyOrder) {
    for (const row of rows.read())
      if (row === null) yield PAUSE;
      else yield* writeItem(tx, row.child, items, out);
  } else {
    const keys = yield* collectKeys(rows);
    keys.sort((a, b) => Number(a) - Number(b));
    for (const key of keys) yield* writeItem(tx, rows.at(key), items, out);
  }
  items.end();
}

function* writeItem(tx: KvRead, child: StoredChild, items: ArrayItems, out: JsonWriter): Generator<Buffer> {
  yield* items.start(Number(child.key));
  yield* writeChild(tx, child, 'plain', out);
}

function* writeChild(tx: KvRead, child: StoredChild, form: JsonForm, out: JsonWriter): Generator<Buffer> {
  if (child.kind === 'entry') {
    yield* writeEntry(tx, child.entry, form, out);
    return;
  }
  out.writeText(form === 'export' ? exportJson(child.node) : plainJson(child.node));
  yield* out.take();
}

function* collectKeys(rows: QueryRows): Generator<Buffer, Key[]> {
  const keys: Key[] = [];
  for (const row of rows.read()) {
    if (row !== null) keys.push(row.child.key);
    if (row === null || keys.length % CHILDREN_PER_PAUSE === 0) yield PAUSE;
  }
  return keys;
}

/** Returns whether there are children, their keys are array-like, and they are few enough to sort. */
function* areArrayLike(rows: QueryRows): Generator<Buffer, boolean> {
  let count = 0;
  let last = 0;
  for (const row of rows.read()) {
    if (row === null) {
      yield PAUSE;
      continue;
    }
    const { key } = row.child;
    if (!isArrayIndex(key)) return false;
    count += 1;
    if (count > MAX_SORTED && !rows.isInKeyOrder) return false;
    last = Math.max(last, Number(key));
    if (count % CHILDREN_PER_PAUSE === 0) yield PAUSE;
  }
  return count > 0 && last < 2 * count;
}
