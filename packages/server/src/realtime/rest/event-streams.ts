import type { ServerResponse } from 'node:http';
import { clearInterval, setInterval } from 'node:timers';
import { must } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { DatabaseAppCheck } from '../../access/app-check.ts';
import type { LiveConnections } from '../../access/live-connections.ts';
import type { Principal } from '../../access/principal.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import type { ListenRequest } from '../database/standalone-listen.ts';
import type { ConnectionListen, ConnectionSource, ConnectionSummary } from '../monitoring/connections.ts';
import type { Traffic } from '../monitoring/database-activity.ts';
import { EventStream, type EventStreamSettings } from './event-stream.ts';

export interface EventStreamsOptions extends EventStreamSettings {
  /** Interval between two keep-alive events of a stream, in ms. */
  readonly keepAliveMs: number;
  readonly appChecks: DatabaseAppCheck;
  /** The places for streams of all networks together. */
  readonly places: ResourcePool;
  /** Returns the next sequence number of a connection of the process. */
  readonly nextConnectionId: () => number;
}

/** A request for a stream. */
export interface StreamRequest extends ListenRequest {
  /** When the App Check token of the request expires; see `checkApp`. */
  readonly checkedUntilMs: number;
}

/**
 * Number of groups of streams. The groups send keep-alive events one after another, so that none of them
 * blocks the server for long.
 */
const KEEP_ALIVE_GROUPS = 30;

/** All streams of the process. Limits their number, sends their keep-alive events and ends them. */
export class EventStreams implements ConnectionSource, LiveConnections {
  readonly #options: EventStreamsOptions;
  readonly #groups: readonly Set<EventStream>[] = Array.from({ length: KEEP_ALIVE_GROUPS }, () => new Set());
  readonly #timer: NodeJS.Timeout;
  /** Index of the group that sends the next keep-alive events. */
  #nextGroup = 0;
  #count = 0;
  #isClosed = false;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#keepAlive(), options.keepAliveMs / KEEP_ALIVE_GROUPS);
    this.#timer.unref();
  }

  /** Number of streams with an open connection. */
  get count(): number {
    return this.#count;
  }

  /**
   * Opens a stream as the response to a request. Throws `request/overload` if there are too many streams or
   * the server is closing.
   */
  open(
    response: ServerResponse,
    { checkedUntilMs, ...request }: StreamRequest,
    database: string,
    traffic: Traffic,
  ): EventStream {
    if (this.#isClosed) throw new RequestError('request/overload');
    const { places, networkOf } = this.#options;
    const holder = { network: networkOf(response.req), isPrivileged: false };
    const place = places.take(holder, 1, () => stream.evict());
    if (place === undefined)
      throw new RequestError('request/overload', 'The server has too many streams. Try again later.');
    // Use the group that has just sent its keep-alive events, so that the first one of this stream follows after a
    // whole interval.
    const group = this.#group(this.#nextGroup + KEEP_ALIVE_GROUPS - 1);
    const stream = new EventStream({
      id: this.#options.nextConnectionId(),
      response,
      request,
      database,
      traffic,
      checkedUntilMs,
      settings: this.#options,
      markClosed: () => {
        group.delete(stream);
        place.release();
        this.#count--;
      },
    });
    group.add(stream);
    this.#count++;
    return stream;
  }

  /** Ends the streams whose credentials have been revoked. */
  revokeCredentials(isRevoked: (identity: Principal) => boolean): void {
    for (const group of this.#groups) for (const stream of group) stream.endIfRevoked(isRevoked);
  }

  *endUnchecked(): Generator<void> {
    const { appChecks } = this.#options;
    for (const stream of this.#all()) {
      if (appChecks.modeOf(stream.database) === 'enforce') stream.endIfUnchecked();
      yield;
    }
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

  listens(database: string, id: number, limit: number): readonly ConnectionListen[] {
    const stream = this.#findStream(database, id);
    return stream === undefined || limit === 0 ? [] : [stream.describeListen()];
  }

  end(database: string, id: number): boolean {
    const stream = this.#findStream(database, id);
    stream?.close();
    return stream !== undefined;
  }

  /** Ends all streams and rejects further ones. */
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
    for (const stream of this.#group(this.#nextGroup)) stream.keepAlive();
    this.#nextGroup = (this.#nextGroup + 1) % KEEP_ALIVE_GROUPS;
  }

  #group(index: number): Set<EventStream> {
    return must(this.#groups[index % KEEP_ALIVE_GROUPS], 'there are fewer groups of streams');
  }
}
