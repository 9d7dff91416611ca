import type { KvEntry, KvRange, KvRead, KvStore, KvWrite, NotPromise, Table } from './store.ts';

/** Longer values are not remembered: they are the data, of which there is too much. */
const MAX_VALUE_BYTES = 16;

/**
 * Small values of two tables are remembered: references on the way to every place, and states of indexes, of which
 * most are absent. Other absent keys are not worth it: they are about to be written.
 */
class Memory {
  readonly tree = new Map<string, Remembered>();
  readonly index = new Map<string, Remembered>();

  /** What is remembered of a table; `undefined` for the tables of which nothing is. */
  of(table: Table): Map<string, Remembered> | undefined {
    return table === 'tree' ? this.tree : table === 'index' ? this.index : undefined;
  }

  clear(): void {
    this.tree.clear();
    this.index.clear();
  }
}

/** Most values remembered of a table; beyond, all are forgotten. Some 200 bytes each. */
const MAX_REMEMBERED = 20_000;

const ABSENT = Symbol('absent');

type Remembered = Buffer | typeof ABSENT;

/**
 * A store that remembers small values it has read, so that walking the same paths again asks the store below for
 * nothing but the last step. Exact, because all writes pass through here.
 */
export class RememberingStore implements KvStore {
  readonly #store: KvStore;
  readonly #memory = new Memory();

  constructor(store: KvStore) {
    this.#store = store;
  }

  read<T>(body: (tx: KvRead) => NotPromise<T>): T {
    return this.#store.read((tx) => body(new RememberingRead(tx, this.#memory)));
  }

  transact<T>(body: (tx: KvWrite) => NotPromise<T>): T {
    try {
      return this.#store.transact((tx) => body(new RememberingWrite(tx, this.#memory)));
    } catch (error) {
      // Some of it may have been written by the transaction that failed.
      this.#memory.clear();
      throw error;
    }
  }

  sizeBytes(): number {
    return this.#store.sizeBytes();
  }

  [Symbol.dispose](): void {
    this.#store[Symbol.dispose]();
  }
}

class RememberingRead implements KvRead {
  readonly #tx: KvRead;
  readonly #memory: Memory;

  constructor(tx: KvRead, memory: Memory) {
    this.#tx = tx;
    this.#memory = memory;
  }

  find(table: Table, key: Buffer): Buffer | undefined {
    const remembered = this.#memory.of(table);
    if (remembered === undefined) return this.#tx.find(table, key);
    const name = key.toString('latin1');
    const known = remembered.get(name);
    if (known !== undefined) return known === ABSENT ? undefined : Buffer.from(known);
    const value = this.#tx.find(table, key);
    if (value === undefined ? remembered === this.#memory.index : value.length <= MAX_VALUE_BYTES) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(name, value === undefined ? ABSENT : Buffer.from(value));
    }
    return value;
  }

  scan(table: Table, range: KvRange): Iterable<KvEntry> {
    return this.#tx.scan(table, range);
  }
}

class RememberingWrite extends RememberingRead implements KvWrite {
  readonly #tx: KvWrite;
  readonly #memory: Memory;

  constructor(tx: KvWrite, memory: Memory) {
    super(tx, memory);
    this.#tx = tx;
    this.#memory = memory;
  }

  put(table: Table, key: Buffer, value: Buffer): void {
    this.#memory.of(table)?.delete(key.toString('latin1'));
    this.#tx.put(table, key, value);
  }

  remove(table: Table, key: Buffer): boolean {
    this.#memory.of(table)?.delete(key.toString('latin1'));
    return this.#tx.remove(table, key);
  }
}
