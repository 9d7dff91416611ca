import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { SnapshotKvStore } from '../../storage/kv/snapshot.ts';
import type { KvWrite } from '../../storage/kv/store.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { hasGarbage, reclaimStep } from '../../storage/tree/garbage.ts';
import { hasIndexWork, indexStep } from '../../storage/tree/index-build.ts';
import type { ChangeUpkeep } from '../changes/upkeep.ts';

export interface BackgroundWorkOptions {
  readonly store: SnapshotKvStore;
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly changes: ChangeUpkeep;
}

/** Entries removed or indexed between two readings of the clock. */
const STEP_ENTRIES = 50;

/**
 * Longest time that background work may add to one transaction, in ms. A request waits at most this long for
 * background work.
 */
const MAX_STEP_MS = 0.7;

/** Pause after a step, in ms, so that most requests do not have to wait. */
const PAUSE_MS = 3;

/** Interval between checks for work when the last check found no work, in ms. */
const IDLE_MS = 250;

/**
 * Does deferred work in small steps between requests: deletes unreferenced subtrees, drops the preimages of closed
 * snapshots, builds indexes, and limits the data that changes keep for an undo. After a restart, it finds the work
 * that was not finished.
 */
export class BackgroundWork implements Disposable {
  readonly #store: SnapshotKvStore;
  readonly #scheduler: TransactionScheduler;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #changes: ChangeUpkeep;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor({ store, scheduler, clock, logger, changes }: BackgroundWorkOptions) {
    this.#changes = changes;
    this.#logger = logger;
    this.#store = store;
    this.#scheduler = scheduler;
    this.#clock = clock;
  }

  start(): void {
    this.#schedule(IDLE_MS);
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.#checkForWork(), delayMs);
    this.#timer.unref();
  }

  #checkForWork(): void {
    if (!this.#hasWork()) {
      this.#schedule(IDLE_MS);
      return;
    }
    this.#scheduler.submit({
      run: (transaction) => {
        // On a full disk the step would fail: even a removal needs space.
        if (transaction.isWritable) this.#work(transaction.tx);
        transaction.onCommit(() => this.#schedule(transaction.isWritable ? PAUSE_MS : IDLE_MS));
      },
      reject: (transaction) => transaction.onCommit(() => this.#schedule(IDLE_MS)),
    });
  }

  #hasWork(): boolean {
    try {
      return (
        this.#changes.hasWork() ||
        this.#store.hasStale() ||
        this.#store.read((tx) => hasGarbage(tx) || hasIndexWork(tx))
      );
    } catch (error) {
      // A request would report this error to its client. Background work can wait and try again.
      this.#logger.error({ err: error }, 'checking for background work failed');
      return false;
    }
  }

  #work(tx: KvWrite): void {
    const endMs = this.#clock.elapsedMs() + MAX_STEP_MS;
    while (this.#clock.elapsedMs() < endMs) {
      const removed = reclaimStep(tx, STEP_ENTRIES);
      const dropped = this.#store.dropStep(tx, STEP_ENTRIES);
      const left = STEP_ENTRIES - Math.max(removed, dropped);
      if (left === 0 || indexStep(tx, left) === left) continue;
      if (!this.#changes.step(tx, () => this.#clock.elapsedMs() >= endMs)) return;
    }
  }
}
