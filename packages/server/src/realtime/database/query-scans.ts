import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Entry, Query } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import type { Clock } from '../../platform/clock.ts';
import { FairQueue } from '../../platform/fair-queue.ts';
import { type ByteHolder, HeldBytes } from '../../platform/held-bytes.ts';
import type { Logger } from '../../platform/logger.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import type { SnapshotKvStore } from '../../storage/kv/snapshot.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import type { PendingText } from '../../storage/transaction/outgoing-message.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { QueryScan } from '../../storage/tree/query-scan.ts';
import { NO_TREE } from '../../storage/tree/stored-tree.ts';
import { findStoredTree } from './catalog.ts';
import {
  type Database,
  type PendingScan,
  PostponedRequest,
  type Postponement,
  type ReadSteps,
  type ScanMemory,
  type StepwiseReads,
  type ValueRequest,
} from './database.ts';
import { ENTRY_BYTES, type QueryListen, type Watcher } from './listens.ts';
import { type Outdated, sendRefill, sendRefills } from './query-results.ts';
import { computeFromSnapshot, LongValue, MAX_STEP_MS, ReadLane } from './snapshot-read.ts';

/** Maximum number of children that the last step reads again, in the transaction that needs the result. */
const MAX_CHILDREN_IN_TRANSACTION = 1_000;

/** Number of times that a scan may continue because the data changed before its result was used. */
const MAX_CONTINUATIONS = 20;

export interface QueryScansOptions {
  readonly store: SnapshotKvStore;
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The evaluation of one query in steps. It follows the changes at its path until it is stopped, so that its result can
 * be used in any later transaction.
 */
class RunningScan implements Disposable, PendingScan, Watcher {
  readonly isImmediate = true;
  readonly #options: QueryScansOptions;
  readonly #lane: ReadLane;
  readonly #database: Database;
  readonly #path: Path;
  readonly #scan: QueryScan;
  /** Pays for entries in memory. Returns false if there are too many. */
  readonly #hold: (entries: number) => boolean;
  readonly #startedMs: number;
  #error: RequestError | undefined;
  #isStopped = false;
  #continuations = 0;

  constructor(
    options: QueryScansOptions,
    lane: ReadLane,
    database: Database,
    path: Path,
    query: Query,
    hold: (entries: number) => boolean,
  ) {
    this.#options = options;
    this.#lane = lane;
    this.#database = database;
    this.#path = path;
    this.#scan = new QueryScan(path, query);
    this.#hold = hold;
    this.#startedMs = options.clock.elapsedMs();
    database.listens.addWatcher(path, this);
  }

  get cost(): { readonly children: number; readonly ms: number } {
    return {
      children: this.#scan.childrenRead,
      ms: this.#options.clock.elapsedMs() - this.#startedMs,
    };
  }

  onTouched(keys: ReadonlySet<Key> | null): void {
    this.#scan.touch(keys);
  }

  async run(): Promise<void> {
    const { store, clock } = this.#options;
    this.#continuations += 1;
    if (this.#continuations > MAX_CONTINUATIONS)
      this.#fail('The data changes faster than the query can be evaluated. Add an index to the rules.');
    for (let isDone = false; !isDone && this.#error === undefined && !this.#isStopped; ) {
      await this.#lane.enter();
      const endMs = clock.elapsedMs() + MAX_STEP_MS;
      isDone = store.read((tx) => this.#step(tx, () => clock.elapsedMs() >= endMs));
      if (!this.#isStopped && !this.#hold(this.#scan.size))
        this.#fail('The query selects too much. Add an index to the rules, or limit the query.');
    }
  }

  findEntries(tx: KvRead): readonly Entry[] | undefined {
    if (this.#error !== undefined) throw this.#error;
    const end = this.#scan.childrenRead + MAX_CHILDREN_IN_TRANSACTION;
    return this.#step(tx, () => this.#scan.childrenRead >= end) ? this.#scan.entries() : undefined;
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#hold(0);
    this.#database.listens.removeWatcher(this.#path, this);
  }

  #step(tx: KvRead, isOver: () => boolean): boolean {
    return this.#scan.step(tx, findStoredTree(tx, this.#database.name) ?? NO_TREE, isOver);
  }

  #fail(sentence: string): void {
    this.#error = new RequestError('request/overload', sentence);
  }
}

/** A client that waits for a place. It waits for one place at a time. */
interface WaitingValue {
  readonly holder: ByteHolder;
  readonly resume: () => void;
}

/** Maximum number of long values that are generated at the same time. Further requests wait. */
const MAX_LONG_VALUES = 16;

/** Time for which a free place is kept for the client whose turn it is, in ms. Its request runs in the next transaction. */
const OFFER_MS = 1_000;

/** How long the server remembers that a value is too long, in ms. */
const TOO_LONG_MS = 60_000;

/** Maximum number of values that are known to be too long. */
const MAX_TOO_LONG = 100;

/** Maximum length of the name and the path of such a value, in UTF-16 code units. */
const MAX_NAME_UNITS = 2_048;

/**
 * Evaluates queries without a usable index in steps: those of sessions at the same time, and refills one by one.
 * Generates long values.
 */
export class QueryScans implements StepwiseReads {
  readonly #options: QueryScansOptions;
  readonly #lane = new ReadLane();
  /** In the order in which they are evaluated. */
  readonly #refills = new Map<QueryListen, Outdated>();
  #isRefilling = false;
  /** The time until which a value counts as too long, by database and path. */
  readonly #tooLong = new RecentMap<number>(MAX_TOO_LONG, MAX_NAME_UNITS);
  #longValues = 0;
  readonly #waiting = new FairQueue<WaitingValue>();
  /** The clients for which a free place is kept, each with the timer after which others may take it. */
  readonly #offered = new Map<ByteHolder, NodeJS.Timeout>();

  constructor(options: QueryScansOptions) {
    this.#options = options;
  }

  start(database: Database, path: Path, query: Query, memory: ScanMemory): PendingScan {
    const held = new HeldBytes(memory.pool, memory.holder, 0);
    const hold = (entries: number): boolean => held.hold(entries * ENTRY_BYTES);
    return new RunningScan(this.#options, this.#lane, database, path, query, hold);
  }

  startValue(request: ValueRequest): PendingText {
    const { holder } = request.memory;
    const isOffered = this.#offered.has(holder);
    if (!isOffered && this.#freePlaces <= 0) throw new PostponedRequest(this.#waitForPlace(holder));
    const value = this.startPushedValue(request);
    if (isOffered) this.#endOffer(holder);
    return value;
  }

  compute<T>(openSteps: ReadSteps<T>, isStopped: () => boolean): Promise<T> {
    const { store, clock } = this.#options;
    return computeFromSnapshot({ store, clock, lane: this.#lane, openSteps, isStopped });
  }

  startPushedValue(request: ValueRequest): PendingText {
    const { store, clock } = this.#options;
    const name = `${request.database}/${formatPath(request.path)}`;
    // Otherwise a client that reconnects and listens again would cost as much each time.
    if (clock.elapsedMs() < (this.#tooLong.find(name) ?? 0)) throw new RequestError('read/too-big');
    const onEnd = (isTooLong: boolean): void => {
      if (isTooLong) this.#tooLong.write(name, clock.elapsedMs() + TOO_LONG_MS);
      this.#endValue();
    };
    const value = new LongValue({ ...request, store, clock, lane: this.#lane, onEnd });
    this.#longValues += 1;
    return value;
  }

  /** Number of places that are neither taken nor kept for the client whose turn it is. */
  get #freePlaces(): number {
    return MAX_LONG_VALUES - this.#longValues - this.#offered.size;
  }

  #waitForPlace(holder: ByteHolder): Postponement {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { holder, resume: resolve };
    this.#waiting.add(holder.network, waiting);
    const stop = (): void => {
      this.#waiting.remove(holder.network, waiting);
      this.#endOffer(holder);
    };
    return { run: () => promise, stop };
  }

  #endValue(): void {
    this.#longValues -= 1;
    this.#offerPlaces();
  }

  /**
   * Lets as many waiting requests run again as there are free places. Keeps a place for each, so that no other client
   * takes it.
   */
  #offerPlaces(): void {
    while (this.#freePlaces > 0) {
      const next = this.#waiting.take();
      if (next === undefined) return;
      const { holder, resume } = next;
      // The request may be denied now, or its value may have become short.
      const timer = setTimeout(() => this.#endOffer(holder), OFFER_MS);
      timer.unref();
      clearTimeout(this.#offered.get(holder));
      this.#offered.set(holder, timer);
      resume();
    }
  }

  #endOffer(holder: ByteHolder): void {
    const timer = this.#offered.get(holder);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.#offered.delete(holder);
    this.#offerPlaces();
  }

  refill(database: Database, listen: QueryListen, isWhole: boolean): void {
    const waiting = this.#refills.get(listen);
    this.#refills.set(listen, { database, listen, isWhole: isWhole || waiting?.isWhole === true });
    if (!this.#isRefilling) void this.#refillAll();
  }

  readonly runInTransaction: StepwiseReads['runInTransaction'] = (body) =>
    this.#options.scheduler.request(body);

  isOutdated(listen: QueryListen): boolean {
    return this.#refills.get(listen)?.isWhole === true;
  }

  async #refillAll(): Promise<void> {
    this.#isRefilling = true;
    for (const [listen, { database }] of this.#refills) {
      try {
        if (!(await this.#refillShort(listen))) await this.#refillInSteps(database, listen);
      } catch (error) {
        this.#refills.delete(listen);
        this.#options.logger.error(
          { err: error, database: database.name },
          'a query could not be evaluated again',
        );
      }
    }
    this.#isRefilling = false;
  }

  /**
   * Evaluates a query in one transaction, together with as many of the following queries as fit into a step. Resolves
   * with false if the first query takes longer.
   */
  #refillShort(first: QueryListen): Promise<boolean> {
    const { scheduler, clock } = this.#options;
    return scheduler.request((transaction) => {
      const endMs = clock.elapsedMs() + MAX_STEP_MS;
      const done = sendRefills(transaction, this.#refills.values(), () => clock.elapsedMs() >= endMs);
      // A later write in the same transaction may need another evaluation.
      for (const { listen } of done) this.#refills.delete(listen);
      transaction.onRollback(() => this.#refillAgain(done));
      return !this.#refills.has(first);
    });
  }

  async #refillInSteps(database: Database, listen: QueryListen): Promise<void> {
    const { path, query } = listen;
    const hold = (entries: number): boolean => {
      // A client that cannot pay is disconnected.
      listen.setScanned(entries);
      return entries === 0 || listen.subscriptions.size > 0;
    };
    using scan = new RunningScan(this.#options, this.#lane, database, path, query, hold);
    for (let isDone = false; !isDone; ) {
      if (listen.subscriptions.size > 0) await scan.run();
      isDone = await this.#options.scheduler.request((transaction) => {
        // A later write may require the whole result.
        const outdated = { database, listen, isWhole: this.isOutdated(listen) };
        if (!sendRefill(transaction, outdated, () => scan.findEntries(transaction.tx))) return false;
        this.#refills.delete(listen);
        transaction.onRollback(() => this.#refillAgain([outdated]));
        return true;
      });
    }
  }

  #refillAgain(queries: readonly Outdated[]): void {
    for (const { database, listen, isWhole } of queries) this.refill(database, listen, isWhole);
  }
}
