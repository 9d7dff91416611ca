import { clearInterval, setInterval } from 'node:timers';

/** Connections that end when they lack a required App Check token. */
export interface CheckedConnections {
  /** Ends the connections whose client has shown no valid token although its database requires one. */
  endUnchecked(): void;
}

/** Interval of the checks, in ms. */
const SWEEP_MS = 30_000;

/**
 * Ends connections whose App Check token has expired, and those that were opened before tokens were required. Clients that
 * send requests are checked with each of them; this is for clients that only receive.
 */
export class AppCheckSweep implements Disposable {
  readonly #timer: NodeJS.Timeout;

  constructor(connections: readonly CheckedConnections[]) {
    this.#timer = setInterval(() => {
      for (const each of connections) each.endUnchecked();
    }, SWEEP_MS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
