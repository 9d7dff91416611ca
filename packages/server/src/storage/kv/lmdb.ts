import { closeSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { ScanArena } from './buffers.ts';
import { explainStoreError, isStoreError } from './lmdb-errors.ts';
import {
  type KeyRange,
  type KvEntry,
  type KvRange,
  type KvStore,
  type KvWrite,
  keyAfter,
  type NotPromise,
  TABLES,
  type Table,
} from './store.ts';

const SHARED_PAGES_FIELD = 2;
const PAGE_BYTES = 4096;

/** Enough for the seven numbers of `/proc/self/statm`. */
const MAX_TEXT_BYTES = 256;

/**
 * The operating system's statistics about the memory of this process. They are current at every read. Only
 * Linux has this file.
 */
const statm = openProcFile('/proc/self/statm');

/**
 * Returns the resident bytes of this process that are pages of mapped files, including its own program. Returns
 * `undefined` if the operating system does not report it.
 */
export function findMappedBytes(): number | undefined {
  // On other systems, releasing mapped pages is left to the system.
  if (statm === undefined) return undefined;
  const bytes = Buffer.allocUnsafe(MAX_TEXT_BYTES);
  const length = readSync(statm, bytes, 0, MAX_TEXT_BYTES, 0);
  const pages = Number(bytes.toString('latin1', 0, length).split(' ')[SHARED_PAGES_FIELD]);
  return Number.isFinite(pages) ? pages * PAGE_BYTES : undefined;
}

/** Opens a file that stays open as long as the process. It is read often, and opening costs more than reading. */
function openProcFile(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

export interface LmdbOptions {
  /** Directory of the store's files; created if it does not exist. */
  readonly directory: string;
  /**
   * Size of the resident mapped file pages, in bytes, above which the store releases its own. The pages of the
   * program take about 45 MB of it. A lower value saves memory, a higher value saves page faults.
   */
  readonly maxMappedBytes?: number;
}

const DEFAULT_MAX_MAPPED_BYTES = 112 * 2 ** 20;
const INITIAL_MAP_BYTES = 2 ** 40;
const SCAN_PAGE_ENTRIES = [8, 64] as const;
const SCAN_PAGE_BYTES = 1 << 18;
/** A point read may map the pages around it; the kernel's default is 64 KiB. */
const BYTES_PER_FIND = 1 << 16;
/** Number of counted entries that are assumed to map as many bytes as a point read. */
const ENTRIES_PER_FIND = 256;
const BYTES_BETWEEN_CHECKS = 8 * 2 ** 20;
/** Maximum number of file bytes that long scans may leave resident: scanned pages are rarely read again soon. */
const MAX_SCANNED_BYTES = 8 * 2 ** 20;
const FIRST_KEY = Buffer.from([0]);
const LAST_KEY = Buffer.alloc(64, 0xff);

/**
 * Copies bytes into Node's pool of buffers. LMDB's own `binary` encoding allocates separate memory for every
 * value, which costs several times more and fragments the memory of the process.
 */
function copyPooled(shared: Buffer): Buffer {
  const { length } = shared;
  const own = Buffer.allocUnsafe(length);
  shared.copy(own, 0, 0, length);
  return own;
}

type Bytes = Database<Buffer, Buffer>;
interface OpenFile {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly tables: Readonly<Record<Table, Bytes>>;
}

/** A durable store in LMDB. Every transaction is flushed to disk before `transact` returns. */
export class LmdbStore implements KvStore {
  readonly #directory: string;
  readonly #maxMappedBytes: number;
  /** Absent after an error. The next access opens the file again. */
  #opened: OpenFile | undefined;
  #isWriting = false;
  #bytesSinceCheck = 0;
  /** Bytes touched by long scans and by writes since the file was mapped. */
  #scannedBytes = 0;
  /** Mapped bytes of the program itself. */
  readonly #programBytes: number;
  /** Receives the values of the page that is being read if its scan has `isPassing` set. */
  #passing: ScanArena | undefined;

  constructor(options: LmdbOptions) {
    this.#directory = options.directory;
    this.#maxMappedBytes = options.maxMappedBytes ?? DEFAULT_MAX_MAPPED_BYTES;
    this.#programBytes = findMappedBytes() ?? 0;
    makePrivateFiles(this.#directory);
    this.#opened = openFile(this.#directory, this.#copy);
  }

  get #file(): OpenFile {
    try {
      this.#opened ??= openFile(this.#directory, this.#copy);
      return this.#opened;
    } catch (error) {
      throw explainStoreError(error, this.#directory);
    }
  }

  read<T>(body: (tx: KvWrite) => NotPromise<T>): T {
    this.#releaseMapped();
    return body(this.#access);
  }

  transact<T>(body: (tx: KvWrite) => NotPromise<T>): T {
    if (this.#isWriting) throw new Error('Bug: a transaction inside another transaction');
    this.#releaseMapped();
    // Releases the last read, so that this transaction can reuse pages that only that read could see.
    this.#file.root.resetReadTxn();
    let isBodyDone = false;
    let take = (): T => {
      throw new Error('Bug: a transaction ended without running its body');
    };
    this.#isWriting = true;
    try {
      // LMDB stores the return value of the callback in its record of the transaction, which may stay alive
      // longer. The result, and everything it refers to, would then survive young garbage collections.
      this.#file.root.transactionSync(() => {
        const result = body(this.#access);
        take = () => result;
        isBodyDone = true;
      });
      return take();
    } catch (error) {
      if (!isBodyDone && !isStoreError(error)) throw error;
      this.#close();
      throw explainStoreError(error, this.#directory);
    } finally {
      this.#isWriting = false;
    }
  }

  sizeBytes(): number {
    return statSync(join(this.#directory, 'data.mdb')).size;
  }

  usedBytes(): number {
    const { root, tables } = this.#file;
    return [root, ...Object.values(tables)].reduce((sum, table) => sum + occupiedBytes(table), 0);
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  readonly #copy = (shared: Buffer): Buffer => this.#passing?.copy(shared) ?? copyPooled(shared);

  readonly #access: KvWrite = {
    find: (table, key) => {
      this.#bytesSinceCheck += BYTES_PER_FIND;
      return this.#file.tables[table].get(key);
    },
    scan: (table, range) => this.#scan(table, range),
    count: (table, range, limit) => this.#count(table, range, limit),
    put: (table, key, value) => {
      this.#writeOrThrow();
      // Writing pages brings them and their neighbors back into memory.
      this.#recordPassed(key.length + value.length);
      this.#file.tables[table].putSync(key, value);
    },
    remove: (table, key) => {
      this.#writeOrThrow();
      return this.#file.tables[table].removeSync(key);
    },
  };

  /**
   * Reads pairs in pages, small ones at first, and holds no cursor between pages. An abandoned scan therefore
   * leaves nothing behind, writes may happen between pairs, and memory can be released in the middle of a long
   * scan.
   */
  *#scan(table: Table, range: KvRange): Generator<KvEntry> {
    const isReversed = range.isReversed === true;
    let lower = range.lower === undefined || range.lower.length === 0 ? FIRST_KEY : range.lower;
    let upper = range.upper ?? LAST_KEY;
    const passing = range.isPassing === true ? new ScanArena() : undefined;
    for (let page = 0; ; page += 1) {
      if (lower.compare(upper) >= 0) return;
      const limit = SCAN_PAGE_ENTRIES[Math.min(page, SCAN_PAGE_ENTRIES.length - 1)] ?? 1;
      this.#releaseMapped();
      const { entries, isLast } = this.#readPage(table, lower, upper, isReversed, limit, passing);
      yield* entries;
      const last = entries.at(-1);
      if (isLast || last === undefined) return;
      if (isReversed) upper = last.key;
      else lower = keyAfter(last.key);
    }
  }

  /** Counts inside LMDB, which is about ten times as fast as a scan. */
  #count(table: Table, { lower, upper }: KeyRange, limit: number): number {
    const range = { start: lower?.length ? lower : FIRST_KEY, end: upper ?? LAST_KEY };
    this.#releaseMapped();
    const pairs = this.#file.tables[table];
    // LMDB counts a range to its end, so it first skips the pairs below the limit.
    const [last] = pairs.getKeys({ ...range, offset: limit - 1, limit: 1 });
    const count = last === undefined ? pairs.getKeysCount(range) : limit;
    this.#bytesSinceCheck += BYTES_PER_FIND * Math.ceil(count / ENTRIES_PER_FIND);
    return count;
  }

  #readPage(
    table: Table,
    lower: Buffer,
    upper: Buffer,
    isReversed: boolean,
    limit: number,
    passing: ScanArena | undefined,
  ): { readonly entries: readonly KvEntry[]; readonly isLast: boolean } {
    const options = isReversed
      ? { start: upper, end: lower, reverse: true, exclusiveStart: true, inclusiveEnd: true, limit }
      : { start: lower, end: upper, limit };
    const entries: KvEntry[] = [];
    let bytes = BYTES_PER_FIND;
    passing?.reset();
    this.#passing = passing;
    try {
      for (const { key, value } of this.#file.tables[table].getRange(options)) {
        entries.push({ key, value });
        bytes += key.length + value.length;
        if (bytes > SCAN_PAGE_BYTES) break;
      }
    } finally {
      this.#passing = undefined;
    }
    this.#bytesSinceCheck += bytes;
    if (limit > SCAN_PAGE_ENTRIES[0]) this.#scannedBytes += bytes - BYTES_PER_FIND;
    return { entries, isLast: entries.length < limit && bytes <= SCAN_PAGE_BYTES };
  }

  #recordPassed(bytes: number): void {
    this.#bytesSinceCheck += bytes;
    this.#scannedBytes += bytes;
  }

  #writeOrThrow(): void {
    if (!this.#isWriting) throw new Error('Bug: a write outside a transaction');
  }

  /**
   * Releases resident pages by unmapping the file, which is the only way that LMDB offers. To close it and open it
   * again takes about 3 ms and happens only after many reads.
   */
  #releaseMapped(): void {
    if (this.#isWriting || this.#bytesSinceCheck < BYTES_BETWEEN_CHECKS) return;
    this.#bytesSinceCheck = 0;
    const mappedBytes = findMappedBytes();
    if (mappedBytes !== undefined && mappedBytes > this.#boundMapped()) this.#close();
  }

  #boundMapped(): number {
    return this.#scannedBytes < MAX_SCANNED_BYTES
      ? this.#maxMappedBytes
      : Math.min(this.#maxMappedBytes, this.#programBytes + MAX_SCANNED_BYTES);
  }

  /** Closes the file. The next access opens it again; if that fails, the access after it tries again. */
  #close(): void {
    const file = this.#opened;
    this.#opened = undefined;
    this.#scannedBytes = 0;
    if (file !== undefined) closeFile(file);
  }
}

/** Statistics that LMDB's type declarations leave out. */
interface PageCounts {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

function occupiedBytes(table: Bytes): number {
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = table.getStats() as PageCounts;
  return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages);
}

/** Opens the file. `copy` turns a shared buffer that LMDB overwrites into a lasting value. */
function openFile(directory: string, copy: (shared: Buffer) => Buffer): OpenFile {
  const options: RootDatabaseOptionsWithPath = {
    path: directory,
    // Otherwise LMDB takes a directory name that contains a dot for a file name.
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    cache: false,
    mapSize: INITIAL_MAP_BYTES,
    maxDbs: TABLES.length,
    overlappingSync: false,
  };
  const root = open<Buffer, Buffer>(options);
  const table = (name: Table): Bytes => {
    // LMDB's type declarations leave out the encoder. An object literal in the call would not compile.
    const encoder = { encode: (bytes: Buffer): Buffer => bytes, decode: copy };
    const options = { name, encoder, keyEncoding: 'binary' as const, cache: false };
    return root.openDB<Buffer, Buffer>(options);
  };
  try {
    return {
      root,
      tables: {
        tree: table('tree'),
        index: table('index'),
        before: table('before'),
        build: table('build'),
        garbage: table('garbage'),
        log: table('log'),
        meta: table('meta'),
        sessions: table('sessions'),
        denials: table('denials'),
      },
    };
  } catch (error) {
    void root.close();
    throw error;
  }
}

/**
 * Creates the store's files readable only by their owner. LMDB would make them readable by everyone, and the
 * directory may be open to others. LMDB treats empty files as new ones.
 */
function makePrivateFiles(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of ['data.mdb', 'lock.mdb']) closeSync(openSync(join(directory, name), 'a', 0o600));
}

/** Closes the file immediately. The promise only waits for asynchronous writes, which the store does not use. */
function closeFile(file: OpenFile): void {
  void file.root.close();
}
