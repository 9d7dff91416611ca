import { randomUUID } from 'node:crypto';
import { findKeptPort } from './kept-port.ts';
import { openDataDir, type ServerProcess, startServer } from './server-process.ts';

interface OwnServer {
  server: ServerProcess;
  readonly remove: () => Promise<void>;
}

/** Servers that single tests have for themselves, to end and start again on the same data and port. */
export class OwnServers {
  readonly #servers = new Map<string, OwnServer>();

  /** The orders are `stop`, `kill`, `start` and `close`; without an id a server is opened. */
  async answer(id: string | undefined, order: string | undefined): Promise<unknown> {
    if (id === undefined) return this.#open();
    const own = this.#servers.get(id);
    if (own === undefined) throw new Error(`There is no server ${id}.`);
    switch (order) {
      case 'stop':
      case 'kill':
        return own.server[order]();
      case 'start':
        own.server = await startServer({ dataDir: own.server.dataDir, port: own.server.port });
        return null;
      case 'close':
        this.#servers.delete(id);
        return close(own);
      default:
        throw new Error(`A server knows no ${order}.`);
    }
  }

  async close(): Promise<void> {
    for (const own of this.#servers.values()) await close(own);
  }

  async #open(): Promise<{ readonly id: string; readonly url: string }> {
    const { path, remove } = await openDataDir();
    const server = await startServer({ dataDir: path, port: await findKeptPort() });
    const own = { server, remove };
    const id = randomUUID();
    this.#servers.set(id, own);
    return { id, url: own.server.url };
  }
}

async function close({ server, remove }: OwnServer): Promise<void> {
  await server.stop();
  await remove();
}
