import { inject, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { isJsonObject, type Json, type JsonObject, parseJson } from './json.ts';
import { FrameAssembler } from './tap.ts';
import { until } from './until.ts';

/** How a raw connection is opened. */
export interface RawSocketOptions {
  /** Query string without the question mark; `v=5&ns=<namespace>` unless given. */
  readonly search?: string;
  readonly host?: string;
  readonly url?: string;
  /** With `false`, the socket ignores WebSocket pings, as a dead peer does. */
  readonly autoPong?: boolean;
}

/** A message of the server: a push as `[action, body]`, or a response as `[number, body]`. */
export type Received = readonly [string | number, Json];

/** A connection that speaks the protocol frame by frame. */
export class RawSocket {
  readonly frames: string[] = [];
  readonly messages: JsonObject[] = [];
  readonly socket: WebSocket;
  /** The close code of the connection; `undefined` while it is open. */
  closedWith: number | undefined;
  #requests = 0;
  #read = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    const assembler = new FrameAssembler();
    socket.on('message', (data, isBinary) => {
      if (isBinary) throw new Error('The server sent a binary frame.');
      this.frames.push(data.toString());
      const text = assembler.add(data.toString());
      if (text === undefined) return;
      const message = parseJson(text);
      if (!isJsonObject(message)) throw new Error(`The server sent ${text}`);
      this.messages.push(message);
    });
    socket.on('close', (code) => {
      this.closedWith = code;
    });
    socket.on('error', () => undefined);
  }

  /** Sends one frame unchanged. */
  sendFrame(frame: string | Uint8Array): void {
    this.socket.send(frame);
  }

  /** Sends a request in one frame and returns its number. */
  post(action: string, body: Json): number {
    this.#requests += 1;
    this.sendFrame(JSON.stringify({ t: 'd', d: { r: this.#requests, a: action, b: body } }));
    return this.#requests;
  }

  /** Sends a request and returns the body of its response. */
  async request(action: string, body: Json): Promise<JsonObject> {
    return this.untilResponse(this.post(action, body));
  }

  /** Waits for the response with a number and returns its body. */
  async untilResponse(number: number): Promise<JsonObject> {
    return until(() => {
      for (const { d } of this.messages) {
        if (isJsonObject(d) && d['r'] === number && isJsonObject(d['b'])) return d['b'];
      }
      throw new Error(`Response ${number} is missing; the connection closed with ${this.closedWith}.`);
    });
  }

  /** Sends a request, waits for the response, and returns what `received` returns. */
  async exchange(action: string, body: Json): Promise<readonly Received[]> {
    await this.request(action, body);
    return this.received();
  }

  /** Returns the pushes and responses since `received`, `exchange` or `pushes` was last called. */
  received(): readonly Received[] {
    const fresh = this.messages.slice(this.#read);
    this.#read = this.messages.length;
    return fresh.flatMap<Received>(({ t, d }) => {
      if (t !== 'd' || !isJsonObject(d)) return [];
      const number = d['r'];
      const action = d['a'];
      if (typeof number === 'number') return [[number, d['b'] ?? null]];
      if (typeof action === 'string') return [[action, d['b'] ?? null]];
      throw new Error(`The server sent neither a response nor a push: ${JSON.stringify(d)}`);
    });
  }

  /** Waits until the server has answered all earlier requests, and returns only the pushes that `received` returns. */
  async pushes(): Promise<readonly Received[]> {
    const number = this.post('s', { c: {} });
    await this.untilResponse(number);
    return this.received().filter(([head]) => typeof head === 'string');
  }

  /** Returns the body of the handshake. */
  handshake(): JsonObject {
    const hello = this.messages[0]?.['d'];
    if (!isJsonObject(hello) || hello['t'] !== 'h' || !isJsonObject(hello['d'])) {
      throw new Error(`The first message is not a handshake: ${JSON.stringify(this.messages[0])}`);
    }
    return hello['d'];
  }

  /** Waits until the server has closed the connection. */
  async untilClosed(): Promise<void> {
    await until(() => {
      if (this.closedWith === undefined) throw new Error('The connection is still open.');
    });
  }
}

/** Opens a raw connection and waits for the first message; the connection ends with the running test. */
export async function openRawSocket(namespace: string, options: RawSocketOptions = {}): Promise<RawSocket> {
  const base = (options.url ?? inject('serverUrl')).replace('http', 'ws');
  const socket = new WebSocket(`${base}/.ws?${options.search ?? `v=5&ns=${namespace}`}`, {
    autoPong: options.autoPong ?? true,
    ...(options.host === undefined ? {} : { headers: { host: options.host } }),
  });
  const raw = new RawSocket(socket);
  onTestFinished(() => socket.terminate());
  await until(() => {
    if (raw.messages.length === 0)
      throw new Error(`The server sent nothing; the connection closed with ${raw.closedWith}.`);
  });
  return raw;
}

/** What a push changes: values by their path from the root, and the tag of the listen, `null` without one. */
export interface Changes {
  readonly tag: Json;
  readonly changes: { readonly [path: string]: Json };
}

/** Returns the changes of a data push. A `d` and an `m` that set one path to the same value have the same changes. */
export function changesOf([action, body]: Received): Changes {
  if (!isJsonObject(body)) throw new Error('The push has no body.');
  const path = String(body['p']);
  const data = body['d'] ?? null;
  const join = (relative: string) => (path === '' ? relative : `${path}/${relative}`);
  const tag = body['t'] ?? null;
  if (action === 'd') return { tag, changes: { [path]: data } };
  if (action !== 'm' || !isJsonObject(data)) throw new Error(`Not a data push: ${action}`);
  const entries = Object.entries(data).map(([key, value]) => [join(key), value ?? null] as const);
  return { tag, changes: Object.fromEntries(entries) };
}
