import type { Committer } from '../commit/committer.ts';
import type { KvStore, KvWrite } from '../kv/store.ts';
import { hasIndexWork, indexStep } from '../tree/index-build.ts';
import { hasGarbage, reclaimStep } from '../tree/reclaim.ts';

export interface BackgroundWorkOptions {
  readonly store: KvStore;
  readonly committer: Committer;
}

/** Entries removed or indexed in one turn: about a millisecond of work. */
const STEP_ENTRIES = 500;

/** Time left to others after a step, so that requests wait for at most one step and most of the time for none. */
const PAUSE_MS = 8;

/** How often is looked for work when there was none. */
const IDLE_MS = 250;

/**
 * Does, in small steps between requests, what writes leave for later: reclaiming unlinked subtrees and building
 * indexes. What is left when the server stops is found again at the next start.
 */
export class BackgroundWork implements Disposable {
  readonly #store: KvStore;
  readonly #committer: Committer;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor({ store, committer }: BackgroundWorkOptions) {
    this.#store = store;
    this.#committer = committer;
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
    if (!this.#store.read((tx) => hasGarbage(tx) || hasIndexWork(tx))) {
      this.#schedule(IDLE_MS);
      return;
    }
    this.#committer.submit({
      run: (turn) => {
        // Without room it would fail, and even a removal takes room.
        if (turn.isWritable) doStep(turn.tx);
        turn.afterwards(() => this.#schedule(turn.isWritable ? PAUSE_MS : IDLE_MS));
      },
      fail: () => this.#schedule(IDLE_MS),
    });
  }
}

function doStep(tx: KvWrite): void {
  const removed = reclaimStep(tx, STEP_ENTRIES);
  if (removed < STEP_ENTRIES) indexStep(tx, STEP_ENTRIES - removed);
}
