import { parseDraft } from '@hearth/core/tree/draft.ts';
import { formatPath, type Path, pathOf } from '@hearth/core/tree/path.ts';
import { ADMIN } from '../access/principal.ts';
import { findStoredTree, recordDatabase } from '../realtime/database/catalog.ts';
import type { Database } from '../realtime/database/database.ts';
import { executeWrite } from '../realtime/database/write.ts';
import { compareWrites, type DraftWrite } from '../realtime/database/write-input.ts';
import type { KvRead, KvStore, NotPromise } from '../storage/kv/store.ts';
import { seqOf } from '../storage/log/commit.ts';
import type { CommitLog } from '../storage/log/log.ts';
import type { TransactionScheduler } from '../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../storage/transaction/transaction.ts';
import type { StoredTree } from '../storage/tree/stored-tree.ts';
import { type KnownRecord, RecordCache } from './cache.ts';
import type {
  RecordCommit,
  RecordHistory,
  RecordPath,
  RecordStore,
  RecordStoreTransaction,
  RecordStoreView,
  RecordTransaction,
  RecordWatcher,
  RowRange,
} from './store.ts';
import { DurableRecords, decodeRecordKey, encodeRecordKey, StoredView } from './view.ts';

/** A write of a transaction at a path. `value` is JSON, or `undefined` for a removal. */
export interface LocatedWrite {
  readonly path: Path;
  readonly value: unknown;
}

/**
 * Combines writes into one update. The writes are in order, and no two have the same path. A removal discards
 * earlier writes below its path and keeps later ones. Throws an error (a bug) for any other pair of writes
 * where one path is above the other.
 */
export function composeWrites(writes: readonly LocatedWrite[]): readonly DraftWrite[] {
  const orders = new Map(writes.map(({ path }, order) => [formatPath(path), order]));
  const composed = new Map<LocatedWrite, unknown>();
  for (const [order, write] of writes.entries()) {
    const above = ordersAbove(write.path, orders);
    const removals = above.map((other) => assertRemoval(writes[other], write));
    const [top] = removals;
    if (top === undefined) composed.set(write, write.value);
    else if (above.every((other) => other < order))
      composed.set(top, withMember(composed.get(top), write.path.slice(top.path.length), write.value));
  }
  return [...composed]
    .map(([{ path }, value]): DraftWrite => {
      return { kind: 'node', path, draft: parseDraft(value ?? null, path.length) };
    })
    .sort(compareWrites);
}

/** Returns the indexes of the writes above a path, topmost first. */
function ordersAbove(path: Path, orders: ReadonlyMap<string, number>): readonly number[] {
  const above: number[] = [];
  for (let length = 1; length < path.length; length += 1) {
    const order = orders.get(formatPath(path.slice(0, length)));
    if (order !== undefined) above.push(order);
  }
  return above;
}

function assertRemoval(above: LocatedWrite | undefined, { path }: LocatedWrite): LocatedWrite {
  if (above === undefined || above.value !== undefined)
    throw new Error(`Bug: a transaction writes ${formatPath(path)} and a path above it.`);
  return above;
}

/** Returns a copy of an object with a value set at a path within it. */
function withMember(object: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const members = new Map<string, unknown>(
    typeof object === 'object' && object !== null ? Object.entries(object) : [],
  );
  members.set(name, rest.length === 0 ? value : withMember(members.get(name), rest, value));
  // `fromEntries` also accepts a member with the name `__proto__`.
  return Object.fromEntries(members);
}

export interface StoredRecordsOptions {
  readonly store: KvStore;
  readonly scheduler: TransactionScheduler;
  readonly log: CommitLog;
  readonly openDatabase: (name: string, transaction: WriteTransaction) => Database;
}

/** Maximum number of record stores whose trees are cached. When the cache is full, it is cleared. */
const MAX_CACHED_TREES = 1_000;

/** The result of a transaction body. A body that throws does not affect the other tasks in the same batch. */
type Outcome<T> =
  | { readonly kind: 'decided'; readonly result: T }
  | { readonly kind: 'rejected'; readonly error: unknown };

/**
 * Record stores that are in the same key-value store as application data and are written in the same
 * transactions.
 */
export class StoredRecords implements RecordStore, RecordHistory {
  readonly #options: StoredRecordsOptions;
  readonly #watchers: RecordWatcher[] = [];
  /**
   * Trees of durable record stores. A tree is never removed, and these trees have no indexes, so the entries
   * stay valid.
   */
  readonly #trees = new Map<string, StoredTree>();
  readonly #cache = new RecordCache();

  constructor(options: StoredRecordsOptions) {
    this.#options = options;
  }

  watch(watcher: RecordWatcher): void {
    this.#watchers.push(watcher);
  }

  /** No transaction runs during `body`, so all of its reads see the same state. */
  read<T>(body: (view: RecordStoreView) => NotPromise<T>): T {
    return body(this.#view);
  }

  readonly #view: RecordStoreView = {
    records: (name) =>
      new DurableRecords(name, this.#cache, (readView) => {
        const { of } = this.#options.store.read((tx) => ({
          of: readView(new StoredView(tx, this.#findTree(tx, name))),
        }));
        return of;
      }),
  };

  #findTree(tx: KvRead, name: string): StoredTree | undefined {
    const known = this.#trees.get(name);
    if (known !== undefined) return known;
    const found = findRecordTree(tx, name);
    if (found === undefined) return undefined;
    if (this.#trees.size >= MAX_CACHED_TREES) this.#trees.clear();
    this.#trees.set(name, found);
    return found;
  }

  lastCommit(records: string): number {
    const { store, log } = this.#options;
    return store.read((tx) => log.head(tx, recordDatabase(records)).seq);
  }

  commits(records: string, after: number, limit: number): readonly RecordCommit[] {
    return this.#options.log.read(recordDatabase(records), seqOf(after), limit).map(({ seq, writes }) => ({
      number: seq,
      writes: writes.map((write) => ({
        path: write.path.map(decodeRecordKey),
        isRemoval: write.kind === 'node' && write.node === null,
      })),
    }));
  }

  async change<T>(body: (transaction: RecordStoreTransaction) => NotPromise<T>): Promise<T> {
    const { scheduler, openDatabase } = this.#options;
    const outcome = await scheduler.request((transaction): Outcome<T> => {
      const change = new Change(
        transaction,
        this.#cache,
        (name) => this.#trees.get(name) ?? findRecordTree(transaction.tx, name),
      );
      try {
        const result = body(change);
        change.apply(openDatabase, this.#watchers);
        return { kind: 'decided', result };
      } catch (error) {
        // Once a write has been applied, only a rollback of the whole transaction can remove it.
        if (change.isApplied) throw error;
        return { kind: 'rejected', error };
      }
    });
    if (outcome.kind === 'rejected') throw outcome.error;
    return outcome.result;
  }
}

/**
 * Returns the tree of a record store as a transaction sees it, or `undefined` if the record store has no data
 * yet.
 */
export function findRecordTree(tx: KvRead, records: string): StoredTree | undefined {
  return findStoredTree(tx, recordDatabase(records));
}

class Change implements RecordStoreTransaction {
  readonly #transaction: WriteTransaction;
  readonly #cache: RecordCache;
  readonly #findTree: (records: string) => StoredTree | undefined;
  readonly #changed = new Map<string, ChangedRecords>();
  isApplied = false;

  constructor(
    transaction: WriteTransaction,
    cache: RecordCache,
    findTree: (records: string) => StoredTree | undefined,
  ) {
    this.#transaction = transaction;
    this.#cache = cache;
    this.#findTree = findTree;
  }

  get nowMs(): number {
    return this.#transaction.nowMs;
  }

  records(name: string): RecordTransaction {
    const known = this.#changed.get(name);
    if (known !== undefined) return known;
    const view = new StoredView(this.#transaction.tx, this.#findTree(name));
    const records = new ChangedRecords(view, (location) => this.#cache.find(name, location));
    this.#changed.set(name, records);
    return records;
  }

  onCommit(action: () => void): void {
    this.#transaction.onCommit(action);
  }

  apply(openDatabase: StoredRecordsOptions['openDatabase'], watchers: readonly RecordWatcher[]): void {
    const changed = [...this.#changed]
      .map(([name, records]) => ({ name, records, writes: records.writes() }))
      .filter(({ writes }) => writes.length > 0);
    if (changed.length === 0) return;
    this.#transaction.assertWritable();
    // From here on, the cache may receive values from a transaction that is rolled back.
    this.#transaction.onRollback(() => this.#cache.clear());
    for (const { name, records, writes } of changed) {
      this.isApplied = true;
      executeWrite(this.#transaction, openDatabase(recordDatabase(name), this.#transaction), {
        operation: 'merge',
        identity: ADMIN,
        writes,
        areTriggersDisabled: true,
      });
      for (const { recordPath } of records.written) this.#cache.forget(name, recordPath);
      this.#transaction.onCommit(() => {
        for (const watcher of watchers)
          for (const { recordPath, value } of records.written) watcher(name, recordPath, value);
      });
    }
  }
}

interface RecordWrite extends LocatedWrite {
  readonly recordPath: RecordPath;
}

class ChangedRecords implements RecordTransaction {
  readonly #view: StoredView;
  readonly #findCached: (location: RecordPath) => KnownRecord | undefined;
  /** Writes by path, in order. A later write replaces an earlier one at the same path. */
  readonly #writes = new Map<string, RecordWrite>();
  /** Totals of `increase`, including the stored number, by path. */
  readonly #totals = new Map<string, number>();

  /** `findCached` returns the cached record for a path of `view`. */
  constructor(view: StoredView, findCached: (location: RecordPath) => KnownRecord | undefined) {
    this.#view = view;
    this.#findCached = findCached;
  }

  /**
   * Cached records are also valid inside a transaction, because a transaction removes the cache entries of the
   * paths that it writes.
   */
  find(location: RecordPath): unknown {
    const known = this.#findCached(location);
    return known === undefined ? this.#view.find(location) : known.value;
  }

  list(location: RecordPath, range: RowRange): ReturnType<RecordTransaction['list']> {
    return this.#view.list(location, range);
  }

  listKeys(location: RecordPath, range: RowRange): readonly string[] {
    return this.#view.listKeys(location, range);
  }

  write(location: RecordPath, value: unknown): void {
    const path = pathOf(location.map(encodeRecordKey));
    const name = formatPath(path);
    this.#writes.delete(name);
    this.#writes.set(name, { recordPath: location, path, value: value ?? undefined });
  }

  increase(location: RecordPath, by: number): void {
    const name = formatPath(pathOf(location.map(encodeRecordKey)));
    const total = (this.#totals.get(name) ?? this.#findNumber(location)) + by;
    this.#totals.set(name, total);
    this.write(location, total);
  }

  #findNumber(location: RecordPath): number {
    const value = this.find(location);
    return typeof value === 'number' ? value : 0;
  }

  get written(): Iterable<RecordWrite> {
    return this.#writes.values();
  }

  /** Returns the writes in the order that an update requires. */
  writes(): readonly DraftWrite[] {
    return composeWrites([...this.#writes.values()]);
  }
}
