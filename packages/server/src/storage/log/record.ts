import { assert } from '@hearth/core/error/assert.ts';
import { parseDraft, parsePriority } from '@hearth/core/tree/draft.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import { parseWritePath } from '@hearth/core/tree/path.ts';
import { type KvRange, type KvRead, type KvWrite, prefixRange } from '../kv/store.ts';
import {
  type Author,
  type Commit,
  type CommitWrite,
  nodeWrite,
  priorityWrite,
  seqOf,
  writePath,
} from './commit.ts';

const SEQ_BYTES = 8;
const PART_BYTES = 4;

/**
 * Returns the key of a part of a record in the table `log`. Shape: the database's name in ASCII, a zero byte,
 * the sequence number of the record's first commit (8 bytes), the number of the part (4 bytes); both numbers
 * are big-endian. The records of a database are therefore contiguous and in order.
 */
export function recordKey(database: string, seq: number, part: number): Buffer {
  const nameBytes = database.length + 1;
  const key = Buffer.allocUnsafe(nameBytes + SEQ_BYTES + PART_BYTES);
  key.write(`${database}\0`, 0, 'latin1');
  key.writeBigUInt64BE(BigInt(seq), nameBytes);
  key.writeUInt32BE(part, nameBytes + SEQ_BYTES);
  return key;
}

/** Returns the number of the first commit of the record that a key belongs to. */
function decodeRecordSeq(key: Buffer): number {
  return Number(key.readBigUInt64BE(key.length - SEQ_BYTES - PART_BYTES));
}

/**
 * Returns the range of the records of a database that start at `seq` or later and, if `upTo` is given, at
 * `upTo` or earlier.
 */
function recordsFrom(database: string, seq: number, upTo?: number): KvRange {
  const range = { ...databaseRange(database), lower: recordKey(database, seq, 0) };
  return upTo === undefined ? range : { ...range, upper: recordKey(database, upTo + 1, 0) };
}

/** Returns the range of the records of a database that start at `seq` or earlier, the latest first. */
function recordsUpTo(database: string, seq: number): KvRange {
  return { ...databaseRange(database), upper: recordKey(database, seq + 1, 0), isReversed: true };
}

/** Returns the key of a database's log head in the table `meta`. */
export function headKey(database: string): Buffer {
  return Buffer.from(`log-head/${database}`, 'latin1');
}

function databaseRange(database: string): { readonly lower: Buffer; readonly upper?: Buffer } {
  return prefixRange(Buffer.from(`${database}\0`, 'latin1'));
}

/**
 * Longest part of a record in bytes. A part of this length and the header of a page fit in one page of the store. A
 * longer value would need consecutive pages. A store that has been used for a while has few consecutive free pages, so
 * its file would grow.
 */
const MAX_PART_BYTES = 4_000;

/** A record of consecutive commits of one database. */
export interface TableRecord {
  /** Number of the first commit. */
  readonly seq: number;
  readonly bytes: Buffer;
}

/** Writes a record in as many parts as it needs. */
export function putRecord(tx: KvWrite, database: string, { seq, bytes }: TableRecord): void {
  for (let part = 0, start = 0; start < bytes.length; part++, start += MAX_PART_BYTES)
    tx.put('log', recordKey(database, seq, part), bytes.subarray(start, start + MAX_PART_BYTES));
}

/** Yields the records that start at `from` or later in order, assembled from their parts. */
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

/**
 * Returns the number of the first commit in the last record that starts at commit `seq` or earlier. Returns `seq` if
 * there is no such record.
 */
export function findRecordSeq(tx: KvRead, database: string, seq: number): number {
  for (const { key } of tx.scan('log', recordsUpTo(database, seq))) return decodeRecordSeq(key);
  return seq;
}

/** The start and the size of a log. */
export interface LogExtent {
  /** Number of the oldest commit in the log. */
  readonly first: number;
  /** Size of all records. */
  readonly bytes: number;
}

/**
 * Removes the oldest records in one pass while the log is too long: at most `maxRecords`, and never the last
 * one. Does not read records that start after `upTo`. Returns the remaining extent.
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

/**
 * Consecutive commits of a database, stored under the number of the first, as JSON text in UTF-8.
 *
 * Shape: `{"v":2,"c":[[<ms>,<author>,[["<path>",<value in export form>],…]],…]}`. The path of a priority ends in
 * `.priority`. The value is left out if only the tree holds it.
 *
 * Version history: 1, the first; 2, values may be left out.
 */
interface StoredRecord {
  readonly v: number;
  readonly c: readonly StoredCommit[];
}

const VERSION = 2;

type StoredCommit = readonly [
  timeMs: number,
  author: Author,
  writes: readonly (readonly [path: string, value?: unknown])[],
];

/** Returns one commit as a part of a record. */
export function encodeCommit(commit: Pick<Commit, 'timeMs' | 'author' | 'writes'>): string {
  // Builds the text by hand, because `JSON.stringify` does not support 64-bit integers.
  return `[${commit.timeMs},${JSON.stringify(commit.author)},[${commit.writes.map(encodeWrite).join(',')}]]`;
}

/** Returns a record of commits that were encoded one by one. */
export function encodeRecord(commits: readonly string[]): Buffer {
  // Concatenation copies nothing until the text is converted to bytes. `join` would copy.
  const list = commits.reduce((text, commit) => `${text},${commit}`);
  return Buffer.from(`{"v":${VERSION},"c":[${list}]}`);
}

/**
 * Decodes a record. The bytes come from this program's own store, so their shape is trusted, but their version
 * is checked.
 */
export function decodeRecord(database: string, firstSeq: number, bytes: Buffer): readonly Commit[] {
  const record = parseJsonText(bytes.toString()) as StoredRecord;
  if (record.v > VERSION)
    throw new Error(`Commit ${firstSeq} of ${database} was written by a newer version.`);
  return record.c.map(([timeMs, author, writes], index) => ({
    database,
    seq: seqOf(firstSeq + index),
    timeMs,
    author,
    writes: writes.map(decodeWrite),
  }));
}

function encodeWrite(write: CommitWrite): string {
  const path = JSON.stringify(writePath(write));
  return write.kind === 'linked' ? `[${path}]` : `[${path},${write.json}]`;
}

function decodeWrite(stored: readonly [path: string, value?: unknown]): CommitWrite {
  const [text, value] = stored;
  const { path, isPriority } = parseWritePath(text);
  if (stored.length === 1) return { kind: 'linked', path };
  if (isPriority) return priorityWrite(path, decodePriority(value));
  const draft = parseDraft(value, path.length);
  assert(draft.kind === 'resolved', 'a commit holds no placeholders');
  return nodeWrite(path, draft.node);
}

/** Decodes a priority with `parsePriority`, because large numbers in a record are read as 64-bit integers. */
function decodePriority(value: unknown): Priority {
  const priority = parsePriority(value);
  assert(priority === null || typeof priority !== 'object', 'a commit holds no placeholders');
  return priority;
}

/** The head of a database's stored log. */
export interface LogHead {
  readonly seq: number;
  readonly timeMs: number;
  /** Number of the oldest commit in the log. A record starts with it. */
  readonly first: number;
  /** Size of all records. */
  readonly bytes: number;
}

/**
 * Encodes a head. Shape: sequence number, time, number of the oldest commit, bytes; four big-endian doubles
 * that hold integers up to 2^53.
 */
export function encodeHead(head: LogHead): Buffer {
  const bytes = Buffer.allocUnsafe(32);
  bytes.writeDoubleBE(head.seq, 0);
  bytes.writeDoubleBE(head.timeMs, 8);
  bytes.writeDoubleBE(head.first, 16);
  bytes.writeDoubleBE(head.bytes, 24);
  return bytes;
}

export function decodeHead(bytes: Buffer): LogHead {
  return {
    seq: bytes.readDoubleBE(0),
    timeMs: bytes.readDoubleBE(8),
    first: bytes.readDoubleBE(16),
    bytes: bytes.readDoubleBE(24),
  };
}

/** The result of checking the log of one database. */
export interface LogCheck {
  /** Number of the last commit; 0 before the first. */
  readonly seq: number;
  /** Number of commits that the log still has; 0 if a record cannot be read. */
  readonly kept: number;
  /** Sentences that describe problems; empty if the log is sound. */
  readonly problems: readonly string[];
}

/**
 * Checks all records of a database's log: whether they can be read, follow each other without gaps, and end
 * where the head says.
 */
export function checkLog(tx: KvRead, database: string): LogCheck {
  const stored = tx.find('meta', headKey(database));
  const head = stored === undefined ? { seq: 0, first: 1, bytes: 0 } : decodeHead(stored);
  const problems: string[] = [];
  let next = head.first;
  let bytes = 0;
  for (const record of readRecords(tx, database, 0)) {
    if (record.seq !== next)
      problems.push(
        `the log of ${database} has a record that starts at commit ${record.seq} instead of ${next}`,
      );
    bytes += record.bytes.length;
    try {
      next = record.seq + decodeRecord(database, record.seq, record.bytes).length;
    } catch (error) {
      problems.push(`the record of commit ${record.seq} of ${database} cannot be read: ${String(error)}`);
      return { seq: head.seq, kept: 0, problems };
    }
  }
  if (next !== head.seq + 1)
    problems.push(`the log of ${database} ends with commit ${next - 1}, not with ${head.seq}`);
  if (bytes !== head.bytes)
    problems.push(`the log of ${database} has ${bytes} bytes of records, not ${head.bytes}`);
  return { seq: head.seq, kept: next - head.first, problems };
}
