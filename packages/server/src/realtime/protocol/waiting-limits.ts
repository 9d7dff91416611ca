import { LongJson } from '@hearth/core/wire/long-message.ts';
import { BYTES_PER_UNIT } from '../../platform/admission.ts';
import { type ByteHolder, HeldBytes } from '../../platform/held-bytes.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import type { Connection } from './connection.ts';
import { type Queued, stopWaiting } from './queued-request.ts';

/** Number of waiting requests above which reading from the client pauses, until half of them are done. */
const MAX_QUEUED = 1_000;

/** Length of waiting long requests above which reading from the client pauses, in UTF-16 code units. */
const MAX_WAITING_UNITS = 1_048_576;

/** The session that requests wait for. */
export interface RequestHolder extends ByteHolder {
  readonly connection: Pick<Connection, 'pause' | 'resume'>;
}

/** Limits the memory of a session for requests that were not executed yet. */
export class WaitingLimits {
  readonly #holder: RequestHolder;
  readonly #held: HeldBytes;
  #units = 0;
  #isPaused = false;
  #hasEnded = false;

  /** `pool` is the memory of all messages, in bytes. */
  constructor(holder: RequestHolder, pool: ResourcePool) {
    this.#holder = holder;
    this.#held = new HeldBytes(pool, holder, 0);
  }

  /** Counts an item, with which `count` wait. Evicts the session if it would hold too much. */
  add(item: Queued, count: number): void {
    const units = longUnits(item);
    this.#units += units;
    if (!this.#isPaused && (count > MAX_QUEUED || this.#units > MAX_WAITING_UNITS)) {
      this.#isPaused = true;
      this.#holder.connection.pause();
    }
    if (units > 0 && !this.#held.hold(BYTES_PER_UNIT * this.#units)) this.#holder.evict();
  }

  /** Counts items as done, or dropped; `count` still wait. */
  remove(items: readonly Queued[], count: number): void {
    if (this.#hasEnded) return;
    const units = items.reduce((sum, item) => sum + longUnits(item), 0);
    if (units > 0) {
      this.#units -= units;
      this.#held.hold(BYTES_PER_UNIT * this.#units);
    }
    if (!this.#isPaused || count > MAX_QUEUED / 2 || this.#units > MAX_WAITING_UNITS) return;
    this.#isPaused = false;
    this.#holder.connection.resume();
  }

  /** Drops the requests of a queue from the first long one on, beginning at the index `from`. */
  drop(queue: Queued[], from: number): void {
    const at = queue.findIndex((item, index) => index >= from && longUnits(item) > 0);
    if (at < 0) return;
    const dropped = queue.splice(at);
    for (const item of dropped) stopWaiting(item);
    this.remove(dropped, queue.length);
  }

  /** Called when the last request no longer waits. Later calls of `remove` do nothing. */
  end(): void {
    this.#hasEnded = true;
    this.#units = 0;
    this.#held.hold(0);
  }

  /** Called when the session has moved to another connection. */
  moved(): void {
    if (this.#isPaused) this.#holder.connection.pause();
  }
}

/** Returns the length of a request's long data, or 0. */
function longUnits(item: Queued): number {
  if (item.kind !== 'request') return 0;
  const data = item.body['d'];
  return data instanceof LongJson ? data.text.length : 0;
}
