import { SNAPSHOT_TABLES } from './snapshot.ts';
import { findPrefixEnd, type KvRange, type Table } from './store.ts';

export type SnapshotTable = (typeof SNAPSHOT_TABLES)[number];

/** Bytes that precede the original key in the key of a preimage. */
export const BEFORE_PREFIX_BYTES = 7;

const EPOCH_BYTES = 6;
const ABSENT = 0;
const PRESENT = 1;

/** Returns whether snapshots cover the table. */
export function isSnapshotTable(table: Table): table is SnapshotTable {
  return table === 'tree' || table === 'index';
}

/**
 * Returns the key of a preimage: the value under a key of a table before its first change in an epoch. Shape:
 * number of the epoch (6 bytes), table (1 byte), the original key. The preimages of one epoch are therefore
 * adjacent, and those of one table are in the order of its keys.
 */
export function beforeKey(epoch: number, table: SnapshotTable, key: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(BEFORE_PREFIX_BYTES + key.length);
  bytes.writeUIntBE(epoch, 0, EPOCH_BYTES);
  bytes[EPOCH_BYTES] = SNAPSHOT_TABLES.indexOf(table);
  key.copy(bytes, BEFORE_PREFIX_BYTES);
  return bytes;
}

export function decodeEpoch(recordKey: Buffer): number {
  return recordKey.readUIntBE(0, EPOCH_BYTES);
}

/** Returns the range of the preimages of one epoch for a range of a table. */
export function beforeRange(epoch: number, table: SnapshotTable, range: KvRange): KvRange {
  const prefix = beforeKey(epoch, table, Buffer.alloc(0));
  const upper = range.upper === undefined ? findPrefixEnd(prefix) : Buffer.concat([prefix, range.upper]);
  return {
    lower: range.lower === undefined ? prefix : Buffer.concat([prefix, range.lower]),
    ...(upper && { upper }),
    isReversed: range.isReversed === true,
  };
}

/** Returns the range of the preimages of all epochs before this one. */
export function beforeEpoch(epoch: number): KvRange {
  return { upper: beforeKey(epoch, SNAPSHOT_TABLES[0], Buffer.alloc(0)) };
}

/** Encodes a preimage. Shape: 0 if the key was absent; otherwise 1 followed by the value. */
export function encodeBefore(value: Buffer | undefined): Buffer {
  if (value === undefined) return Buffer.from([ABSENT]);
  const bytes = Buffer.allocUnsafe(1 + value.length);
  bytes[0] = PRESENT;
  value.copy(bytes, 1);
  return bytes;
}

export function decodeBefore(record: Buffer): Buffer | undefined {
  return record[0] === ABSENT ? undefined : record.subarray(1);
}

/**
 * The period between two openings of snapshots, and the preimages that were saved in it. The preimages hold the
 * state at the start of the period for every key that has changed since. Snapshots that are opened with no
 * change between them share an epoch.
 */
export interface Epoch {
  readonly number: number;
  readonly bytes: number;
  /** The tables for which the epoch has preimages. */
  readonly tables: readonly SnapshotTable[];
}

/** Returns the epochs with one preimage added to the last one. */
export function addSaved(epochs: readonly Epoch[], table: SnapshotTable, bytes: number): readonly Epoch[] {
  const last = epochs.at(-1);
  if (last === undefined) return epochs;
  const tables = last.tables.includes(table) ? last.tables : [...last.tables, table];
  return [...epochs.slice(0, -1), { number: last.number, bytes: last.bytes + bytes, tables }];
}

export function savedBytes(epochs: readonly Epoch[]): number {
  return epochs.reduce((total, { bytes }) => total + bytes, 0);
}
