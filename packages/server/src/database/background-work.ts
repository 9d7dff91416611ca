import type { Committer } from '../commit/committer.ts';
import type { SnapshotKvStore } from '../kv/snapshot.ts';
import type { KvWrite } from '../kv/store.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logger.ts';
import { hasIndexWork, indexStep } from '../tree/index-build.ts';
import { hasGarbage, reclaimStep } from '../tree/reclaim.ts';

export interface BackgroundWorkOptions {
  readonly store: SnapshotKvStore;
  readonly committer: Committer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Entries removed or indexed between two looks at the clock. */
const STEP_ENTRIES = 50;

/** Time that such work may add to one turn, in ms: requests wait for this much at most. */
const MAX_STEP_MS = 0.7;

/** Time left to others after a step, so that most requests wait for none. */
const PAUSE_MS = 3;

/** How often is looked for work when there was none. */
const IDLE_MS = 250;

/**
 * Does, in small steps between requests, what is left for later: reclaiming unlinked subtrees, dropping what was saved for
 * closed snapshots, and building indexes. What is left when the server stops is found again at the next start.
 */
export class BackgroundWork implements Disposable {
  readonly #store: SnapshotKvStore;
  readonly #committer: Committer;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor({ store, committer, clock, logger }: BackgroundWorkOptions) {
    this.#logger = logger;
    this.#store = store;
    this.#committer = committer;
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
    this.#timer = setTimeout(() => this.#look(), delayMs);
    this.#timer.unref();
  }

  #look(): void {
    if (!this.#hasWork()) {
      this.#schedule(IDLE_MS);
      return;
    }
    this.#committer.submit({
      run: (turn) => {
        // Without room it would fail, and even a removal takes room.
        if (turn.isWritable) this.#work(turn.tx);
        turn.afterwards(() => this.#schedule(turn.isWritable ? PAUSE_MS : IDLE_MS));
      },
      refuse: (turn) => turn.afterwards(() => this.#schedule(IDLE_MS)),
    });
  }

  #hasWork(): boolean {
    try {
      return this.#store.hasStale() || this.#store.read((tx) => hasGarbage(tx) || hasIndexWork(tx));
    } catch (error) {
      // Whoever asks for something is told of it; what is in the background can wait.
      this.#logger.error({ err: error }, 'background work could not be looked for');
      return false;
    }
  }

  #work(tx: KvWrite): void {
    const endMs = this.#clock.elapsedMs() + MAX_STEP_MS;
    while (this.#clock.elapsedMs() < endMs) {
      const removed = reclaimStep(tx, STEP_ENTRIES);
      const dropped = this.#store.dropStep(tx, STEP_ENTRIES);
      const left = STEP_ENTRIES - Math.max(removed, dropped);
      if (left > 0 && indexStep(tx, left) < left) return;
    }
  }
}
