import { inject, onTestFinished } from 'vitest';
import { isJsonObject, type Json, parseJson } from './json.ts';

/** A server of the running test's own; works in Node and in a browser. */
export interface OwnServerClient {
  readonly url: string;
  end(how: 'stop' | 'kill'): Promise<void>;
  /** Starts it again, on the same data and port. */
  start(): Promise<void>;
}

/** Opens a server for the running test; it is closed with the test. */
export async function openOwnServer(): Promise<OwnServerClient> {
  const base = `${inject('standUrl')}/servers`;
  const opened = await post(base);
  if (!isJsonObject(opened)) throw new Error('The stand did not open a server.');
  const order = (name: string) => post(`${base}/${opened['id']}/${name}`);
  onTestFinished(async () => {
    await order('close');
  });
  return {
    url: String(opened['url']),
    end: async (how) => void (await order(how)),
    start: async () => void (await order('start')),
  };
}

async function post(url: string): Promise<Json> {
  const answer = await fetch(url, { method: 'POST' });
  const value = parseJson(await answer.text());
  if (!answer.ok) throw new Error(`The stand refused ${url}: ${JSON.stringify(value)}`);
  return value;
}
