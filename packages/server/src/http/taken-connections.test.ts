import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { loopbackCertificate } from '../mail/loopback-certificate.fixture.ts';
import { createLogger } from '../platform/logger.ts';
import { openTestPool } from '../platform/pools.fixture.ts';
import type { ResourcePool } from '../platform/resource-pool.ts';
import type { Area } from './area.ts';
import type { Certificate } from './certificate.ts';
import { HEALTH_AREA } from './health.ts';
import { HttpServer } from './server.ts';
import { LOCAL_TRANSPORT } from './transport.ts';

interface TestServer {
  readonly http: HttpServer;
  readonly port: number;
  readonly taken: Socket[];
  readonly pool: ResourcePool;
}

/** Starts a server that takes connections while `isTaking` returns true. */
async function start(
  certificate: Certificate | null,
  isTaking: () => boolean,
  areas: readonly Area[] = [HEALTH_AREA],
): Promise<TestServer> {
  const taken: Socket[] = [];
  const pool = openTestPool();
  const http = new HttpServer({
    certificate,
    policies: areas.map(({ policy }) => policy),
    logger: createLogger('silent', { write: () => undefined }),
    connections: pool,
    transport: LOCAL_TRANSPORT,
    allowedHosts: [],
    blocksCrossOrigin: false,
    takeConnection: (socket) => {
      if (isTaking()) taken.push(socket);
      return isTaking();
    },
  });
  const port = await http.listen('127.0.0.1', 0);
  onTestFinished(async () => {
    for (const socket of taken) socket.destroy();
    await http.close();
  });
  http.serve({ areas, upgrades: new Map(), close: async () => undefined });
  return { http, port, taken, pool };
}

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';

/** Sends a request and returns the whole response. */
function send(socket: Socket): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    socket.on('data', (bytes) => {
      text += String(bytes);
    });
    socket.on('error', reject).on('end', () => resolve(text));
    socket.write(REQUEST);
  });
}

function connectTo(port: number, certificate: Certificate | null): Socket {
  return certificate === null
    ? connect(port, '127.0.0.1')
    : connectTls({ port, host: '127.0.0.1', ca: certificate.cert, checkServerIdentity: () => undefined });
}

const CERTIFICATE = loopbackCertificate();

test.each([
  ['without TLS', null],
  ['with TLS', { cert: Buffer.from(CERTIFICATE.cert), key: Buffer.from(CERTIFICATE.key) }],
])(
  '[D18] connections %s are either taken before anything is read from them, or served here',
  async (_name, certificate) => {
    let isTaking = true;
    const { http, port, taken, pool } = await start(certificate, () => isTaking);
    const answer = send(connectTo(port, certificate));
    await expect.poll(() => taken.length).toBe(1);
    const [socket] = taken;
    isTaking = false;
    if (socket !== undefined) http.adopt(socket);
    expect(pool.usage.used).toBe(1);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*ok\n$/);
    expect(await send(connectTo(port, certificate))).toContain('200 OK');
  },
);

test('[D18] a connection that another server has accepted is served', async () => {
  const { http } = await start(null, () => false);
  const other = createServer((socket) => http.adopt(socket));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(await send(connect(port, '127.0.0.1'))).toContain('200 OK');
});

/** An area whose responses wait until `answer` is called. */
function slowArea() {
  const waiting: (() => void)[] = [];
  const area: Area = {
    ...HEALTH_AREA,
    answer: (_request, response) => {
      waiting.push(() => response.end('late\n'));
    },
  };
  return { area, waiting };
}

test('[D32] a server that is suspended answers requests in progress and on their way, and ends idle connections', async () => {
  let isTaking = false;
  const { area, waiting } = slowArea();
  const { http, port, taken, pool } = await start(null, () => isTaking, [area]);
  const inProgress = send(connectTo(port, null));
  await expect.poll(() => waiting.length).toBe(1);
  const justAccepted = connectTo(port, null);
  const idle = connectTo(port, null);
  idle.resume();
  const idleEnded = new Promise((resolve) => idle.once('end', resolve));
  await expect.poll(() => pool.usage.used).toBe(3);
  isTaking = true;
  const suspended = http.suspend(10_000);
  const onItsWay = send(justAccepted);
  await idleEnded;
  await expect.poll(() => waiting.length).toBe(2);
  const next = send(connectTo(port, null));
  await expect.poll(() => taken.length).toBe(1);
  for (const answer of waiting) answer();
  expect(await inProgress).toContain('late');
  expect(await onItsWay).toContain('late');
  await suspended;

  isTaking = false;
  http.serve({ areas: [area], upgrades: new Map(), close: async () => undefined });
  const [socket] = taken;
  if (socket !== undefined) http.adopt(socket);
  await expect.poll(() => waiting.length).toBe(3);
  waiting[2]?.();
  expect(await next).toContain('late');
});

test('[D32] a server that is suspended ends requests that take too long', async () => {
  const { area, waiting } = slowArea();
  const { http, port } = await start(null, () => false, [area]);
  const request = send(connectTo(port, null)).catch(() => 'ended');
  await expect.poll(() => waiting.length).toBe(1);
  const startedMs = performance.now();
  await http.suspend(100);
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(99);
  expect(await request).not.toContain('late');
});
