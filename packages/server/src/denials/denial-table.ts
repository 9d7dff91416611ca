import { type KvRange, type KvRead, type KvWrite, prefixRange } from '../kv/store.ts';
import type { Denial } from './denial.ts';
import { decodeDenial } from './denial-record.ts';

/** What the log of a database comes to: JSON in the table `meta` under `denials/<database>`. */
export interface DenialTotals {
  readonly nextId: number;
  readonly count: number;
  /** Of keys and values. */
  readonly bytes: number;
  /** Denials that were counted and not kept, since the log began. */
  readonly sampledOut: number;
}

const NO_TOTALS: DenialTotals = { nextId: 1, count: 0, bytes: 0, sampledOut: 0 };

/** An entry before it has a number. */
export interface EncodedDenial {
  readonly timeMs: number;
  readonly json: Buffer;
}

/** What a log may come to. */
export interface DenialBound {
  readonly count: number;
  readonly bytes: number;
  /** Entries from before this time are dropped. */
  readonly sinceMs: number;
}

const ID_BYTES = 8;
const TIME_BYTES = 8;

/** Most entries that one step drops beside as many as it adds. */
const MAX_DROPS = 500;

/**
 * The table `denials`. Key: the database's name in ASCII, a zero byte, the entry's id (8 bytes, big-endian). Value: its time
 * (a double, big-endian), and its JSON.
 */
export function readDenialTotals(tx: KvRead, database: string): DenialTotals {
  const text = tx.find('meta', totalsKey(database))?.toString();
  return text === undefined ? NO_TOTALS : (JSON.parse(text) as DenialTotals);
}

/**
 * Drops the oldest entries as far as the bound asks for, and adds others. The bound holds after each step, unless it was
 * lowered: then it takes several, and `false` is returned until it holds.
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
  tx.put('meta', totalsKey(database), Buffer.from(JSON.stringify(totals)));
  return dropped.isEnough;
}

interface Surplus {
  readonly keys: readonly Buffer[];
  readonly bytes: number;
  readonly isEnough: boolean;
}

/** The oldest entries, as many as there are too many, and at most `limit`. */
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

/** The entries before an id, latest first, and at most so many. */
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
