import type { Clock } from '../../platform/clock.ts';

/** The names of operations on a database, as in the official profiler. */
export type OperationName =
  | 'concurrent-connect'
  | 'concurrent-disconnect'
  | 'realtime-read'
  | 'realtime-write'
  | 'realtime-transaction'
  | 'realtime-update'
  | 'listener-listen'
  | 'listener-broadcast'
  | 'listener-unlisten'
  | 'rest-read'
  | 'rest-write'
  | 'rest-update';

/** One profiled operation, with the field names of the official profiler, whose client reads it unchanged. */
export interface Operation {
  readonly name: OperationName;
  /** Keys from the root; absent for connections. */
  readonly path?: readonly string[];
  /** Size of the data written or sent, as JSON: an estimate of the network traffic. */
  readonly bytes?: number;
  /** Duration of the operation, and its waiting time before, in ms. */
  readonly millis?: number;
  readonly pendingTime?: number;
  /** Whether the rules allowed the operation. */
  readonly allowed?: boolean;
  /** Whether a query had to read all children. */
  readonly unIndexed?: boolean;
  readonly querySet?: readonly QueryOrder[];
}

/** The order of an operation's query: by a child, or by `.value`, `.key` or `.priority`. */
export interface QueryOrder {
  readonly index: { readonly path?: readonly string[] };
  readonly orderBy?: string;
}

/** Reports the operations on one database to its watchers. Exists only while it has watchers. */
export class Profiler {
  readonly #clock: Clock;
  readonly #watchers = new Set<(operationJson: string) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns a monotonic time for measuring durations, in ms. */
  elapsedMs(): number {
    return this.#clock.elapsedMs();
  }

  get watcherCount(): number {
    return this.#watchers.size;
  }

  add(watcher: (operationJson: string) => void): void {
    this.#watchers.add(watcher);
  }

  remove(watcher: (operationJson: string) => void): void {
    this.#watchers.delete(watcher);
  }

  record(operation: Operation): void {
    const json = JSON.stringify({ ...operation, timestamp: this.#clock.nowMs() }, roundTimes);
    for (const watcher of this.#watchers) watcher(json);
  }
}

/** Rounds times to microseconds, the precision of the clock. */
function roundTimes(name: string, value: unknown): unknown {
  return (name === 'millis' || name === 'pendingTime') && typeof value === 'number'
    ? Math.round(value * 1_000) / 1_000
    : value;
}
