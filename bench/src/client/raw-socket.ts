import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { encodeClientFrame, findServerFrame, OPCODE } from './frames.ts';

/** Callbacks of a connection. */
export type RawSocketEvents = {
  readonly onText: (text: string) => void;
  /** Called when all frames that arrived together have been reported. */
  readonly onArrivalEnd?: () => void;
  readonly onClose?: () => void;
};

/**
 * A WebSocket connection with as little code as possible between it and the kernel, so that the load
 * generator needs less processor time than the server.
 */
export class RawSocket {
  readonly #socket: Socket;
  readonly #events: RawSocketEvents;
  #pending: Buffer;

  private constructor(socket: Socket, rest: Buffer, events: RawSocketEvents) {
    this.#socket = socket;
    this.#events = events;
    this.#pending = rest;
    socket.on('data', (chunk) => this.#accept(chunk));
    socket.on('close', () => events.onClose?.());
    // A killed server resets its connections. The event `close` follows, and calls `onClose`.
    socket.on('error', () => socket.destroy());
    if (rest.length > 0) queueMicrotask(() => this.#accept(Buffer.alloc(0)));
  }

  /** Opens a connection to a namespace on a loopback port. Throws if the server does not switch protocols. */
  static async open(port: number, namespace: string, events: RawSocketEvents): Promise<RawSocket> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    socket.write(
      `GET /.ws?v=5&ns=${namespace} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\n` +
        'Connection: Upgrade\r\nSec-WebSocket-Key: aGVhcnRoLWJlbmNoLWtleQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    );
    const rest = await readUpgradeAnswer(socket);
    return new RawSocket(socket, rest, events);
  }

  /** Writes bytes that contain whole frames. Several frames in one call are sent by one system call. */
  write(frames: Buffer): void {
    this.#socket.write(frames);
  }

  /** Stops reading what the server sends. */
  pause(): void {
    this.#socket.pause();
  }

  /** Closes the connection immediately. */
  destroy(): void {
    this.#socket.destroy();
  }

  #accept(chunk: Buffer): void {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    let offset = 0;
    for (let frame = findServerFrame(bytes, 0); frame !== undefined; frame = findServerFrame(bytes, offset)) {
      offset = frame.end;
      if (frame.opcode === OPCODE.text) this.#events.onText(bytes.toString('utf8', frame.start, frame.end));
      else if (frame.opcode === OPCODE.ping)
        this.write(encodeClientFrame(bytes.subarray(frame.start, frame.end), OPCODE.pong));
      else if (frame.opcode === OPCODE.close) this.#socket.destroy();
    }
    this.#pending = bytes.subarray(offset);
    this.#events.onArrivalEnd?.();
  }
}

/** Waits for the server's HTTP response. Returns the bytes after it. Throws if the server does not switch protocols. */
async function readUpgradeAnswer(socket: Socket): Promise<Buffer> {
  let seen = Buffer.alloc(0);
  while (!seen.includes('\r\n\r\n')) {
    const chunk = await new Promise<Buffer | undefined>((resolve) => {
      const settle = (result: Buffer | undefined) => {
        socket.off('data', onData);
        socket.off('close', onClose);
        socket.off('error', onClose);
        socket.pause();
        resolve(result);
      };
      const onData = (data: Buffer) => settle(data);
      const onClose = () => settle(undefined);
      socket.on('data', onData);
      socket.on('close', onClose);
      socket.on('error', onClose);
      socket.resume();
    });
    if (chunk === undefined)
      throw new Error('the server closed the connection before switching to WebSocket');
    seen = Buffer.concat([seen, chunk]);
  }
  if (!seen.toString('latin1').startsWith('HTTP/1.1 101 ')) {
    socket.destroy();
    throw new Error(`the server rejected the WebSocket: ${seen.toString('latin1').slice(0, 200)}`);
  }
  const rest = seen.subarray(seen.indexOf('\r\n\r\n') + 4);
  queueMicrotask(() => socket.resume());
  return rest;
}
