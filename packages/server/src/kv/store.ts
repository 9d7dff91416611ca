/** The ordered tables of a store. Each has keys of its own; their layouts are in `keys.ts`. */
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

/** One stored pair. Both buffers belong to the receiver, unless it said that it is passing. */
export interface KvEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * Keys from `lower` (included, absent: the first) up to `upper` (excluded, absent: past the last), in byte order, or
 * from the far end when reversed. `keyAfter` turns an included bound into an excluded one and back.
 */
export interface KvRange {
  readonly lower?: Buffer;
  readonly upper?: Buffer;
  readonly isReversed?: boolean;
  /**
   * Is each pair looked at only until the next is asked for? It may be overwritten then, which spares a long scan the
   * memory of all that it comes by.
   */
  readonly isPassing?: boolean;
  /**
   * May the scan give `PAUSE_ENTRY` from time to time, while it passes over much that it must not show? So whoever reads a
   * state of the past need not wait for all that was written since.
   */
  readonly isPausing?: boolean;
}

/** Stands for no pair; see `KvRange.isPausing`. Every other entry has a key of at least one byte. */
export const PAUSE_ENTRY: KvEntry = { key: Buffer.alloc(0), value: Buffer.alloc(0) };

/** Reads of one synchronous body: they all see the same state, and in `transact` also the body's own writes. */
export interface KvRead {
  /** The value under a key; a copy that the caller may keep and change. */
  find(table: Table, key: Buffer): Buffer | undefined;
  /**
   * The pairs of a range, read as they are asked for; stopping early costs nothing. Pairs written behind the place
   * the scan has reached are not seen; pairs written ahead of it may or may not be.
   */
  scan(table: Table, range: KvRange): Iterable<KvEntry>;
}

/** Reads and writes of one transaction. Keys have 1 to `MAX_KEY_BYTES` bytes. */
export interface KvWrite extends KvRead {
  /** Keeps neither of the two buffers: they may be overwritten afterwards. */
  put(table: Table, key: Buffer, value: Buffer): void;
  /** Was there something to remove? */
  remove(table: Table, key: Buffer): boolean;
}

/** Longest key in bytes that every implementation takes. */
export const MAX_KEY_BYTES = 1978;

/** Refuses bodies that return a promise: a transaction is over when its body returns. */
export type NotPromise<T> = T extends PromiseLike<unknown> ? never : T;

/** An ordered, transactional store of bytes with one writer. */
export interface KvStore extends Disposable {
  /** Runs a body of reads. Nothing of the store stays locked or pinned when it returns. */
  read<T>(body: (tx: KvRead) => NotPromise<T>): T;
  /**
   * Runs a body of reads and writes. What it wrote is on disk when this returns; nothing of it remains when this
   * throws, because the body threw or because the store is full (`StoreFull`). Bodies do not nest.
   */
  transact<T>(body: (tx: KvWrite) => NotPromise<T>): T;
  /** Bytes the store occupies on disk. */
  sizeBytes(): number;
  /** Bytes of them that hold something; what others have held is used again. Costs the same at any size. */
  usedBytes(): number;
}

/** There is no room for what a transaction wrote. The transaction left no trace, and the store goes on working. */
export class StoreFull extends Error {
  constructor(cause: unknown) {
    super('The store has no room for this transaction.', { cause });
    this.name = 'StoreFull';
  }
}

/** The least key above `key`: turns an included upper bound, or an excluded lower one, into what a range takes. */
export function keyAfter(key: Buffer): Buffer {
  const after = Buffer.allocUnsafe(key.length + 1);
  key.copy(after);
  after[key.length] = 0;
  return after;
}

/** The range of all keys that start with `prefix`. */
export function prefixRange(prefix: Buffer): { readonly lower: Buffer; readonly upper?: Buffer } {
  const upper = findPrefixEnd(prefix);
  return upper === undefined ? { lower: prefix } : { lower: prefix, upper };
}

/** The least key above every key that starts with `prefix`; absent when the prefix is all ones. */
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
