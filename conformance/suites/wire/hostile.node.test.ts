import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { openNamespace } from '../../drivers/namespace.ts';
import { openRawSocket } from '../../drivers/socket.ts';
import { until } from '../../drivers/until.ts';

const { hostname, port } = new URL(inject('serverUrl'));

/** Opens a connection without a WebSocket library, to send bytes that no library sends. */
async function openTcp(): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

function upgradeRequest(search: string, headers: readonly string[] = []): string {
  const lines = [
    `GET /.ws?${search} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Collects everything that a bare connection receives. */
function collect(socket: Socket): { text: string } {
  const received = { text: '' };
  socket.on('data', (bytes) => {
    received.text += bytes.toString('latin1');
  });
  return received;
}

describe('Hostile and slow clients', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test('[W115] a client of another version that sends an invalid frame with its first request gets the shutdown message, and the server continues', async () => {
    const socket = await openTcp();
    const received = collect(socket);
    socket.write(
      Buffer.concat([Buffer.from(upgradeRequest(`v=4&ns=${ns}`)), Buffer.from([0x8f, 0x80, 0, 0, 0, 0])]),
    );
    await until(() =>
      expect(received.text).toContain('{"t":"c","d":{"t":"s","d":"This server speaks version 5'),
    );
    const other = await openRawSocket(ns);
    expect(await other.request('s', { c: {} })).toEqual({ s: 'ok', d: '' });
  });

  test('[W116] after a binary frame the server executes nothing that the client sends', async () => {
    const raw = await openRawSocket(ns);
    raw.sendFrame(new Uint8Array([1, 2, 3]));
    raw.post('p', { p: '/behind-binary', d: true });
    await raw.untilClosed();
    const other = await openRawSocket(ns);
    expect(await other.request('g', { p: '/behind-binary', q: {} })).toEqual({ s: 'ok', d: null });
  });

  test('[W117] a client that requests many large values, and reads no response, does not delay other clients', async () => {
    const other = await openRawSocket(ns);
    const megabytes = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`k${i}`, 'x'.repeat(100_000)]),
    );
    expect(await other.request('p', { p: '/large', d: megabytes })).toEqual({ s: 'ok', d: '' });
    const greedy = await openRawSocket(ns);
    greedy.socket.pause();
    for (let i = 0; i < 40; i++) greedy.post('g', { p: '/large', q: {} });
    // If the server answered all large reads without a pause, these writes would wait for them.
    for (let i = 0; i < 20; i++)
      expect(await other.request('p', { p: '/small', d: i })).toEqual({ s: 'ok', d: '' });
    expect(greedy.closedWith).toBeUndefined();
    greedy.socket.resume();
    await greedy.untilResponse(40);
  });

  test('[W127] a socket that names a session that does not exist gets a message to start a new one', async () => {
    const raw = await openRawSocket(ns, { search: `v=5&ns=${ns}&s=nobody` });
    expect(raw.messages).toEqual([{ t: 'c', d: { t: 'r', d: `${hostname}:${port}` } }]);
    await raw.untilClosed();
  });

  test('[W119] the server selects no subprotocol', async () => {
    const socket = await openTcp();
    const received = collect(socket);
    socket.write(upgradeRequest(`v=5&ns=${ns}`, ['Sec-WebSocket-Protocol: a, b']));
    await until(() => expect(received.text).toContain('"t":"h"'));
    expect(received.text.toLowerCase()).not.toContain('sec-websocket-protocol');
  });

  test('[H53] while 8 requests of a connection are in progress, a further one is answered 503', async () => {
    const socket = await openTcp();
    const received = collect(socket);
    const request = `GET /large.json?ns=${ns} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`;
    socket.write(request.repeat(40));
    await until(() => expect(received.text.match(/HTTP\/1\.1 \d+/g)).toHaveLength(40));
    expect(received.text.match(/HTTP\/1\.1 200/g)?.length).toBeGreaterThanOrEqual(8);
    expect(received.text).toContain('HTTP/1.1 503');
  });
});
