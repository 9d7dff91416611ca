import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { loopbackCertificate } from '../mail/loopback-certificate.fixture.ts';
import { createLogger } from '../platform/logger.ts';
import { MANY_CLIENTS, ResourcePool } from '../platform/resource-pool.ts';
import type { Area } from './area.ts';
import type { Certificate } from './certificate.ts';
import { sendText } from './not-found.ts';
import {
  MAX_FOLLOWING,
  MAX_FOLLOWING_OF_NETWORK,
  MAX_PIPELINED,
  MAX_STARTED_TOGETHER,
  Pipeline,
} from './pipeline.ts';
import { HttpServer } from './server.ts';
import { LOCAL_TRANSPORT } from './transport.ts';

const LIMITS = { total: 1_000, reserve: 0, ofNetwork: 1_000, idleMs: 60_000 };

const TRANSPORT = {
  ...LOCAL_TRANSPORT,
  networkOfClient: ({ headers }: IncomingMessage) => String(headers['x-network'] ?? MANY_CLIENTS),
};

/** Starts a server whose only area counts the requests that reach it. */
async function open(certificate: Certificate | null = null) {
  const counts = { owned: 0, answered: 0 };
  const area: Area = {
    policy: {
      owns: () => {
        counts.owned += 1;
        return true;
      },
      headers: {},
    },
    errors: { headers: {} },
    answer(_request, response) {
      counts.answered += 1;
      sendText(response, 200, {}, 'ok');
    },
  };
  const server = new HttpServer({
    allowedHosts: [],
    policies: [area.policy],
    transport: TRANSPORT,
    blocksCrossOrigin: false,
    logger: createLogger('info', { write: () => undefined }),
    certificate,
    connections: new ResourcePool(LIMITS, () => 0),
  });
  server.serve({ areas: [area], upgrades: new Map(), close: () => Promise.resolve() });
  onTestFinished(() => server.close());
  return { counts, port: await server.listen('127.0.0.1', 0) };
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Sends a text on a new connection. Returns the statuses of all responses until the server ends the connection. */
async function exchange(port: number, sent: string): Promise<readonly string[]> {
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  return Array.from((await text(socket)).matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => status ?? '');
}

test('[H53][H577] of 500 requests in one packet, the server begins 64, and then ends the connection with a 503', async () => {
  const { counts, port } = await open();
  const statuses = await exchange(port, REQUEST.repeat(500));
  expect(counts.owned).toBe(MAX_STARTED_TOGETHER);
  expect(statuses).toHaveLength(MAX_STARTED_TOGETHER + 1);
  expect(statuses.slice(0, MAX_PIPELINED)).toEqual(Array(MAX_PIPELINED).fill('200'));
  expect(statuses.at(-1)).toBe('503');
});

test('[H577] one request too many ends the connection with a 503 even if it has a body', async () => {
  const { counts, port } = await open();
  const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n';
  const statuses = await exchange(port, REQUEST.repeat(MAX_STARTED_TOGETHER) + post + 'x'.repeat(1_000));
  expect(counts.owned).toBe(MAX_STARTED_TOGETHER);
  expect(statuses.at(-1)).toBe('503');
});

test('[H577] requests in separate TLS records count together if they arrive in one packet', async () => {
  const { cert, key } = loopbackCertificate();
  const { counts, port } = await open({ cert: Buffer.from(cert), key: Buffer.from(key) });
  const socket = connect(port, '127.0.0.1');
  const packet: Buffer[] = [];
  let isCollecting = false;
  const records = new Duplex({
    read: () => undefined,
    write(bytes: Buffer, _encoding, done) {
      if (isCollecting) packet.push(bytes);
      else socket.write(bytes);
      done();
    },
  });
  socket.on('data', (bytes) => records.push(bytes));
  const secure = connectTls({ socket: records, rejectUnauthorized: false });
  onTestFinished(() => void secure.destroy());
  await once(secure, 'session');
  isCollecting = true;
  for (let sent = 0; sent < 200; sent += 1)
    await new Promise<unknown>((resolve) => secure.write(REQUEST, resolve));
  socket.write(Buffer.concat(packet));
  secure.resume();
  await once(socket, 'end', { signal: AbortSignal.timeout(5_000) });
  expect(packet.length).toBeGreaterThanOrEqual(200);
  expect(counts.owned).toBe(MAX_STARTED_TOGETHER);
});

/** Returns a function that begins `count` requests of a new connection, and returns whether one of them is flooding. */
function requestsOf(pipeline: Pipeline, network: string): (count: number) => boolean {
  return (count) => {
    const request = new IncomingMessage(new Socket());
    request.headers['x-network'] = network;
    return Array.from({ length: count }, () => pipeline.isFlooding(request)).some(Boolean);
  };
}

test('[H578] one network begins a limited number of pipelined requests in one iteration of the event loop, and others still begin theirs', async () => {
  const pipeline = new Pipeline(TRANSPORT);
  const [beginOfA, beginOfB] = ['a', 'b'].map((network) => requestsOf(pipeline, network));
  for (let behind = 0; behind < MAX_FOLLOWING_OF_NETWORK; behind += 4) expect(beginOfA?.(5)).toBe(false);
  expect(beginOfA?.(2)).toBe(true);
  expect(beginOfA?.(1)).toBe(false);
  expect(beginOfB?.(5)).toBe(false);
  await setImmediate();
  expect(beginOfA?.(5)).toBe(false);
});

test('[H578] all clients together begin a limited number of pipelined requests in one iteration of the event loop', async () => {
  const pipeline = new Pipeline(TRANSPORT);
  const begin = requestsOf(pipeline, MANY_CLIENTS);
  for (let behind = 0; behind < MAX_FOLLOWING; behind += 4) expect(begin(5)).toBe(false);
  expect(begin(2)).toBe(true);
  expect(begin(1)).toBe(false);
  await setImmediate();
  expect(begin(5)).toBe(false);
});

test.each([
  ['without TLS', false],
  ['over TLS', true],
])('[H577] a connection %s makes any number of requests one after the other', async (_name, isSecure) => {
  const { cert, key } = loopbackCertificate();
  const { counts, port } = await open(isSecure ? { cert: Buffer.from(cert), key: Buffer.from(key) } : null);
  const socket = isSecure
    ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const responses = socket[Symbol.asyncIterator]();
  const rounds = 2 * MAX_STARTED_TOGETHER;
  for (let round = 0; round < rounds; round += 1) {
    socket.write(REQUEST);
    let received = '';
    for (let isOver = false; !isOver && !received.endsWith('ok'); ) {
      const next = await responses.next();
      isOver = next.done === true;
      received += String(next.value ?? '');
    }
  }
  expect(counts.answered).toBe(rounds);
});
