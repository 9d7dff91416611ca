import type { KvRead, KvWrite } from '../kv/store.ts';
import { decodeRecordSeq, recordKey, recordsFrom, recordsUpTo } from './record-key.ts';

/**
 * Longest part of a record in bytes: what fits in one page of the store beside the page's own header. A longer value
 * would need pages in a row, which a store that has been in use has few of, and so makes its file grow.
 */
const MAX_PART_BYTES = 4_000;

/** The record of consecutive commits of one database. */
export interface TableRecord {
  /** Number of the first commit. */
  readonly seq: number;
  readonly bytes: Buffer;
}

/** Writes a record in as many parts as it takes. */
export function putRecord(tx: KvWrite, database: string, { seq, bytes }: TableRecord): void {
  for (let part = 0, start = 0; start < bytes.length; part++, start += MAX_PART_BYTES)
    tx.put('log', recordKey(database, seq, part), bytes.subarray(start, start + MAX_PART_BYTES));
}

/** Records that start at a number or later, in order, put together from their parts. */
export function* readRecords(tx: KvRead, database: string, from: number): Generator<TableRecord> {
  let parts: Buffer[] = [];
  let seq = from;
  for (const { key, value } of tx.scan('log', recordsFrom(database, from))) {
    const keySeq = decodeRecordSeq(key);
    if (keySeq !== seq && parts.length > 0) {
      yield { seq, bytes: Buffer.concat(parts) };
      parts = [];
    }
    seq = keySeq;
    parts.push(value);
  }
  if (parts.length > 0) yield { seq, bytes: Buffer.concat(parts) };
}

/** The number under which the record with a commit is kept; the commit's own if no record has it. */
export function findRecordSeq(tx: KvRead, database: string, seq: number): number {
  for (const { key } of tx.scan('log', recordsUpTo(database, seq))) return decodeRecordSeq(key);
  return seq;
}

/** Where a log starts, and how long it is. */
export interface LogExtent {
  /** Number of the oldest commit that is kept. */
  readonly first: number;
  /** Size of all kept records. */
  readonly bytes: number;
}

/**
 * Removes the oldest records while the log is too long, at most `maxRecords` of them and never the last one, in one pass
 * over them. Records that start after `upTo` are not looked at. Returns what is left.
 */
export function removeOldRecords(
  tx: KvWrite,
  database: string,
  { first, bytes }: LogExtent,
  maxRecords: number,
  isTooLong: (first: number, bytes: number) => boolean,
  upTo?: number,
): LogExtent {
  let left: LogExtent = { first, bytes };
  let oldestParts = 0;
  let oldestBytes = 0;
  let removed = 0;
  const range = { ...recordsFrom(database, first, upTo), isPassing: true };
  for (const { key, value } of tx.scan('log', range)) {
    const seq = decodeRecordSeq(key);
    if (seq !== left.first) {
      removeRecord(tx, database, left.first, oldestParts);
      left = { first: seq, bytes: left.bytes - oldestBytes };
      removed += 1;
      if (removed === maxRecords || !isTooLong(left.first, left.bytes)) return left;
      oldestParts = 0;
      oldestBytes = 0;
    }
    oldestParts += 1;
    oldestBytes += value.length;
  }
  return left;
}

function removeRecord(tx: KvWrite, database: string, seq: number, parts: number): void {
  for (let part = 0; part < parts; part++) tx.remove('log', recordKey(database, seq, part));
}
