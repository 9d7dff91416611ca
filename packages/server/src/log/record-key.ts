import { type KvRange, prefixRange } from '../kv/store.ts';

const SEQ_BYTES = 8;
const PART_BYTES = 4;

/**
 * Key of a part of a record in the table `log`: the database's name in ASCII, a zero byte, the sequence number of the
 * record's first commit (8 bytes), the number of the part (4 bytes), both big-endian. So the records of a database are
 * contiguous and in order.
 */
export function recordKey(database: string, seq: number, part: number): Buffer {
  const nameBytes = database.length + 1;
  const key = Buffer.allocUnsafe(nameBytes + SEQ_BYTES + PART_BYTES);
  key.write(`${database}\0`, 0, 'latin1');
  key.writeBigUInt64BE(BigInt(seq), nameBytes);
  key.writeUInt32BE(part, nameBytes + SEQ_BYTES);
  return key;
}

/** The number of the first commit of the record that a key belongs to. */
export function decodeRecordSeq(key: Buffer): number {
  return Number(key.readBigUInt64BE(key.length - SEQ_BYTES - PART_BYTES));
}

/** Records of a database that start at one number or later, and at `upTo` or earlier if that is given. */
export function recordsFrom(database: string, seq: number, upTo?: number): KvRange {
  const range = { ...databaseRange(database), lower: recordKey(database, seq, 0) };
  return upTo === undefined ? range : { ...range, upper: recordKey(database, upTo + 1, 0) };
}

/** Records of a database that start at one number or earlier, the latest of them first. */
export function recordsUpTo(database: string, seq: number): KvRange {
  return { ...databaseRange(database), upper: recordKey(database, seq + 1, 0), isReversed: true };
}

/** Key of a database's log head in the table `meta`. */
export function headKey(database: string): Buffer {
  return Buffer.from(`log-head/${database}`, 'latin1');
}

function databaseRange(database: string): { readonly lower: Buffer; readonly upper?: Buffer } {
  return prefixRange(Buffer.from(`${database}\0`, 'latin1'));
}
