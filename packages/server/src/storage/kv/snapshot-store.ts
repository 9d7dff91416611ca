import { OpenSnapshot, type SnapshotSource } from './open-snapshot.ts';
import {
  addSaved,
  beforeEpoch,
  beforeKey,
  decodeEpoch,
  type Epoch,
  encodeBefore,
  isSnapshotTable,
  savedBytes,
} from './preimage.ts';
import type { KvSnapshot, SnapshotHolder, SnapshotKvStore } from './snapshot.ts';
import type { KeyRange, KvEntry, KvRange, KvRead, KvStore, KvWrite, NotPromise, Table } from './store.ts';

export interface SnapshotOptions {
  /**
   * Maximum number of snapshots that may be open at a time. A read from an old snapshot searches every epoch
   * since its opening.
   */
  readonly maxSnapshots?: number;
  /**
   * Maximum number of bytes of preimages for open snapshots. When it is exceeded, the oldest snapshots are
   * evicted.
   */
  readonly maxBytes?: number;
}

/** More snapshots than long responses and long values may be in progress. */
const DEFAULT_MAX_SNAPSHOTS = 96;
const DEFAULT_MAX_BYTES = 2 ** 30;

/** Idle time in ms after which a snapshot may be evicted in favor of a new one. */
export const MAX_IDLE_MS = 10_000;

/**
 * Stale preimages removed for each one saved. More than one, so that their number decreases even while many
 * preimages are saved.
 */
const DROPS_PER_SAVE = 2;

/**
 * A store with snapshots on top of a store without them. While a snapshot is open, the first change of a key in
 * an epoch saves the key's preimage in the table `before`. A snapshot reads a key from the oldest epoch since
 * its opening that has a preimage of it, or else from the current data. Preimages belong to the transaction
 * that saves them, so a rollback removes them too. Preimages of epochs before the oldest open snapshot are
 * stale, including all that a crash has left.
 *
 * This store must be on top of any caching store. For the cache, a preimage is one more value, and a snapshot's
 * read of current data is a read like any other.
 */
export class SnapshotStore implements SnapshotKvStore {
  readonly #store: KvStore;
  readonly #maxSnapshots: number;
  readonly #maxBytes: number;
  /** In the order in which they were opened. */
  readonly #open = new Set<OpenSnapshot>();
  /** The epochs from the one of the oldest open snapshot on, in order; empty if no snapshot is open. */
  #epochs: readonly Epoch[] = [];
  #nextEpoch: number;
  #hasStale = true;
  /** The reads of the running body. */
  #tx: KvRead | undefined;
  #moment = 0;

  constructor(store: KvStore, options: SnapshotOptions = {}) {
    this.#store = store;
    this.#maxSnapshots = options.maxSnapshots ?? DEFAULT_MAX_SNAPSHOTS;
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#nextEpoch = store.read(findLastEpoch) + 1;
  }

  read<T>(body: (tx: KvRead) => NotPromise<T>): T {
    return this.#store.read((tx) => this.#run(tx, body));
  }

  transact<T>(body: (tx: KvWrite) => NotPromise<T>): T {
    const before = { open: new Set(this.#open), epochs: this.#epochs };
    try {
      return this.#store.transact((tx) =>
        this.#run(new SavingWrite(tx, (table, key) => this.#save(tx, table, key)), body),
      );
    } catch (error) {
      this.#undo(before.open, before.epochs);
      throw error;
    }
  }

  openSnapshot(holder: SnapshotHolder = {}): KvSnapshot | undefined {
    if (this.#open.size >= this.#maxSnapshots) this.#evictIdle();
    if (this.#open.size >= this.#maxSnapshots) return undefined;
    let last = this.#epochs.at(-1);
    if (last === undefined || last.bytes > 0) {
      last = { number: this.#nextEpoch++, bytes: 0, tables: [] };
      this.#epochs = [...this.#epochs, last];
    }
    const snapshot = new OpenSnapshot(this.#source, last.number, holder);
    this.#open.add(snapshot);
    return snapshot;
  }

  hasStale(): boolean {
    return this.#hasStale;
  }

  dropStep(tx: KvWrite, maxRemovals: number): number {
    if (!this.#hasStale) return 0;
    let removed = 0;
    const oldest = this.#epochs[0]?.number ?? this.#nextEpoch;
    for (const { key } of tx.scan('before', beforeEpoch(oldest))) {
      if (removed === maxRemovals) return removed;
      tx.remove('before', key);
      removed += 1;
    }
    if (removed < maxRemovals) this.#hasStale = false;
    return removed;
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

  readonly #source: SnapshotSource = {
    moment: () => this.#moment,
    readOrThrow: () => {
      if (this.#tx === undefined) throw new Error('Bug: a snapshot is read outside of a body');
      return this.#tx;
    },
    epochsFrom: (number, table) =>
      this.#epochs
        .filter((epoch) => epoch.number >= number && epoch.tables.includes(table))
        .map((epoch) => epoch.number),
    closed: (snapshot) => this.#forget(snapshot),
  };

  #run<Tx extends KvRead, T>(tx: Tx, body: (tx: Tx) => T): T {
    const outer = this.#tx;
    this.#tx = tx;
    this.#moment += 1;
    try {
      return body(tx);
    } finally {
      this.#tx = outer;
      this.#moment += 1;
    }
  }

  /** Saves the preimage of a key that is about to change, unless the epoch already has one. */
  #save(tx: KvWrite, table: Table, key: Buffer): void {
    this.#moment += 1;
    const last = this.#epochs.at(-1);
    if (last === undefined || !isSnapshotTable(table)) return;
    const recordKey = beforeKey(last.number, table, key);
    if (tx.find('before', recordKey) !== undefined) return;
    const record = encodeBefore(tx.find(table, key));
    tx.put('before', recordKey, record);
    this.#epochs = addSaved(this.#epochs, table, recordKey.length + record.length);
    this.#evictOldest();
    this.dropStep(tx, DROPS_PER_SAVE);
  }

  #evictOldest(): void {
    for (const oldest of this.#open) {
      if (savedBytes(this.#epochs) <= this.#maxBytes) return;
      oldest.evict('too much has changed since it was opened');
    }
  }

  /** Evicts the snapshot with the longest idle time, if that is at least `MAX_IDLE_MS`. */
  #evictIdle(): void {
    let idlest: OpenSnapshot | undefined;
    let idleMs = MAX_IDLE_MS;
    for (const snapshot of this.#open) {
      if (snapshot.idleMs < idleMs) continue;
      idlest = snapshot;
      ({ idleMs } = snapshot);
    }
    idlest?.evict('it was idle for too long, and another reader needed a snapshot');
  }

  #forget(snapshot: OpenSnapshot): void {
    this.#open.delete(snapshot);
    this.#trim();
  }

  /** Drops the epochs that no open snapshot needs. */
  #trim(): void {
    const [oldest] = this.#open;
    const needed = oldest === undefined ? [] : this.#epochs.filter(({ number }) => number >= oldest.epoch);
    if (savedBytes(needed) < savedBytes(this.#epochs)) this.#hasStale = true;
    this.#epochs = needed;
  }

  /** Restores the state from before a transaction. Snapshots that were closed in it stay closed. */
  #undo(open: ReadonlySet<OpenSnapshot>, epochs: readonly Epoch[]): void {
    for (const snapshot of this.#open)
      if (!open.has(snapshot)) snapshot.evict('the transaction that opened it failed');
    this.#epochs = epochs;
    this.#trim();
    // The rollback also restored stale preimages that had been removed.
    this.#hasStale = true;
  }
}

/** Calls `save` before each change. */
class SavingWrite implements KvWrite {
  readonly #tx: KvWrite;
  readonly #save: (table: Table, key: Buffer) => void;

  constructor(tx: KvWrite, save: (table: Table, key: Buffer) => void) {
    this.#tx = tx;
    this.#save = save;
  }

  find(table: Table, key: Buffer): Buffer | undefined {
    return this.#tx.find(table, key);
  }

  scan(table: Table, range: KvRange): Iterable<KvEntry> {
    return this.#tx.scan(table, range);
  }

  count(table: Table, range: KeyRange, limit: number): number {
    return this.#tx.count(table, range, limit);
  }

  put(table: Table, key: Buffer, value: Buffer): void {
    this.#save(table, key);
    this.#tx.put(table, key, value);
  }

  remove(table: Table, key: Buffer): boolean {
    this.#save(table, key);
    return this.#tx.remove(table, key);
  }
}

function findLastEpoch(tx: KvRead): number {
  for (const { key } of tx.scan('before', { isReversed: true })) return decodeEpoch(key);
  return 0;
}
