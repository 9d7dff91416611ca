import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Turn } from '../commit/turn.ts';
import type { KvRead, KvStore } from '../kv/store.ts';

export interface DatabaseRecordsOptions<T> {
  readonly store: KvStore;
  /** What the keys of these records begin with in the table `meta`; the database's name follows. */
  readonly prefix: string;
  /** What a database has that was given no record. */
  readonly initial: T;
  /** Reads the JSON of a stored record. */
  readonly decode: (json: unknown) => T;
}

/** Most databases whose records are remembered; beyond, all are forgotten and read again when needed. */
const MAX_REMEMBERED = 10_000;

/** One small record of each database: JSON in the table `meta`. */
export class DatabaseRecords<T> {
  readonly #options: DatabaseRecordsOptions<T>;
  readonly #known = new Map<string, T>();

  constructor(options: DatabaseRecordsOptions<T>) {
    this.#options = options;
  }

  /** Within a turn, what the turn has written counts. */
  read(database: string, turn?: Turn): T {
    const known = this.#known.get(database);
    if (known !== undefined) return known;
    const { store, initial, decode } = this.#options;
    const find = (tx: KvRead): string | undefined => tx.find('meta', this.#key(database))?.toString();
    const text = turn === undefined ? store.read(find) : find(turn.tx);
    return this.#remember(database, text === undefined ? initial : decode(parseJsonText(text)), turn);
  }

  write(turn: Turn, database: string, record: T): void {
    turn.tx.put('meta', this.#key(database), Buffer.from(JSON.stringify(record)));
    this.#remember(database, record, turn);
  }

  #key(database: string): Buffer {
    return Buffer.from(`${this.#options.prefix}${database}`, 'latin1');
  }

  #remember(database: string, record: T, turn: Turn | undefined): T {
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(database, record);
    // What was read in a turn that fails may have been written by it.
    turn?.onUndo(() => this.#known.delete(database));
    return record;
  }
}
