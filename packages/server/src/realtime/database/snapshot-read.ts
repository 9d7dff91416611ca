import { RequestError } from '@hearth/core/error/request-error.ts';
import { END_OF_PARTS, ReleasableParts } from '../../platform/byte-parts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { type KvSnapshot, SnapshotExpired, type SnapshotKvStore } from '../../storage/kv/snapshot.ts';
import type { KvRead } from '../../storage/kv/store.ts';

/** Schedules long reads: one step of one read between two rounds of network events. */
export class ReadLane {
  #waiting: (() => void)[] = [];

  /** Resolves when the caller's step may run, in the order of the calls. */
  enter(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#admit());
    });
  }

  #admit(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#admit());
  }
}

/** Longest time for which one step blocks the event loop, in ms. The last piece may exceed it. */
export const MAX_STEP_MS = 4;

/** Maximum number of bytes that one step produces. The last piece may exceed it. */
export const MAX_STEP_BYTES = 512 * 2 ** 10;

export interface ReadStep {
  /** No piece is empty. */
  readonly pieces: readonly Buffer[];
  /** Whether the source has ended. */
  readonly isLast: boolean;
}

/** Takes pieces until there are enough for one step, and at least `minPieces` regardless of the time. */
export function takeStep(source: Iterator<Buffer>, clock: Clock, minPieces = 1): ReadStep {
  const endMs = clock.elapsedMs() + MAX_STEP_MS;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for (let taken = 0; ; taken += 1) {
    const hasTime = clock.elapsedMs() < endMs;
    if (bytes >= MAX_STEP_BYTES || (taken >= minPieces && !hasTime)) return { pieces, isLast: false };
    const { value, done } = source.next();
    if (done === true) return { pieces, isLast: true };
    if (value.length > 0) pieces.push(value);
    bytes += value.length;
  }
}

export interface SnapshotPartsOptions {
  readonly store: SnapshotKvStore;
  readonly clock: Clock;
  readonly lane: ReadLane;
  readonly logger: Logger;
  /** Creates the pieces of the text from any view of the current state. */
  readonly openPieces: (tx: KvRead) => Iterator<Buffer>;
  readonly timeoutMs: number;
}

/**
 * Generates the parts of a text from a snapshot, step by step and only on request. The snapshot is closed at
 * the end, on `return`, and when the read breaks. A read that breaks aborts `broken`, and rejects `next`. It
 * breaks with `read/too-big` after `timeoutMs`, and with `request/overload` if the snapshot cannot be kept, or if
 * there are too many snapshots and this reader has been idle the longest.
 */
export class SnapshotParts extends ReleasableParts {
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
  /** Time since which no part has been requested; `undefined` while a request is open. */
  #idleSinceMs: number | undefined;

  /** Throws `request/overload` if too many snapshots are open. */
  constructor({ store, clock, lane, logger, openPieces, timeoutMs }: SnapshotPartsOptions) {
    super();
    const snapshot = store.openSnapshot({
      onExpired: (reason) =>
        this.#break(new RequestError('request/overload', new SnapshotExpired(reason).message)),
      idleMs: () => (this.#idleSinceMs === undefined ? 0 : clock.elapsedMs() - this.#idleSinceMs),
    });
    if (snapshot === undefined) throw new RequestError('request/overload');
    this.#store = store;
    this.#clock = clock;
    this.#lane = lane;
    this.#logger = logger;
    this.#snapshot = snapshot;
    this.#source = openPieces(snapshot);
    this.#idleSinceMs = clock.elapsedMs();
    const timeout = new RequestError(
      'read/too-big',
      `The data could not be read within ${timeoutMs} ms. Read less data in one request or set a longer timeout.`,
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
      if (this.#isOver) return END_OF_PARTS;
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
