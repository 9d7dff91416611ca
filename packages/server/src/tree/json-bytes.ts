import type { Key } from '@hearth/core/tree/key.ts';
import { exportJson, isArrayIndex, plainJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { decodeChildKey, type NodeId, nodeKey } from '../kv/keys.ts';
import { type KvRange, type KvRead, prefixRange } from '../kv/store.ts';
import { blobNode, decodeEntry, HAS_ARRAY, HAS_DOTTED, type StoredEntry, TEXT_OFFSET } from './entry.ts';
import { JsonWriter } from './json-writer.ts';
import { type Place, readPlace } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/** `export` keeps priorities; `plain` leaves them out and shows array-like objects as arrays. */
export type JsonForm = 'export' | 'plain';

/** A piece without bytes: nothing is to be told yet, but this is a place to pause. */
export const PAUSE = Buffer.alloc(0);

/** Children that are looked at from one pause to the next, when nothing is to be told of them. */
export const CHILDREN_PER_PAUSE = 500;

const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const NO_ITEM = Buffer.from('null,');

/**
 * The JSON text at a path (`null` for nothing) in UTF-8, without building the tree in memory. It comes in pieces of about
 * `PIECE_BYTES` and some without bytes; between any two it may pause for as long as `tx` can be read.
 */
export function* jsonBytes(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  form: JsonForm,
): Generator<Buffer> {
  const out = new JsonWriter();
  yield* writePlace(tx, readPlace(tx, tree, path), form, out);
  yield* out.end();
}

/**
 * The JSON text at a path where it stands in the store as it is to be shown, which is so for most small nodes; `undefined`
 * where it has to be put together.
 */
export function findStoredJson(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  form: JsonForm,
): Buffer | undefined {
  const place = readPlace(tx, tree, path);
  if (place.kind !== 'entry' || place.entry.kind !== 'blob') return undefined;
  return isShownAsStored(place.entry, form) ? place.entry.bytes.subarray(TEXT_OFFSET) : undefined;
}

function* writePlace(tx: KvRead, place: Place, form: JsonForm, out: JsonWriter): Generator<Buffer> {
  switch (place.kind) {
    case 'absent':
      out.writeText('null');
      return;
    case 'inside':
      out.writeText(form === 'export' ? exportJson(place.node) : plainJson(place.node));
      return;
    case 'entry':
      yield* writeEntry(tx, place.entry, form, out);
      return;
    default:
      place satisfies never;
  }
}

/** Writes the text of one child that has an entry of its own. */
export function* writeEntry(
  tx: KvRead,
  entry: StoredEntry,
  form: JsonForm,
  out: JsonWriter,
): Generator<Buffer> {
  if (entry.kind === 'blob') writeBlob(entry, form, out);
  else if (form === 'plain' && (yield* isArrayLikeNode(tx, entry.node)))
    yield* writeArray(tx, entry.node, out);
  else yield* writeObject(tx, entry, form, out);
  yield* out.take();
}

type Blob = StoredEntry & { readonly kind: 'blob' };

function isShownAsStored({ flags }: Blob, form: JsonForm): boolean {
  return form === 'export' || (flags & (HAS_DOTTED | HAS_ARRAY)) === 0;
}

function writeBlob(entry: Blob, form: JsonForm, out: JsonWriter): void {
  if (isShownAsStored(entry, form)) out.writeBytes(entry.bytes, TEXT_OFFSET);
  else out.writeText(plainJson(blobNode(entry.bytes)));
}

function* writeObject(
  tx: KvRead,
  { node, priority }: StoredEntry & { readonly kind: 'reference' },
  form: JsonForm,
  out: JsonWriter,
): Generator<Buffer> {
  let separator = OPEN_OBJECT;
  for (const { key, value } of tx.scan('tree', childrenRange(node))) {
    if (key.length === 0) {
      yield PAUSE;
      continue;
    }
    out.writeByte(separator);
    separator = COMMA;
    out.writeName(key);
    const child = decodeEntry(value);
    if (child.kind === 'blob') writeBlob(child, form, out);
    else yield* writeEntry(tx, child, form, out);
    if (out.hasPiece) yield* out.take();
  }
  if (form === 'export' && priority !== null) out.writeText(`,".priority":${priorityJson(priority)}`);
  out.writeByte(CLOSE_OBJECT);
}

function* writeArray(tx: KvRead, node: NodeId, out: JsonWriter): Generator<Buffer> {
  const items = new ArrayItems(out);
  for (const { key, value } of tx.scan('tree', childrenRange(node))) {
    if (key.length === 0) {
      yield PAUSE;
      continue;
    }
    yield* items.start(Number(decodeChildKey(key)));
    yield* writeEntry(tx, decodeEntry(value), 'plain', out);
  }
  items.end();
}

/** Writes what stands around the items of an array, `null` for those that are not there. */
export class ArrayItems {
  readonly #out: JsonWriter;
  #next = 0;

  constructor(out: JsonWriter) {
    this.#out = out;
    out.writeByte(OPEN_ARRAY);
  }

  /** To be called before an item is written. Items come in order. */
  *start(index: number): Generator<Buffer> {
    if (this.#next > 0) this.#out.writeByte(COMMA);
    for (; this.#next < index; this.#next += 1) {
      this.#out.writeBytes(NO_ITEM, 0);
      if (this.#out.hasPiece) yield* this.#out.take();
    }
    this.#next += 1;
  }

  end(): void {
    this.#out.writeByte(CLOSE_ARRAY);
  }
}

/** What is copied at once need not last; a piece without bytes passes a pause on. */
function childrenRange(node: NodeId): KvRange {
  return { ...prefixRange(nodeKey(node)), isPassing: true, isPausing: true };
}

/** Is an inner node shown as an array? Numbers come first in key order, so the last key answers for most nodes. */
function* isArrayLikeNode(tx: KvRead, node: NodeId): Generator<Buffer, boolean> {
  const range = childrenRange(node);
  let last = 0;
  for (const { key } of tx.scan('tree', { ...range, isReversed: true })) {
    if (key.length === 0) {
      yield PAUSE;
      continue;
    }
    const lastKey = decodeChildKey(key);
    if (!isArrayIndex(lastKey)) return false;
    last = Number(lastKey);
    break;
  }
  let count = 0;
  for (const { key } of tx.scan('tree', range)) {
    if (key.length === 0) {
      yield PAUSE;
      continue;
    }
    const name = decodeChildKey(key);
    count += 1;
    // Not even if every place from here on were filled.
    if (!isArrayIndex(name) || last >= 2 * (count + last - Number(name))) return false;
    if (count % CHILDREN_PER_PAUSE === 0) yield PAUSE;
  }
  return last < 2 * count;
}
