import type { Duplex } from 'node:stream';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { MessageAssembler } from '@hearth/core/wire/chunk.ts';
import type { RawData, WebSocket } from 'ws';
import type { Frame } from '../commit/frame.ts';
import type { Connection } from './connection.ts';
import { joinFrames } from './join-frames.ts';
import type { Session } from './session.ts';

/** Close codes of RFC 6455, 7.4.1. */
const CLOSE_GOING_AWAY = 1001;
const CLOSE_PROTOCOL_ERROR = 1002;
const CLOSE_UNSUPPORTED_DATA = 1003;
const CLOSE_TOO_BIG = 1009;

/** Bytes that wait to be sent beyond which a client's further requests are not read: it has to read first. */
const PAUSE_BYTES = 1_048_576;

export interface ConnectionLimits {
  /** Bytes that may wait to be sent behind the largest of the waiting messages; beyond, the client is cut off. */
  readonly maxBacklogBytes: number;
  /** Longest message of a client in UTF-16 code units. */
  readonly maxMessageUnits: number;
}

/**
 * One WebSocket of a client. Reading and its framing are the library's; writing goes to the socket, so that all messages
 * of a turn leave in one system call and one encoding serves every connection.
 */
export class WebSocketConnection implements Connection {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #limits: ConnectionLimits;
  readonly #assembler: MessageAssembler;
  /** Size of the largest delivery since nothing was waiting. */
  #largestBytes = 0;
  #pauses = 0;
  #isFull = false;
  /** Whether the client was heard of since the last check. */
  #isAlive = true;

  constructor(webSocket: WebSocket, socket: Duplex, limits: ConnectionLimits) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#limits = limits;
    this.#assembler = new MessageAssembler(limits.maxMessageUnits);
  }

  /** Starts reading for a session, which ends with the connection. */
  attach(session: Session): void {
    this.#webSocket.on('message', (data, isBinary) => this.#receive(session, data, isBinary));
    this.#webSocket.on('pong', () => {
      this.#isAlive = true;
    });
    this.#webSocket.on('close', () => session.end());
    // Reported as a close too; without a listener it would be thrown.
    this.#webSocket.on('error', () => undefined);
  }

  deliver(frames: readonly Frame[]): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    const bytes = joinFrames(frames);
    const waiting = this.#socket.writableLength;
    this.#largestBytes = waiting === 0 ? bytes.length : Math.max(this.#largestBytes, bytes.length);
    if (waiting + bytes.length - this.#largestBytes > this.#limits.maxBacklogBytes) {
      // The client resumes with hashes when it comes back: nothing is lost but what it would not read.
      this.#webSocket.terminate();
      return;
    }
    const isTaken = this.#socket.write(bytes);
    if (!isTaken && !this.#isFull && this.#socket.writableLength > PAUSE_BYTES) this.#pauseUntilDrained();
  }

  close(): void {
    if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.close(CLOSE_GOING_AWAY);
  }

  pause(): void {
    if (this.#pauses++ === 0) this.#webSocket.pause();
  }

  resume(): void {
    if (--this.#pauses === 0) this.#webSocket.resume();
  }

  /** Called at intervals: ends the connection when nothing was heard since the last call, else asks for a sign of life. */
  checkAlive(): void {
    if (!this.#isAlive) {
      this.#webSocket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#webSocket.ping();
  }

  /** Ends the connection at once, without the closing handshake. */
  terminate(): void {
    this.#webSocket.terminate();
  }

  #receive(session: Session, data: RawData, isBinary: boolean): void {
    this.#isAlive = true;
    if (isBinary) {
      this.#webSocket.close(CLOSE_UNSUPPORTED_DATA, 'Messages are text.');
      return;
    }
    try {
      const message = this.#assembler.accept(textOf(data));
      if (message !== undefined) session.receive(message);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const code = error.code === 'write/too-big' ? CLOSE_TOO_BIG : CLOSE_PROTOCOL_ERROR;
      this.#webSocket.close(code, error.message);
      session.end();
    }
  }

  #pauseUntilDrained(): void {
    this.#isFull = true;
    this.pause();
    this.#socket.once('drain', () => {
      this.#isFull = false;
      this.resume();
    });
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}
