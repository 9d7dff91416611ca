import { inject, onTestFinished } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson } from './json.ts';
import type { TappedMessage } from './tap.ts';
import { until } from './until.ts';

/** Controls a proxy of the running test in front of the server; works in Node and in a browser. */
export interface GatewayClient {
  readonly url: string;
  /** Path and query of all forwarded requests, in order. */
  addresses(): Promise<readonly string[]>;
  /** Rejects WebSockets from now on, and cuts the open ones. */
  block(): Promise<void>;
  /** Answers every request with 503 and a text page from now on. */
  fail(): Promise<void>;
  /** Forwards everything again. */
  allow(): Promise<void>;
}

/** How a proxy treats connections. */
export interface GatewayBehavior {
  /** The proxy cuts a connection after this time without traffic. */
  readonly idleMs?: number;
  /** Whether WebSockets are rejected from the start. */
  readonly isBlocking?: boolean;
}

/** Opens a proxy for the running test; it is closed with the test. */
export async function proxyServer(behavior: GatewayBehavior = {}): Promise<GatewayClient> {
  const base = `${inject('testBedUrl')}/gateways`;
  const opened = await postGateway(base, JSON.stringify(behavior));
  if (!isJsonObject(opened)) throw new Error('The test bed opened no gateway.');
  const send = (name: string) => postGateway(`${base}/${opened['id']}/${name}`, '');
  onTestFinished(async () => {
    await send('close');
  });
  return {
    url: String(opened['url']),
    addresses: async () => {
      const addresses = await send('addresses');
      return Array.isArray(addresses) ? addresses.map(String) : [];
    },
    block: async () => void (await send('block')),
    fail: async () => void (await send('fail')),
    allow: async () => void (await send('allow')),
  };
}

async function postGateway(url: string, body: string): Promise<Json> {
  const answer = await fetch(url, { method: 'POST', body });
  const value = parseJson(await answer.text());
  if (!answer.ok) throw new Error(`The test bed rejected ${url}: ${JSON.stringify(value)}`);
  return value;
}

/** Controls a server of the running test; works in Node and in a browser. */
export interface OwnServerClient {
  readonly url: string;
  end(how: 'stop' | 'kill'): Promise<void>;
  /** Starts the server again, with the same data and port. */
  start(): Promise<void>;
}

/** Opens a server for the running test; it is closed with the test. */
export async function openOwnServer(): Promise<OwnServerClient> {
  const base = `${inject('testBedUrl')}/servers`;
  const opened = await postServer(base);
  if (!isJsonObject(opened)) throw new Error('The test bed opened no server.');
  const send = (name: string) => postServer(`${base}/${opened['id']}/${name}`);
  onTestFinished(async () => {
    await send('close');
  });
  return {
    url: String(opened['url']),
    end: async (how) => void (await send(how)),
    start: async () => void (await send('start')),
  };
}

async function postServer(url: string): Promise<Json> {
  const answer = await fetch(url, { method: 'POST' });
  const value = parseJson(await answer.text());
  if (!answer.ok) throw new Error(`The test bed rejected ${url}: ${JSON.stringify(value)}`);
  return value;
}

/** A data-layer message with its direction: requests from the client, responses and pushes from the server. */
export interface DataMessage {
  readonly socket: number;
  readonly from: 'client' | 'server';
  readonly action: string | undefined;
  readonly body: JsonObject;
}

/** Controls a relay of the running test in front of the server; works in Node and in a browser. */
export interface TapClient {
  readonly url: string;
  /** Data-layer messages so far, in order. */
  messages(): Promise<readonly DataMessage[]>;
  /** Pushes of data (`d` and `m`) so far at or below a path; the path has no slash at either end. */
  pushesAt(path: string): Promise<readonly DataMessage[]>;
  /** Returns how many keepalives the client has sent. */
  countKeepalives(): Promise<number>;
  /** Waits for a message that satisfies the predicate. */
  untilMessage(isWanted: (message: DataMessage) => boolean): Promise<void>;
  /** Drops every connection without a closing handshake. */
  cut(): Promise<void>;
  /** Holds what the server sends until `release`. */
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Sends a frame to the clients as if it were the server. */
  inject(frame: string): Promise<void>;
}

/** Opens a relay for the running test; it is closed with the test. */
export async function tapServer(): Promise<TapClient> {
  const base = `${inject('testBedUrl')}/taps`;
  const opened = await post(base);
  if (!isJsonObject(opened)) throw new Error('The test bed opened no tap.');
  const send = (name: string, body?: string) => post(`${base}/${opened['id']}/${name}`, body);
  onTestFinished(async () => {
    await send('close');
  });
  const tapped = async () => (await send('messages')) as unknown as readonly TappedMessage[];
  const messages = async () => (await tapped()).flatMap(decodeDataMessage);
  return {
    url: String(opened['url']),
    messages,
    pushesAt: async (path) =>
      (await messages()).filter(
        ({ from, action, body }) =>
          from === 'server' &&
          (action === 'd' || action === 'm') &&
          `${String(body['p']).replace(/^\//, '')}/`.startsWith(`${path}/`),
      ),
    countKeepalives: async () => (await tapped()).filter(({ text }) => text === '0').length,
    untilMessage: (isWanted) =>
      until(async () => {
        if (!(await messages()).some(isWanted)) throw new Error('No such message has been sent.');
      }),
    cut: async () => void (await send('cut')),
    hold: async () => void (await send('hold')),
    release: async () => void (await send('release')),
    inject: async (frame) => void (await send('inject', frame)),
  };
}

function decodeDataMessage({ socket, from, text }: TappedMessage): readonly DataMessage[] {
  const message = parseJson(text);
  if (!isJsonObject(message) || message['t'] !== 'd' || !isJsonObject(message['d'])) return [];
  const { a, b } = message['d'] as { readonly a?: string; readonly b: JsonObject };
  return [{ socket, from, action: a, body: b }];
}

async function post(url: string, body = ''): Promise<Json> {
  const answer = await fetch(url, { method: 'POST', body });
  const value = parseJson(await answer.text());
  if (!answer.ok) throw new Error(`The test bed rejected ${url}: ${JSON.stringify(value)}`);
  return value;
}
