import { clearImmediate, clearInterval, setImmediate, setInterval } from 'node:timers';

/** Connections that end when they lack a required App Check token. */
export interface CheckedConnections {
  /**
   * Ends the connections whose client has shown no valid token although its database requires one. Visits one connection
   * before each value that the iterator returns.
   */
  endUnchecked(): Iterator<void>;
}

/** Interval of the checks, in ms. */
const SWEEP_MS = 30_000;

/** Maximum number of connections that are checked in one iteration of the event loop. */
const MAX_CHECKED_AT_ONCE = 1_000;

/**
 * Ends connections whose App Check token has expired, and those that were opened before tokens were required. Clients
 * that send requests are checked with each request; this is for clients that only receive. Works in steps, because a
 * server may have 100,000 connections.
 */
export class AppCheckSweep implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #next: NodeJS.Immediate | undefined;

  constructor(connections: readonly CheckedConnections[], intervalMs: number = SWEEP_MS) {
    this.#timer = setInterval(() => {
      // A sweep that takes longer than the interval continues.
      if (this.#next === undefined) this.#continue(visit(connections));
    }, intervalMs);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.#next !== undefined) clearImmediate(this.#next);
  }

  /** Checks the next connections in the next iteration of the event loop. */
  #continue(connections: Iterator<void>): void {
    this.#next = setImmediate(() => {
      this.#next = undefined;
      for (let checked = 0; checked < MAX_CHECKED_AT_ONCE; checked += 1)
        if (connections.next().done === true) return;
      this.#continue(connections);
    });
  }
}

function* visit(connections: readonly CheckedConnections[]): Generator<void> {
  for (const each of connections) yield* { [Symbol.iterator]: () => each.endUnchecked() };
}
