import { lookup } from 'node:dns/promises';
import { type AddressInfo, createServer, isIP, type ListenOptions, type Server, type Socket } from 'node:net';
import { assert } from '@hearth/core/error/assert.ts';

/**
 * Number of sockets that listen on each address. Node accepts one connection per socket in one iteration of the event
 * loop. With a single socket, a new client would wait for as many iterations as there are clients before it.
 */
export const LISTENING_SOCKETS = 8;

/** The port of a server. */
export interface BoundPort {
  readonly port: number;
  /** Accept further connections for the server. The owner closes them together with it. */
  readonly acceptors: readonly Server[];
}

/**
 * Binds a server to a port. If `host` is `localhost`, also binds the further addresses of this name, because clients may
 * choose any of them, and leaves out those that cannot be bound. Rejects with the system's error if the port is in use.
 */
export async function bindPort(server: Server, host: string, port: number): Promise<BoundPort> {
  const first = [server, ...createAcceptors(server, LISTENING_SOCKETS - 1)];
  const bound = await bindTogether(first, host, port);
  const others = host === 'localhost' ? await lookup(host, { all: true }).catch(() => []) : [];
  for (const { address } of others.filter((other) => other.address !== bound.address))
    await bindTogether(createAcceptors(server, LISTENING_SOCKETS), address, bound.port).then(
      ({ listening }) => bound.listening.push(...listening),
      () => undefined,
    );
  return { port: bound.port, acceptors: bound.listening.filter((each) => each !== server) };
}

/** Creates servers that pass their connections to another one, which limits and counts them. */
function createAcceptors(server: Server, count: number): Server[] {
  // Node's HTTP and TLS servers accept connections with these options.
  const options = { allowHalfOpen: !('setSecureContext' in server), noDelay: true };
  const pass = (socket: Socket): void => void server.emit('connection', socket);
  return Array.from({ length: count }, () => createServer(options, pass));
}

interface BoundServers extends AddressInfo {
  readonly listening: Server[];
}

/**
 * Binds all servers to one address, or only the first of them if the system does not allow sockets to share an address.
 * A shared address is also open to other programs of the same user that ask for it. Therefore a socket that does not
 * share checks first that the port is free, and a lock keeps other servers from doing the same at the same time.
 */
async function bindTogether(servers: readonly Server[], host: string, port: number): Promise<BoundServers> {
  const [first] = servers;
  assert(first !== undefined, 'there is a server to bind');
  const probe = createServer();
  const bound = await bind(probe, { host, port });
  const address = { host: isIP(host) === 0 ? bound.address : host, port: bound.port };
  const lock = createServer();
  try {
    const mayShare = await bind(lock, { path: `\0hearth-port-${bound.port}` }).then(
      () => true,
      () => false,
    );
    probe.close();
    if (mayShare) {
      const shared = { ...address, reusePort: true };
      const results = await Promise.allSettled(servers.map((server) => bind(server, shared)));
      if (results[0]?.status === 'rejected' && isInUse(results[0].reason)) throw results[0].reason;
    }
    // Not all systems let sockets share a port.
    if (!first.listening) await bind(first, address);
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  } finally {
    lock.close();
  }
  return { ...bound, listening: servers.filter(({ listening }) => listening) };
}

function isInUse(error: Error & { readonly code?: string }): boolean {
  return error.code === 'EADDRINUSE';
}

/** Binds a server and returns its address. Rejects with the system's error if it cannot be bound. */
function bind(server: Server, options: ListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

/** Stops accepting connections. Resolves when all are closed; immediately if the server does not listen. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (server.listening) server.close(() => resolve());
    else resolve();
  });
}
