import { lookup } from 'node:dns/promises';
import type { AddressInfo, Server } from 'node:net';
import { assert } from '@hearth/core/error/assert.ts';

/** Binds a server and returns its address. Rejects with the system's error if it cannot be bound. */
export function bindServer(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const address = server.address();
      assert(typeof address === 'object' && address !== null, 'a server on a port has an address');
      resolve(address);
    });
  });
}

/**
 * Binds one server to each further address of `localhost`, if `host` is this name, because clients may choose any of the
 * addresses. Returns these servers. Leaves out addresses that cannot be bound.
 */
export async function bindOtherAddresses<S extends Server>(
  host: string,
  { address, port }: AddressInfo,
  createServer: () => S,
): Promise<readonly S[]> {
  if (host !== 'localhost') return [];
  const found = await lookup(host, { all: true }).catch(() => []);
  const bound = await Promise.allSettled(
    found
      .filter((other) => other.address !== address)
      .map(async (other) => {
        const server = createServer();
        await bindServer(server, other.address, port);
        return server;
      }),
  );
  return bound.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Stops accepting connections. Resolves when all are closed; immediately if the server does not listen. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (server.listening) server.close(() => resolve());
    else resolve();
  });
}
