import { closeSync, openSync, writeSync } from 'node:fs';
import { LmdbFile } from './lmdb-file.ts';
import { LONG_VALUE_AT } from './lmdb-format.ts';

const NUMBER_BYTES = 8;

/**
 * Says of another page that it is free, in place of one that is: in the last record of a file's list of free pages, which must be
 * a list of one page that is not too long.
 */
export function declareFree(path: string, page: number): void {
  using file = new LmdbFile(path);
  const { freeRoot = 0, pageBytes = 0 } = file.latest ?? {};
  const leaf = file.readPage(freeRoot, pageBytes);
  const record = leaf?.kind === 'leaf' ? leaf.values.at(-1) : undefined;
  if (record?.kind !== 'bytes') throw new Error('The list of free pages is larger than expected');
  const start = freeRoot * pageBytes;
  // Behind how many pages the record lists.
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
