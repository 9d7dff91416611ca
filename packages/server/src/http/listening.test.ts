import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { bindPort, closeServer, LISTENING_SOCKETS } from './listening.ts';

/** Binds a server that answers each request with its name. Closes it when the test finishes. */
async function open(name: string, host: string, port = 0) {
  const server = createHttpServer((_request, response) => response.end(name));
  const bound = await bindPort(server, host, port);
  onTestFinished(async () => {
    server.closeAllConnections();
    await Promise.all([server, ...bound.acceptors].map(closeServer));
  });
  return { server, ...bound };
}

async function ask(host: string, port: number): Promise<string> {
  const response = await fetch(`http://${host}:${port}/`, { headers: { connection: 'close' } });
  return response.text();
}

/** Only these systems let the sockets of one program share a port. */
const mayShare = process.platform === 'linux' || process.platform === 'freebsd';

test.runIf(mayShare)('[H579] several sockets accept connections for one server', async () => {
  const { server, port, acceptors } = await open('one', '127.0.0.1');
  expect(acceptors).toHaveLength(LISTENING_SOCKETS - 1);
  let accepted = 0;
  for (const acceptor of acceptors) acceptor.on('connection', () => (accepted += 1));
  const answers = await Promise.all(Array.from({ length: 64 }, () => ask('127.0.0.1', port)));
  expect(new Set(answers)).toEqual(new Set(['one']));
  expect(accepted).toBeGreaterThan(0);
  expect(server.listening).toBe(true);
});

test.runIf(mayShare)(
  '[H579] the sockets accept several connections in one iteration of the event loop',
  async () => {
    const { server, port } = await open('one', '127.0.0.1');
    let iteration = 0;
    const iterations: number[] = [];
    server.on('connection', () => iterations.push(iteration));
    const clients = Array.from({ length: 64 }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => {
      for (const client of clients) client.destroy();
    });
    while (iterations.length < clients.length) {
      await setImmediate();
      iteration += 1;
    }
    const used = new Set(iterations);
    expect(used.size).toBeLessThan(clients.length);
  },
);

test.each(['127.0.0.1', '0.0.0.0', 'localhost'])(
  '[H579] a port of a server that listens on %s is in use for others',
  async (host) => {
    const { port } = await open('one', host);
    await expect(open('two', host, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const plain = createServer();
    plain.listen(port, '127.0.0.1');
    expect(await once(plain, 'error')).toMatchObject([{ code: 'EADDRINUSE' }]);
    expect(await ask('127.0.0.1', port)).toBe('one');
  },
);

test('[H579] a port of another program is in use', async () => {
  const other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(open('one', '127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('[H579] of servers that start on one port at the same time, one gets it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const free = createServer();
    free.listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    await closeServer(free);
    const starts = await Promise.allSettled(['a', 'b', 'c'].map((name) => open(name, '127.0.0.1', port)));
    const winners = starts.filter(({ status }) => status === 'fulfilled');
    expect(winners).toHaveLength(1);
  }
});

test('[H579] a server listens on one socket while another one holds the lock of the port', async () => {
  const free = createServer();
  free.listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await closeServer(free);
  const lock: Server = createServer();
  lock.listen({ path: `\0hearth-port-${port}` });
  await once(lock, 'listening');
  onTestFinished(() => void lock.close());
  const { acceptors } = await open('one', '127.0.0.1', port);
  expect(acceptors).toEqual([]);
  expect(await ask('127.0.0.1', port)).toBe('one');
});
