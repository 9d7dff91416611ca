import type { Key } from '@hearth/core/tree/key.ts';
import { exportJson, isArrayIndex, plainJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { decodeChildKey, NODE_ID_BYTES, type NodeId, nodeKey } from '../kv/keys.ts';
import { TEXT_MARK } from '../kv/sort-encoding.ts';
import { type KvRange, type KvRead, prefixRange } from '../kv/store.ts';
import { blobNode, decodeEntry, HAS_ARRAY, HAS_DOTTED, type StoredEntry, TEXT_OFFSET } from './entry.ts';
import { readContent, type StoredContent } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

const FIRST_PIECE_BYTES = 2_000;
/** Maximum size of a piece in bytes, unless a single value is longer. */
const PIECE_BYTES = 65_536;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Assembles JSON text as bytes, in pieces that belong to the caller. */
export class JsonWriter {
  #piece = Buffer.allocUnsafe(FIRST_PIECE_BYTES);
  #length = 0;
  readonly #full: Buffer[] = [];

  /** Whether a full piece is available. */
  get hasPiece(): boolean {
    return this.#full.length > 0;
  }

  /** Yields the full pieces. */
  *take(): Generator<Buffer> {
    for (let piece = this.#full.shift(); piece !== undefined; piece = this.#full.shift()) yield piece;
  }

  /** Yields all remaining pieces. */
  *end(): Generator<Buffer> {
    this.#endPiece();
    yield* this.take();
  }

  /** Writes one ASCII character. */
  writeByte(byte: number): void {
    this.#makeRoom(1);
    this.#piece[this.#length++] = byte;
  }

  writeText(text: string): void {
    this.writeBytes(Buffer.from(text), 0);
  }

  /** Writes the bytes from `offset` on. */
  writeBytes(bytes: Buffer, offset: number): void {
    const length = bytes.length - offset;
    if (length > PIECE_BYTES) {
      this.#endPiece();
      this.#full.push(Buffer.from(bytes.subarray(offset)));
      return;
    }
    this.#makeRoom(length);
    bytes.copy(this.#piece, this.#length, offset);
    this.#length += length;
  }

  /** Writes a child's key as a member name, from the key of its entry. Most keys need no decoding. */
  writeName(entryKey: Buffer): void {
    this.#makeRoom(entryKey.length + 3);
    if (!this.#copyName(entryKey)) this.writeText(`${JSON.stringify(decodeChildKey(entryKey))}:`);
  }

  /** Copies a name that JSON writes without changes. Returns false for any other name. */
  #copyName(entryKey: Buffer): boolean {
    if (entryKey[NODE_ID_BYTES] !== TEXT_MARK) return false;
    const piece = this.#piece;
    let at = this.#length;
    piece[at++] = QUOTE;
    for (let from = NODE_ID_BYTES + 1; from < entryKey.length; from += 1) {
      const byte = entryKey[from] ?? 0;
      if (byte >= 0x80 || byte === QUOTE || byte === BACKSLASH) return false;
      piece[at++] = byte;
    }
    piece[at++] = QUOTE;
    piece[at++] = COLON;
    this.#length = at;
    return true;
  }

  /**
   * Starts a new piece unless this many bytes fit in the current one. `bytes` must not exceed the size of a
   * piece.
   */
  #makeRoom(bytes: number): void {
    if (this.#length + bytes > this.#piece.length) {
      this.#endPiece();
      this.#piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    }
  }

  #endPiece(): void {
    if (this.#length > 0) this.#full.push(this.#piece.subarray(0, this.#length));
    this.#piece = this.#piece.subarray(this.#length);
    this.#length = 0;
  }
}

/** `export` keeps priorities. `plain` omits them and shows array-like objects as arrays. */
export type JsonForm = 'export' | 'plain';

/** An empty piece: there is no output yet, but the reader may pause here. */
export const PAUSE = Buffer.alloc(0);

/** Number of children that are read between two pauses while there is no output. */
export const CHILDREN_PER_PAUSE = 500;

const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const NO_ITEM = Buffer.from('null,');

/**
 * Yields the JSON text at a path in UTF-8 (`null` if nothing is there), without building the tree in memory.
 * The pieces have about `PIECE_BYTES` bytes; some are empty. The caller may pause between any two pieces as
 * long as `tx` remains readable.
 */
export function* jsonBytes(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  form: JsonForm,
): Generator<Buffer> {
  const out = new JsonWriter();
  yield* writeContent(tx, readContent(tx, tree, path), form, out);
  yield* out.end();
}

/**
 * Returns the JSON text at a path if the store holds it in the requested form, as for most small nodes. Returns
 * `undefined` if the text has to be assembled.
 */
export function findStoredJson(
  tx: KvRead,
  tree: StoredTree,
  path: readonly Key[],
  form: JsonForm,
): Buffer | undefined {
  const content = readContent(tx, tree, path);
  if (content.kind !== 'entry' || content.entry.kind !== 'blob') return undefined;
  return isShownAsStored(content.entry, form) ? content.entry.bytes.subarray(TEXT_OFFSET) : undefined;
}

function* writeContent(
  tx: KvRead,
  content: StoredContent,
  form: JsonForm,
  out: JsonWriter,
): Generator<Buffer> {
  switch (content.kind) {
    case 'absent':
      out.writeText('null');
      return;
    case 'inside':
      out.writeText(form === 'export' ? exportJson(content.node) : plainJson(content.node));
      return;
    case 'entry':
      yield* writeEntry(tx, content.entry, form, out);
      return;
    default:
      content satisfies never;
  }
}

/** Writes the text of one child that is a separate entry. */
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

/** Writes the brackets and commas of an array, and `null` for missing items. */
export class ArrayItems {
  readonly #out: JsonWriter;
  #next = 0;

  constructor(out: JsonWriter) {
    this.#out = out;
    out.writeByte(OPEN_ARRAY);
  }

  /** Prepares the output for an item; call it before the item is written. Items must come in order. */
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

/**
 * Returns the range of a node's children. The entries are copied immediately, so the scan may overwrite them,
 * and pauses are passed on as empty pieces.
 */
function childrenRange(node: NodeId): KvRange {
  return { ...prefixRange(nodeKey(node)), isPassing: true, isPausing: true };
}

/**
 * Returns whether an inner node is shown as an array. Numbers come first in key order, so checking the last key
 * is enough for most nodes.
 */
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
    // The node cannot be array-like even if all following positions are filled.
    if (!isArrayIndex(name) || last >= 2 * (count + last - Number(name))) return false;
    if (count % CHILDREN_PER_PAUSE === 0) yield PAUSE;
  }
  return last < 2 * count;
}
