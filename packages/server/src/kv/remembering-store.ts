import { decodeNodeId, INDEX_VALUE_OFFSET, NODE_ID_BYTES, type NodeId } from './keys.ts';
import type { KvEntry, KvRange, KvRead, KvStore, KvWrite, NotPromise, Table } from './store.ts';

/** Longer values are not remembered: they are the data, of which there is too much. */
const MAX_VALUE_BYTES = 16;

/** Most values remembered of a table; beyond, all are forgotten. Some 200 bytes each. */
const MAX_REMEMBERED = 20_000;

const ABSENT = Symbol('absent');

/** A value as text, byte by byte: the smallest buffer would hold on to all that it shares memory with. */
type Remembered = string | typeof ABSENT;

/** What is remembered of one table whose keys begin with a node. */
class TableMemory {
  readonly #isAbsenceKept: boolean;
  readonly #values = new Map<string, Remembered>();
  /** Nodes of which anything is remembered: most writes are of others, and need not look further. */
  readonly #nodes = new Set<NodeId>();

  constructor(isAbsenceKept: boolean) {
    this.#isAbsenceKept = isAbsenceKept;
  }

  find(key: Buffer): Remembered | undefined {
    return this.#nodes.has(decodeNodeId(key)) ? this.#values.get(textOf(key)) : undefined;
  }

  note(key: Buffer, value: Buffer | undefined): void {
    if (value === undefined ? !this.#isAbsenceKept : value.length > MAX_VALUE_BYTES) return;
    if (this.#values.size >= MAX_REMEMBERED || this.#nodes.size >= MAX_REMEMBERED) this.clear();
    this.#nodes.add(decodeNodeId(key));
    this.#values.set(textOf(key), value === undefined ? ABSENT : textOf(value));
  }

  forget(key: Buffer): void {
    if (this.#nodes.has(decodeNodeId(key))) this.#values.delete(textOf(key));
  }

  clear(): void {
    this.#values.clear();
    this.#nodes.clear();
  }
}

function textOf(bytes: Buffer): string {
  return bytes.toString('latin1');
}

/**
 * Small values of two tables are remembered: references on the way to every place, and states of indexes, of which
 * most are absent. Other absent keys are not worth it: they are about to be written.
 */
class Memory {
  readonly #tree = new TableMemory(false);
  readonly #index = new TableMemory(true);

  /** What is remembered about a key; `undefined` where nothing ever is. */
  of(table: Table, key: Buffer): TableMemory | undefined {
    if (table === 'tree') return key.length < NODE_ID_BYTES ? undefined : this.#tree;
    // The states, not the entries, of which there are as many as children.
    return table === 'index' && key.length === INDEX_VALUE_OFFSET ? this.#index : undefined;
  }

  clear(): void {
    this.#tree.clear();
    this.#index.clear();
  }
}

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

  usedBytes(): number {
    return this.#store.usedBytes();
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
    const memory = this.#memory.of(table, key);
    const known = memory?.find(key);
    if (known !== undefined) return known === ABSENT ? undefined : Buffer.from(known, 'latin1');
    const value = this.#tx.find(table, key);
    memory?.note(key, value);
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
    this.#memory.of(table, key)?.forget(key);
    this.#tx.put(table, key, value);
  }

  remove(table: Table, key: Buffer): boolean {
    this.#memory.of(table, key)?.forget(key);
    return this.#tx.remove(table, key);
  }
}
