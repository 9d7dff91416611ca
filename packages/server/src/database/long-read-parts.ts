import type { KvStore } from '../kv/store.ts';
import type { Clock } from '../ops/clock.ts';
import { HeldParts, OVER } from '../ops/held-parts.ts';
import type { LongRead } from './long-read.ts';
import type { ReadLane } from './read-lane.ts';
import { MAX_STEP_MS } from './read-step.ts';

export interface LongReadPartsOptions {
  readonly store: KvStore;
  readonly clock: Clock;
  readonly lane: ReadLane;
  readonly read: LongRead;
  /** Called once, when nothing more will be read. */
  readonly onEnd: (parts: LongReadParts) => void;
}

/** Time between two lines of progress, in ms. */
const PROGRESS_INTERVAL_MS = 250;

/**
 * The lines of a long read as they come about. Works only while they are asked for, in steps of a few milliseconds, one per
 * turn of the event loop. When it is returned it ends between two steps; it then lacks its last line.
 */
export class LongReadParts extends HeldParts {
  readonly #options: LongReadPartsOptions;
  readonly #broken = new AbortController();
  #toldMs: number;
  /** Since when nobody asks for a line; absent while somebody does. */
  #idleSinceMs: number | undefined;
  #hasEnded = false;

  constructor(options: LongReadPartsOptions) {
    super();
    this.#options = options;
    this.#toldMs = options.clock.elapsedMs();
    this.#idleSinceMs = this.#toldMs;
  }

  /** For how long nobody has asked for a line, in ms. */
  get idleMs(): number {
    return this.#idleSinceMs === undefined ? 0 : this.#options.clock.elapsedMs() - this.#idleSinceMs;
  }

  override async next(): Promise<IteratorResult<Buffer, void>> {
    this.#idleSinceMs = undefined;
    try {
      for (;;) {
        if (!this.#hasEnded) await this.#options.lane.enter();
        if (this.#hasEnded) return OVER;
        const lines = this.#step();
        if (lines !== '') return { done: false, value: Buffer.from(lines) };
      }
    } catch (error) {
      this.end();
      throw error;
    } finally {
      this.#idleSinceMs = this.#options.clock.elapsedMs();
    }
  }

  /** Aborted by `stop`, for a reader that is not asking. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Ends the read without its reader having asked for it. */
  stop(): void {
    this.end();
    this.#broken.abort();
  }

  #step(): string {
    const { store, clock, read } = this.#options;
    const endMs = clock.elapsedMs() + MAX_STEP_MS;
    const { lines, isDone } = store.read((tx) => read.step(tx, () => clock.elapsedMs() >= endMs));
    const isDue = clock.elapsedMs() - this.#toldMs >= PROGRESS_INTERVAL_MS;
    if (isDone) this.end();
    else if (!isDue) return lines;
    this.#toldMs = clock.elapsedMs();
    return lines + (isDone ? read.doneLine() : read.progressLine());
  }

  override end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onEnd(this);
  }
}
