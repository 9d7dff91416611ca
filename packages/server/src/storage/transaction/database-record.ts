import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { KvRead, KvStore } from '../kv/store.ts';
import type { WriteTransaction } from './transaction.ts';

export interface DatabaseRecordsOptions<T> {
  readonly store: KvStore;
  /** The prefix of these records' keys in the table `meta`. The name of the database follows. */
  readonly prefix: string;
  /** The value for a database without a stored record. */
  readonly initial: T;
  /** Decodes the JSON of a stored record. */
  readonly decode: (json: unknown) => T;
}

/**
 * Maximum number of databases whose records are cached. When the cache is full, it is cleared, and records are read
 * from the store when needed.
 */
const MAX_CACHED = 10_000;

/** One small record per database: JSON in the table `meta`. */
export class DatabaseRecords<T> {
  readonly #options: DatabaseRecordsOptions<T>;
  readonly #known = new Map<string, T>();

  constructor(options: DatabaseRecordsOptions<T>) {
    this.#options = options;
  }

  /** Returns the record of a database. With `transaction`, includes the writes of the transaction. */
  read(database: string, transaction?: WriteTransaction): T {
    const known = this.#known.get(database);
    if (known !== undefined) return known;
    const { store, initial, decode } = this.#options;
    const find = (tx: KvRead): string | undefined => tx.find('meta', this.#key(database))?.toString();
    const text = transaction === undefined ? store.read(find) : find(transaction.tx);
    return this.#remember(database, text === undefined ? initial : decode(parseJsonText(text)), transaction);
  }

  write(transaction: WriteTransaction, database: string, record: T): void {
    transaction.tx.put('meta', this.#key(database), Buffer.from(JSON.stringify(record)));
    this.#remember(database, record, transaction);
  }

  #key(database: string): Buffer {
    return Buffer.from(`${this.#options.prefix}${database}`, 'latin1');
  }

  #remember(database: string, record: T, transaction: WriteTransaction | undefined): T {
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    this.#known.set(database, record);
    // The record may have been written by this transaction, which can still fail.
    transaction?.onRollback(() => this.#known.delete(database));
    return record;
  }
}
