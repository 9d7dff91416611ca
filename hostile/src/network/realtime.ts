import { WebSocket } from 'ws';
import { isJsonObject, type JsonObject, parseObject } from './json.ts';
import { connectionOf, headersOf, type Peer, type Target } from './target.ts';

/** The outcome of a request: the status that the server sent, or `closed` if the connection ended before. */
export interface RequestOutcome {
  readonly status: string;
  readonly data: unknown;
  readonly tookMs: number;
}

interface Waiting {
  readonly startedMs: number;
  readonly settle: (outcome: RequestOutcome) => void;
}

export interface RealtimeOptions {
  readonly namespace?: string;
  readonly onPush?: (action: string, body: JsonObject) => void;
}

/** Long enough for a server that is under load, so that only a lost connection fails. */
const HANDSHAKE_MS = 30_000;

/** Longest frame of a message. Longer messages are sent in several frames. */
const FRAME_UNITS = 16_384;

/** A connection of the realtime protocol over a WebSocket. */
export class RealtimeClient {
  readonly socket: WebSocket;
  readonly #onPush: (action: string, body: JsonObject) => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #greeted = Promise.withResolvers<boolean>();
  #requests = 0;
  #parts: string[] = [];
  #missingParts = 0;
  #isOpen = false;

  private constructor(socket: WebSocket, onPush: (action: string, body: JsonObject) => void) {
    this.socket = socket;
    this.#onPush = onPush;
    socket.on('message', (data) => this.#accept(String(data)));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end());
  }

  /** Connects and waits for the greeting. Resolves to `undefined` if the server does not accept the connection. */
  static async open(
    target: Target,
    peer: Peer,
    { namespace = target.namespace, onPush = () => undefined }: RealtimeOptions = {},
  ): Promise<RealtimeClient | undefined> {
    const socket = new WebSocket(`ws://127.0.0.1:${target.port}/.ws?v=5&ns=${namespace}`, {
      ...connectionOf(target, peer),
      headers: headersOf(target, peer),
      handshakeTimeout: HANDSHAKE_MS,
      perMessageDeflate: false,
      maxPayload: 2 ** 30,
    });
    const client = new RealtimeClient(socket, onPush);
    return (await client.#greeted.promise) ? client : undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Sends a request. Resolves when the server responds or the connection ends. Never rejects. */
  request(action: string, body: unknown): Promise<RequestOutcome> {
    return new Promise((settle) => {
      const startedMs = performance.now();
      if (!this.#isOpen) {
        settle({ status: 'closed', data: null, tookMs: 0 });
        return;
      }
      this.#waiting.set(this.#send(action, body), { startedMs, settle });
    });
  }

  /** Sends a request whose response does not matter. */
  post(action: string, body: unknown): void {
    if (this.#isOpen) this.#send(action, body);
  }

  close(): void {
    this.socket.terminate();
  }

  #send(action: string, body: unknown): number {
    this.#requests += 1;
    const text = JSON.stringify({ t: 'd', d: { r: this.#requests, a: action, b: body } });
    if (text.length <= FRAME_UNITS) this.socket.send(text);
    else {
      this.socket.send(String(Math.ceil(text.length / FRAME_UNITS)));
      for (let start = 0; start < text.length; start += FRAME_UNITS)
        this.socket.send(text.slice(start, start + FRAME_UNITS));
    }
    return this.#requests;
  }

  #accept(frame: string): void {
    if (this.#missingParts > 0) {
      this.#parts.push(frame);
      this.#missingParts -= 1;
      if (this.#missingParts === 0) this.#receive(this.#parts.splice(0).join(''));
    } else if (/^[1-9][0-9]{0,5}$/.test(frame)) this.#missingParts = Number(frame);
    else this.#receive(frame);
  }

  #receive(text: string): void {
    const { t, d } = parseObject(text);
    if (!isJsonObject(d)) return;
    if (t === 'c' && d['t'] === 'h') {
      this.#isOpen = true;
      this.#greeted.resolve(true);
    }
    if (t !== 'd') return;
    const body = isJsonObject(d['b']) ? d['b'] : {};
    if (typeof d['a'] === 'string') this.#onPush(d['a'], body);
    const id = Number(d['r']);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.settle({
      status: String(body['s']),
      data: body['d'],
      tookMs: performance.now() - waiting.startedMs,
    });
  }

  #end(): void {
    this.#isOpen = false;
    this.#greeted.resolve(false);
    for (const { startedMs, settle } of this.#waiting.values())
      settle({ status: 'closed', data: null, tookMs: performance.now() - startedMs });
    this.#waiting.clear();
  }
}
