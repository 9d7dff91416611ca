import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { type Json, parseJson } from '../drivers/json.ts';
import { openDataDir, startServer } from '../drivers/server-process.ts';
import { openStream, type StreamClient } from '../drivers/stream.ts';
import { until } from '../drivers/until.ts';

const OWNER = { authorization: 'Bearer owner' };

/**
 * Returns functions for a new database: `set` writes a value, `read` returns a page of children as text, and `follow`
 * opens the stream of such a page.
 */
function openDatabase(url = inject('serverUrl')) {
  const name = `live-${crypto.randomUUID()}`;
  const children = `/api/databases/${name}/children`;
  return {
    set: async (path: string, json: Json): Promise<void> => {
      const body = JSON.stringify(json);
      const answer = await fetch(`${url}/${path}.json?ns=${name}`, { method: 'PUT', headers: OWNER, body });
      if (!answer.ok) throw new Error(`The write was rejected: ${await answer.text()}`);
    },
    read: async (query: string): Promise<string> => {
      const answer = await fetch(`${url}${children}?${query}`, { headers: OWNER });
      return answer.text();
    },
    follow: (query: string, headers = OWNER): Promise<StreamClient> =>
      openStream(`${children}?${query}`, { url, headers }),
  };
}

async function lastOf(stream: StreamClient, count: number): Promise<Json> {
  const [name, data] = (await stream.events(count)).at(-1) ?? [];
  expect(name).toBe('page');
  return parseJson(data ?? 'null');
}

describe('live pages', () => {
  test('[H421][H422] a page is sent again after each commit that changes something on it', async () => {
    const { set, read, follow } = openDatabase();
    await set('list', { a: 1, b: { x: 'é' }, c: 3 });
    const stream = await follow('path=/list&limit=2');
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(await stream.events(1)).toEqual([['page', await read('path=/list&limit=2')]]);
    await set('list/c', 4);
    await set('list/b/x', 'ü');
    expect(await lastOf(stream, 2)).toEqual({
      ...Object(parseJson(await read('path=/list&limit=2'))),
      changed: ['b'],
    });
  });

  test('[H424] a page with `last=true` keeps showing the last children', async () => {
    const { set, follow } = openDatabase();
    await set('list', { a: 1, b: 2 });
    const stream = await follow('path=/list&limit=2&last=true');
    await stream.events(1);
    await set('list/c', 3);
    expect(await lastOf(stream, 2)).toMatchObject({
      children: [{ key: 'b' }, { key: 'c' }],
      previous: 'b',
      changed: ['c'],
    });
  });

  test('[H427] the page of a database that does not exist is empty until the first write', async () => {
    const { set, follow } = openDatabase();
    const stream = await follow('limit=2');
    expect(await lastOf(stream, 1)).toEqual({ node: null, children: [], previous: null, next: null });
    await set('greeting', 'hello');
    expect(await lastOf(stream, 2)).toMatchObject({ children: [{ key: 'greeting', value: 'hello' }] });
  });

  test('[H426] a stream ends when the server stops', async () => {
    const dataDir = await openDataDir();
    const server = await startServer({ dataDir: dataDir.path });
    onTestFinished(async () => {
      await server.stop();
      await dataDir.remove();
    });
    const stream = await openDatabase(server.url).follow('');
    await stream.events(1);
    const stopped = server.stop();
    await stream.untilEnded();
    await stopped;
  });

  test('[H425] a request for a stream beyond the limit of the server or of its database is answered 503', async () => {
    const dataDir = await openDataDir();
    const server = await startServer({ dataDir: dataDir.path });
    onTestFinished(async () => {
      await server.stop();
      await dataDir.remove();
    });
    const open = async (
      database: string,
    ): Promise<{ readonly status: number; readonly leave: () => void }> => {
      const url = `${server.url}/api/databases/${database}/children`;
      const leaving = new AbortController();
      const headers = { ...OWNER, accept: 'text/event-stream' };
      const { status } = await fetch(url, { headers, signal: leaving.signal });
      return { status, leave: () => leaving.abort() };
    };
    // The limit of the server is 1,000 streams, that of one database 200.
    const streams = await Promise.all(Array.from({ length: 1_000 }, (_, index) => open(`many-${index % 5}`)));
    onTestFinished(() => {
      for (const { leave } of streams) leave();
    });
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await open('another')).status).toBe(503);
    streams[0]?.leave();
    streams[1]?.leave();
    await until(async () => expect((await open('another')).status).toBe(200));
    expect((await open('many-2')).status).toBe(503);
  });
});
