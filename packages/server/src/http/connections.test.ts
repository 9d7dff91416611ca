import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { addressLayers } from '../platform/address-layers.ts';
import { ResourcePool } from '../platform/resource-pool.ts';
import { ConnectionGuard } from './connections.ts';

/** Starts a server whose guard admits `total` connections, half of which one address may have. */
async function openGuard(total: number) {
  const clock = { ms: 0 };
  const limits = { total, reserve: 0, ofNetwork: total / 2, idleMs: 60_000 };
  const pool = new ResourcePool(limits, () => clock.ms);
  const guard = new ConnectionGuard(pool, (socket) => addressLayers(socket.remoteAddress ?? '').host);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    guard.admit(socket);
    socket.on('data', (bytes) => socket.write(bytes));
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    guard[Symbol.dispose]();
    server.close();
  });
  /** Connects from an address. Resolves with the socket, and whether the server has admitted the connection. */
  const open = async (localAddress: string): Promise<Socket & { isAdmitted: boolean }> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.on('error', () => undefined);
    const isAdmitted = await Promise.race([
      once(socket, 'close').then(() => false),
      once(socket, 'connect').then(() => {
        socket.write('a');
        return once(socket, 'data').then(
          () => true,
          () => false,
        );
      }),
    ]);
    return Object.assign(socket, { isAdmitted });
  };
  return { open, clock, guard, pool };
}

test('[H540] one address has at most half of the connections, and its next connection replaces an idle one', async () => {
  const { open, clock, guard, pool } = await openGuard(4);
  const first = await open('127.0.0.2');
  const second = await open('127.0.0.2');
  expect([first.isAdmitted, second.isAdmitted]).toEqual([true, true]);
  expect((await open('127.0.0.2')).isAdmitted).toBe(false);
  guard.sweep();
  clock.ms = 61_000;
  second.write('still there');
  await once(second, 'data');
  guard.sweep();
  const gone = once(first, 'close');
  expect((await open('127.0.0.2')).isAdmitted).toBe(true);
  await gone;
  expect(second.destroyed).toBe(false);
  expect(pool.usage.used).toBe(2);
});

test('[H541] when all connections are in use, the address with the most loses one to a new address', async () => {
  const { open, pool } = await openGuard(4);
  const attackers = [await open('127.0.0.2'), await open('127.0.0.2')];
  await open('127.0.0.3');
  await open('127.0.0.4');
  const gone = Promise.race(attackers.map((socket) => once(socket, 'close')));
  expect((await open('127.0.0.5')).isAdmitted).toBe(true);
  await gone;
  expect(pool.usage).toMatchObject({ used: 4, networks: 4, evicted: 1 });
});

test('[H540] a closed connection frees its place for another', async () => {
  const { open, pool } = await openGuard(2);
  const first = await open('127.0.0.2');
  first.end();
  await expect.poll(() => pool.usage.used).toBe(0);
  expect((await open('127.0.0.2')).isAdmitted).toBe(true);
});

test('[H540] the server checks all connections in steps', async () => {
  const { open, clock, guard } = await openGuard(8);
  const [first, second, third] = [await open('127.0.0.2'), await open('127.0.0.2'), await open('127.0.0.2')];
  const fourth = await open('127.0.0.2');
  guard.sweep();
  clock.ms = 61_000;
  for (const socket of [first, second, third]) {
    socket.write('still there');
    await once(socket, 'data');
  }
  for (let step = 0; step < 4; step++) guard.sweep(1);
  const gone = once(fourth, 'close');
  expect((await open('127.0.0.2')).isAdmitted).toBe(true);
  await gone;
  expect([first, second, third, fourth].map(({ destroyed }) => destroyed)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
