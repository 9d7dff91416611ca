import { type KvRange, prefixRange } from '../kv/store.ts';

/**
 * Key of a record in the table `log`: the database's name in ASCII, a zero byte, the sequence number of its first commit
 * as 8 bytes, big-endian. So the records of a database are contiguous and in order.
 */
export function recordKey(database: string, seq: number): Buffer {
  const key = Buffer.allocUnsafe(database.length + 9);
  key.write(database, 0, 'latin1');
  key[database.length] = 0;
  key.writeBigUInt64BE(BigInt(seq), database.length + 1);
  return key;
}

/** Records of a database that start at one number or later. */
export function recordsFrom(database: string, seq: number): KvRange {
  return { ...databaseRange(database), lower: recordKey(database, seq) };
}

/** Records of a database that start at one number or earlier, the latest of them first. */
export function recordsUpTo(database: string, seq: number): KvRange {
  return { ...databaseRange(database), upper: recordKey(database, seq + 1), isReversed: true };
}

/** The number in a record's key. */
export function decodeRecordSeq(key: Buffer): number {
  return Number(key.readBigUInt64BE(key.length - 8));
}

function databaseRange(database: string): { readonly lower: Buffer; readonly upper?: Buffer } {
  return prefixRange(Buffer.from(`${database}\0`, 'latin1'));
}

/** Key of a database's log head in the table `meta`. */
export function headKey(database: string): Buffer {
  return Buffer.from(`log-head/${database}`, 'latin1');
}
