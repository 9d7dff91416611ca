import { inject, onTestFinished } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson } from './json.ts';
import type { TappedMessage } from './tapped-message.ts';
import { until } from './until.ts';

/** A data-layer message with its direction: requests from the client, responses and pushes from the server. */
export interface DataMessage {
  readonly socket: number;
  readonly from: 'client' | 'server';
  readonly action: string | undefined;
  readonly body: JsonObject;
}

/** What a test may do with its own relay in front of the server; works in Node and in a browser. */
export interface TapClient {
  readonly url: string;
  /** Data-layer messages so far, in order. */
  messages(): Promise<readonly DataMessage[]>;
  /** Data pushed by the server so far (`d` and `m`) at or below a path given without slashes around it. */
  pushesAt(path: string): Promise<readonly DataMessage[]>;
  /** How many keepalives the client has sent. */
  countKeepalives(): Promise<number>;
  /** Waits for a message that satisfies the predicate. */
  untilMessage(isWanted: (message: DataMessage) => boolean): Promise<void>;
  /** Drops every connection without a closing handshake. */
  cut(): Promise<void>;
  /** Keeps back what the server sends until `release`. */
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Sends a frame to the clients in the server's name. */
  inject(frame: string): Promise<void>;
}

/** Opens a relay for the running test; it is closed with the test. */
export async function tapServer(): Promise<TapClient> {
  const base = `${inject('standUrl')}/taps`;
  const opened = await post(base);
  if (!isJsonObject(opened)) throw new Error('The stand did not open a tap.');
  const order = (name: string, body?: string) => post(`${base}/${opened['id']}/${name}`, body);
  onTestFinished(async () => {
    await order('close');
  });
  const tapped = async () => (await order('messages')) as unknown as readonly TappedMessage[];
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
        if (!(await messages()).some(isWanted)) throw new Error('The wanted message has not been seen.');
      }),
    cut: async () => void (await order('cut')),
    hold: async () => void (await order('hold')),
    release: async () => void (await order('release')),
    inject: async (frame) => void (await order('inject', frame)),
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
  if (!answer.ok) throw new Error(`The stand refused ${url}: ${JSON.stringify(value)}`);
  return value;
}
