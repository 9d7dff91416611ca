import { closeSync, openSync, readSync, statSync } from 'node:fs';

/**
 * Where a meta page of LMDB's data file keeps what is looked at here, in bytes from its start; numbers are little-endian.
 * Shape: page header (24), magic (4), version (4), address (8), map size (8), page size (4), …, last page (8 at 144),
 * transaction (8 at 152). The first two pages of a file are meta pages.
 */
const MAGIC_AT = 24;
const PAGE_SIZE_AT = 48;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const META_BYTES = 160;

const MAGIC = 0xbeefc0de;
const MIN_PAGE_BYTES = 256;
const MAX_PAGE_BYTES = 65_536;

interface Meta {
  readonly pageBytes: number;
  readonly lastPage: number;
  readonly transaction: number;
}

/**
 * Why a data file cannot be LMDB's, or is cut short; `undefined` when nothing speaks against it, or when there is no file
 * yet. LMDB itself trusts what it maps, and ends the process on the first page that is not what it should be.
 */
export function findFileDamage(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return undefined;
  if (!stats.isFile()) return 'is not a file';
  const first = readMeta(path, 0);
  const second = first === undefined ? undefined : readMeta(path, first.pageBytes);
  if (first === undefined || second === undefined) return 'does not start as a data file does';
  const latest = second.transaction > first.transaction ? second : first;
  const neededBytes = (latest.lastPage + 1) * latest.pageBytes;
  return stats.size < neededBytes
    ? `has ${stats.size} bytes of the ${neededBytes} it should have`
    : undefined;
}

function readMeta(path: string, position: number): Meta | undefined {
  const bytes = Buffer.alloc(META_BYTES);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, bytes, 0, META_BYTES, position) < META_BYTES) return undefined;
  } finally {
    closeSync(file);
  }
  const pageBytes = bytes.readUInt32LE(PAGE_SIZE_AT);
  if (bytes.readUInt32LE(MAGIC_AT) !== MAGIC || pageBytes < MIN_PAGE_BYTES || pageBytes > MAX_PAGE_BYTES)
    return undefined;
  return {
    pageBytes,
    lastPage: Number(bytes.readBigUInt64LE(LAST_PAGE_AT)),
    transaction: Number(bytes.readBigUInt64LE(TRANSACTION_AT)),
  };
}
