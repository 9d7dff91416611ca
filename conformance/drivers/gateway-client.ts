import { inject, onTestFinished } from 'vitest';
import { isJsonObject, type Json, parseJson } from './json.ts';

/** What a test may do with its own proxy in front of the server; works in Node and in a browser. */
export interface GatewayClient {
  readonly url: string;
  /** Path and query of all requests that were passed on, in order. */
  addresses(): Promise<readonly string[]>;
  /** Refuses WebSockets from now on, and cuts those that are open. */
  block(): Promise<void>;
  /** Answers every request with 503 and a page of text from now on. */
  fail(): Promise<void>;
  /** Passes on everything again. */
  allow(): Promise<void>;
}

/** How a proxy treats connections. */
export interface GatewayTemper {
  /** A connection on which nothing was sent for so long is cut. */
  readonly idleMs?: number;
  /** Whether WebSockets are refused from the start. */
  readonly isBlocking?: boolean;
}

/** Opens a proxy for the running test; it is closed with the test. */
export async function guardServer(temper: GatewayTemper = {}): Promise<GatewayClient> {
  const base = `${inject('standUrl')}/gateways`;
  const opened = await post(base, JSON.stringify(temper));
  if (!isJsonObject(opened)) throw new Error('The stand did not open a gateway.');
  const order = (name: string) => post(`${base}/${opened['id']}/${name}`, '');
  onTestFinished(async () => {
    await order('close');
  });
  return {
    url: String(opened['url']),
    addresses: async () => {
      const addresses = await order('addresses');
      return Array.isArray(addresses) ? addresses.map(String) : [];
    },
    block: async () => void (await order('block')),
    fail: async () => void (await order('fail')),
    allow: async () => void (await order('allow')),
  };
}

async function post(url: string, body: string): Promise<Json> {
  const answer = await fetch(url, { method: 'POST', body });
  const value = parseJson(await answer.text());
  if (!answer.ok) throw new Error(`The stand refused ${url}: ${JSON.stringify(value)}`);
  return value;
}
