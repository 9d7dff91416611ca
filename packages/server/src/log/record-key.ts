import { type KvRange, prefixRange } from '../kv/store.ts';

/**
 * Key of a commit in the table `log`: the database's name in ASCII, a zero byte, the sequence number as 8 bytes,
 * big-endian. So the commits of a database are contiguous and in order.
 */
export function recordKey(database: string, seq: number): Buffer {
  const key = Buffer.allocUnsafe(database.length + 9);
  key.write(database, 0, "latin1");
  key[database.length] = 0;
  key.writeBigUInt64BE(BigInt(seq), database.length + 1);
  return key;
}

/** All commits of a database from one number on. */
export function recordRange(database: string, from: number): KvRange {
  return { ...prefixRange(Buffer.from(`${database}\0`, 'latin1')), lower: recordKey(database, from) };
}

/** Key of a database's log head in the table `meta`. */
export function headKey(database: string): Buffer {
  return Buffer.from(`log-head/${database}`, 'latin1');
}
