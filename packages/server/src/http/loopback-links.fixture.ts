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

/** The connections by which clients of this process hear from servers of this process, seen from both ends. */
export class LoopbackLinks {
  readonly #links = new Set<Link>();
  /** The server's ends, by both of their ports. */
  readonly #servers = new Map<string, Socket>();

  constructor() {
    const note = (message: unknown): void => {
      const { socket } = message as { readonly socket: Socket };
      this.#servers.set(`${socket.localPort} ${socket.remotePort}`, socket);
    };
    subscribe(ARRIVALS, note);
    onTestFinished(() => void unsubscribe(ARRIVALS, note));
  }

  /** Watches the connection of an answer that has begun. */
  add({ socket: client }: IncomingMessage): void {
    const ports = `${client.remotePort} ${client.localPort}`;
    const server = this.#servers.get(ports);
    if (server === undefined)
      throw new Error('The connection of this answer has closed, or leads elsewhere.');
    this.#links.add({ client, server });
  }

  /** Waits until everything that the servers have sent so far, the end of a connection included, has arrived. */
  async settle(): Promise<void> {
    for (const link of this.#links) {
      while (!isQuiet(link)) await new Promise(setImmediate);
      if (link.client.closed) this.#links.delete(link);
    }
    // What has arrived is handed on.
    await new Promise(setImmediate);
  }
}

function isQuiet({ client, server }: Link): boolean {
  if (client.destroyed || server.destroyed || server.writableEnded) return client.closed && server.closed;
  return client.bytesRead === server.bytesWritten;
}
