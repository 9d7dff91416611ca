import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type KvSnapshot, SnapshotGone, type SnapshotKvStore } from '../kv/snapshot.ts';
import type { KvRead } from '../kv/store.ts';
import type { Clock } from '../ops/clock.ts';
import { HeldParts, OVER } from '../ops/held-parts.ts';
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
 * the end, by `return`, and when it breaks. Then `next` rejects and `broken` is aborted for a reader that is not asking:
 * with `read/too-big` after `timeoutMs`, and with `request/overload` when the state cannot be kept, or when too many are
 * kept and this reader has asked for nothing for longest.
 */
export class SnapshotParts extends HeldParts {
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
  /** Since when nobody asks for a part; absent while somebody does. */
  #idleSinceMs: number | undefined;

  /** Refuses with `request/overload` when too many states are kept already. */
  constructor({ store, clock, lane, logger, openPieces, timeoutMs }: SnapshotPartsOptions) {
    super();
    const snapshot = store.openSnapshot({
      onGone: (reason) => this.#break(new Refusal('request/overload', new SnapshotGone(reason).message)),
      idleMs: () => (this.#idleSinceMs === undefined ? 0 : clock.elapsedMs() - this.#idleSinceMs),
    });
    if (snapshot === undefined) throw new Refusal('request/overload');
    this.#store = store;
    this.#clock = clock;
    this.#lane = lane;
    this.#logger = logger;
    this.#snapshot = snapshot;
    this.#source = openPieces(snapshot);
    this.#idleSinceMs = clock.elapsedMs();
    const timeout = new Refusal(
      'read/too-big',
      `The data could not be read within ${timeoutMs} ms: read less of them at once, or give more time.`,
    );
    this.#timer = setTimeout(() => this.#break(timeout), timeoutMs);
    this.#timer.unref();
  }

  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  override async next(): Promise<IteratorResult<Buffer, void>> {
    this.#idleSinceMs = undefined;
    try {
      return await this.#findNext();
    } finally {
      this.#idleSinceMs = this.#clock.elapsedMs();
    }
  }

  override end(): void {
    this.#ready = [];
    this.#close();
  }

  async #findNext(): Promise<IteratorResult<Buffer, void>> {
    for (;;) {
      this.#broken.signal.throwIfAborted();
      const [first, ...rest] = this.#ready;
      if (first !== undefined) {
        this.#ready = rest;
        return { value: first, done: false };
      }
      if (this.#isOver) return OVER;
      await this.#lane.enter();
      this.#makeReady();
    }
  }

  #makeReady(): void {
    if (this.#isOver) return;
    try {
      const { pieces, isLast } = this.#store.read(() => takeStep(this.#source, this.#clock));
      this.#ready = pieces;
      if (isLast) this.#close();
    } catch (error) {
      this.#logger.error({ err: error }, 'a long read failed');
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
