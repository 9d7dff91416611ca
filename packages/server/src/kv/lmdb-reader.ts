import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase, type Transaction } from 'lmdb';
import type { KvEntry, KvRange, KvRead, Table } from './store.ts';

const MAP_BYTES = 2 ** 40;
/** More tables than there are, so that a file of a later version opens. */
const MAX_TABLES = 64;
const FIRST_KEY = Buffer.from([0]);
const LAST_KEY = Buffer.alloc(64, 0xff);

type Bytes = Database<Buffer, Buffer>;

/**
 * One state of a store's file, read beside the process that writes it. Meanwhile that process cannot use the space of what
 * it replaces, so a reader is not kept for long. For programs of their own: in the process of the store both would share
 * one transaction.
 */
export class LmdbReader implements KvRead, Disposable {
  readonly #directory: string;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #tables: ReadonlyMap<string, Bytes>;
  readonly #transaction: Transaction;

  /** Throws when LMDB cannot read the file. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#root = open<Buffer, Buffer>({
      path: directory,
      // A directory name with a dot in it would otherwise be taken for a file's.
      noSubdir: false,
      readOnly: true,
      encoding: 'binary',
      keyEncoding: 'binary',
      cache: false,
      mapSize: MAP_BYTES,
      maxDbs: MAX_TABLES,
    });
    const names = Array.from(this.#root.getKeys(), (key) => key.toString('latin1').replace(/\0$/, ''));
    // Opening a table ends the transaction, so all of them come first.
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

  /** Bytes of the file that are in use, or were before something was removed. */
  sizeBytes(): number {
    return statSync(join(this.#directory, 'data.mdb')).size;
  }

  /**
   * Copies the state of now, which may be later than the one that is read, into an empty directory, without the space that
   * nothing uses. Works in a thread of its own; what it wrote is not flushed.
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
