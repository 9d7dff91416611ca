import { decodeNodeId, INDEX_VALUE_OFFSET, NODE_ID_BYTES, type NodeId } from './keys.ts';
import type { KeyRange, KvEntry, KvRange, KvRead, KvStore, KvWrite, NotPromise, Table } from './store.ts';

/** Maximum length of a cached value. Longer values are application data, which would not fit into the cache. */
const MAX_VALUE_BYTES = 16;

/** Maximum number of cached values per table, about 200 bytes each. When the cache is full, it is cleared. */
const MAX_CACHED = 20_000;

const ABSENT = Symbol('absent');

/**
 * A cached value as text, one character per byte. A buffer would keep alive the whole memory block of which it
 * is a part.
 */
type Remembered = string | typeof ABSENT;

/** The cache of one table whose keys begin with a node id. */
class TableMemory {
  readonly #isAbsenceCached: boolean;
  readonly #values = new Map<string, Remembered>();
  /** Nodes that have cached values. Most writes concern other nodes and can skip the lookup. */
  readonly #nodes = new Set<NodeId>();

  constructor(isAbsenceCached: boolean) {
    this.#isAbsenceCached = isAbsenceCached;
  }

  find(key: Buffer): Remembered | undefined {
    return this.#nodes.has(decodeNodeId(key)) ? this.#values.get(textOf(key)) : undefined;
  }

  cache(key: Buffer, value: Buffer | undefined): void {
    if (value === undefined ? !this.#isAbsenceCached : value.length > MAX_VALUE_BYTES) return;
    if (this.#values.size >= MAX_CACHED || this.#nodes.size >= MAX_CACHED) this.clear();
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
 * A cache of small values of two tables: the references along every path, and the states of indexes, most of
 * which are absent. Other absent keys are not cached, because they are usually about to be written.
 */
class TableCache {
  readonly #tree = new TableMemory(false);
  readonly #index = new TableMemory(true);

  /** Returns the cache for a key, or `undefined` if such keys are never cached. */
  of(table: Table, key: Buffer): TableMemory | undefined {
    if (table === 'tree') return key.length < NODE_ID_BYTES ? undefined : this.#tree;
    // Of index keys, only states are cached, because there are as many index entries as children.
    return table === 'index' && key.length === INDEX_VALUE_OFFSET ? this.#index : undefined;
  }

  clear(): void {
    this.#tree.clear();
    this.#index.clear();
  }
}

/**
 * A store that caches small values it has read. Walking the same path again then reads only the last step from
 * the underlying store. The cache is exact, because all writes pass through this store.
 */
export class CachedStore implements KvStore {
  readonly #store: KvStore;
  readonly #memory = new TableCache();

  constructor(store: KvStore) {
    this.#store = store;
  }

  read<T>(body: (tx: KvRead) => NotPromise<T>): T {
    return this.#store.read((tx) => body(new CachedRead(tx, this.#memory)));
  }

  transact<T>(body: (tx: KvWrite) => NotPromise<T>): T {
    try {
      return this.#store.transact((tx) => body(new CachedWrite(tx, this.#memory)));
    } catch (error) {
      // The cache may contain values that the failed transaction wrote.
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

class CachedRead implements KvRead {
  readonly #tx: KvRead;
  readonly #memory: TableCache;

  constructor(tx: KvRead, memory: TableCache) {
    this.#tx = tx;
    this.#memory = memory;
  }

  find(table: Table, key: Buffer): Buffer | undefined {
    const memory = this.#memory.of(table, key);
    const known = memory?.find(key);
    if (known !== undefined) return known === ABSENT ? undefined : Buffer.from(known, 'latin1');
    const value = this.#tx.find(table, key);
    memory?.cache(key, value);
    return value;
  }

  scan(table: Table, range: KvRange): Iterable<KvEntry> {
    return this.#tx.scan(table, range);
  }

  count(table: Table, range: KeyRange, limit: number): number {
    return this.#tx.count(table, range, limit);
  }
}

class CachedWrite extends CachedRead implements KvWrite {
  readonly #tx: KvWrite;
  readonly #memory: TableCache;

  constructor(tx: KvWrite, memory: TableCache) {
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
