import type { KvRead, KvWrite, Table } from '../../storage/kv/store.ts';

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
  const all: KeyValue[] = [];
  let at = 0;
  while (at < bytes.length) {
    const first = bytes.readUInt8(at);
    const table = REPLICATED_TABLES[first & ~ABSENT_BIT];
    const keyAt = at + HEADER_BYTES;
    const valueAt = keyAt + bytes.readUInt16BE(at + 1);
    const end = valueAt + bytes.readUInt32BE(at + 3);
    if (table === undefined || end > bytes.length)
      throw new Error('The writes of a record have an unknown form.');
    const value = (first & ABSENT_BIT) === 0 ? bytes.subarray(valueAt, end) : null;
    all.push({ table, key: bytes.subarray(keyAt, valueAt), value });
    at = end;
  }
  return all;
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
