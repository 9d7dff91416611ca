import type { ServerResponse } from 'node:http';
import { clearInterval, setInterval } from 'node:timers';
import { must } from '@hearth/core/fault/assert.ts';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { ListenRequest } from '../database/standalone-listen.ts';
import type { Identity } from '../identity/identity.ts';
import { EventStream, type EventStreamSettings } from './event-stream.ts';

export interface EventStreamsOptions extends EventStreamSettings {
  /** How often a stream says that it is there. */
  readonly keepAliveMs: number;
  /** Most streams at a time. */
  readonly maxStreams: number;
}

/** Streams say that they are there in so many groups one after another, so that none of them holds up the server for long. */
const GROUPS = 30;

/** All streams of the process: bounds their number, keeps them alive, and ends them. */
export class EventStreams {
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
  open(response: ServerResponse, request: ListenRequest): EventStream {
    if (this.#isClosed) throw new Refusal('request/overload');
    if (this.#count >= this.#options.maxStreams)
      throw new Refusal('request/overload', 'The server has too many streams: try again later.');
    // The group that had its turn last, so that the first sign of life comes after a whole interval.
    const group = this.#group(this.#next + GROUPS - 1);
    const stream = new EventStream({
      response,
      request,
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

  /** Ends all streams, and opens no more. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const group of this.#groups) for (const stream of group) stream.close();
  }

  #keepAlive(): void {
    for (const stream of this.#group(this.#next)) stream.keepAlive();
    this.#next = (this.#next + 1) % GROUPS;
  }

  #group(index: number): Set<EventStream> {
    return must(this.#groups[index % GROUPS], 'there are fewer groups of streams');
  }
}
