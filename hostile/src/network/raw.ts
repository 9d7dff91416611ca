import { connect, type Socket } from 'node:net';
import { addressOf, connectionOf, type Peer, type Target } from './target.ts';

/** A TCP connection on which an attacker may send anything. */
export interface RawConnection {
  readonly socket: Socket;
  /** Whether either side has ended the connection. */
  isClosed(): boolean;
  /** The beginning of the server's response. */
  received(): string;
}

const KEPT_CHARACTERS = 2_000;

/** Opens a TCP connection. Resolves when it is open, or to `undefined` if it cannot be opened. */
export function openRaw(target: Target, peer: Peer): Promise<RawConnection | undefined> {
  return new Promise((resolve) => {
    const socket = connect(connectionOf(target, peer));
    let text = '';
    let isClosed = false;
    const connection: RawConnection = { socket, isClosed: () => isClosed, received: () => text };
    socket.on('data', (part: Buffer) => {
      if (text.length < KEPT_CHARACTERS) text += part.toString('latin1');
    });
    socket.once('connect', () => resolve(connection));
    socket.once('error', () => resolve(undefined));
    socket.once('close', () => {
      isClosed = true;
      resolve(undefined);
    });
  });
}

/** Returns the beginning of a request: the first line and the headers, without the empty line at their end. */
export function headText(target: Target, peer: Peer, line: string, headers: readonly string[] = []): string {
  const forwarded = target.entry === 'proxied' ? [`X-Forwarded-For: ${addressOf(target, peer)}`] : [];
  return [`${line} HTTP/1.1`, 'Host: 127.0.0.1', ...forwarded, ...headers].join('\r\n');
}
