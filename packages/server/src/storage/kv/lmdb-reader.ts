import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase, type Transaction } from 'lmdb';
import { countPairs, type KeyRange, type KvEntry, type KvRange, type KvRead, type Table } from './store.ts';

const MAP_BYTES = 2 ** 40;
/** More tables than a store has, so that files of later versions can be opened. */
const MAX_TABLES = 64;
const FIRST_KEY = Buffer.from([0]);
const LAST_KEY = Buffer.alloc(64, 0xff);

type Bytes = Database<Buffer, Buffer>;

/**
 * Reads one state of a store's file while another process writes to it. That process cannot reuse replaced
 * pages while a reader is open, so the caller must close a reader soon. Use it only in a separate program: in
 * the process of the store, both would share one transaction.
 */
export class LmdbReader implements KvRead, Disposable {
  readonly #directory: string;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #tables: ReadonlyMap<string, Bytes>;
  readonly #transaction: Transaction;

  /** Throws if LMDB cannot read the file. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#root = open<Buffer, Buffer>({
      path: directory,
      // Otherwise LMDB takes a directory name that contains a dot for a file name.
      noSubdir: false,
      readOnly: true,
      encoding: 'binary',
      keyEncoding: 'binary',
      cache: false,
      mapSize: MAP_BYTES,
      maxDbs: MAX_TABLES,
    });
    const names = Array.from(this.#root.getKeys(), (key) => key.toString('latin1').replace(/\0$/, ''));
    // Opening a table ends the transaction, so all tables are opened first.
    this.#tables = new Map(
      names.map((name) => [name, this.#root.openDB<Buffer, Buffer>({ name, ...TABLE_OPTIONS })]),
    );
    this.#transaction = this.#root.useReadTransaction();
  }

  find(table: Table, key: Buffer): Buffer | undefined {
    return this.#tables.get(table)?.get(key, { transaction: this.#transaction });
  }

  *scan(table: Table, range: KvRange): Generator<KvEntry> {
    const lower = range.lower === undefined || range.lower.length === 0 ? FIRST_KEY : range.lower;
    const upper = range.upper ?? LAST_KEY;
    if (lower.compare(upper) >= 0) return;
    const transaction = this.#transaction;
    const bounds =
      range.isReversed === true
        ? { start: upper, end: lower, reverse: true, exclusiveStart: true, inclusiveEnd: true, transaction }
        : { start: lower, end: upper, transaction };
    yield* this.#tables.get(table)?.getRange(bounds) ?? [];
  }

  count(table: Table, range: KeyRange, limit: number): number {
    return countPairs(this.scan(table, range), limit);
  }

  /** Returns the size of the file in bytes, including free space left by removals. */
  sizeBytes(): number {
    return statSync(join(this.#directory, 'data.mdb')).size;
  }

  /**
   * Copies the current state, which may be later than the state being read, into an empty directory. Unused
   * space is left out. Runs in a separate thread. The copy is not flushed to disk.
   */
  async copyTo(directory: string): Promise<void> {
    await this.#root.backup(directory, true);
  }

  [Symbol.dispose](): void {
    this.#transaction.done();
    void this.#root.close();
  }
}

const TABLE_OPTIONS = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const;
