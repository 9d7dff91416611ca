import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';
import { must } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { queryFields } from '@hearth/core/query/fields.ts';
import { formatPath } from '@hearth/core/tree/path.ts';
import { findExpiryMs, type Principal } from '../../access/principal.ts';
import { PUBLIC_HEADERS } from '../../http/errors.ts';
import type { Headers } from '../../http/response.ts';
import type { Clock } from '../../platform/clock.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import {
  type ListenEnd,
  type ListenObserver,
  type ListenRequest,
  StandaloneListen,
} from '../database/standalone-listen.ts';
import {
  type ConnectionListen,
  type ConnectionSource,
  type ConnectionSummary,
  identitySummary,
} from '../monitoring/connections.ts';
import type { Traffic } from '../monitoring/database-activity.ts';
import { SendBuffer, type SendBufferBudget, type SendBufferLimits } from '../protocol/send-buffer.ts';
import {
  AUTH_REVOKED_EVENT,
  cancelEvent,
  KEEP_ALIVE_EVENT,
  pushEvent,
  putEvent,
  type StreamForm,
} from './event-stream-text.ts';

/** Events by the form and by how much of the path of the push is that of the place: at most 33 places times two forms. */
const events = new WeakMap<OutgoingMessage, Map<string, Buffer>>();

/** The event of a push as bytes, made once for all streams of one place; empty when the push shows nothing. */
function pushEventBytes(push: OutgoingMessage, pathLength: number, form: StreamForm): Buffer {
  let known = events.get(push);
  if (known === undefined) {
    known = new Map();
    events.set(push, known);
  }
  const name = `${form} ${pathLength}`;
  let bytes = known.get(name);
  if (bytes === undefined) {
    bytes = Buffer.from(pushEvent(push.text, pathLength, form));
    known.set(name, bytes);
  }
  return bytes;
}

/** What all streams have in common; one object serves them all. */
export interface EventStreamSettings {
  readonly clock: Clock;
  /** What may wait to be sent on one stream. */
  readonly sendBuffer: SendBufferLimits;
  /** What waits to be sent on all connections together. */
  readonly outgoing: SendBufferBudget;
  /** Returns the address of the client that makes a request. */
  readonly addressOf: (request: IncomingMessage) => string;
}

export interface EventStreamOptions {
  /** Among all connections of the process. */
  readonly id: number;
  readonly response: ServerResponse;
  readonly database: string;
  /** Where bytes of that database are counted. */
  readonly traffic: Traffic;
  readonly request: ListenRequest;
  readonly settings: EventStreamSettings;
  /** Called once the connection, or the answer that took the place of the stream, has ended. */
  readonly markClosed: () => void;
}

const HEADERS: Headers = {
  ...PUBLIC_HEADERS,
  'content-type': 'text/event-stream; charset=utf-8',
  // The end of a stream is the end of its connection, so nothing waits behind it for ever.
  connection: 'close',
  // Proxies that buffer responses would delay events.
  'x-accel-buffering': 'no',
};

/** Of the name of a program, as it is shown. */
const MAX_USER_AGENT_UNITS = 256;

const KEEP_ALIVE = Buffer.from(KEEP_ALIVE_EVENT);
const AUTH_REVOKED = Buffer.from(AUTH_REVOKED_EVENT);
const DENIED = Buffer.from(cancelEvent('Permission denied.'));
const TOO_BIG = Buffer.from(
  cancelEvent('The specified payload is too large, please request a location with less data.'),
);

/**
 * One answer that is a stream of events. Nothing is sent before the first value, so that the request may still be refused;
 * the events of one turn leave in one write. It listens until it ends or its connection does.
 */
export class EventStream implements ListenObserver {
  /** To be started by who opens the stream. */
  readonly listen: StandaloneListen;
  readonly #options: EventStreamOptions;
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #pathLength: number;
  readonly #sinceMs: number;
  readonly #expiresAtMs: number;
  readonly #sendBuffer: SendBuffer;
  #isClosed = false;

  constructor(options: EventStreamOptions) {
    const { response, request, settings } = options;
    const { identity, path } = request;
    this.listen = new StandaloneListen(request, this);
    this.#options = options;
    this.#response = response;
    this.#socket = response.req.socket;
    this.#sinceMs = settings.clock.nowMs();
    this.#pathLength = formatPath(path).length;
    this.#expiresAtMs = findExpiryMs(identity) ?? Number.POSITIVE_INFINITY;
    this.#sendBuffer = new SendBuffer(settings.sendBuffer, settings.outgoing);
    response.once('close', this.#markClosed);
    // A response that waits behind others hears nothing of the end of its connection.
    this.#socket.once('close', this.#markClosed);
    response.on('drain', () => this.#sendBuffer.update(response.writableLength));
    // The client may have gone while it was found out who it is.
    if (this.#socket.destroyed) queueMicrotask(this.#markClosed);
  }

  get id(): number {
    return this.#options.id;
  }

  get database(): string {
    return this.#options.database;
  }

  describe(): ConnectionSummary {
    const { id, response, request, settings } = this.#options;
    return {
      id,
      address: settings.addressOf(response.req),
      userAgent: (response.req.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_UNITS),
      sdk: null,
      transport: 'event-stream',
      sinceMs: this.#sinceMs,
      identity: identitySummary(request.identity),
      listens: 1,
      pendingDisconnects: 0,
      sentBytes: this.#socket.bytesWritten,
      receivedBytes: this.#socket.bytesRead,
    };
  }

  /** What it listens to. */
  describeListen(): ConnectionListen {
    const { path, query } = this.#options.request;
    return { path: `/${formatPath(path)}`, query: query === null ? null : { ...queryFields(query) } };
  }

  begin(json: string): void {
    this.#response.writeHead(200, HEADERS);
    this.#send([Buffer.from(putEvent('', json))]);
  }

  deliver(pushes: readonly OutgoingMessage[]): void {
    if (this.#endIfExpired()) return;
    const { form } = this.#options.request;
    this.#send(pushes.map((push) => pushEventBytes(push, this.#pathLength, form)));
  }

  end(reason: ListenEnd): void {
    switch (reason) {
      case 'revoked':
        this.#endWith(DENIED);
        return;
      case 'too-big':
        this.#endWith(TOO_BIG);
        return;
      case 'failed':
        // A client that comes back gets everything anew.
        this.#response.destroy();
        return;
      default:
        reason satisfies never;
    }
  }

  /** Called at intervals: says that the connection is there. A client that takes nothing for a whole one is cut off. */
  keepAlive(): void {
    const waitingBytes = this.#response.writableLength;
    this.#sendBuffer.update(waitingBytes);
    if (!this.#sendBuffer.hasProgressed() && waitingBytes > 0) this.#response.destroy();
    else if (this.#isOpen && !this.#endIfExpired()) this.#send([KEEP_ALIVE]);
  }

  /** Ends the stream if the credential that it was opened with counts no more. */
  endIfRevoked(isRevoked: (identity: Principal) => boolean): void {
    if (isRevoked(this.#options.request.identity)) this.#endWith(AUTH_REVOKED);
  }

  /** Ends the stream because the server does. A client that has not taken what was sent is not waited for. */
  close(): void {
    this.listen.stop();
    if (this.#isOpen && this.#response.writableLength === 0) this.#response.end();
    else this.#response.destroy();
  }

  /** Has it begun, and not ended? */
  get #isOpen(): boolean {
    return this.#response.headersSent && !this.#response.writableEnded && !this.#response.destroyed;
  }

  #endIfExpired(): boolean {
    if (this.#options.settings.clock.nowMs() < this.#expiresAtMs) return false;
    this.#endWith(AUTH_REVOKED);
    return true;
  }

  #endWith(event: Buffer): void {
    this.listen.stop();
    // One that ends before its first value was never answered.
    if (!this.#response.headersSent && !this.#response.destroyed) this.#response.writeHead(200, HEADERS);
    this.#send([event]);
    if (this.#isOpen) this.#response.end();
  }

  #send(events: readonly Buffer[]): void {
    const response = this.#response;
    const bytes = join(events);
    if (!this.#isOpen || bytes.length === 0) return;
    this.#options.traffic.sentBytes += bytes.length;
    if (!this.#sendBuffer.accept(bytes.length, response.writableLength)) {
      // The client comes back for everything: nothing is lost but what it would not read.
      response.destroy();
      return;
    }
    if (!response.write(bytes)) this.#sendBuffer.update(response.writableLength);
  }

  readonly #markClosed = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.off('close', this.#markClosed);
    this.listen.stop();
    this.#sendBuffer.update(0);
    this.#options.markClosed();
  };
}

function join(events: readonly Buffer[]): Buffer {
  const only = events[0];
  return only !== undefined && events.length === 1 ? only : Buffer.concat(events);
}

export interface EventStreamsOptions extends EventStreamSettings {
  /** How often a stream says that it is there. */
  readonly keepAliveMs: number;
  /** Most streams at a time. */
  readonly maxStreams: number;
  /** Returns the next sequence number of a connection of the process. */
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
    if (this.#isClosed) throw new RequestError('request/overload');
    if (this.#count >= this.#options.maxStreams)
      throw new RequestError('request/overload', 'The server has too many streams: try again later.');
    // The group that had its turn last, so that the first sign of life comes after a whole interval.
    const group = this.#group(this.#next + GROUPS - 1);
    const stream = new EventStream({
      id: this.#options.nextConnectionId(),
      response,
      request,
      database,
      traffic,
      settings: this.#options,
      markClosed: () => {
        group.delete(stream);
        this.#count--;
      },
    });
    group.add(stream);
    this.#count++;
    return stream;
  }

  /** Ends the streams that were opened with credentials which count no more. */
  revokeCredentials(isRevoked: (identity: Principal) => boolean): void {
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
