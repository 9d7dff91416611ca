import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listenOnLoopback } from '../drivers/test-bed.ts';

/** A proxy with tunnels to the server only. The program under test sends all requests to the proxy. */
export interface SingleRoute {
  /** `http://host:port`, for `HTTP_PROXY`. */
  readonly url: string;
  /** The targets that the proxy rejected: `host:port` of tunnels, URLs of requests without a tunnel. */
  readonly strays: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens a proxy for tunnels. Every host name below `localhost` leads to the server if the port is the server's, even on
 * machines that cannot resolve such names. A host name can therefore name a database, as in the hosted service.
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
      // If either side disconnects, the other is disconnected too.
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
