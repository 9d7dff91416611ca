import { onDisconnect, onValue, ref, set } from 'firebase/database';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { unsignedToken } from '../drivers/credentials.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../drivers/json.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { openRawPoller } from '../drivers/poller.ts';
import { openClient, untilConnected } from '../drivers/sdk.ts';
import { openDataDir, startServer } from '../drivers/server-process.ts';
import { openRawSocket } from '../drivers/socket.ts';
import { openStream, type StreamClient } from '../drivers/stream.ts';
import { until } from '../drivers/until.ts';

const OWNER = { authorization: 'Bearer owner' };

async function send(
  address: string,
  method = 'GET',
  url = inject('serverUrl'),
): Promise<{ readonly status: number; readonly json: Json }> {
  const answer = await fetch(url + address, { method, headers: OWNER });
  return { status: answer.status, json: parseJson(await answer.text()) };
}

async function read(address: string, url = inject('serverUrl')): Promise<JsonObject> {
  const { status, json } = await send(address, 'GET', url);
  if (status !== 200 || !isJsonObject(json)) throw new Error(`${address}: ${status} ${JSON.stringify(json)}`);
  return json;
}

function itemsOf(value: Json | undefined): readonly JsonObject[] {
  if (!Array.isArray(value)) throw new Error(`Not a list: ${JSON.stringify(value)}`);
  return value.filter(isJsonObject);
}

async function connectionsOf(ns: string): Promise<readonly JsonObject[]> {
  return itemsOf((await read(`/api/databases/${ns}/connections`))['connections']);
}

describe('connections', () => {
  test('[H430][H431][H432] the connections of a database are listed, each with its details', async () => {
    const ns = await openNamespace();
    const socket = await openRawSocket(ns);
    await socket.request('s', { c: { 'sdk.js.12-0-0': 1, 'framework.cordova': 1 } });
    await socket.request('gauth', { cred: unsignedToken('ada') });
    await socket.request('q', { p: '/a', h: '' });
    await socket.request('q', { p: '/b', q: { i: '.key', l: 2, vf: 'l' }, t: 1, h: '' });
    await socket.request('o', { p: '/gone', d: true });
    await openRawPoller(ns);
    const stream = await openStream(`/c.json?ns=${ns}&orderBy="$key"&limitToLast=1`, {
      headers: { 'user-agent': 'x'.repeat(300) },
    });
    await stream.events(1);
    const list = await connectionsOf(ns);
    const common = { address: '127.0.0.1', sinceMs: expect.any(Number), receivedBytes: expect.any(Number) };
    expect(list).toEqual([
      {
        ...common,
        id: expect.any(Number),
        userAgent: '',
        sdk: 'sdk.js.12-0-0',
        transport: 'websocket',
        identity: { kind: 'user', uid: 'ada' },
        listens: 2,
        pendingDisconnects: 1,
        sentBytes: expect.any(Number),
      },
      expect.objectContaining({ ...common, transport: 'long-poll', identity: { kind: 'guest' }, sdk: null }),
      expect.objectContaining({
        ...common,
        transport: 'event-stream',
        listens: 1,
        userAgent: 'x'.repeat(256),
      }),
    ]);
    for (const { sentBytes, receivedBytes } of list) {
      expect(sentBytes).toBeGreaterThan(50);
      expect(receivedBytes).toBeGreaterThanOrEqual(0);
    }
    const [first, , last] = list;
    expect(await read(`/api/databases/${ns}/connections/${first?.['id']}`)).toMatchObject({
      id: first?.['id'],
      listens: 2,
      listening: [
        { path: '/a', query: null },
        { path: '/b', query: { i: '.key', l: 2, vf: 'l' } },
      ],
    });
    expect(await read(`/api/databases/${ns}/connections/${last?.['id']}`)).toMatchObject({
      listening: [{ path: '/c', query: { i: '.key', l: 1, vf: 'r' } }],
    });
  });

  test('[H430] the connections of one database are listed page by page', async () => {
    const [ns, other] = [await openNamespace(), await openNamespace()];
    for (let count = 0; count < 3; count++) await openRawSocket(ns);
    await openRawSocket(other);
    const address = `/api/databases/${ns}/connections?limit=2`;
    const first = await read(address);
    const second = await read(`${address}&after=${first['next']}`);
    const ids = [first, second].flatMap((page) => itemsOf(page['connections']).map(({ id }) => Number(id)));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect([new Set(ids).size, second['next']]).toEqual([3, null]);
    for (const query of ['limit=501', 'after=x', 'what=1'])
      expect((await send(`/api/databases/${ns}/connections?${query}`)).status).toBe(400);
  });

  test('[H433] when a caller ends a connection, the onDisconnect requests of the client run, and the client reconnects as another connection', async () => {
    const ns = await openNamespace();
    const db = openClient(ns);
    await untilConnected(db);
    await onDisconnect(ref(db, 'left')).set(true);
    let value: Json = null;
    onValue(ref(db, 'news'), (snapshot) => {
      value = snapshot.val();
    });
    const [connection] = await until(async () => {
      const found = await connectionsOf(ns);
      expect(found).toMatchObject([{ sdk: expect.stringMatching(/^sdk\.node\.|^sdk\.js\./), listens: 1 }]);
      return found;
    });
    const address = `/api/databases/${ns}/connections/${connection?.['id']}`;
    expect(await send(address, 'DELETE')).toEqual({ status: 200, json: {} });
    expect((await send(address)).status).toBe(404);
    expect((await send(address, 'DELETE')).status).toBe(404);
    await until(async () => {
      const [next] = await connectionsOf(ns);
      expect(next?.['id']).toBeGreaterThan(Number(connection?.['id']));
    });
    await untilConnected(db);
    await set(ref(db, 'news'), 'again');
    await until(() => expect(value).toBe('again'));
    const left = await fetch(`${inject('serverUrl')}/left.json?ns=${ns}`);
    expect(await left.json()).toBe(true);
  });

  test('[H433] a caller can end the connection of a stream', async () => {
    const ns = await openNamespace();
    const stream = await openStream(`/a.json?ns=${ns}`);
    await stream.events(1);
    const [connection] = await connectionsOf(ns);
    await send(`/api/databases/${ns}/connections/${connection?.['id']}`, 'DELETE');
    await stream.untilEnded();
    expect(await connectionsOf(ns)).toEqual([]);
  });

  test('[H434] a client that switches from polls to a WebSocket is listed as the same connection', async () => {
    const ns = await openNamespace();
    const poller = await openRawPoller(ns);
    const [before] = await connectionsOf(ns);
    const socket = await openRawSocket(ns, { search: `v=5&ns=${ns}&s=${poller.sessionId}` });
    socket.sendFrame(JSON.stringify({ t: 'c', d: { t: 'a', d: {} } }));
    await poller.send({ t: 'c', d: { t: 'n', d: {} } });
    await until(async () =>
      expect(await connectionsOf(ns)).toMatchObject([{ id: before?.['id'], transport: 'websocket' }]),
    );
  });
});

describe('activity', () => {
  /** Waits until the sum of the samples of a stream passes a check. */
  async function untilSum(stream: StreamClient, check: (sum: Readonly<Record<string, number>>) => void) {
    await until(async () => {
      const samples = (await stream.events(1)).filter(([name]) => name === 'sample');
      const sum: Record<string, number> = {};
      for (const [, data] of samples)
        for (const [name, value] of Object.entries(Object(parseJson(data))))
          sum[name] = (sum[name] ?? 0) + Number(value);
      check(sum);
    });
  }

  test('[H435][H436] the stream begins with the last quarter of an hour, and a sample follows every second', async () => {
    const ns = await openNamespace({ rules: { a: { '.read': true, '.write': true } } });
    const address = `/api/databases/${ns}/activity`;
    expect((await send(address)).status).toBe(400);
    const stream = await openStream(address, { headers: OWNER });
    const [history] = await stream.events(1);
    expect(history?.[0]).toBe('history');
    const socket = await openRawSocket(ns);
    await socket.request('q', { p: '/a', h: '' });
    await socket.request('p', { p: '/a', d: 'x'.repeat(1_000) });
    await socket.request('g', { p: '/b' });
    const rest = await fetch(`${inject('serverUrl')}/a.json?ns=${ns}`);
    await rest.text();
    await fetch(`${inject('serverUrl')}/a/b.json?ns=${ns}`, { method: 'PUT', body: '1' });
    await untilSum(stream, (sum) => {
      expect(sum).toMatchObject({ reads: 3, writes: 2, denied: 1 });
      expect(sum['receivedBytes']).toBeGreaterThan(1_000);
      // The server sends the written value twice: to the listener, and in the response to the request.
      expect(sum['sentBytes']).toBeGreaterThan(2_000);
      expect(sum['connections']).toBeGreaterThanOrEqual(1);
      expect(sum['p99Ms']).toBeGreaterThan(0);
    });
    const again = await openStream(address, { headers: OWNER });
    await until(async () => {
      const [, data = ''] = (await again.events(1))[0] ?? [];
      expect(parseJson(data)).toMatchObject({ sampleSec: 5, connections: 1 });
    });
  });

  test('[H440] queries without an index are listed with the rule to add', async () => {
    const ns = await openNamespace({
      rules: { '.read': true, '.write': true, rooms: { $room: { '.indexOn': 'name' } } },
    });
    const body = JSON.stringify(
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, { age: index }])),
    );
    await fetch(`${inject('serverUrl')}/rooms/r1.json?ns=${ns}`, { method: 'PUT', body });
    const socket = await openRawSocket(ns);
    await socket.request('q', { p: '/rooms/r1', q: { i: 'age', l: 2, vf: 'l' }, t: 1, h: '' });
    await socket.request('q', { p: '/rooms/r1', q: { i: 'name', l: 2, vf: 'l' }, t: 2, h: '' });
    await fetch(`${inject('serverUrl')}/rooms/r2.json?ns=${ns}&orderBy="age"`);
    const queries = itemsOf((await read(`/api/databases/${ns}/queries`))['queries']);
    // On a busy machine, the indexed query may be listed too, because it was slow.
    expect(queries.filter((query) => query['isIndexed'] === false)).toEqual([
      {
        location: '/rooms/$room',
        orderBy: 'age',
        isIndexed: false,
        count: 2,
        rejected: 1,
        slowestMs: expect.any(Number),
        mostChildren: 30,
        latestAtMs: expect.any(Number),
        fix: '".indexOn": "age"',
      },
    ]);
  });

  test('[H682] the history of the last hour has the operations of clients, and unknown ranges are rejected', async () => {
    // Uses its own server, because a server keeps the history of only 64 databases.
    const data = await openDataDir();
    const { url, stop } = await startServer({ dataDir: data.path });
    onTestFinished(async () => {
      await stop();
      await data.remove();
    });
    const address = '/api/databases/shop/activity/history';
    const socket = await openRawSocket('shop', { url });
    await socket.request('p', { p: '/a', d: 1 });
    await expect
      .poll(async () => itemsOf((await read(address, url))['points']).length, { timeout: 30_000 })
      .toBeGreaterThan(0);
    const past = await read(`${address}?range=hour`, url);
    expect(past).toMatchObject({ range: 'hour', stepSec: 10, steps: 360 });
    const [first] = itemsOf(past['points']);
    expect(first).toMatchObject({ connections: 1, writes: 1, storeBytes: expect.any(Number) });
    for (const range of ['day', 'week', 'month'])
      expect(await read(`${address}?range=${range}`, url)).toMatchObject({ range });
    expect((await send(`${address}?range=year`, 'GET', url)).status).toBe(400);
    expect((await send(address, 'POST', url)).status).toBe(405);
  });

  test('[H447] the paths with the most reads and writes are listed', async () => {
    const ns = await openNamespace();
    const socket = await openRawSocket(ns);
    for (let count = 0; count < 3; count++) await socket.request('g', { p: '/rooms/r1/messages/m1' });
    await socket.request('m', { p: '/', d: { 'users/ada/name': 'Ada', 'users/alan/name': 'Alan' } });
    const { reads, writes, halfLifeMs } = await read(`/api/databases/${ns}/hot-paths?limit=1`);
    expect(reads).toEqual([{ path: '/rooms/r1/messages/m1', count: expect.closeTo(3, 0) }]);
    expect([itemsOf(writes).length, halfLifeMs]).toEqual([1, 300_000]);
    expect(itemsOf(writes)[0]?.['path']).toMatch(/^\/users\/a(da|lan)\/name$/);
  });

  test('[H880] the costs of a listener of the official SDK are listed by its path and its account', async () => {
    const ns = await openNamespace({ rules: { rooms: { $room: { '.read': true, '.write': true } } } });
    const reader = openClient(ns);
    const writer = openClient(ns);
    await new Promise<void>((resolve) => {
      onValue(ref(reader, 'rooms/r1'), (snapshot) => {
        if (snapshot.val() !== null) resolve();
      });
      void untilConnected(writer).then(() => set(ref(writer, 'rooms/r1'), 'x'.repeat(20_000)));
    });
    await until(async () => {
      const { paths, accounts } = await read(`/api/databases/${ns}/costs`);
      const broadcast = itemsOf(paths).find(({ kind }) => kind === 'broadcast');
      expect(broadcast).toMatchObject({ path: '/rooms/$room', query: null });
      expect(Number(broadcast?.['sentBytes'])).toBeGreaterThan(20_000);
      expect(itemsOf(paths).some(({ kind }) => kind === 'rules')).toBe(true);
      expect(itemsOf(accounts)).toMatchObject([{ account: { kind: 'guest' } }]);
    });
    expect((await send(`/api/databases/${ns}/costs?limit=0`)).status).toBe(400);
    expect((await send(`/api/databases/${ns}/costs?sort=ms`)).status).toBe(400);
  });

  test('[H450] the server reports figures of its process, its disk and its store', async () => {
    const figures = await read('/api/server/activity');
    expect(figures).toMatchObject({
      timeMs: expect.any(Number),
      uptimeSec: expect.any(Number),
      cpu: { share: expect.any(Number), totalMs: expect.any(Number) },
      memory: { residentBytes: expect.any(Number), heapUsedBytes: expect.any(Number) },
      eventLoop: { busyShare: expect.any(Number), longestDelayMs: expect.any(Number) },
      disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
    });
    const { store } = figures;
    if (!isJsonObject(store)) throw new Error('The response has no sizes of the store.');
    expect(Number(store['usedBytes']) + Number(store['freeBytes'])).toBe(store['sizeBytes']);
    expect(store['usedBytes']).toBeGreaterThan(0);
  });
});

test('[H460][H461] metrics are sent to programs on the same machine, but not to callers behind a proxy', async () => {
  const url = `${inject('serverUrl')}/metrics`;
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect(await answer.text()).toMatch(/^hearth_reads_total \d+$/m);
  const proxied = { 'x-forwarded-for': '192.0.2.1' };
  expect((await fetch(url, { headers: proxied })).status).toBe(401);
  expect((await fetch(url, { headers: { ...proxied, ...OWNER } })).status).toBe(200);
});
