import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getSystemErrorName } from 'node:util';
import { type Database, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { hasRoomBeyond } from './disk-room.ts';
import { findMappedBytes } from './mapped-memory.ts';
import { PassingBytes } from './passing-bytes.ts';
import {
  type KvEntry,
  type KvRange,
  type KvStore,
  type KvWrite,
  keyAfter,
  type NotPromise,
  StoreFull,
  TABLES,
  type Table,
} from './store.ts';

export interface LmdbOptions {
  /** Directory of the store's files; made when it is missing. */
  readonly directory: string;
  /**
   * Pages of mapped files that may be resident before the store gives its own back, in bytes. The program itself takes
   * some 45 MB of them. Lower saves memory, higher saves page faults.
   */
  readonly maxMappedBytes?: number;
}

const DEFAULT_MAX_MAPPED_BYTES = 112 * 2 ** 20;
const INITIAL_MAP_BYTES = 2 ** 40;
const SCAN_PAGE_ENTRIES = [8, 64] as const;
const SCAN_PAGE_BYTES = 1 << 18;
/** A point read may map the pages around it: the kernel's default is 64 KiB. */
const BYTES_PER_FIND = 1 << 16;
const BYTES_BETWEEN_CHECKS = 8 * 2 ** 20;
/** Most bytes of the file that long scans leave resident: what they have come by is not asked for again soon. */
const MAX_SCANNED_BYTES = 8 * 2 ** 20;
const FIRST_KEY = Buffer.from([0]);
const LAST_KEY = Buffer.alloc(64, 0xff);

/**
 * A copy within Node's pool of buffers. LMDB's own `binary` encoding gives every value memory of its own, which costs several
 * times more, and leaves the memory of the process in pieces.
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
  #file: OpenFile;
  #isWriting = false;
  #bytesSinceCheck = 0;
  /** By long scans and by writes, since the file was mapped. */
  #scannedBytes = 0;
  /** What is resident of the program itself. */
  readonly #programBytes: number;
  /** Takes the values of the page that is being read, if its scan is passing. */
  #passing: PassingBytes | undefined;

  constructor(options: LmdbOptions) {
    this.#directory = options.directory;
    this.#maxMappedBytes = options.maxMappedBytes ?? DEFAULT_MAX_MAPPED_BYTES;
    this.#programBytes = findMappedBytes() ?? 0;
    makePrivateFiles(this.#directory);
    this.#file = openFile(this.#directory, this.#copy);
  }

  read<T>(body: (tx: KvWrite) => NotPromise<T>): T {
    this.#releaseMapped();
    return body(this.#access);
  }

  transact<T>(body: (tx: KvWrite) => NotPromise<T>): T {
    if (this.#isWriting) throw new Error('Bug: transactions do not nest');
    this.#releaseMapped();
    // Pages that only the last read could still see become free for this transaction.
    this.#file.root.resetReadTxn();
    let isBodyDone = false;
    let take = (): T => {
      throw new Error('Bug: a transaction ended without its body');
    };
    this.#isWriting = true;
    try {
      // LMDB keeps what the callback returns with its own record of the transaction, which outlives a scan in it: all that the
      // result refers to would grow old before it is collected.
      this.#file.root.transactionSync(() => {
        const result = body(this.#access);
        take = () => result;
        isBodyDone = true;
      });
      return take();
    } catch (error) {
      if (!isBodyDone && !isStoreError(error)) throw error;
      this.#reopen();
      throw this.#isFull(error) ? new StoreFull(error) : error;
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
    closeFile(this.#file);
  }

  readonly #copy = (shared: Buffer): Buffer => this.#passing?.copy(shared) ?? copyPooled(shared);

  readonly #access: KvWrite = {
    find: (table, key) => {
      this.#bytesSinceCheck += BYTES_PER_FIND;
      return this.#file.tables[table].get(key);
    },
    scan: (table, range) => this.#scan(table, range),
    put: (table, key, value) => {
      this.#mustWrite();
      // Pages that were written come back into memory when their neighbours are.
      this.#notePassed(key.length + value.length);
      this.#file.tables[table].putSync(key, value);
    },
    remove: (table, key) => {
      this.#mustWrite();
      return this.#file.tables[table].removeSync(key);
    },
  };

  /**
   * Reads a page of pairs at a time, small at first, and holds no cursor in between. So an abandoned scan leaves nothing
   * behind, writes may happen between pairs, and memory can be given back in the middle of a long scan.
   */
  *#scan(table: Table, range: KvRange): Generator<KvEntry> {
    const isReversed = range.isReversed === true;
    let lower = range.lower === undefined || range.lower.length === 0 ? FIRST_KEY : range.lower;
    let upper = range.upper ?? LAST_KEY;
    const passing = range.isPassing === true ? new PassingBytes() : undefined;
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

  #readPage(
    table: Table,
    lower: Buffer,
    upper: Buffer,
    isReversed: boolean,
    limit: number,
    passing: PassingBytes | undefined,
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

  #notePassed(bytes: number): void {
    this.#bytesSinceCheck += bytes;
    this.#scannedBytes += bytes;
  }

  #mustWrite(): void {
    if (!this.#isWriting) throw new Error('Bug: a write outside a transaction');
  }

  /** Unmapping is the only way LMDB has of giving pages back; it takes some 3 ms and happens after many reads only. */
  #releaseMapped(): void {
    if (this.#isWriting || this.#bytesSinceCheck < BYTES_BETWEEN_CHECKS) return;
    this.#bytesSinceCheck = 0;
    const mappedBytes = findMappedBytes();
    if (mappedBytes !== undefined && mappedBytes > this.#boundMapped()) this.#reopen();
  }

  #boundMapped(): number {
    return this.#scannedBytes < MAX_SCANNED_BYTES
      ? this.#maxMappedBytes
      : Math.min(this.#maxMappedBytes, this.#programBytes + MAX_SCANNED_BYTES);
  }

  #reopen(): void {
    this.#scannedBytes = 0;
    closeFile(this.#file);
    this.#file = openFile(this.#directory, this.#copy);
  }

  #isFull(error: unknown): boolean {
    if (error instanceof Error && error.message.includes('MDB_MAP_FULL')) return true;
    switch (findErrno(error)) {
      case 'ENOSPC':
      case 'EDQUOT':
      case 'EFBIG':
        return true;
      case 'EIO':
        return !hasRoomBeyond(this.#directory, this.sizeBytes());
      default:
        return false;
    }
  }
}

/** What LMDB's type declarations leave out. */
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

/** `copy` makes values that last of bytes that do not. */
function openFile(directory: string, copy: (shared: Buffer) => Buffer): OpenFile {
  const options: RootDatabaseOptionsWithPath = {
    path: directory,
    // A directory name with a dot in it would otherwise be taken for a file's.
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
    // LMDB's type declarations leave out the encoder, so this must not be a literal where it is passed.
    const encoder = { encode: (bytes: Buffer): Buffer => bytes, decode: copy };
    const options = { name, encoder, keyEncoding: 'binary' as const, cache: false };
    return root.openDB<Buffer, Buffer>(options);
  };
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
}

/** LMDB would make its files readable to all, and the directory may be open to others. It takes empty files as new ones. */
function makePrivateFiles(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of ['data.mdb', 'lock.mdb']) closeSync(openSync(join(directory, name), 'a', 0o600));
}

/** Closes at once: the promise only waits for asynchronous writes, of which there are none. */
function closeFile(file: OpenFile): void {
  void file.root.close();
}

/** Errors of LMDB and of the system carry a number as their code. */
function isStoreError(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

/** The system's name of what went wrong, such as `ENOSPC`; LMDB's own errors are negative and have none. */
function findErrno(error: unknown): string | undefined {
  return isStoreError(error) && error.code > 0 ? getSystemErrorName(-error.code) : undefined;
}
