import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type KvSnapshot, SnapshotGone, type SnapshotKvStore } from '../kv/snapshot.ts';
import type { KvRead } from '../kv/store.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logger.ts';
import type { ReadLane } from './read-lane.ts';
import { takeStep } from './read-step.ts';

export interface SnapshotPartsOptions {
  readonly store: SnapshotKvStore;
  readonly clock: Clock;
  readonly lane: ReadLane;
  readonly logger: Logger;
  /** Makes the pieces of the text from any view of the present state. */
  readonly openPieces: (tx: KvRead) => Iterator<Buffer>;
  readonly timeoutMs: number;
}

/**
 * The parts of a text that is made of a snapshot, step by step, and only as they are asked for. The snapshot is closed at
 * the end, by `return`, and when it breaks: after `timeoutMs`, or because the state cannot be kept. Then `next` rejects
 * with `SnapshotGone`, and `broken` is aborted for a reader that is not asking.
 *
 * Not a generator function, whose `return` would close nothing before the first `next`.
 */
export class SnapshotParts implements AsyncGenerator<Buffer, void, undefined> {
  readonly #store: SnapshotKvStore;
  readonly #clock: Clock;
  readonly #lane: ReadLane;
  readonly #logger: Logger;
  readonly #snapshot: KvSnapshot;
  readonly #source: Iterator<Buffer>;
  readonly #timer: NodeJS.Timeout;
  readonly #broken = new AbortController();
  #ready: readonly Buffer[] = [];
  #isOver = false;

  /** Refuses with `request/overload` when too many states are kept already. */
  constructor({ store, clock, lane, logger, openPieces, timeoutMs }: SnapshotPartsOptions) {
    const snapshot = store.openSnapshot(() => this.#break(new SnapshotGone('too much has changed since')));
    if (snapshot === undefined) throw new Refusal('request/overload');
    this.#store = store;
    this.#clock = clock;
    this.#lane = lane;
    this.#logger = logger;
    this.#snapshot = snapshot;
    this.#source = openPieces(snapshot);
    const timeout = new SnapshotGone(`it was to be read within ${timeoutMs} ms`);
    this.#timer = setTimeout(() => this.#break(timeout), timeoutMs);
    this.#timer.unref();
  }

  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  async next(): Promise<IteratorResult<Buffer, void>> {
    for (;;) {
      this.#broken.signal.throwIfAborted();
      const [first, ...rest] = this.#ready;
      if (first !== undefined) {
        this.#ready = rest;
        return { value: first, done: false };
      }
      if (this.#isOver) return { value: undefined, done: true };
      await this.#lane.enter();
      this.#makeReady();
    }
  }

  async return(): Promise<IteratorResult<Buffer, void>> {
    this.#ready = [];
    this.#close();
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<IteratorResult<Buffer, void>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #makeReady(): void {
    if (this.#isOver) return;
    try {
      const { pieces, isLast } = this.#store.read(() => takeStep(this.#source, this.#clock));
      this.#ready = pieces;
      if (isLast) this.#close();
    } catch (error) {
      if (!(error instanceof SnapshotGone)) this.#logger.error({ err: error }, 'a long read failed');
      this.#break(error);
    }
  }

  #break(reason: unknown): void {
    if (this.#isOver && this.#ready.length === 0) return;
    this.#ready = [];
    this.#close();
    this.#broken.abort(reason);
  }

  #close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#snapshot[Symbol.dispose]();
  }
}
