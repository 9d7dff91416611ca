import type { KvRead, KvWrite, Table } from '../../storage/kv/store.ts';
import { OWN_KEYS } from './position.ts';

/**
 * The tables that the nodes of a cluster have in common, in the order of their numbers in records. `before` is not
 * among them: it serves snapshots, which end with their process.
 */
export const REPLICATED_TABLES = [
  'tree',
  'index',
  'build',
  'garbage',
  'log',
  'meta',
  'sessions',
  'denials',
] as const satisfies readonly Table[];

type ReplicatedTable = (typeof REPLICATED_TABLES)[number];

function isReplicated(table: Table): table is ReplicatedTable {
  return table !== 'before';
}

/** One key and its value after a transaction, or before it; `null` if the key is absent. */
export interface KeyValue {
  readonly table: ReplicatedTable;
  readonly key: Buffer;
  readonly value: Buffer | null;
}

const ABSENT_BIT = 0x80;

/** The number of the table (bit 7: the key is absent), the length of the key (2 bytes) and of the value (4 bytes). */
const HEADER_BYTES = 7;

/** Encodes values of keys. Each has a header, its key and its value. Numbers are big-endian. */
export function encodeKeyValues(all: Iterable<KeyValue>): Buffer {
  const parts: Buffer[] = [];
  for (const { table, key, value } of all) {
    const header = Buffer.allocUnsafe(HEADER_BYTES);
    header[0] = REPLICATED_TABLES.indexOf(table) | (value === null ? ABSENT_BIT : 0);
    header.writeUInt16BE(key.length, 1);
    header.writeUInt32BE(value?.length ?? 0, 3);
    parts.push(header, key);
    if (value !== null) parts.push(value);
  }
  return Buffer.concat(parts);
}

/** Decodes what `encodeKeyValues` returns. Throws if the bytes have another form. */
export function decodeKeyValues(bytes: Buffer): readonly KeyValue[] {
  const reader = new KeyValueReader();
  const all = reader.push(bytes);
  if (!reader.isComplete) throw new Error(UNKNOWN_FORM);
  return all;
}

const UNKNOWN_FORM = 'The writes of a record have an unknown form.';

/** Decodes what `encodeKeyValues` returns, from any pieces of it. */
export class KeyValueReader {
  /** Bytes of the next value of a key, which is not complete. */
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Number of bytes without which nothing more can be decoded. */
  #needed = HEADER_BYTES;

  /** Whether all values of keys that have begun are complete. */
  get isComplete(): boolean {
    return this.#bytes === 0;
  }

  /**
   * Returns the key-value pairs that are complete with these bytes. They refer to the bytes. Throws if the bytes have
   * another form.
   */
  push(bytes: Buffer): readonly KeyValue[] {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes < this.#needed) return [];
    const [first] = this.#parts;
    const joined = this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts);
    const all: KeyValue[] = [];
    let at = 0;
    for (;;) {
      const end = findEnd(joined, at);
      if (end > joined.length) {
        this.#needed = end - at;
        break;
      }
      all.push(decodeKeyValue(joined, at, end));
      at = end;
    }
    this.#parts = at === joined.length ? [] : [joined.subarray(at)];
    this.#bytes = joined.length - at;
    return all;
  }
}

/** Returns where the value of a key ends, or how far the bytes must reach to know. */
function findEnd(bytes: Buffer, at: number): number {
  const keyAt = at + HEADER_BYTES;
  if (keyAt > bytes.length) return keyAt;
  return keyAt + bytes.readUInt16BE(at + 1) + bytes.readUInt32BE(at + 3);
}

function decodeKeyValue(bytes: Buffer, at: number, end: number): KeyValue {
  const first = bytes.readUInt8(at);
  const table = REPLICATED_TABLES[first & ~ABSENT_BIT];
  if (table === undefined) throw new Error(UNKNOWN_FORM);
  const keyAt = at + HEADER_BYTES;
  const valueAt = keyAt + bytes.readUInt16BE(at + 1);
  const value = (first & ABSENT_BIT) === 0 ? bytes.subarray(valueAt, end) : null;
  return { table, key: bytes.subarray(keyAt, valueAt), value };
}

/**
 * Yields everything that the nodes of a cluster have in common, in the order of tables and keys. Each pair is valid until
 * the next one is requested.
 */
export function* scanCommonData(tx: KvRead): Generator<KeyValue & { readonly value: Buffer }> {
  for (const table of REPLICATED_TABLES)
    for (const { key, value } of tx.scan(table, { isPassing: true })) {
      const isOwn = table === 'meta' && key.compare(OWN_KEYS.lower) >= 0 && key.compare(OWN_KEYS.upper) < 0;
      if (!isOwn) yield { table, key, value };
    }
}

/** Gives keys the values of a list. */
export function applyKeyValues(tx: KvWrite, all: Iterable<KeyValue>): void {
  for (const { table, key, value } of all) {
    if (value === null) tx.remove(table, key);
    else tx.put(table, key, value);
  }
}

/** Performs the writes of a transaction, and records for each changed key its values before and after it. */
export class RecordedWrites implements KvWrite {
  readonly #tx: KvWrite;
  readonly #before = new Map<string, KeyValue>();
  readonly #after = new Map<string, KeyValue>();

  constructor(tx: KvWrite) {
    this.#tx = tx;
  }

  get isEmpty(): boolean {
    return this.#after.size === 0;
  }

  /** The values before the transaction, of the keys that it changed. */
  get before(): Iterable<KeyValue> {
    return this.#before.values();
  }

  /** The values after the transaction, of the same keys. */
  get after(): Iterable<KeyValue> {
    return this.#after.values();
  }

  readonly find: KvRead['find'] = (table, key) => this.#tx.find(table, key);

  readonly scan: KvRead['scan'] = (table, range) => this.#tx.scan(table, range);

  readonly count: KvRead['count'] = (table, range, limit) => this.#tx.count(table, range, limit);

  put(table: Table, key: Buffer, value: Buffer): void {
    this.#record(table, key, value);
    this.#tx.put(table, key, value);
  }

  remove(table: Table, key: Buffer): boolean {
    this.#record(table, key, null);
    return this.#tx.remove(table, key);
  }

  #record(table: Table, key: Buffer, value: Buffer | null): void {
    if (!isReplicated(table)) return;
    const name = `${table}\0${key.toString('latin1')}`;
    // The caller may overwrite its buffers.
    const own = this.#before.get(name)?.key ?? Buffer.from(key);
    if (!this.#before.has(name))
      this.#before.set(name, { table, key: own, value: this.#tx.find(table, key) ?? null });
    this.#after.set(name, { table, key: own, value: value === null ? null : Buffer.from(value) });
  }
}
