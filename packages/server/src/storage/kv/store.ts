/** The ordered tables of a store. Each has its own keys; their layouts are in `keys.ts`. */
export const TABLES = [
  'tree',
  'index',
  'before',
  'build',
  'garbage',
  'log',
  'meta',
  'sessions',
  'denials',
] as const;

export type Table = (typeof TABLES)[number];

/** One stored pair. Both buffers belong to the caller, except in a scan with `isPassing`. */
export interface KvEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * The keys from `lower` (inclusive; absent: from the first) to `upper` (exclusive; absent: to the last), in
 * byte order, or in reverse. `keyAfter` turns an inclusive bound into an exclusive one and back.
 */
export interface KvRange {
  readonly lower?: Buffer;
  readonly upper?: Buffer;
  readonly isReversed?: boolean;
  /**
   * Whether the caller uses each pair only until it requests the next one. The scan may then overwrite the
   * pair, which saves the memory of a long scan.
   */
  readonly isPassing?: boolean;
  /**
   * Whether the scan may yield `PAUSE_ENTRY` from time to time while it skips many pairs that it must not show.
   * A reader of a past state can then yield to other work instead of waiting for all later writes to be
   * skipped.
   */
  readonly isPausing?: boolean;
}

/** The bounds of a range. */
export type KeyRange = Pick<KvRange, 'lower' | 'upper'>;

/** A placeholder that is not a pair; see `KvRange.isPausing`. Every other entry has a key of at least one byte. */
export const PAUSE_ENTRY: KvEntry = { key: Buffer.alloc(0), value: Buffer.alloc(0) };

/**
 * The reads of one synchronous body. All of them see the same state; in `transact` they also see the body's own
 * writes.
 */
export interface KvRead {
  /** Returns the value under a key, as a copy that the caller may keep and change. */
  find(table: Table, key: Buffer): Buffer | undefined;
  /**
   * Yields the pairs of a range and reads them as they are requested; stopping early costs nothing. Pairs
   * written behind the position of the scan are not seen. Pairs written ahead of it may or may not be seen.
   */
  scan(table: Table, range: KvRange): Iterable<KvEntry>;
  /**
   * Returns the number of pairs of a range, at most `limit`, which is at least 1. Reads no values if the store
   * can count without them.
   */
  count(table: Table, range: KeyRange, limit: number): number;
}

/** The reads and writes of one transaction. Keys have 1 to `MAX_KEY_BYTES` bytes. */
export interface KvWrite extends KvRead {
  /** Stores a pair. Copies both buffers, so the caller may overwrite them afterwards. */
  put(table: Table, key: Buffer, value: Buffer): void;
  /** Removes a pair. Returns false if the key was absent. */
  remove(table: Table, key: Buffer): boolean;
}

/** Longest key, in bytes, that every implementation accepts. */
export const MAX_KEY_BYTES = 1978;

/** Rejects, at compile time, bodies that return a promise. A transaction ends when its body returns. */
export type NotPromise<T> = T extends PromiseLike<unknown> ? never : T;

/** An ordered, transactional store of bytes with a single writer. */
export interface KvStore extends Disposable {
  /** Runs a body of reads. When it returns, nothing in the store stays locked or pinned. */
  read<T>(body: (tx: KvRead) => NotPromise<T>): T;
  /**
   * Runs a body of reads and writes. When this returns, the writes are on disk. When it throws, because the
   * body threw, the store is full (`StoreFull`) or the disk fails (`StoreFailing`), none of the writes remain. Bodies
   * cannot be nested.
   */
  transact<T>(body: (tx: KvWrite) => NotPromise<T>): T;
  /** Returns the bytes that the store occupies on disk. */
  sizeBytes(): number;
  /**
   * Returns how many of the occupied bytes are in use. The rest is free space that will be reused. The cost
   * does not depend on the size of the store.
   */
  usedBytes(): number;
}

/**
 * Thrown when the disk has no space for the writes of a transaction. The transaction is rolled back, and the
 * store keeps working.
 */
export class StoreFull extends Error {
  constructor(cause: unknown) {
    super('The disk has no space for this transaction.', { cause });
    this.name = 'StoreFull';
  }
}

/**
 * Thrown when the disk reports an error while a transaction is being saved. The transaction is rolled back. Later
 * transactions try again.
 */
export class StoreFailing extends Error {
  constructor(cause: unknown) {
    super('The disk reported an error while a transaction was being saved.', { cause });
    this.name = 'StoreFailing';
  }
}

/**
 * Returns the smallest key above `key`. Turns an inclusive upper bound, or an exclusive lower bound, into the
 * bound that `KvRange` needs.
 */
export function keyAfter(key: Buffer): Buffer {
  const after = Buffer.allocUnsafe(key.length + 1);
  key.copy(after);
  after[key.length] = 0;
  return after;
}

/** Counts the pairs of a scan, at most `limit`. */
export function countPairs(pairs: Iterable<KvEntry>, limit: number): number {
  let count = 0;
  for (const _pair of pairs) {
    count += 1;
    if (count >= limit) break;
  }
  return count;
}

/** Returns the range of all keys that start with `prefix`. */
export function prefixRange(prefix: Buffer): { readonly lower: Buffer; readonly upper?: Buffer } {
  const upper = findPrefixEnd(prefix);
  return upper === undefined ? { lower: prefix } : { lower: prefix, upper };
}

/**
 * Returns the smallest key above every key that starts with `prefix`, or `undefined` if all bytes of the prefix
 * are 0xff.
 */
export function findPrefixEnd(prefix: Buffer): Buffer | undefined {
  for (let length = prefix.length; length > 0; length -= 1) {
    const last = prefix[length - 1];
    if (last === undefined || last === 0xff) continue;
    const end = Buffer.from(prefix.subarray(0, length));
    end[length - 1] = last + 1;
    return end;
  }
  return undefined;
}
