import { closeSync, openSync, readSync, statSync } from 'node:fs';

/**
 * The part of LMDB's file format that is read here without LMDB. A file consists of pages of one size. The
 * first two are meta pages; the one with the later transaction is current. Each meta page names the root pages
 * of two trees: the list of free pages, and the table of tables. Numbers are little-endian. Positions are bytes
 * from the start of the page.
 *
 * A page: its number (8 bytes at 0), transaction (8 at 8), flags (2 at 18), then at 20 either the length of its
 * list of positions in bytes (2) or, on the first of several pages that hold one long value, the number of
 * these pages (4). The positions of its nodes follow, 2 bytes each, counted from the end of the header.
 *
 * A node: low and high half of the value's length (2 and 2), flags (2), length of the key (2), key, value. In a
 * branch page, the three 2-byte fields before the length of the key are the number of the child page.
 */
const HEADER_BYTES = 24;
const FLAGS_AT = 18;
const POSITIONS_BYTES_AT = 20;
const LONG_PAGES_AT = 20;
const NODE_HEADER_BYTES = 8;

const MAGIC_AT = 24;
const PAGE_SIZE_AT = 48;
const FREE_ROOT_AT = 88;
const TABLES_ROOT_AT = 136;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const META_BYTES = 160;

const MAGIC = 0xbeefc0de;
const MIN_PAGE_BYTES = 256;
const MAX_PAGE_BYTES = 65_536;

/** Offset of the root page number in a table's description. The description is a value in the table of tables. */
const ROOT_OF_TABLE_AT = 40;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;

const BRANCH = 0x01;
const LEAF = 0x02;
const LONG = 0x04;
const LONG_VALUE = 0x01;
const TABLE_VALUE = 0x02;

/** The decoded contents of a meta page. */
export interface MetaPage {
  readonly pageBytes: number;
  /** Absent if there is no free page. */
  readonly freeRoot: number | undefined;
  /** Absent if there is no table. */
  readonly tablesRoot: number | undefined;
  readonly lastPage: number;
  readonly transaction: number;
}

/** A page other than the two meta pages. */
export type Page =
  | { readonly kind: 'branch'; readonly below: readonly number[] }
  | { readonly kind: 'leaf'; readonly values: readonly LeafValue[] }
  | { readonly kind: 'long'; readonly pages: number };

/** A value in a leaf page, with its key. */
export type LeafValue =
  | { readonly kind: 'bytes'; readonly key: Buffer; readonly bytes: Buffer }
  | { readonly kind: 'long'; readonly key: Buffer; readonly firstPage: number; readonly length: number }
  | { readonly kind: 'table'; readonly key: Buffer; readonly root: number | undefined };

/**
 * Returns a decoded meta page, or `undefined` if the bytes are not a meta page. Requires at least `META_BYTES`
 * bytes.
 */
function parseMeta(bytes: Buffer): MetaPage | undefined {
  const pageBytes = bytes.readUInt32LE(PAGE_SIZE_AT);
  if (bytes.readUInt32LE(MAGIC_AT) !== MAGIC || pageBytes < MIN_PAGE_BYTES || pageBytes > MAX_PAGE_BYTES)
    return undefined;
  return {
    pageBytes,
    freeRoot: readRoot(bytes, FREE_ROOT_AT),
    tablesRoot: readRoot(bytes, TABLES_ROOT_AT),
    lastPage: Number(bytes.readBigUInt64LE(LAST_PAGE_AT)),
    transaction: Number(bytes.readBigUInt64LE(TRANSACTION_AT)),
  };
}

/**
 * Returns a decoded page, or `undefined` if the bytes are not the page with that number. Throws a `RangeError` if the
 * bytes point outside the page.
 */
function parsePage(bytes: Buffer, number: number): Page | undefined {
  if (bytes.readBigUInt64LE(0) !== BigInt(number)) return undefined;
  switch (bytes.readUInt16LE(FLAGS_AT) & (BRANCH | LEAF | LONG)) {
    case BRANCH:
      return { kind: 'branch', below: nodesOf(bytes).map((at) => bytes.readUIntLE(at, 6)) };
    case LEAF:
      return { kind: 'leaf', values: nodesOf(bytes).map((at) => parseLeafValue(bytes, at)) };
    case LONG:
      return { kind: 'long', pages: bytes.readUInt32LE(LONG_PAGES_AT) };
    default:
      return undefined;
  }
}

/** Offset of the bytes of a long value, from the start of its first page. */
export const LONG_VALUE_AT = HEADER_BYTES;

function nodesOf(bytes: Buffer): readonly number[] {
  const count = bytes.readUInt16LE(POSITIONS_BYTES_AT) / 2;
  return Array.from(
    { length: count },
    (_, index) => HEADER_BYTES + bytes.readUInt16LE(HEADER_BYTES + 2 * index),
  );
}

function parseLeafValue(bytes: Buffer, at: number): LeafValue {
  const length = bytes.readUInt32LE(at);
  const flags = bytes.readUInt16LE(at + 4);
  const keyAt = at + NODE_HEADER_BYTES;
  const valueAt = keyAt + bytes.readUInt16LE(at + 6);
  const key = bytes.subarray(keyAt, valueAt);
  if ((flags & LONG_VALUE) !== 0)
    return { kind: 'long', key, firstPage: Number(bytes.readBigUInt64LE(valueAt)), length };
  if (valueAt + length > bytes.length) throw new RangeError('a value ends beyond its page');
  return (flags & TABLE_VALUE) !== 0
    ? { kind: 'table', key, root: readRoot(bytes, valueAt + ROOT_OF_TABLE_AT) }
    : { kind: 'bytes', key, bytes: bytes.subarray(valueAt, valueAt + length) };
}

function readRoot(bytes: Buffer, at: number): number | undefined {
  const root = bytes.readBigUInt64LE(at);
  return root === NO_PAGE ? undefined : Number(root);
}

/**
 * Returns why a data file is not a valid LMDB file or is truncated. Returns `undefined` if no damage was found
 * or the file does not exist yet. LMDB itself does not validate the pages that it maps, and ends the process at
 * the first invalid page.
 */
export function findFileDamage(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return undefined;
  if (!stats.isFile()) return 'is not a file';
  using file = new LmdbFile(path);
  const { latest } = file;
  if (latest === undefined) return 'does not begin like an LMDB data file';
  const neededBytes = (latest.lastPage + 1) * latest.pageBytes;
  return stats.size < neededBytes ? `is truncated to ${stats.size} of ${neededBytes} bytes` : undefined;
}

/** Reads a data file of LMDB page by page, without LMDB. */
export class LmdbFile implements Disposable {
  readonly #file: number;
  /**
   * The meta page of the last transaction when the file was opened; absent if the file does not start like a
   * data file.
   */
  readonly latest: MetaPage | undefined;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.latest = this.#findLatest();
  }

  /** Returns a page, or `undefined` if it is not in the file or contains a different page number. */
  readPage(number: number, pageBytes: number): Page | undefined {
    const bytes = this.readBytes(number * pageBytes, pageBytes);
    if (bytes === undefined) return undefined;
    try {
      return parsePage(bytes, number);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** Returns bytes of the file, or `undefined` if the file ends before them. */
  readBytes(position: number, length: number): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(length);
    return readSync(this.#file, bytes, 0, length, position) < length ? undefined : bytes;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #findLatest(): MetaPage | undefined {
    const first = this.#readMeta(0);
    const second = first === undefined ? undefined : this.#readMeta(first.pageBytes);
    if (first === undefined || second === undefined) return undefined;
    return second.transaction > first.transaction ? second : first;
  }

  #readMeta(position: number): MetaPage | undefined {
    const bytes = this.readBytes(position, META_BYTES);
    return bytes === undefined ? undefined : parseMeta(bytes);
  }
}
