import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePath, parseWritePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ADMIN, GUEST, type Identity } from '../identity/identity.ts';
import { seqOf } from '../log/commit.ts';
import { changeQueue, endDisconnected, listQueues, storeIdentity } from './disconnect-queue.ts';
import { parseSet } from './draft-write.ts';
import { openTestServer, type TestServer } from './model/test-server.ts';
import { forget, remember } from './pending-writes.ts';

const NAME = 'presence';
const USER: Identity = { kind: 'user', auth: { uid: 'u' }, expiresAtMs: null };

let directory: string;
let server: TestServer;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-queue-'));
  server = await openTestServer(directory, () => 1000);
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

async function restart(): Promise<void> {
  server[Symbol.dispose]();
  server = await openTestServer(directory, () => 2000);
}

function ask(id: string, path: string, json: unknown, identity: Identity = GUEST): Promise<void> {
  const write = parseSet(parseWritePath(path), json);
  const database = server.databases.open(NAME);
  return server.committer.request((turn) =>
    changeQueue(turn, { id, database, identity }, (pending) => remember(pending, write)),
  );
}

function end(id: string): Promise<void> {
  return server.committer.request((turn) => endDisconnected(turn, server.databases.open(NAME), id));
}

function waiting(): Promise<readonly string[]> {
  return server.committer.request((turn) => listQueues(turn).map(({ sessionId }) => sessionId));
}

function data(): Promise<string> {
  return server.databases.readJson(NAME, ADMIN, parsePath(''), 'export');
}

test('[L43] what is left is one commit, and is gone then', async () => {
  await ask('s', 'a', 1);
  await ask('s', 'b', { '.sv': 'timestamp' });
  await ask('other', 'c', 1);
  await end('s');
  await end('s');
  await expect(data()).resolves.toBe('{"a":1,"b":1000}');
  expect(server.log.read(NAME, seqOf(0), 9)).toHaveLength(1);
  await expect(waiting()).resolves.toEqual(['other']);
});

test('[L43] a cancelled queue leaves nothing', async () => {
  await ask('s', 'a', 1);
  const database = server.databases.open(NAME);
  await server.committer.request((turn) =>
    changeQueue(turn, { id: 's', database, identity: GUEST }, (pending) => forget(pending, parsePath('a'))),
  );
  await expect(waiting()).resolves.toEqual([]);
});

test('[L44] what lost sessions left is written at the next start, in the order of their names', async () => {
  await ask('s2', 'a', 'second');
  await ask('s1', 'a', 'first');
  await ask('s1', 'n', { '.sv': { increment: 9223372036854775807n } });
  await restart();
  await expect(data()).resolves.toBe('{"a":"second","n":9223372036854775807}');
  expect(server.log.read(NAME, seqOf(0), 9).map(({ timeMs }) => timeMs)).toEqual([2000, 2000]);
  await expect(waiting()).resolves.toEqual([]);
});

test('[L43] the last identity counts, and the rules of the time', async () => {
  await ask('s', 'a', 1);
  await server.databases.writeRules(NAME, ADMIN, '{"rules":{"a":{".write":"auth != null"}}}');
  await server.committer.request((turn) => storeIdentity(turn, 's', USER));
  await server.committer.request((turn) => storeIdentity(turn, 'without a queue', USER));
  await restart();
  await expect(data()).resolves.toBe('{"a":1}');
  expect(server.log.read(NAME, seqOf(0), 9)[0]?.author).toEqual({ kind: 'user', uid: 'u' });
});

test('[L45] what is refused in part is dropped as a whole', async () => {
  await ask('s', 'a', 1);
  await ask('s', 'b', 2);
  await server.databases.writeRules(NAME, ADMIN, '{"rules":{"a":{".write":true},"b":{".write":false}}}');
  await end('s');
  await expect(data()).resolves.toBe('null');
  await expect(waiting()).resolves.toEqual([]);
});

test('[L46] on a full disk it waits for the next start', async () => {
  await ask('s', 'a', 1);
  server.store.failNext({ kind: 'full', atPut: 0 });
  await end('s');
  await expect(data()).resolves.toBe('null');
  await expect(waiting()).resolves.toEqual(['s']);
  await restart();
  await expect(data()).resolves.toBe('{"a":1}');
});

test('[L26] on a full disk who has a queue cannot become somebody else', async () => {
  await ask('s', 'a', 1);
  const become = (id: string): Promise<void> => {
    server.store.failNext({ kind: 'full', atPut: null });
    return server.committer.request((turn) => storeIdentity(turn, id, USER));
  };
  await expect(become('s')).rejects.toMatchObject({ code: 'store/full' });
  await expect(become('without a queue')).resolves.toBeUndefined();
});

test('[L47] a queue has a bound, and stays as it was when a request is beyond', async () => {
  await ask('s', 'a', 'x'.repeat(9_000_000));
  await expect(ask('s', 'b', 'y'.repeat(9_000_000))).rejects.toMatchObject({ code: 'write/too-big' });
  await ask('s', 'a', 'small');
  await ask('s', 'b', 'y');
  await end('s');
  await expect(data()).resolves.toBe('{"a":"small","b":"y"}');
});

test('[L35] a queue of a newer version is an error', async () => {
  server.store.transact((tx) => tx.put('sessions', Buffer.from('s'), Buffer.from('{"v":2}')));
  await expect(waiting()).rejects.toMatchObject({ code: 'internal/error' });
});
