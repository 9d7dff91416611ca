import { StringDecoder } from 'node:string_decoder';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { END_OF_PARTS, ReleasableParts } from '../../http/byte-parts.ts';
import { BYTES_PER_UNIT } from '../../platform/admission.ts';
import type { Clock } from '../../platform/clock.ts';
import { HeldBytes } from '../../platform/held-bytes.ts';
import type { Holder, Lease } from '../../platform/lease.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import { type KvSnapshot, SnapshotExpired, type SnapshotKvStore } from '../../storage/kv/snapshot.ts';
import type { KvRead, NotPromise } from '../../storage/kv/store.ts';
import type { PendingText } from '../../storage/transaction/outgoing-message.ts';
import type { HashSteps, ReadSteps, ScanMemory } from './database.ts';

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

/** Continues to compute a result for one step. Returns it, or `undefined` if it is not complete. */
function computeStep<T>(steps: Iterator<void, T>, clock: Clock): { readonly result: T } | undefined {
  const endMs = clock.elapsedMs() + MAX_STEP_MS;
  do {
    const step = steps.next();
    if (step.done === true) return { result: step.value };
  } while (clock.elapsedMs() < endMs);
  return undefined;
}

export interface SnapshotComputationOptions<T> {
  readonly store: SnapshotKvStore;
  readonly clock: Clock;
  readonly lane: ReadLane;
  readonly openSteps: ReadSteps<T>;
  readonly isStopped: () => boolean;
}

/** Computes a result in steps from a snapshot: see `StepwiseReads.compute`. */
export async function computeFromSnapshot<T>(options: SnapshotComputationOptions<T>): Promise<T> {
  const { store, clock, lane, openSteps, isStopped } = options;
  let failure: RequestError | undefined;
  using snapshot = store.openSnapshot({
    onExpired: (reason) => {
      failure = new RequestError('request/overload', new SnapshotExpired(reason).message);
    },
  });
  if (snapshot === undefined) throw new RequestError('request/overload');
  const steps = openSteps(snapshot);
  for (;;) {
    await lane.enter();
    if (failure !== undefined) throw failure;
    if (isStopped()) throw new RequestError('request/overload');
    const computed = store.read(() => computeStep(steps, clock));
    if (computed !== undefined) return computed.result;
  }
}

/** Returns what `read` returns, or `undefined` if it throws `read/too-big`. */
export function unlessTooBig<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RequestError && error.code === 'read/too-big') return undefined;
    throw error;
  }
}

export interface LongValueOptions {
  readonly store: SnapshotKvStore;
  readonly clock: Clock;
  readonly lane: ReadLane;
  /** Creates the pieces of the text from any view of the current state. */
  readonly openPieces: (tx: KvRead) => Iterator<Buffer>;
  /** Computes the hash of the value; `null` without an expected hash. */
  readonly openHash: HashSteps | null;
  /** The hash of the value that the client has. */
  readonly expectedHash: string;
  /** The pool from which the text takes its memory, in bytes, and the client. */
  readonly memory: ScanMemory;
  /** Returns the memory to use instead once `memory` does not suffice; `undefined` if there is none. */
  readonly otherMemory?: () => ScanMemory | undefined;
  /** Called once, when the value is complete, has failed or was stopped. */
  readonly onEnd: (isTooLong: boolean) => void;
}

/** Maximum length of a value that is generated in steps, in bytes: JavaScript has no longer strings. */
const MAX_VALUE_BYTES = 256 * 2 ** 20;

/**
 * A value that is too long to be generated in one transaction. Generates it in steps from a snapshot of the state in
 * which it was created. Its text rejects with `read/too-big`, or with `request/overload` if the snapshot or the memory
 * for the text cannot be kept.
 */
export class LongValue implements PendingText {
  readonly text: Promise<string | undefined>;
  readonly #options: LongValueOptions;
  readonly #snapshot: KvSnapshot;
  #held: HeldBytes;
  #error: RequestError | undefined;
  #isTooLong = false;
  #hasEnded = false;

  /** Throws `request/overload` if too many snapshots are open. */
  constructor(options: LongValueOptions) {
    const { store, memory } = options;
    this.#options = options;
    const snapshot = store.openSnapshot({
      onExpired: (reason) =>
        this.#fail(new RequestError('request/overload', new SnapshotExpired(reason).message)),
    });
    if (snapshot === undefined) throw new RequestError('request/overload');
    this.#snapshot = snapshot;
    this.#held = new HeldBytes(memory.pool, memory.holder, 0);
    this.text = this.#generate().finally(() => this.stop());
    // The error reaches the client through the message that contains the text, unless its transaction fails.
    this.text.catch(() => undefined);
  }

  stop(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#held.hold(0);
    this.#snapshot[Symbol.dispose]();
    this.#options.onEnd(this.#isTooLong);
  }

  async #generate(): Promise<string | undefined> {
    const { openHash, openPieces, expectedHash, clock } = this.#options;
    if (openHash !== null && (await this.#hash(openHash(this.#snapshot))) === expectedHash) return undefined;
    const source = openPieces(this.#snapshot);
    const decoder = new StringDecoder();
    let text = '';
    let bytes = 0;
    for (;;) {
      const { pieces, isLast } = await this.#step(() => takeStep(source, clock));
      for (const piece of pieces) {
        text += decoder.write(piece);
        bytes += piece.length;
      }
      this.#isTooLong = bytes > MAX_VALUE_BYTES;
      if (this.#isTooLong) throw new RequestError('read/too-big');
      if (!this.#hold(BYTES_PER_UNIT * bytes)) {
        // No single client may hold that much, so a retry would fail in the same way.
        this.#isTooLong = BYTES_PER_UNIT * bytes > this.#options.memory.pool.limits.ofNetwork;
        throw new RequestError('request/overload');
      }
      if (isLast) return text + decoder.end();
    }
  }

  /** Charges bytes to the memory of the first client that may hold that many. */
  #hold(bytes: number): boolean {
    while (!this.#held.hold(bytes)) {
      this.#held.hold(0);
      const memory = this.#hasEnded ? undefined : this.#options.otherMemory?.();
      if (memory === undefined) return false;
      this.#held = new HeldBytes(memory.pool, memory.holder, 0);
    }
    return true;
  }

  async #hash(steps: Iterator<void, string>): Promise<string> {
    const { clock } = this.#options;
    for (;;) {
      const computed = await this.#step(() => computeStep(steps, clock));
      if (computed !== undefined) return computed.result;
    }
  }

  async #step<T>(read: () => NotPromise<T>): Promise<T> {
    const { store, lane } = this.#options;
    await lane.enter();
    if (this.#error !== undefined) throw this.#error;
    if (this.#hasEnded) throw new RequestError('request/overload');
    return store.read(read);
  }

  #fail(error: RequestError): void {
    this.#error = error;
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
  /** The places for long responses of all networks together. */
  readonly longReads: ResourcePool;
  readonly holder: Holder;
}

/**
 * Generates the parts of a text from a snapshot, step by step and only on request. The snapshot is closed at
 * the end, on `return`, and when the read breaks. A read that breaks aborts `broken`, and rejects `next`. It
 * breaks with `read/too-big` after `timeoutMs`, and with `request/overload` if the snapshot cannot be kept, or if
 * its place is needed for another reader.
 */
export class SnapshotParts extends ReleasableParts {
  readonly #store: SnapshotKvStore;
  readonly #clock: Clock;
  readonly #lane: ReadLane;
  readonly #logger: Logger;
  readonly #place: Lease;
  readonly #snapshot: KvSnapshot;
  readonly #source: Iterator<Buffer>;
  readonly #timer: NodeJS.Timeout;
  readonly #broken = new AbortController();
  #ready: readonly Buffer[] = [];
  #isOver = false;
  /** Time since which no part has been requested; `undefined` while a request is open. */
  #idleSinceMs: number | undefined;

  /** Throws `request/overload` if there is no place, or too many snapshots are open. */
  constructor(options: SnapshotPartsOptions) {
    super();
    const { store, clock, lane, logger, openPieces, timeoutMs, longReads, holder } = options;
    const place = longReads.take(holder, 1, () =>
      this.#break(new RequestError('request/overload', 'Another client needed the place of this response.')),
    );
    if (place === undefined) throw new RequestError('request/overload');
    const snapshot = store.openSnapshot({
      onExpired: (reason) =>
        this.#break(new RequestError('request/overload', new SnapshotExpired(reason).message)),
      idleMs: () => (this.#idleSinceMs === undefined ? 0 : clock.elapsedMs() - this.#idleSinceMs),
    });
    if (snapshot === undefined) {
      place.release();
      throw new RequestError('request/overload');
    }
    this.#place = place;
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
    this.#place.recordProgress();
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
    this.#place.release();
    this.#snapshot[Symbol.dispose]();
  }
}
