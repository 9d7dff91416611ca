import { type KvRange, type KvRead, type KvWrite, prefixRange } from '../../storage/kv/store.ts';
import type { Denial } from './denial.ts';
import { decodeDenial } from './record.ts';

/** The totals of a database's log: JSON in the table `meta` under `denials/<database>`. */
export interface DenialTotals {
  readonly nextId: number;
  readonly count: number;
  /** Size of keys and values. */
  readonly bytes: number;
  /** Number of denials that were counted and not stored, since the log began. */
  readonly sampledOut: number;
}

const NO_TOTALS: DenialTotals = { nextId: 1, count: 0, bytes: 0, sampledOut: 0 };

/** An entry that has no id yet. */
export interface EncodedDenial {
  readonly timeMs: number;
  readonly json: Buffer;
}

/** The limits of a log. */
export interface DenialBound {
  readonly count: number;
  readonly bytes: number;
  /** Entries with an earlier time are removed. */
  readonly sinceMs: number;
}

/** Returns the names of the databases that have a log. */
export function listLoggedDatabases(tx: KvRead): readonly string[] {
  const names: string[] = [];
  for (const { key } of tx.scan('meta', prefixRange(totalsKey(''))))
    names.push(key.toString().slice(totalsKey('').length));
  return names;
}

const ID_BYTES = 8;
const TIME_BYTES = 8;

/** Maximum number of entries that one call of `addDenials` removes, in addition to the number that it adds. */
const MAX_DROPS = 500;

/**
 * Reads the totals of a database's log. The entries are in the table `denials`. Key: the database's name in
 * ASCII, a zero byte, the entry's id (8 bytes, big-endian). Value: its time (a double, big-endian), and its
 * JSON.
 */
export function readDenialTotals(tx: KvRead, database: string): DenialTotals {
  const text = tx.find('meta', totalsKey(database))?.toString();
  return text === undefined ? NO_TOTALS : (JSON.parse(text) as DenialTotals);
}

/**
 * Adds entries, and removes the oldest ones beyond the bound. Returns whether the log is within the bound now.
 * After the bound was lowered, this may take several calls.
 */
export function addDenials(
  tx: KvWrite,
  database: string,
  bound: DenialBound,
  entries: readonly EncodedDenial[],
  sampledOut: number,
): boolean {
  const added = entries.slice(-bound.count);
  const before = readDenialTotals(tx, database);
  const addedBytes = added.reduce((sum, { json }) => sum + entryBytes(database, json), 0);
  const room = { ...bound, count: bound.count - added.length, bytes: bound.bytes - addedBytes };
  const dropped = findSurplus(tx, database, before, room, added.length + MAX_DROPS);
  for (const key of dropped.keys) tx.remove('denials', key);
  const firstId = before.nextId + entries.length - added.length;
  added.forEach(({ timeMs, json }, index) => {
    const time = Buffer.allocUnsafe(TIME_BYTES);
    time.writeDoubleBE(timeMs);
    tx.put('denials', denialKey(database, firstId + index), Buffer.concat([time, json]));
  });
  const totals: DenialTotals = {
    nextId: before.nextId + entries.length,
    count: before.count - dropped.keys.length + added.length,
    bytes: before.bytes - dropped.bytes + addedBytes,
    sampledOut: before.sampledOut + sampledOut,
  };
  const hasChanged = entries.length + dropped.keys.length + sampledOut > 0;
  if (hasChanged) tx.put('meta', totalsKey(database), Buffer.from(JSON.stringify(totals)));
  return dropped.isEnough;
}

/** Removes the totals of a log that has no more entries, so that it is not listed. */
export function removeDenialTotals(tx: KvWrite, database: string): void {
  tx.remove('meta', totalsKey(database));
}

interface Surplus {
  readonly keys: readonly Buffer[];
  readonly bytes: number;
  readonly isEnough: boolean;
}

/** Returns the oldest entries beyond the bound, at most `limit`. */
function findSurplus(
  tx: KvRead,
  database: string,
  totals: DenialTotals,
  bound: DenialBound,
  limit: number,
): Surplus {
  const keys: Buffer[] = [];
  let bytes = 0;
  for (const { key, value } of tx.scan('denials', { ...databaseRange(database), isPassing: true })) {
    const isSurplus =
      totals.count - keys.length > bound.count ||
      totals.bytes - bytes > bound.bytes ||
      value.readDoubleBE(0) < bound.sinceMs;
    if (!isSurplus) break;
    if (keys.length === limit) return { keys, bytes, isEnough: false };
    keys.push(Buffer.from(key));
    bytes += key.length + value.length;
  }
  return { keys, bytes, isEnough: true };
}

export function findDenial(tx: KvRead, database: string, id: number): Denial | undefined {
  const value = tx.find('denials', denialKey(database, id));
  return value === undefined ? undefined : decodeValue(id, value);
}

/** Returns the entries before an id, latest first, at most `limit`. */
export function readDenialsBefore(
  tx: KvRead,
  database: string,
  id: number,
  limit: number,
): readonly Denial[] {
  const range: KvRange = { ...databaseRange(database), upper: denialKey(database, id), isReversed: true };
  const denials: Denial[] = [];
  for (const { key, value } of tx.scan('denials', range)) {
    denials.push(decodeValue(Number(key.readBigUInt64BE(key.length - ID_BYTES)), value));
    if (denials.length === limit) break;
  }
  return denials;
}

function decodeValue(id: number, value: Buffer): Denial {
  return decodeDenial(id, value.subarray(TIME_BYTES));
}

function entryBytes(database: string, json: Buffer): number {
  return database.length + 1 + ID_BYTES + TIME_BYTES + json.length;
}

function denialKey(database: string, id: number): Buffer {
  const nameBytes = database.length + 1;
  const key = Buffer.allocUnsafe(nameBytes + ID_BYTES);
  key.write(`${database}\0`, 0, 'latin1');
  key.writeBigUInt64BE(BigInt(id), nameBytes);
  return key;
}

function databaseRange(database: string): { readonly lower: Buffer; readonly upper?: Buffer } {
  return prefixRange(Buffer.from(`${database}\0`, 'latin1'));
}

function totalsKey(database: string): Buffer {
  return Buffer.from(`denials/${database}`, 'latin1');
}

/** Maximum size of waiting entries of all databases, in bytes. */
const MAX_WAITING_BYTES = 8 * 2 ** 20;

/** Maximum size of a batch, so that its transaction does not delay others. */
const MAX_BATCH_ENTRIES = 100;
const MAX_BATCH_BYTES = 2 ** 18;

/** The entries to write for one database. */
export interface DenialBatch {
  readonly database: string;
  readonly entries: readonly EncodedDenial[];
  readonly sampledOut: number;
}

interface Waiting {
  readonly entries: EncodedDenial[];
  sampledOut: number;
}

/** A bounded buffer of entries that wait to be written. Entries that do not fit are only counted. */
export class DenialBuffer {
  readonly #waiting = new Map<string, Waiting>();
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /**
   * Adds an entry, or counts it if the buffer is full. Returns a function that reverts this. The function has no
   * effect on an entry that was taken out.
   */
  add(database: string, entry: EncodedDenial): () => void {
    if (this.#bytes + entry.json.length > MAX_WAITING_BYTES) return this.count(database);
    const { entries } = this.#of(database);
    entries.push(entry);
    this.#bytes += entry.json.length;
    return () => {
      const index = entries.lastIndexOf(entry);
      if (index === -1) return;
      entries.splice(index, 1);
      this.#bytes -= entry.json.length;
    };
  }

  /** Counts a denial that is not stored. Returns a function that reverts the count. */
  count(database: string): () => void {
    const waiting = this.#of(database);
    waiting.sampledOut++;
    return () => {
      if (waiting.sampledOut > 0) waiting.sampledOut--;
    };
  }

  /** Takes out a batch of the database that has waited longest; `undefined` if the buffer is empty. */
  take(): DenialBatch | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [database, waiting] = first;
    this.#waiting.delete(database);
    const entries = waiting.entries.splice(0, batchLength(waiting.entries));
    for (const { json } of entries) this.#bytes -= json.length;
    const { sampledOut } = waiting;
    waiting.sampledOut = 0;
    // The remaining entries wait behind those of other databases.
    if (waiting.entries.length > 0) this.#waiting.set(database, waiting);
    return { database, entries, sampledOut };
  }

  /** Puts back a batch that could not be written, in front of later entries. */
  putBack({ database, entries, sampledOut }: DenialBatch): void {
    const waiting = this.#of(database);
    waiting.entries.unshift(...entries);
    waiting.sampledOut += sampledOut;
    for (const { json } of entries) this.#bytes += json.length;
  }

  #of(database: string): Waiting {
    const known = this.#waiting.get(database);
    if (known !== undefined) return known;
    const waiting: Waiting = { entries: [], sampledOut: 0 };
    this.#waiting.set(database, waiting);
    return waiting;
  }
}

function batchLength(entries: readonly EncodedDenial[]): number {
  let bytes = 0;
  const end = entries.findIndex(({ json }, index) => {
    bytes += json.length;
    return index > 0 && (index === MAX_BATCH_ENTRIES || bytes > MAX_BATCH_BYTES);
  });
  return end === -1 ? entries.length : end;
}
