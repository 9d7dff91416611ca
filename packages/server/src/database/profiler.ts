import type { Clock } from '../ops/clock.ts';

/** What is done to a database, in the words of the official profiler. */
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

/** One thing that was done, with the names of the official profiler, whose reader takes it as it is. */
export interface Operation {
  readonly name: OperationName;
  /** Keys from the root; absent for connections. */
  readonly path?: readonly string[];
  /** Of the data that were written or sent, as JSON; an estimate of what goes over the network. */
  readonly bytes?: number;
  /** How long it took, and how long it waited before. */
  readonly millis?: number;
  readonly pendingTime?: number;
  /** Did the rules allow it? */
  readonly allowed?: boolean;
  /** Had a query to look at all children? */
  readonly unIndexed?: boolean;
  readonly querySet?: readonly QueryOrder[];
}

/** By what the query of an operation orders: a child, or something that is called `.value`, `.key` or `.priority`. */
export interface QueryOrder {
  readonly index: { readonly path?: readonly string[] };
  readonly orderBy?: string;
}

/** Tells what is done to one database, for as long as somebody wants to know; there is none of them otherwise. */
export class Profiler {
  readonly #clock: Clock;
  readonly #watchers = new Set<(operationJson: string) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** For how long things take. */
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

/** Microseconds are more than can be believed. */
function roundTimes(name: string, value: unknown): unknown {
  return (name === 'millis' || name === 'pendingTime') && typeof value === 'number'
    ? Math.round(value * 1_000) / 1_000
    : value;
}
