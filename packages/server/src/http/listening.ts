import { lookup } from 'node:dns/promises';
import type { AddressInfo, Server } from 'node:net';
import { assert } from '@hearth/core/error/assert.ts';

/** Returns the address that a server was bound to. Rejects with the system's error when it cannot be bound. */
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
 * Binds a server to each other address that the name `localhost` has, because clients choose one of them. Leaves out
 * addresses that cannot be bound.
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

/** Takes no more connections. Resolves when all are closed; at once for a server that does not listen. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (server.listening) server.close(() => resolve());
    else resolve();
  });
}
