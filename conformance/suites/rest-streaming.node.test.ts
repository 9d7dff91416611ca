import { connect } from 'node:net';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { unsignedToken } from '../drivers/credentials.ts';
import { openNamespace, writeRules } from '../drivers/namespace.ts';
import { findReservedPort, openDataDir, startServer } from '../drivers/server-process.ts';
import { openStream, type StreamEvent } from '../drivers/stream.ts';
import { until } from '../drivers/until.ts';

const STREAMS = 300;
const KEEP_ALIVE_WITHIN_MS = 60_000;

async function write(
  method: string,
  address: string,
  json: unknown,
  base = inject('serverUrl'),
): Promise<void> {
  const answer = await fetch(new URL(address, base), { method, body: JSON.stringify(json) });
  if (!answer.ok) throw new Error(`The write was rejected: ${answer.status} ${await answer.text()}`);
}

function put(path: string, data: unknown): StreamEvent {
  return ['put', JSON.stringify({ path, data })];
}

function patch(path: string, data: unknown): StreamEvent {
  return ['patch', JSON.stringify({ path, data })];
}

/** Sends the text of requests over a new connection with one write, and records the text of the responses. */
function openRaw(
  text: string,
  base = inject('serverUrl'),
): { received(): string; isClosed(): boolean; pause(): void; resume(): void } {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket.on('data', (data) => {
    received += data.toString();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return {
    received: () => received,
    isClosed: () => isClosed,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}

describe('REST streaming', () => {
  test('[H150] the response is an uncompressed, unbuffered stream', async () => {
    const ns = await openNamespace();
    const stream = await openStream(`/a.json?ns=${ns}`, { headers: { 'accept-encoding': 'gzip' } });
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'transfer-encoding': 'chunked',
      connection: 'close',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers['content-encoding']).toBeUndefined();
    expect(await stream.events(1)).toEqual([put('/', null)]);
  });

  test('[H150] an HTTP 1.0 client gets no chunks', async () => {
    const ns = await openNamespace();
    const raw = openRaw(
      `GET /a.json?ns=${ns} HTTP/1.0\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`,
    );
    await until(() => expect(raw.received()).toContain('null}\n\n'));
    expect(raw.received().toLowerCase()).not.toContain('chunked');
    expect(raw.received().split('\r\n\r\n')[1]).toBe('event: put\ndata: {"path":"/","data":null}\n\n');
  });

  test('[H150] a stream may follow other requests on its connection', async () => {
    const ns = await openNamespace();
    await write('PUT', `/a.json?ns=${ns}`, 7);
    const get = `GET /a.json?ns=${ns} HTTP/1.1\r\nHost: localhost\r\n`;
    const raw = openRaw(`${get}\r\n${get}Accept: text/event-stream\r\n\r\n`);
    await until(() => expect(raw.received()).toContain('event: put'));
    expect(raw.received().indexOf('\r\n\r\n7HTTP/1.1 200')).toBeGreaterThan(0);
    await write('PUT', `/a.json?ns=${ns}`, 8);
    await until(() => expect(raw.received()).toContain('"data":8'));
  });

  test('[H151][H152][H153][H154] values, changes, priorities and lists are sent as events', async () => {
    const ns = await openNamespace();
    await write('PUT', `/a.json?ns=${ns}`, { list: ['x', 'y'], '.priority': 1 });
    const plain = await openStream(`/a.json?ns=${ns}`);
    const exported = await openStream(`/a.json?ns=${ns}&format=export`);
    await plain.events(1);
    await exported.events(1);
    await write('PUT', `/a/list/2.json?ns=${ns}`, { '.value': 'z', '.priority': 5 });
    await write('PUT', `/a/.priority.json?ns=${ns}`, 2);
    await write('PATCH', `/a.json?ns=${ns}`, { 'list/0': null, n: ['q'] });
    await write('DELETE', `/.json?ns=${ns}`, null);
    expect(await plain.events(4)).toEqual([
      put('/', { list: ['x', 'y'] }),
      put('/list/2', 'z'),
      patch('/', { 'list/0': null, n: ['q'] }),
      put('/', null),
    ]);
    expect(await exported.events(5)).toEqual([
      put('/', { list: { 0: 'x', 1: 'y' }, '.priority': 1 }),
      put('/list/2', { '.value': 'z', '.priority': 5 }),
      put('/.priority', 2),
      patch('/', { 'list/0': null, n: { 0: 'q' } }),
      put('/', null),
    ]);
  });

  test('[H155] the stream of a query sends the changes of the result', async () => {
    const ns = await openNamespace({ rules: { '.read': true, '.write': true, s: { '.indexOn': 'n' } } });
    await write('PUT', `/s.json?ns=${ns}`, { a: { n: 1 }, b: { n: 2 }, c: { n: 3 } });
    const stream = await openStream(`/s.json?ns=${ns}&orderBy="n"&limitToFirst=2`);
    await stream.events(1);
    await write('DELETE', `/s/a.json?ns=${ns}`, null);
    await write('PUT', `/s/x.json?ns=${ns}`, { n: 9 });
    await write('PUT', `/s/z.json?ns=${ns}`, { n: 0 });
    expect(await stream.events(3)).toEqual([
      put('/', { a: { n: 1 }, b: { n: 2 } }),
      patch('/', { a: null, c: { n: 3 } }),
      patch('/', { c: null, z: { n: 0 } }),
    ]);
  });

  test('[H156][H157] a request that cannot be streamed is answered with an error, and the response ends', async () => {
    const ns = await openNamespace({ rules: { open: { '.read': true } } });
    const denied = async (address: string): Promise<readonly [number, string]> => {
      const stream = await openStream(address);
      await stream.untilEnded();
      return [stream.status, stream.text()];
    };
    expect(await denied(`/secret.json?ns=${ns}`)).toEqual([401, '{"error":"Permission denied"}']);
    expect(await denied(`/open.json?ns=${ns}&orderBy="n"`)).toEqual([
      400,
      expect.stringContaining('Index not defined'),
    ]);
    for (const parameter of ['print=pretty', 'shallow=true', 'callback=f', 'download=f'])
      expect(await denied(`/open.json?ns=${ns}&${parameter}`)).toEqual([
        400,
        expect.stringContaining('stream'),
      ]);
  });

  test('[H158] an idle stream sends keep-alives', { timeout: 2 * KEEP_ALIVE_WITHIN_MS }, async () => {
    const ns = await openNamespace();
    const stream = await openStream(`/a.json?ns=${ns}`);
    await until(
      () => expect(stream.text()).toContain('event: keep-alive\ndata: null\n\n'),
      KEEP_ALIVE_WITHIN_MS,
    );
  });

  test('[H159] a stream ends when new rules deny its path', async () => {
    const ns = await openNamespace();
    const stream = await openStream(`/a.json?ns=${ns}`);
    const other = await openStream(`/b.json?ns=${ns}`);
    await stream.events(1);
    await writeRules(ns, { rules: { '.write': true, b: { '.read': true } } });
    await write('PUT', `/a.json?ns=${ns}`, 'secret');
    await write('PUT', `/b.json?ns=${ns}`, 1);
    await stream.untilEnded();
    expect(await stream.events(2)).toEqual([put('/', null), ['cancel', '"Permission denied."']]);
    expect(await other.events(2)).toEqual([put('/', null), put('/', 1)]);
  });

  test(`[H162] ${STREAMS} streams of one path receive the same events in the same order`, async () => {
    const ns = await openNamespace();
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => openStream(`/a.json?ns=${ns}`)));
    await Promise.all(streams.map((stream) => stream.events(1)));
    const values = Array.from({ length: 20 }, (_, i) => i);
    await Promise.all(values.map((i) => write('PUT', `/a/${i}.json?ns=${ns}`, i)));
    const [first = [], ...others] = await Promise.all(
      streams.map((stream) => stream.events(1 + values.length)),
    );
    expect(new Set(first.map(([, data]) => data)).size).toBe(1 + values.length);
    for (const events of others) expect(events).toEqual(first);
  });

  test('[H163] a client that does not read is disconnected, and other clients are not affected', async () => {
    const data = await openDataDir();
    const server = await startServer({ dataDir: data.path, args: ['--max-backlog-bytes', '65536'] });
    onTestFinished(async () => {
      await server.stop();
      await data.remove();
    });
    const raw = openRaw(
      'GET /a.json HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n',
      server.url,
    );
    await until(() => expect(raw.received()).toContain('event: put'));
    raw.pause();
    const reader = await openStream('/a.json', { url: server.url });
    const text = 'x'.repeat(1_000_000);
    // More bytes than the system buffers for a connection.
    const writes = 30;
    for (let i = 1; i <= writes; i++) {
      await write('PUT', '/a.json', { i, text }, server.url);
      await reader.events(1 + i);
    }
    raw.resume();
    await until(() => expect(raw.isClosed()).toBe(true));
    expect(raw.received()).not.toContain(`"i":${writes},`);
    expect((await reader.events(1 + writes)).at(-1)).toEqual(put('/', { i: writes, text }));
  });

  test.each(['stop', 'kill'] as const)(
    '[H166][H167] streams end after a `%s` of the server, and a client that reconnects gets all data',
    async (how) => {
      const data = await openDataDir();
      let server = await startServer({ dataDir: data.path, port: await findReservedPort() });
      onTestFinished(async () => {
        await server.stop();
        await data.remove();
      });
      await write('PUT', '/a.json', { kept: true }, server.url);
      const stream = await openStream('/a.json', { url: server.url });
      await stream.events(1);
      await server[how]();
      await stream.untilEnded();
      server = await startServer({ dataDir: data.path, port: server.port });
      const again = await openStream('/a.json', { url: server.url, headers: { 'last-event-id': '1' } });
      expect(await again.events(1)).toEqual([put('/', { kept: true })]);
    },
  );

  test('[H169] a stream is authorized as the principal of its request', async () => {
    const ns = await openNamespace({ rules: { '.read': 'auth != null' } });
    expect((await openStream(`/a.json?ns=${ns}`)).status).toBe(401);
    expect((await openStream(`/a.json?ns=${ns}&auth=${unsignedToken('jack')}`)).status).toBe(200);
    expect(
      (await openStream(`/a.json?ns=${ns}`, { headers: { authorization: 'Bearer owner' } })).status,
    ).toBe(200);
  });
});
