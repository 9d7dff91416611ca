import { connect, type Socket } from 'node:net';
import { headersOf, type Target } from '../network/target.ts';
import type { MalformedInput } from './kinds.ts';
import { ResponseReader } from './responses.ts';
import { encodeFrame, encodePing, FrameReader } from './sent-frames.ts';

/** An input with its number, from which its host follows. */
export interface Numbered<Kind extends MalformedInput['kind']> {
  readonly kind: string;
  readonly index: number;
  readonly input: MalformedInput & { readonly kind: Kind };
}

/** Reports the outcome of inputs that share a connection: a status, or a word. */
export type Report = (outcome: string, inputs: readonly Numbered<MalformedInput['kind']>[]) => void;

const HOSTS = 200;
/** Time in which the server must answer an input, or close its connection, in ms. */
const ANSWER_WITHIN_MS = 20_000;
/** Time for the responses to the last frames of a connection, which may be none, in ms. */
const FRAMES_MS = 15;
/** Requests in one packet: as many as a connection may have in progress. */
const PIPELINED = 8;
/** Malformed requests in one packet. */
const BYTES_TOGETHER = 4;
/** Inputs of frames in one packet. */
const FRAMES_TOGETHER = 16;
const MAX_TEXT = 10_000;

function headersOfHost(target: Target, index: number): string {
  const headers = headersOf(target, { side: 'attacker', host: index % HOSTS });
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

function open(target: Target): Socket {
  const socket = connect({ host: '127.0.0.1', port: target.port, noDelay: true });
  socket.on('error', () => undefined);
  socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
  return socket;
}

/** Waits until a connection is closed, with or without an error. */
function untilClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function encodeRequest(target: Target, { index, input }: Numbered<'request'>): string {
  const { method, path, body, headers } = input;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === null ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${target.port}\r\n${headersOfHost(target, index)}${lines.join('')}${length}\r\n${body ?? ''}`;
}

/**
 * Sends requests, several in one packet. The server may close a connection after a response, so later requests are sent again
 * on another one. A request is reported as silent if it is the first of its connection and gets no response.
 */
export async function sendRequests(
  target: Target,
  inputs: readonly Numbered<'request'>[],
  report: Report,
): Promise<void> {
  for (let at = 0; at < inputs.length; ) {
    const socket = open(target);
    const reader = new ResponseReader();
    const startedAt = at;
    let sentTo = at;
    const send = (): void => {
      sentTo = Math.min(inputs.length, at + PIPELINED);
      socket.write(
        inputs
          .slice(at, sentTo)
          .map((each) => encodeRequest(target, each))
          .join(''),
      );
    };
    socket.on('data', (bytes: Buffer) => {
      for (const { status, text } of reader.push(bytes)) {
        const answered = inputs[at];
        if (answered !== undefined) report(status >= 500 ? `${status} ${text}` : String(status), [answered]);
        at += 1;
      }
      if (at >= inputs.length) socket.destroy();
      else if (at >= sentTo) send();
    });
    send();
    await untilClosed(socket);
    const first = inputs[at];
    if (at > startedAt || first === undefined) continue;
    report('silent', [first]);
    at += 1;
  }
}

/**
 * Sends the bytes of several inputs in one packet, and ends this side. The server must answer or end its side. Inputs after the
 * last response are sent again, because the server may not have read them.
 */
export async function sendBytes(
  target: Target,
  inputs: readonly Numbered<'bytes'>[],
  report: Report,
): Promise<void> {
  for (let at = 0; at < inputs.length; ) {
    const together = inputs.slice(at, at + BYTES_TOGETHER);
    const socket = open(target);
    let text = '';
    socket.on('data', (part: Buffer) => {
      if (text.length < MAX_TEXT) text += part.toString('latin1');
    });
    let isSilent = false;
    socket.once('timeout', () => (isSilent = true));
    socket.end(Buffer.concat(together.map(({ input }) => input.bytes)));
    await untilClosed(socket);
    const statuses = Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status ?? '');
    const read = together.slice(0, Math.max(1, statuses.length));
    for (const [place, each] of read.entries())
      report(isSilent ? 'silent' : (statuses[place] ?? 'closed'), [each]);
    at += read.length;
  }
}

function handshakeOf(target: Target, index: number): string {
  return `GET /.ws?v=5&ns=${target.namespace} HTTP/1.1\r\nhost: 127.0.0.1:${target.port}\r\n${headersOfHost(target, index)}upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
}

/** A connection of frames whose handshake and first frames are one packet. */
class FrameConnection {
  readonly socket: Socket;
  readonly reader = new FrameReader(MAX_TEXT);
  /** The status of the handshake; `undefined` before its response. */
  status: number | undefined;
  #head: Buffer = Buffer.alloc(0);

  constructor(target: Target, index: number, first: Buffer, onFrames: () => void) {
    this.socket = open(target);
    this.socket.on('data', (bytes: Buffer) => {
      if (this.status === undefined) this.#readHead(bytes);
      else this.reader.push(bytes);
      if (this.reader.isClosing) this.socket.end();
      onFrames();
    });
    this.socket.write(Buffer.concat([Buffer.from(handshakeOf(target, index)), first]));
  }

  /** Whether a response says that the server made a mistake. */
  get hasFailed(): boolean {
    return /"s":"(internal|server_error)/.test(this.reader.text);
  }

  #readHead(bytes: Buffer): void {
    this.#head = Buffer.concat([this.#head, bytes]);
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1) return;
    this.status = Number(this.#head.toString('latin1', 9, 12));
    if (this.status === 101) this.reader.push(this.#head.subarray(end + 4));
    else this.socket.end();
  }
}

/**
 * Sends the frames of several inputs on one connection. A ping follows the frames of each input, so that the pongs show which
 * input ended the connection. Later inputs are sent again.
 */
export async function sendFrames(
  target: Target,
  inputs: readonly Numbered<'frames'>[],
  report: Report,
): Promise<void> {
  for (let at = 0; at < inputs.length; ) {
    const together = takeTogether(inputs, at);
    const packet = together.flatMap(({ input }) => [...input.frames.map(encodeFrame), encodePing()]);
    let timer: NodeJS.Timeout | undefined;
    const connection = new FrameConnection(target, at, Buffer.concat(packet), () => {
      if (connection.reader.pongs === together.length)
        timer ??= setTimeout(() => connection.socket.destroy(), FRAMES_MS);
    });
    await untilClosed(connection.socket);
    clearTimeout(timer);
    const { pongs } = connection.reader;
    const read = together.slice(0, pongs + 1);
    const last = pongs === together.length ? 'open' : 'closed';
    if (connection.status !== 101) report(String(connection.status ?? 'silent'), read);
    else if (connection.hasFailed) report('500 over a WebSocket', read);
    else {
      report('open', read.slice(0, pongs));
      report(last, read.slice(pongs));
    }
    at += read.length;
  }
}

/** Returns the next inputs for one connection. A frame with a number makes the server join those that follow. */
function takeTogether(inputs: readonly Numbered<'frames'>[], at: number): readonly Numbered<'frames'>[] {
  const next = inputs.slice(at, at + FRAMES_TOGETHER);
  const counting = next.findIndex(({ input }) => input.frames.some((frame) => /^\d+$/.test(String(frame))));
  return counting === -1 ? next : next.slice(0, counting + 1);
}

/** Sends bytes after a handshake in the same packet, and ends this side. The server must end its side. */
export async function sendFrameBytes(
  target: Target,
  inputs: readonly Numbered<'frameBytes'>[],
  report: Report,
): Promise<void> {
  for (const each of inputs) {
    const connection = new FrameConnection(target, each.index, each.input.bytes, () => undefined);
    let isSilent = false;
    connection.socket.once('timeout', () => (isSilent = true));
    connection.socket.end();
    await untilClosed(connection.socket);
    if (isSilent) report('silent', [each]);
    else if (connection.hasFailed) report('500 over a WebSocket', [each]);
    else report(connection.status === 101 ? 'closed' : String(connection.status ?? 'closed'), [each]);
  }
}
