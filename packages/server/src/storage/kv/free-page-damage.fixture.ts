import { closeSync, openSync, writeSync } from 'node:fs';
import { LmdbFile, LONG_VALUE_AT } from './lmdb-file.ts';

const NUMBER_BYTES = 8;

/**
 * Damages a store for tests: replaces a free page in the list of free pages by another page. Changes the last
 * record of the list. The list must fit into one page, and the record must not be a long value.
 */
export function declareFree(path: string, page: number): void {
  using file = new LmdbFile(path);
  const { freeRoot = 0, pageBytes = 0 } = file.latest ?? {};
  const leaf = file.readPage(freeRoot, pageBytes);
  const record = leaf?.kind === 'leaf' ? leaf.values.at(-1) : undefined;
  if (record?.kind !== 'bytes') throw new Error('The list of free pages is larger than expected');
  const start = freeRoot * pageBytes;
  // The record begins with the number of pages in it.
  const listed = record.bytes.subarray(NUMBER_BYTES, 2 * NUMBER_BYTES);
  const at = file.readBytes(start, pageBytes)?.indexOf(listed, LONG_VALUE_AT) ?? -1;
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigUInt64LE(BigInt(page));
  const target = openSync(path, 'r+');
  try {
    writeSync(target, bytes, 0, NUMBER_BYTES, start + at);
  } finally {
    closeSync(target);
  }
}
