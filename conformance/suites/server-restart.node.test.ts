import { statSync } from 'node:fs';
import { join } from 'node:path';
import { get, increment, onDisconnect, set } from 'firebase/database';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordValues, untilValue } from '../drivers/event-log.ts';
import { disconnect, freshRef, openClient, reconnect, sameRef, untilConnected } from '../drivers/sdk.ts';
import { findReservedPort, openDataDir, type ServerProcess, startServer } from '../drivers/server-process.ts';

/** Starts a server for the running test. `end` ends the server, `start` starts it again with the same data and port. */
async function openOwnServer(): Promise<{
  readonly url: string;
  /** The size of the server’s data file, in bytes. */
  dataBytes(): number;
  end(how: 'stop' | 'kill'): Promise<void>;
  start(): Promise<void>;
}> {
  const data = await openDataDir();
  let server: ServerProcess = await startServer({ dataDir: data.path, port: await findReservedPort() });
  const { url, port } = server;
  onTestFinished(async () => {
    await server.stop();
    await data.remove();
  });
  return {
    url,
    dataBytes: () => statSync(join(data.path, 'data.mdb')).size,
    end: (how) => server[how](),
    start: async () => {
      server = await startServer({ dataDir: data.path, port });
    },
  };
}

/** Number of children of a long value. */
const CHILDREN = 20_000;

const POLLING = { timeout: 60_000, interval: 5 };

describe('Connection', () => {
  test.each(['stop', 'kill'] as const)(
    '[S21] acknowledged data survives a `%s` of the server, and clients reconnect automatically',
    async (how) => {
      const server = await openOwnServer();
      const db = openClient('restart', { url: server.url });
      const other = openClient('restart', { url: server.url });
      const at = freshRef(db);
      const log = recordValues(sameRef(other, at));
      await set(at, { a: 1 });
      await untilValue(log, { a: 1 });
      await server.end(how);
      await untilConnected(db, false);
      await untilConnected(other, false);
      const added = set(sameRef(other, at), { a: increment(1) });
      await server.start();
      await added;
      expect((await get(sameRef(openClient('restart', { url: server.url }), at))).val()).toEqual({ a: 2 });
    },
  );
});

describe('Long values', () => {
  test.each(['stop', 'kill'] as const)(
    '[W179] a long value that is being stored when a `%s` ends the server is written completely or not at all',
    async (how) => {
      const server = await openOwnServer();
      const db = openClient('restart', { url: server.url });
      const at = freshRef(db);
      await set(at, 'before');
      const bytes = server.dataBytes();
      const written = set(
        at,
        Object.fromEntries(Array.from({ length: CHILDREN }, (_, n) => [`k${n}`, { n }])),
      );
      // The file grows in each step of the write.
      await expect.poll(() => server.dataBytes(), POLLING).toBeGreaterThan(bytes);
      await server.end(how);
      await disconnect(db);
      await server.start();
      const other = openClient('restart', { url: server.url });
      const found = await get(sameRef(other, at));
      expect(found.val() === 'before' || found.size === CHILDREN).toBe(true);
      await reconnect(db);
      await written;
      expect((await get(sameRef(other, at))).size).toBe(CHILDREN);
    },
  );
});

describe('onDisconnect', () => {
  test('[S209] a server that stops runs the requests of the clients that it disconnects', async () => {
    const server = await openOwnServer();
    const db = openClient('restart', { url: server.url });
    const at = freshRef(db);
    await set(at, 'online');
    await onDisconnect(at).set('offline');
    await server.end('stop');
    await disconnect(db);
    await server.start();
    expect((await get(sameRef(openClient('restart', { url: server.url }), at))).val()).toBe('offline');
  });
});
