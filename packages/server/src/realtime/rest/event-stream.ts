import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { queryFields } from '@hearth/core/query/fields.ts';
import { formatPath } from '@hearth/core/tree/path.ts';
import { findExpiryMs, type Principal } from '../../access/principal.ts';
import { PUBLIC_HEADERS } from '../../http/errors.ts';
import type { Headers } from '../../http/response.ts';
import type { Clock } from '../../platform/clock.ts';
import { HeldBytes } from '../../platform/held-bytes.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import { ENTRY_BYTES, type WindowPayer } from '../database/listens.ts';
import {
  type ListenEnd,
  type ListenObserver,
  type ListenRequest,
  StandaloneListen,
} from '../database/standalone-listen.ts';
import { type ConnectionListen, type ConnectionSummary, identitySummary } from '../monitoring/connections.ts';
import type { Traffic } from '../monitoring/database-activity.ts';
import { MessageOutput, type MessageSender } from '../protocol/held-messages.ts';
import {
  FREE_BYTES,
  findSharedDelivery,
  SendBuffer,
  type SendBufferLimits,
} from '../protocol/send-buffer.ts';
import {
  AUTH_REVOKED_EVENT,
  cancelEvent,
  EVICTED_TEXT,
  KEEP_ALIVE_EVENT,
  pushEventBytes,
  putEvent,
} from './event-stream-text.ts';

/** The settings of all streams, in one shared object. */
export interface EventStreamSettings {
  readonly clock: Clock;
  /** Limits of the data that waits to be sent on one stream. */
  readonly sendBuffer: SendBufferLimits;
  /** The bytes of messages on all connections together. */
  readonly messages: ResourcePool;
  /** The memory of all listens together, in bytes. */
  readonly listens: ResourcePool;
  /** Returns the address of the client that makes a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Returns the network of the client that makes a request. */
  readonly networkOf: (request: IncomingMessage) => string;
}

export interface EventStreamOptions {
  /** Unique among all connections of the process. */
  readonly id: number;
  readonly response: ServerResponse;
  readonly database: string;
  /** The byte counters of the database. */
  readonly traffic: Traffic;
  readonly request: ListenRequest;
  /** When the App Check token of the request expires; see `checkApp`. */
  readonly checkedUntilMs: number;
  readonly settings: EventStreamSettings;
  /** Called once the connection of the stream, or of the response that replaced it, has ended. */
  readonly markClosed: () => void;
}

const HEADERS: Headers = {
  ...PUBLIC_HEADERS,
  'content-type': 'text/event-stream; charset=utf-8',
  // The connection ends with the stream, so that no request waits behind the stream forever.
  connection: 'close',
  // Proxies that buffer responses would delay events.
  'x-accel-buffering': 'no',
};

/** Maximum length of the user agent that is shown, in UTF-16 code units. */
const MAX_USER_AGENT_UNITS = 256;

const EVERY_LISTEN = { has: () => true };
const KEEP_ALIVE = Buffer.from(KEEP_ALIVE_EVENT);
const AUTH_REVOKED = Buffer.from(AUTH_REVOKED_EVENT);
const EVICTED = Buffer.from(EVICTED_TEXT);
const DENIED = Buffer.from(cancelEvent('Permission denied.'));
const TOO_BIG = Buffer.from(
  cancelEvent('The specified payload is too large, please request a location with less data.'),
);

/**
 * A response that is a stream of events. The server sends nothing before the first value, so that it can
 * still reject the request. The events of one transaction are sent in one write. The stream listens until it
 * ends or its connection ends.
 */
export class EventStream implements MessageSender, ListenObserver, WindowPayer {
  readonly network: string;
  /** When the only listen ends, the stream discards its messages. */
  readonly listens = EVERY_LISTEN;
  /** The caller that opens the stream must start this listen. */
  readonly listen: StandaloneListen;
  readonly #options: EventStreamOptions;
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #pathLength: number;
  readonly #sinceMs: number;
  readonly #expiresAtMs: number;
  readonly #sendBuffer: SendBuffer;
  readonly #windowBytes: HeldBytes;
  readonly #output: MessageOutput;
  #windowEntries = 0;
  #isClosed = false;

  constructor(options: EventStreamOptions) {
    const { response, request, settings } = options;
    const { identity, path } = request;
    this.#output = new MessageOutput(this, settings.messages);
    this.listen = new StandaloneListen(request, this, this, this.#output.memory);
    this.#windowBytes = new HeldBytes(settings.listens, this, 0);
    this.#options = options;
    this.#response = response;
    this.#socket = response.req.socket;
    this.#sinceMs = settings.clock.nowMs();
    this.#pathLength = formatPath(path).length;
    this.#expiresAtMs = findExpiryMs(identity) ?? Number.POSITIVE_INFINITY;
    this.network = settings.networkOf(response.req);
    this.#sendBuffer = new SendBuffer(settings.sendBuffer, settings.messages, this);
    response.once('close', this.#markClosed);
    // A response that waits behind others is not notified when its connection ends.
    this.#socket.once('close', this.#markClosed);
    response.on('drain', () => this.#sendBuffer.update(response.writableLength));
    // The client may have disconnected while its credential was verified.
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

  /** Returns the path and the query that the stream listens to. */
  describeListen(): ConnectionListen {
    const { path, query } = this.#options.request;
    return { path: `/${formatPath(path)}`, query: query === null ? null : { ...queryFields(query) } };
  }

  begin(value: OutgoingMessage): void {
    this.#output.deliver([value]);
  }

  deliver(pushes: readonly OutgoingMessage[]): void {
    this.#output.deliver(pushes);
  }

  /** Sends messages whose texts are known. The first is the value. */
  readonly connection = {
    deliver: (messages: readonly OutgoingMessage[]): void => {
      if (this.#response.destroyed || this.#response.writableEnded) return;
      if (this.#response.headersSent) {
        this.#sendPushes(messages);
        return;
      }
      const [value, ...pushes] = messages;
      this.#response.writeHead(200, HEADERS);
      this.#send([Buffer.from(putEvent('', value?.text ?? 'null'))]);
      if (pushes.length > 0) this.#sendPushes(pushes);
    },
  };

  /** Nothing waits for the end of held messages. */
  drained(): void {}

  #sendPushes(pushes: readonly OutgoingMessage[]): void {
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
        // A client that reconnects receives all data again.
        this.#response.destroy();
        return;
      default:
        reason satisfies never;
    }
  }

  /**
   * Sends a keep-alive event. Called at intervals. Disconnects a client that has received none of the waiting
   * data for a whole interval.
   */
  keepAlive(): void {
    const waitingBytes = this.#response.writableLength;
    this.#sendBuffer.update(waitingBytes);
    if (!this.#sendBuffer.hasProgressed() && waitingBytes > 0) this.#response.destroy();
    else if (this.#isOpen && !this.#endIfExpired()) this.#send([KEEP_ALIVE]);
  }

  /** Ends the stream if the credential that opened it has been revoked. */
  endIfRevoked(isRevoked: (identity: Principal) => boolean): void {
    if (isRevoked(this.#options.request.identity)) this.#endWith(AUTH_REVOKED);
  }

  /** Ends the stream if the App Check token of its request has expired, or if it had none. */
  endIfUnchecked(): void {
    const { checkedUntilMs, settings } = this.#options;
    if (checkedUntilMs <= settings.clock.nowMs()) this.#endWith(AUTH_REVOKED);
  }

  /**
   * Ends the stream on behalf of the server. Does not wait for a client that has not received all sent data.
   */
  close(): void {
    this.listen.stop();
    if (this.#isOpen && this.#response.writableLength === 0) this.#response.end();
    else this.#response.destroy();
  }

  /**
   * Ends the stream because other clients need its place or its memory. A client that reads receives the reason, and when
   * to connect again. Callers may be within a transaction, so the stream ends after it.
   */
  evict(): void {
    if (this.#response.writableLength > 0) this.#response.destroy();
    else queueMicrotask(() => this.#endWith(EVICTED));
  }

  pay(moreEntries: number): void {
    this.#windowEntries += moreEntries;
    if (!this.#windowBytes.hold(this.#windowEntries * ENTRY_BYTES)) this.evict();
  }

  /** Whether the stream has begun and has not ended. */
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
    this.#output.stop();
    // A stream that ends before its first value has not sent its headers yet.
    if (!this.#response.headersSent && !this.#response.destroyed) this.#response.writeHead(200, HEADERS);
    this.#send([event]);
    if (this.#isOpen) this.#response.end();
  }

  #send(events: readonly Buffer[]): void {
    const response = this.#response;
    const bytes = join(events);
    if (!this.#isOpen || bytes.length === 0) return;
    this.#options.traffic.sentBytes += bytes.length;
    const shared = findSharedDelivery(bytes, this.#socket);
    if (!this.#sendBuffer.accept(bytes.length, response.writableLength, shared)) {
      // The client receives all data again when it reconnects, so it loses only data that it did not read.
      response.destroy();
      return;
    }
    if (!response.write(bytes) || bytes.length > FREE_BYTES) this.#sendBuffer.update(response.writableLength);
  }

  readonly #markClosed = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.off('close', this.#markClosed);
    this.listen.stop();
    this.#output.stop();
    this.#sendBuffer.update(0);
    this.#options.markClosed();
  };
}

function join(events: readonly Buffer[]): Buffer {
  const only = events[0];
  return only !== undefined && events.length === 1 ? only : Buffer.concat(events);
}
