import {
  countPairs,
  type KvEntry,
  type KvRange,
  type KvStore,
  type KvWrite,
  type NotPromise,
  TABLES,
  type Table,
} from './store.ts';

/**
 * A store in memory, for tests: a sorted list per table, and a list of actions that revert the writes if a body
 * throws.
 */
export class MemoryStore implements KvStore {
  readonly #tables = new Map<Table, KvEntry[]>(TABLES.map((table) => [table, []]));
  #undo: (() => void)[] | undefined;

  read<T>(body: (tx: KvWrite) => NotPromise<T>): T {
    return body(this.#access);
  }

  transact<T>(body: (tx: KvWrite) => NotPromise<T>): T {
    if (this.#undo !== undefined) throw new Error('Bug: a transaction inside another transaction');
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      return body(this.#access);
    } catch (error) {
      for (const step of undo.reverse()) step();
      throw error;
    } finally {
      this.#undo = undefined;
    }
  }

  sizeBytes(): number {
    let total = 0;
    for (const entries of this.#tables.values())
      for (const { key, value } of entries) total += key.length + value.length;
    return total;
  }

  usedBytes(): number {
    return this.sizeBytes();
  }

  [Symbol.dispose](): void {
    for (const entries of this.#tables.values()) entries.length = 0;
  }

  readonly #access: KvWrite = {
    find: (table, key) => {
      const entries = this.#entriesOf(table);
      const entry = entries[findIndex(entries, key)];
      return entry?.key.equals(key) === true ? Buffer.from(entry.value) : undefined;
    },
    scan: (table, range) => scanEntries(this.#entriesOf(table), range),
    count: (table, range, limit) => countPairs(scanEntries(this.#entriesOf(table), range), limit),
    put: (table, key, value) => {
      if (key.length === 0) throw new Error('Bug: an empty key');
      const entry = { key: Buffer.from(key), value: Buffer.from(value) };
      const entries = this.#entriesOf(table);
      const index = findIndex(entries, key);
      const before = entries[index];
      if (before?.key.equals(key) === true) {
        entries[index] = entry;
        this.#undoOrThrow().push(() => entries.splice(findIndex(entries, entry.key), 1, before));
      } else {
        entries.splice(index, 0, entry);
        this.#undoOrThrow().push(() => entries.splice(findIndex(entries, entry.key), 1));
      }
    },
    remove: (table, key) => {
      const entries = this.#entriesOf(table);
      const index = findIndex(entries, key);
      const before = entries[index];
      if (before?.key.equals(key) !== true) return false;
      entries.splice(index, 1);
      this.#undoOrThrow().push(() => entries.splice(findIndex(entries, key), 0, before));
      return true;
    },
  };

  #entriesOf(table: Table): KvEntry[] {
    const entries = this.#tables.get(table);
    if (entries === undefined) throw new Error(`Bug: no table ${table}`);
    return entries;
  }

  #undoOrThrow(): (() => void)[] {
    if (this.#undo === undefined) throw new Error('Bug: a write outside a transaction');
    return this.#undo;
  }
}

/** Returns the index of the first entry whose key is at or above `key`. */
function findIndex(entries: readonly KvEntry[], key: Buffer): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && entry.key.compare(key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Yields the entries of a range. Searches for the current position again at each step, because the caller may write
 * between two steps.
 */
function* scanEntries(entries: readonly KvEntry[], range: KvRange): Generator<KvEntry> {
  let { lower = Buffer.alloc(0), upper } = range;
  for (;;) {
    const end = upper === undefined ? entries.length : findIndex(entries, upper);
    const index = range.isReversed === true ? end - 1 : findIndex(entries, lower);
    const entry = entries[index];
    if (entry === undefined || index >= end || entry.key.compare(lower) < 0) return;
    yield { key: Buffer.from(entry.key), value: Buffer.from(entry.value) };
    if (range.isReversed === true) upper = entry.key;
    else lower = Buffer.concat([entry.key, Buffer.alloc(1)]);
  }
}
