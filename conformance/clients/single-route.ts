import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listenOnLoopback } from '../drivers/test-bed.ts';

/** The only way out that a program is given: a proxy that leads to the server and nowhere else. */
export interface SingleRoute {
  /** `http://host:port`, for `HTTP_PROXY`. */
  readonly url: string;
  /** `host:port` of whatever else was asked for. */
  readonly strays: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens a proxy for tunnels. Each host name below `localhost` leads to the server if the port is the server's, on machines
 * too that cannot resolve such names: so a database can be named by the host, as in the hosted service.
 */
export async function openSingleRoute(serverUrl: string): Promise<SingleRoute> {
  const { port } = new URL(serverUrl);
  const strays: string[] = [];
  const sockets = new Set<Socket>();
  const proxy: Server = createServer((request, response) => {
    strays.push(request.url ?? '');
    response.writeHead(403).end();
  });
  proxy.on('connect', (request, client: Socket) => {
    const target = new URL(`http://${request.url}`);
    if (target.port !== port || !/(^|\.)localhost$|^127\.0\.0\.1$/.test(target.hostname)) {
      strays.push(target.host);
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const server = connect(Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.pipe(client);
      client.pipe(server);
    });
    for (const socket of [client, server]) {
      sockets.add(socket);
      // Either side may vanish, which ends the other.
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
  });
  const url = await listenOnLoopback(proxy);
  return {
    url,
    strays,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
