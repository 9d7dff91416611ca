import { SNAPSHOT_TABLES } from './snapshot.ts';
import { findPrefixEnd, type KvRange, type Table } from './store.ts';

export type SnapshotTable = (typeof SNAPSHOT_TABLES)[number];

/** Bytes by which the key of a record is longer than the key it speaks of. */
export const BEFORE_PREFIX_BYTES = 7;

const GENERATION_BYTES = 6;
const ABSENT = 0;
const PRESENT = 1;

/** Does the table belong to snapshots? */
export function isSnapshotTable(table: Table): table is SnapshotTable {
  return table === 'tree' || table === 'index';
}

/**
 * Key of what was under a key of a table before its first change in a generation.
 * Shape: number of the generation (6 bytes), table (1 byte), the key itself. So the records of a generation stand together,
 * and those of a table in the order of its keys.
 */
export function beforeKey(generation: number, table: SnapshotTable, key: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(BEFORE_PREFIX_BYTES + key.length);
  bytes.writeUIntBE(generation, 0, GENERATION_BYTES);
  bytes[GENERATION_BYTES] = SNAPSHOT_TABLES.indexOf(table);
  key.copy(bytes, BEFORE_PREFIX_BYTES);
  return bytes;
}

export function decodeGeneration(recordKey: Buffer): number {
  return recordKey.readUIntBE(0, GENERATION_BYTES);
}

/** The range of the records of one generation that speak of a range of a table. */
export function beforeRange(generation: number, table: SnapshotTable, range: KvRange): KvRange {
  const prefix = beforeKey(generation, table, Buffer.alloc(0));
  const upper = range.upper === undefined ? findPrefixEnd(prefix) : Buffer.concat([prefix, range.upper]);
  return {
    lower: range.lower === undefined ? prefix : Buffer.concat([prefix, range.lower]),
    ...(upper && { upper }),
    isReversed: range.isReversed === true,
  };
}

/** The records of generations before this one. */
export function beforeGeneration(generation: number): KvRange {
  return { upper: beforeKey(generation, SNAPSHOT_TABLES[0], Buffer.alloc(0)) };
}

/** Shape: 0 when there was nothing, else 1 and the value. */
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
