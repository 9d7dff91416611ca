/**
 * LMDB's data file, as far as it is read here without LMDB. A file is pages of one size. The first two are meta pages, of
 * which that of the later transaction counts; each names the root pages of two trees: the list of free pages, and the table
 * of tables. Numbers are little-endian; positions are bytes from the start of the page.
 *
 * A page: its number (8 at 0), transaction (8 at 8), flags (2 at 18), bytes of its list of positions (2 at 20) or, of the first
 * of several pages that hold one long value, how many they are (4 at 20). Then the positions of its nodes, counted from the end
 * of the header, 2 bytes each.
 *
 * A node: low and high half of the value's length (2 and 2), flags (2), length of the key (2), key, value. In a branch page the
 * three halves before the length of the key are the number of the page below.
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
export const META_BYTES = 160;

const MAGIC = 0xbeefc0de;
const MIN_PAGE_BYTES = 256;
const MAX_PAGE_BYTES = 65_536;

/** Where a table's description, which is a value in the table of tables, keeps its root page. */
const ROOT_OF_TABLE_AT = 40;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;

const BRANCH = 0x01;
const LEAF = 0x02;
const LONG = 0x04;
const LONG_VALUE = 0x01;
const TABLE_VALUE = 0x02;

/** What a meta page says. */
export interface MetaPage {
  readonly pageBytes: number;
  /** Absent when there is no free page. */
  readonly freeRoot: number | undefined;
  /** Absent when there is no table. */
  readonly tablesRoot: number | undefined;
  readonly lastPage: number;
  readonly transaction: number;
}

/** A page that is not the first of its file. */
export type Page =
  | { readonly kind: 'branch'; readonly below: readonly number[] }
  | { readonly kind: 'leaf'; readonly values: readonly LeafValue[] }
  | { readonly kind: 'long'; readonly pages: number };

/** What a leaf keeps below a key. */
export type LeafValue =
  | { readonly kind: 'bytes'; readonly key: Buffer; readonly bytes: Buffer }
  | { readonly kind: 'long'; readonly key: Buffer; readonly firstPage: number; readonly length: number }
  | { readonly kind: 'table'; readonly key: Buffer; readonly root: number | undefined };

/** `undefined` when the bytes are no meta page. Takes at least `META_BYTES`. */
export function parseMeta(bytes: Buffer): MetaPage | undefined {
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

/** `undefined` when the bytes are not the page of that number. Throws a `RangeError` when they point out of the page. */
export function parsePage(bytes: Buffer, number: number): Page | undefined {
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

/** Of a page that is the first of a long value: where in the file its bytes begin, from the start of the page. */
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
