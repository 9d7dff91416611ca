import { inject, onTestFinished } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson } from './json.ts';
import type { TappedMessage } from './tap.ts';
import { until } from './until.ts';

/** Controls the proxy that `proxyServer` opens in front of the server. Works in Node and in a browser. */
export interface GatewayClient {
  readonly url: string;
  /** Returns the path and query of all requests so far, in order, except those of rejected WebSockets. */
  addresses(): Promise<readonly string[]>;
  /** Cuts all open WebSockets, and rejects new ones until `allow`. */
  block(): Promise<void>;
  /** Answers requests with 503 and a text page until `allow`. WebSockets are still forwarded. */
  fail(): Promise<void>;
  /** Ends the effect of `block` and `fail`. */
  allow(): Promise<void>;
}

/** How a proxy treats connections. */
export interface GatewayBehavior {
  /** The proxy cuts a connection without traffic, or a WebSocket without traffic from the client, after this time. */
  readonly idleMs?: number;
  /** Whether WebSockets are rejected from the start. */
  readonly isBlocking?: boolean;
}

/** Opens a proxy, and closes it when the running test ends. */
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

/** Controls the server that `openOwnServer` starts for the running test. Works in Node and in a browser. */
export interface OwnServerClient {
  readonly url: string;
  /** Ends the server: `stop` lets it finish its work, `kill` does not. */
  end(how: 'stop' | 'kill'): Promise<void>;
  /** Starts the server again, with the same data and port. */
  start(): Promise<void>;
}

/** Starts a server, and stops it when the running test ends. */
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

/** A message of the data layer (`t` is `d`): a request of a client, or a response or a push of the server. */
export interface DataMessage {
  /** Counts the connections of the relay from 1. */
  readonly socket: number;
  readonly from: 'client' | 'server';
  /** A response has no action. */
  readonly action: string | undefined;
  readonly body: JsonObject;
}

/** Controls the relay that `tapServer` opens in front of the server. Works in Node and in a browser. */
export interface TapClient {
  readonly url: string;
  /** Returns the data-layer messages that the relay has forwarded so far, in order. */
  messages(): Promise<readonly DataMessage[]>;
  /** Returns the forwarded pushes of data (actions `d` and `m`) at or below a path without slashes at its ends. */
  pushesAt(path: string): Promise<readonly DataMessage[]>;
  /** Returns how many keepalives the relay has forwarded. */
  countKeepalives(): Promise<number>;
  /** Waits until a message, earlier ones included, satisfies the predicate. */
  untilMessage(isWanted: (message: DataMessage) => boolean): Promise<void>;
  /** Drops every connection without a closing handshake, and discards the messages that `hold` has held. */
  cut(): Promise<void>;
  /** Holds the frames of the server until `release` forwards them. */
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Sends a frame to all connected clients as if it came from the server. */
  inject(frame: string): Promise<void>;
}

/** Opens a relay, and closes it when the running test ends. */
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
