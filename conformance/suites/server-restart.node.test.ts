import { get, increment, onDisconnect, set } from 'firebase/database';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordValues, untilValue } from '../drivers/event-log.ts';
import { disconnect, freshRef, openClient, sameRef, untilConnected } from '../drivers/sdk.ts';
import { findReservedPort, openDataDir, type ServerProcess, startServer } from '../drivers/server-process.ts';

/** Starts a server for the running test. `end` ends the server, `start` starts it again with the same data and port. */
async function openOwnServer(): Promise<{
  readonly url: string;
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
    end: (how) => server[how](),
    start: async () => {
      server = await startServer({ dataDir: data.path, port });
    },
  };
}

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
