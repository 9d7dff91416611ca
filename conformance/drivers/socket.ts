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
  /** With false the socket ignores protocol-level pings, as a dead peer does. */
  readonly autoPong?: boolean;
}

/** What the server sent: pushes as `[action, body]`, responses as `[number, body]`. */
export type Received = readonly [string | number, Json];

/** A connection that speaks the protocol frame by frame. */
export class RawSocket {
  readonly frames: string[] = [];
  readonly messages: JsonObject[] = [];
  readonly socket: WebSocket;
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

  /** Sends a request, waits for its response, and returns everything received since the last call. */
  async exchange(action: string, body: Json): Promise<readonly Received[]> {
    await this.request(action, body);
    return this.received();
  }

  /** Returns everything received on the data layer since the last call. */
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

  /** Waits until the server has answered all earlier requests; returns the pushes since the last call. */
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

/** What a push changes: absolute paths with their values, and the tag of its listen. */
export interface Changes {
  readonly tag: Json;
  readonly changes: { readonly [path: string]: Json };
}

/** Returns the meaning of a data push. `d` at a path and an `m` with that path alone mean the same. */
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
