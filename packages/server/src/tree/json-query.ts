import type { Query } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { exportJson, isArrayIndex, plainJson } from '@hearth/core/tree/node-json.ts';
import type { KvRead } from '../kv/store.ts';
import type { StoredChild } from './children.ts';
import { ArrayItems, CHILDREN_PER_PAUSE, type JsonForm, PAUSE, writeEntry } from './json-bytes.ts';
import { JsonWriter } from './json-writer.ts';
import { planQuery } from './query-plan.ts';
import { openQueryRows, type QueryRows } from './query-rows.ts';
import type { StoredTree } from './stored-tree.ts';

/**
 * Most children that can be shown as an array by a query whose order is not that of keys, because they have to be put in
 * order; some 10 MB. More are shown as an object.
 */
const MAX_SORTED = 100_000;

/**
 * What a query shows as JSON text: an object of children in query order, as an array in plain form if their keys are those
 * of one; `{}` for none, `null` for no node. In pieces, as `jsonBytes`.
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

/** Are there any children, and are their keys those of an array that can be made? */
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
