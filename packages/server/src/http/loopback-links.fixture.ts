import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Both ends of one connection. */
interface Link {
  readonly client: Socket;
  readonly server: Socket;
}

const ARRIVALS = 'http.server.request.start';

/** Both ends of the connections between clients and servers in this process. */
export class LoopbackLinks {
  readonly #links = new Set<Link>();
  /** The server's sockets by both ports of the connection. */
  readonly #servers = new Map<string, Socket>();

  constructor() {
    const note = (message: unknown): void => {
      const { socket } = message as { readonly socket: Socket };
      this.#servers.set(`${socket.localPort} ${socket.remotePort}`, socket);
    };
    subscribe(ARRIVALS, note);
    onTestFinished(() => void unsubscribe(ARRIVALS, note));
  }

  /** Watches the connection of a response that has begun. */
  add({ socket: client }: IncomingMessage): void {
    const ports = `${client.remotePort} ${client.localPort}`;
    const server = this.#servers.get(ports);
    if (server === undefined)
      throw new Error('The connection of this response is closed, or is not to a server of this process.');
    this.#links.add({ client, server });
  }

  /** Waits until everything that the servers have sent so far has arrived, including the ends of connections. */
  async settle(): Promise<void> {
    for (const link of this.#links) {
      while (!isQuiet(link)) await new Promise(setImmediate);
      if (link.client.closed) this.#links.delete(link);
    }
    // The clients process the received data in the next iteration.
    await new Promise(setImmediate);
  }
}

function isQuiet({ client, server }: Link): boolean {
  if (client.destroyed || server.destroyed || server.writableEnded) return client.closed && server.closed;
  return client.bytesRead === server.bytesWritten;
}
