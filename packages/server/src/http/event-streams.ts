import type { ServerResponse } from 'node:http';
import { clearInterval, setInterval } from 'node:timers';
import { must } from '@hearth/core/fault/assert.ts';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import type {
  ConnectionListen,
  ConnectionSource,
  ConnectionSummary,
} from '../activity/connection-summary.ts';
import type { Traffic } from '../activity/traffic.ts';
import type { ListenRequest } from '../database/standalone-listen.ts';
import type { Identity } from '../identity/identity.ts';
import { EventStream, type EventStreamSettings } from './event-stream.ts';

export interface EventStreamsOptions extends EventStreamSettings {
  /** How often a stream says that it is there. */
  readonly keepAliveMs: number;
  /** Most streams at a time. */
  readonly maxStreams: number;
  /** Counts all connections of the process. */
  readonly nextConnectionId: () => number;
}

/** Streams say that they are there in so many groups one after another, so that none of them holds up the server for long. */
const GROUPS = 30;

/** All streams of the process: bounds their number, keeps them alive, and ends them. */
export class EventStreams implements ConnectionSource {
  readonly #options: EventStreamsOptions;
  readonly #groups: readonly Set<EventStream>[] = Array.from({ length: GROUPS }, () => new Set());
  readonly #timer: NodeJS.Timeout;
  /** The group whose turn is next. */
  #next = 0;
  #count = 0;
  #isClosed = false;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#keepAlive(), options.keepAliveMs / GROUPS);
    this.#timer.unref();
  }

  /** Streams whose connection is there. */
  get count(): number {
    return this.#count;
  }

  /** A stream as the answer to a request. Refuses with `request/overload` one that is one too many. */
  open(response: ServerResponse, request: ListenRequest, database: string, traffic: Traffic): EventStream {
    if (this.#isClosed) throw new Refusal('request/overload');
    if (this.#count >= this.#options.maxStreams)
      throw new Refusal('request/overload', 'The server has too many streams: try again later.');
    // The group that had its turn last, so that the first sign of life comes after a whole interval.
    const group = this.#group(this.#next + GROUPS - 1);
    const stream = new EventStream({
      id: this.#options.nextConnectionId(),
      response,
      request,
      database,
      traffic,
      settings: this.#options,
      noteClosed: () => {
        group.delete(stream);
        this.#count--;
      },
    });
    group.add(stream);
    this.#count++;
    return stream;
  }

  /** Ends the streams that were opened with credentials which count no more. */
  revokeCredentials(isRevoked: (identity: Identity) => boolean): void {
    for (const group of this.#groups) for (const stream of group) stream.endIfRevoked(isRevoked);
  }

  list(database: string, after: number, limit: number): readonly ConnectionSummary[] {
    return this.#all()
      .filter((stream) => stream.database === database && stream.id > after)
      .toArray()
      .sort((a, b) => a.id - b.id)
      .slice(0, limit)
      .map((stream) => stream.describe());
  }

  find(database: string, id: number): ConnectionSummary | undefined {
    return this.#findStream(database, id)?.describe();
  }

  listens(database: string, id: number): readonly ConnectionListen[] {
    const stream = this.#findStream(database, id);
    return stream === undefined ? [] : [stream.describeListen()];
  }

  end(database: string, id: number): boolean {
    const stream = this.#findStream(database, id);
    stream?.close();
    return stream !== undefined;
  }

  /** Ends all streams, and opens no more. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const group of this.#groups) for (const stream of group) stream.close();
  }

  #findStream(database: string, id: number): EventStream | undefined {
    return this.#all().find((stream) => stream.database === database && stream.id === id);
  }

  *#all(): Generator<EventStream> {
    for (const group of this.#groups) yield* group;
  }

  #keepAlive(): void {
    for (const stream of this.#group(this.#next)) stream.keepAlive();
    this.#next = (this.#next + 1) % GROUPS;
  }

  #group(index: number): Set<EventStream> {
    return must(this.#groups[index % GROUPS], 'there are fewer groups of streams');
  }
}
