import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { RequestError, type RequestErrorCode } from '@hearth/core/error/request-error.ts';
import { MessageAssembler } from '@hearth/core/wire/frames.ts';
import type { WebSocket } from 'ws';
import { peerAddress } from '../../http/transport.ts';
import { BYTES_PER_UNIT } from '../../platform/admission.ts';
import { type ByteHolder, HeldBytes } from '../../platform/held-bytes.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { Traffic } from '../monitoring/database-activity.ts';
import type { Connection, DrainListener, MessageReceiver } from './connection.ts';
import { joinMessages } from './outgoing-message.ts';
import { FREE_BYTES, findSharedDelivery, SendBuffer, type SendBufferLimits } from './send-buffer.ts';

/** Close codes of RFC 6455, section 7.4.1. */
const CLOSE_GOING_AWAY = 1001;
const CLOSE_PROTOCOL_ERROR = 1002;
const CLOSE_UNSUPPORTED_DATA = 1003;
const CLOSE_TOO_BIG = 1009;
const CLOSE_TRY_AGAIN_LATER = 1013;

const CLOSE_CODES: ReadonlyMap<RequestErrorCode, number> = new Map([
  ['write/too-big', CLOSE_TOO_BIG],
  ['request/overload', CLOSE_TRY_AGAIN_LATER],
]);

/** Number of waiting bytes above which no further requests of a client are executed. */
const FULL_BYTES = 1_048_576;

export interface ConnectionLimits {
  /**
   * Maximum number of bytes that may wait in addition to the largest waiting delivery. When it is exceeded, the
   * connection is closed.
   */
  readonly maxBacklogBytes: number;
  /** Maximum length of a client's message, in UTF-16 code units. */
  readonly maxMessageUnits: number;
}

/** The settings that all connections of both transports share; a single object. */
export interface ConnectionSettings {
  /** Maximum length of a client's message, in UTF-16 code units. */
  readonly maxMessageUnits: number;
  readonly sendBuffer: SendBufferLimits;
  /** The bytes of incomplete messages and of messages that wait to be sent, on all connections together. */
  readonly messages: ResourcePool;
}

export function connectionSettings(limits: ConnectionLimits, messages: ResourcePool): ConnectionSettings {
  return {
    maxMessageUnits: limits.maxMessageUnits,
    sendBuffer: { maxBytes: limits.maxBacklogBytes, fullBytes: FULL_BYTES },
    messages,
  };
}

/**
 * One WebSocket of a client. The library reads and decodes frames. Writes go directly to the socket, so that
 * all messages of a transaction are sent in one system call, and one encoding serves every connection.
 */
export class WebSocketConnection implements ByteHolder, Connection {
  readonly network: string;
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #assembler: MessageAssembler;
  readonly #sendBuffer: SendBuffer;
  readonly #unfinished: HeldBytes;
  #unfinishedUnits = 0;
  #unfinishedUnitsAtLastCheck = 0;
  #receiver: MessageReceiver | undefined;
  #drainListener: DrainListener | undefined;
  #traffic: Traffic | undefined;
  #pauses = 0;
  #isFull = false;
  /** Whether the client has sent anything since the last check. */
  #isAlive = true;

  /** `network` is that of the client. */
  constructor(webSocket: WebSocket, socket: Duplex, settings: ConnectionSettings, network: string) {
    this.network = network;
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#assembler = new MessageAssembler(settings.maxMessageUnits);
    this.#sendBuffer = new SendBuffer(settings.sendBuffer, settings.messages, this);
    this.#unfinished = new HeldBytes(settings.messages, this, FREE_BYTES);
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  get transport(): 'websocket' {
    return 'websocket';
  }

  get peerAddress(): string | null {
    return this.#socket instanceof Socket ? peerAddress(this.#socket) || null : null;
  }

  get sentBytes(): number {
    return this.#socket instanceof Socket ? this.#socket.bytesWritten : 0;
  }

  get receivedBytes(): number {
    return this.#socket instanceof Socket ? this.#socket.bytesRead : 0;
  }

  countIn(traffic: Traffic): void {
    this.#traffic = traffic;
  }

  /** Passes the client's messages to `receiver` from now on, and ends `receiver` with the connection. */
  attach(receiver: MessageReceiver): void {
    this.#receiver = receiver;
  }

  onDrained(listener: DrainListener): void {
    this.#drainListener = listener;
  }

  deliver(messages: readonly OutgoingMessage[]): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    const bytes = joinMessages(messages);
    if (this.#traffic !== undefined) this.#traffic.sentBytes += bytes.length;
    if (
      !this.#sendBuffer.accept(
        bytes.length,
        this.#socket.writableLength,
        findSharedDelivery(bytes, this.#socket),
      )
    ) {
      // The client resumes with hashes when it reconnects: it loses only data that it did not read.
      this.#webSocket.terminate();
      return;
    }
    if (this.#socket.write(bytes) && bytes.length <= FREE_BYTES) return;
    this.#sendBuffer.update(this.#socket.writableLength);
    if (!this.#isFull && this.#sendBuffer.isFull) this.#fill();
  }

  close(): void {
    if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.close(CLOSE_GOING_AWAY);
  }

  evict(): void {
    this.#webSocket.terminate();
  }

  pause(): void {
    if (this.#pauses++ === 0) this.#webSocket.pause();
  }

  resume(): void {
    if (--this.#pauses === 0) this.#webSocket.resume();
  }

  /**
   * Closes the connection if there was no sign of life since the last call, or an incomplete message did not grow.
   * Otherwise sends a ping. Called at intervals. A pong may wait behind a large delivery, so progress of that delivery
   * also counts as a sign of life.
   */
  checkAlive(): void {
    this.#sendBuffer.update(this.#socket.writableLength);
    if (this.#sendBuffer.hasProgressed()) this.#isAlive = true;
    // A client that does not continue an incomplete message wastes memory.
    const isStuck = this.#unfinishedUnits > 0 && this.#unfinishedUnits === this.#unfinishedUnitsAtLastCheck;
    this.#unfinishedUnitsAtLastCheck = this.#unfinishedUnits;
    if (!this.#isAlive || isStuck) {
      this.#webSocket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#webSocket.ping();
  }

  /** Receives a frame of the client. */
  receive(data: Buffer, isBinary: boolean): void {
    this.#isAlive = true;
    if (this.#traffic !== undefined) this.#traffic.receivedBytes += data.length;
    if (isBinary) {
      this.#reject(CLOSE_UNSUPPORTED_DATA, 'Messages must be text.');
      return;
    }
    try {
      const message = this.#assembler.accept(data.toString());
      const units = this.#assembler.unfinishedUnits;
      if (units !== this.#unfinishedUnits && !this.#unfinished.hold(BYTES_PER_UNIT * units))
        throw new RequestError('request/overload');
      this.#unfinishedUnits = units;
      if (message !== undefined) this.#receiver?.receive(message);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#reject(CLOSE_CODES.get(error.code) ?? CLOSE_PROTOCOL_ERROR, error.message);
    }
  }

  /** Called when the client has answered a ping. */
  onAlive(): void {
    this.#isAlive = true;
  }

  /** Called when the socket is closed, by either side. */
  markClosed(): void {
    this.#sendBuffer.update(0);
    this.#unfinished.hold(0);
    this.#receiver?.end();
  }

  /** Closes the connection after a protocol violation. Later messages of the client are ignored. */
  #reject(code: number, reason: string): void {
    if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.close(code, reason);
    this.#receiver?.end();
  }

  #fill(): void {
    this.#isFull = true;
    this.pause();
    this.#socket.once('drain', () => {
      this.#isFull = false;
      this.#sendBuffer.update(this.#socket.writableLength);
      this.resume();
      this.#drainListener?.drained();
    });
  }
}
