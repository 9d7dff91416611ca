import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePath, parseWritePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ADMIN, ANONYMOUS, type Principal } from '../../access/principal.ts';
import { HeldBytes } from '../../platform/held-bytes.ts';
import { openDisconnectBytes, openTestPool } from '../../platform/pools.fixture.ts';
import { type Commit, seqOf, writePath } from '../../storage/log/commit.ts';
import { readText } from '../database/read-text.fixture.ts';
import { executeWrite } from '../database/write.ts';
import { parseSet } from '../database/write-input.ts';
import { openTestServer, type TestServer } from '../model/test-server.fixture.ts';
import { changeQueue, type EndOutcome, endDisconnected, findNextQueue, storePrincipal } from './queue.ts';

const NAME = 'presence';
const USER: Principal = { kind: 'user', auth: { uid: 'u' }, expiresAtMs: null };

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

function ask(
  id: string,
  fields: Readonly<Record<string, unknown>>,
  identity: Principal = ANONYMOUS,
): Promise<void> {
  const writes = Object.entries(fields).map(([path, json]) => parseSet(parseWritePath(path), json));
  const database = server.databases.open(NAME);
  return server.scheduler.request((transaction) =>
    changeQueue(
      transaction,
      { id, database, identity, disconnectBytes: openDisconnectBytes() },
      (pending) => {
        for (const write of writes) pending.add(write);
      },
    ),
  );
}

function cancel(id: string, path: string): Promise<void> {
  const database = server.databases.open(NAME);
  return server.scheduler.request((transaction) =>
    changeQueue(
      transaction,
      { id, database, identity: ANONYMOUS, disconnectBytes: openDisconnectBytes() },
      (pending) => pending.cancel(parsePath(path)),
    ),
  );
}

function end(id: string, identity: Principal = ANONYMOUS): Promise<EndOutcome> {
  return server.scheduler.request((transaction) =>
    endDisconnected(transaction, server.databases.open(NAME, transaction), id, identity),
  );
}

function become(id: string, identity: Principal): Promise<void> {
  return server.scheduler.request((transaction) => storePrincipal(transaction, id, identity));
}

function waiting(): readonly string[] {
  return server.store.read((tx) => {
    const ids: string[] = [];
    for (let id = findNextQueue(tx, undefined); id !== undefined; id = findNextQueue(tx, id)) ids.push(id);
    return ids;
  });
}

function data(): Promise<string> {
  return readText(server.databases, NAME, '');
}

function commits(): readonly Commit[] {
  return server.log.read(NAME, seqOf(0), 9);
}

test('[L43] at the end of a session its queue becomes one commit and is deleted', async () => {
  await ask('s', { a: 1 });
  await ask('s', { b: { '.sv': 'timestamp' } });
  await ask('other', { c: 1 });
  await expect(end('s')).resolves.toBe('done');
  await expect(end('s')).resolves.toBe('done');
  await expect(data()).resolves.toBe('{"a":1,"b":1000}');
  expect(commits()).toHaveLength(1);
  expect(waiting()).toEqual(['other']);
});

test('[L43] a canceled queue leaves nothing in the store', async () => {
  await ask('s', { a: 1, 'b/c': 2 });
  await cancel('s', 'a');
  expect(waiting()).toEqual(['s']);
  await cancel('s', 'b');
  await cancel('s', 'b');
  expect(server.store.read((tx) => [...tx.scan('sessions', {})])).toEqual([]);
});

test('[L43] the queue runs as the last principal, under the rules of that time', async () => {
  await ask('s', { a: 1 });
  await server.databases.writeRules(NAME, ADMIN, '{"rules":{"a":{".write":"auth != null"}}}');
  await become('s', USER);
  await become('without a queue', USER);
  expect(waiting()).toEqual(['s']);
  server.unfinished.add('s', NAME);
  await server.unfinished.retry();
  expect(commits()[0]?.author).toEqual({ kind: 'user', uid: 'u' });
});

test('[L43] the principal of the ending session has priority over the stored one', async () => {
  await ask('s', { a: 1 }, USER);
  await server.databases.writeRules(NAME, ADMIN, '{"rules":{"a":{".write":"auth != null"}}}');
  await end('s', ANONYMOUS);
  await expect(data()).resolves.toBe('null');
  expect(waiting()).toEqual([]);
});

test('[L44] integers of 64 bits in claims and values survive the server', async () => {
  const auth = { uid: 'u', token: { count: 9223372036854775807n } };
  await ask(
    's',
    { n: { '.sv': { increment: 9223372036854775807n } } },
    { kind: 'user', auth, expiresAtMs: 1 },
  );
  server.unfinished.add('s', NAME);
  await server.unfinished.retry();
  await expect(data()).resolves.toBe('{"n":9223372036854775807}');
  expect(commits()[0]?.author).toEqual({ kind: 'user', uid: 'u' });
});

test('[L45] of the queued requests, only those that the rules deny on their own are dropped', async () => {
  await ask('s', { a: 1 });
  await ask('s', { b: 2 });
  await ask('s', { c: 3 });
  await server.databases.writeRules(
    NAME,
    ADMIN,
    '{"rules":{"a":{".write":true},"b":{".write":false},"c":{".write":true,".validate":"newData.val() > 2"}}}',
  );
  await end('s');
  await expect(data()).resolves.toBe('{"a":1,"c":3}');
  expect(commits()).toHaveLength(1);
  expect(waiting()).toEqual([]);
});

test('[L45] an update is dropped as a whole, even if later requests have replaced a part of it', async () => {
  await ask('s', { a: 1, b: 2, c: 3 });
  await ask('s', { c: 4 });
  await server.databases.writeRules(
    NAME,
    ADMIN,
    '{"rules":{"a":{".write":true},"b":{".write":false},"c":{".write":true}}}',
  );
  await end('s');
  await expect(data()).resolves.toBe('{"c":4}');
});

test('[L45] a request that only another request of the queue would allow is dropped', async () => {
  await ask('s', { owner: 'me' });
  await ask('s', { note: 'text' });
  await server.databases.writeRules(
    NAME,
    ADMIN,
    '{"rules":{"owner":{".write":true},"note":{".write":"newData.parent().child(\'owner\').exists()"}}}',
  );
  await end('s');
  await expect(data()).resolves.toBe('{"owner":"me"}');
});

test('[L98] if the rules deny the requests together, they are executed one after the other, each only if it is allowed', async () => {
  for (const seat of ['b', 'a', 'c']) await ask('s', { [seat]: 1 });
  const taken = (...others: string[]): string =>
    others.map((other) => `!newData.parent().child('${other}').exists()`).join(' && ');
  await server.databases.writeRules(
    NAME,
    ADMIN,
    JSON.stringify({
      rules: { a: { '.write': taken('b') }, b: { '.write': taken('a') }, c: { '.write': true } },
    }),
  );
  await end('s');
  await expect(data()).resolves.toBe('{"b":1,"c":1}');
});

test('[L45] of the queued requests, only an increment beyond the number range is dropped', async () => {
  await ask('s', { n: { '.sv': { increment: 1e308 } } }, ADMIN);
  await ask('s', { a: 1 }, ADMIN);
  await server.scheduler.request((transaction) =>
    executeWrite(transaction, server.databases.open(NAME, transaction), {
      operation: 'put',
      identity: ADMIN,
      writes: [parseSet(parseWritePath('n'), 1.7e308)],
    }),
  );
  await end('s', ADMIN);
  await expect(data()).resolves.toBe('{"a":1,"n":1.7e+308}');
});

test('[L99] a large queue is executed in parts, in the order of its requests, and no transaction contains all of it', async () => {
  for (let i = 0; i < 20; i++) await ask('s', { [`k${String(i).padStart(2, '0')}`]: 'x'.repeat(30_000) });
  await expect(end('s')).resolves.toBe('more');
  expect(commits()).toHaveLength(0);
  await server.unfinished.finish('s', NAME, ANONYMOUS);
  const parts = commits().map(({ writes }) => writes.map((write) => writePath(write)));
  expect(parts).toHaveLength(5);
  expect(parts.flat()).toEqual(Array.from({ length: 20 }, (_, i) => `k${String(i).padStart(2, '0')}`));
  expect(waiting()).toEqual([]);
});

test('[L99] a part holds at most 250 paths, and one update is never divided', async () => {
  const fields = (prefix: string, count: number): Readonly<Record<string, number>> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 1]));
  await ask('s', fields('a', 200));
  await ask('s', fields('b', 60));
  await ask('s', fields('c', 400));
  await ask('s', fields('d', 1));
  await server.unfinished.finish('s', NAME, ANONYMOUS);
  expect(commits().map(({ writes }) => writes.length)).toEqual([200, 60, 400, 1]);
});

test('[L46] on a full disk the queue waits', async () => {
  await ask('s', { a: 1 });
  server.store.failNext({ kind: 'full', atPut: 0 });
  await expect(end('s')).resolves.toBe('postponed');
  await expect(data()).resolves.toBe('null');
  expect(waiting()).toEqual(['s']);
  await expect(end('s')).resolves.toBe('done');
  await expect(data()).resolves.toBe('{"a":1}');
});

test('[L46] on a full disk a session without a queue ends immediately', async () => {
  server.store.failNext({ kind: 'full', atPut: null });
  await expect(end('s')).resolves.toBe('done');
});

test('[L26] on a full disk a session can change its principal, although the change is not stored', async () => {
  await ask('s', { a: 1 }, USER);
  server.store.failNext({ kind: 'full', atPut: 0 });
  await expect(become('s', ANONYMOUS)).resolves.toBeUndefined();
  server.unfinished.add('s', NAME);
  await server.unfinished.retry();
  expect(commits()[0]?.author).toEqual({ kind: 'user', uid: 'u' });
});

test('[L47] a request beyond the size limit of a queue leaves the queue unchanged', async () => {
  await ask('s', { a: 'x'.repeat(9_000_000), b: 1 });
  await expect(ask('s', { b: null, c: 'y'.repeat(9_000_000) })).rejects.toMatchObject({
    code: 'write/too-big',
  });
  await ask('s', { a: 'small' });
  await ask('s', { c: 'y' });
  await end('s');
  await expect(data()).resolves.toBe('{"a":"small","b":1,"c":"y"}');
});

test('[L47] a queue has at most 2,000 paths, however small', async () => {
  const fields = (from: number, to: number): Readonly<Record<string, number>> =>
    Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`k${from + i}`, 1]));
  await ask('s', fields(0, 1_999));
  await expect(ask('s', fields(1_999, 2_001))).rejects.toMatchObject({ code: 'write/too-big' });
  await ask('s', fields(1_999, 2_000));
  await server.unfinished.finish('s', NAME, ANONYMOUS);
  expect(commits().map(({ writes }) => writes.length)).toEqual([1_999, 1]);
});

test('[L49] an update with a path that is too long changes nothing', async () => {
  await ask('s', { a: 1 });
  const long = `${'k'.repeat(700)}/${'l'.repeat(300)}`;
  await expect(ask('s', { a: 2, b: 1, [long]: 1 })).rejects.toMatchObject({ code: 'path/too-long' });
  await end('s');
  await expect(data()).resolves.toBe('{"a":1}');
});

test('[L35] a queue of another version is an error', async () => {
  server.store.transact((tx) => tx.put('sessions', Buffer.from('s\0'), Buffer.from('{"v":4}')));
  await expect(end('s')).rejects.toMatchObject({ code: 'internal/error' });
  expect(waiting()).toEqual(['s']);
});

test('[H549] a request that would exceed the memory of its network leaves the queue unchanged', async () => {
  const pool = openTestPool(1_000);
  const disconnectBytes = new HeldBytes(pool, { network: 'n1', evict: () => undefined }, 0);
  const database = server.databases.open(NAME);
  const remember = (path: string, text: string): Promise<void> =>
    server.scheduler.request((transaction) =>
      changeQueue(transaction, { id: 's1', database, identity: ANONYMOUS, disconnectBytes }, (pending) =>
        pending.add(parseSet(parseWritePath(path), text)),
      ),
    );
  await remember('a', 'x'.repeat(500));
  const { used } = pool.usage;
  expect(used).toBeGreaterThan(500);
  await expect(remember('b', 'x'.repeat(500))).rejects.toMatchObject({ code: 'request/overload' });
  expect([waiting(), pool.usage.used]).toEqual([['s1'], used]);
  await end('s1');
  expect(
    await server.scheduler.request((transaction) =>
      database.tree(transaction).nodeJson(parsePath(''), 'plain'),
    ),
  ).toBe(JSON.stringify({ a: 'x'.repeat(500) }));
});
