import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseWritePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ANONYMOUS, type Principal } from '../../access/principal.ts';
import { createLogger } from '../../platform/logger.ts';
import { openDisconnectBytes } from '../../platform/pools.fixture.ts';
import { seqOf, writePath } from '../../storage/log/commit.ts';
import { readText } from '../database/read-text.fixture.ts';
import { parseSet } from '../database/write-input.ts';
import { openTestServer, type TestServer } from '../model/test-server.fixture.ts';
import { changeQueue, LostSessions } from './queue.ts';

const NAME = 'presence';
const USER: Principal = { kind: 'user', auth: { uid: 'u' }, expiresAtMs: null };

let directory: string;
let server: TestServer;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-lost-'));
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

function queueWrite(id: string, path: string, json: unknown, identity: Principal = ANONYMOUS): Promise<void> {
  const database = server.databases.open(NAME);
  return server.scheduler.request((transaction) =>
    changeQueue(transaction, { id, database, identity, disconnectBytes: openDisconnectBytes() }, (pending) =>
      pending.add(parseSet(parseWritePath(path), json)),
    ),
  );
}

function data(): Promise<string> {
  return readText(server.databases, NAME, '');
}

function rowCount(): number {
  return server.store.read((tx) => [...tx.scan('sessions', {})].length);
}

function putRow(key: string, value: string): void {
  server.store.transact((tx) => tx.put('sessions', Buffer.from(key), Buffer.from(value)));
}

test('[L44] the queues of lost sessions are executed at the next start, in the order of the session ids', async () => {
  await queueWrite('s2', 'a', 'second', USER);
  await queueWrite('s1', 'a', 'first');
  await restart();
  await expect(data()).resolves.toBe('{"a":"second"}');
  expect(server.log.read(NAME, seqOf(0), 9).map(({ timeMs, author }) => [timeMs, author])).toEqual([
    [2000, { kind: 'guest' }],
    [2000, { kind: 'user', uid: 'u' }],
  ]);
  expect(rowCount()).toBe(0);
});

test.each([
  ['of another version', 's1\0', '{"v":4,"database":"presence"}'],
  ['that is not JSON', 's1\0', '{'],
  ['with a row that is not JSON', 's2\u0001z\0', '{'],
  ['without a header', 's1\u0001a\0', '1'],
  ['of the first version', 's1', '{"v":1}'],
])(
  '[L48] a queue %s stays in the store, is reported in the log, and stops neither the server nor other queues',
  async (_title, key, value) => {
    await queueWrite('s2', 'b', 2);
    await queueWrite('s3', 'c', 3);
    putRow(key, value);
    await restart();
    await expect(data()).resolves.toBe(key.startsWith('s2') ? '{"c":3}' : '{"b":2,"c":3}');
    expect(rowCount()).toBeGreaterThan(0);
    expect(server.errors.join('')).toContain('remain stored');
    expect(server.errors.join('')).not.toMatch(/s[12]\b/);
  },
);

test('[L46] a queue that had to wait is executed as the last principal as soon as there is space', async () => {
  await queueWrite('s1', 'a', 1, USER);
  await queueWrite('s2', 'b', 2, USER);
  server.unfinished.add('s1', NAME, ANONYMOUS);
  server.unfinished.add('s2', NAME);
  server.store.failNext({ kind: 'full', atPut: null });
  await server.unfinished.retry();
  await expect(data()).resolves.toBe('null');
  await Promise.all([server.unfinished.retry(), server.unfinished.retry()]);
  await expect(data()).resolves.toBe('{"a":1,"b":2}');
  expect(server.log.read(NAME, seqOf(0), 9).map(({ author }) => author.kind)).toEqual(['guest', 'user']);
  expect(rowCount()).toBe(0);
});

test('[L46] a queue waits if the disk is full when the server starts', async () => {
  await queueWrite('s1', 'a', 1);
  await queueWrite('s2', 'b', 2);
  const { store, scheduler, databases, unfinished } = server;
  store.failNext({ kind: 'full', atPut: null });
  await unfinished.finishAll();
  await scheduler.drain();
  await expect(readText(databases, NAME, '')).resolves.toBe('null');
  await unfinished.retry();
  await expect(data()).resolves.toBe('{"a":1,"b":2}');
});

test('[L48] a queue that cannot be read stays in the store when it is retried, and others are executed', async () => {
  await queueWrite('s1', 'a', 1);
  await queueWrite('s2', 'b', 2);
  putRow('s1\u0001z\0', '{');
  for (const id of ['s1', 's2', 'without a queue']) server.unfinished.add(id, NAME);
  await server.unfinished.retry();
  await expect(data()).resolves.toBe('{"b":2}');
  const count = server.errors.length;
  await server.unfinished.retry();
  expect(server.errors).toHaveLength(count);
});

test('[L46] a waiting queue is retried automatically until it succeeds', async () => {
  await queueWrite('s1', 'a', 1);
  const { store, scheduler, databases } = server;
  const done = Promise.withResolvers<void>();
  const lost = new LostSessions({
    store,
    scheduler,
    logger: createLogger('silent', { write: () => undefined }),
    retryMs: 1,
    openDatabase: (name, transaction) => {
      // The disk is full at the first attempt, whether the task runs in a batch or alone.
      attempts += 1;
      if (attempts > 2) transaction.onCommit(done.resolve);
      return databases.open(name, transaction);
    },
  });
  let attempts = 0;
  store.failNext({ kind: 'full', atPut: null });
  lost.add('s1', NAME);
  // The timer of the retries does not keep the process alive; this one does.
  const alive = setInterval(() => undefined, 1000);
  await done.promise;
  clearInterval(alive);
  await expect(data()).resolves.toBe('{"a":1}');
  lost[Symbol.dispose]();
  lost.add('s2', NAME);
  await lost.retry();
  expect(attempts).toBe(3);
});

test('[L44] a queue that was stored without numbers of requests is executed at the next start', async () => {
  const header = { v: 2, database: NAME, identity: { kind: 'guest' }, bytes: 60, places: 3 };
  putRow('s1\0', JSON.stringify(header));
  const rowKey = (text: string): Buffer =>
    Buffer.concat([Buffer.from('s1\u0001'), Buffer.from(text, 'utf16le')]);
  server.store.transact((tx) => {
    tx.put('sessions', rowKey('a'), Buffer.from('1'));
    tx.put('sessions', rowKey('b\0c'), Buffer.from('{".sv":"timestamp"}'));
    tx.put('sessions', rowKey('d\0.priority'), Buffer.from('"p"'));
  });
  await restart();
  await expect(data()).resolves.toBe('{"a":1,"b":{"c":2000}}');
  expect(rowCount()).toBe(0);
});

test('[L99] a large queue is continued after the server died between two parts', async () => {
  for (let i = 0; i < 9; i++) await queueWrite('s1', `k${i}`, 'x'.repeat(40_000));
  const { scheduler, databases, store, unfinished } = server;
  let parts = 0;
  const stopped = new LostSessions({
    store,
    scheduler,
    logger: createLogger('silent', { write: () => undefined }),
    openDatabase: (name, transaction) => {
      parts += 1;
      if (parts === 2) stopped[Symbol.dispose]();
      return databases.open(name, transaction);
    },
  });
  await stopped.finish('s1', NAME, ANONYMOUS);
  await scheduler.drain();
  expect(server.log.read(NAME, seqOf(0), 9)).toHaveLength(2);
  // The header, and the three requests of the last part.
  expect(rowCount()).toBe(4);
  await unfinished.finish('s1', NAME, ANONYMOUS);
  expect(rowCount()).toBe(0);
  await restart();
  expect(server.log.read(NAME, seqOf(0), 9).map(({ writes }) => writes.length)).toEqual([3, 3, 3]);
  expect(Object.keys(JSON.parse(await data()))).toHaveLength(9);
});

test('[L99] when the disk is full in the middle, the session is over and the rest waits', async () => {
  for (let i = 0; i < 9; i++) await queueWrite('s1', `k${i}`, 'x'.repeat(40_000));
  server.store.failNext({ kind: 'full', atPut: 0 });
  await server.unfinished.finish('s1', NAME, ANONYMOUS);
  expect(rowCount()).toBe(10);
  await server.unfinished.retry();
  expect(rowCount()).toBe(0);
  expect(Object.keys(JSON.parse(await data()))).toHaveLength(9);
});

test('[L99] the queues of several sessions are executed one after the other', async () => {
  for (const id of ['s1', 's2'])
    for (let i = 0; i < 9; i++) await queueWrite(id, `${id}/k${i}`, 'x'.repeat(40_000));
  await Promise.all(['s2', 's1'].map((id) => server.unfinished.finish(id, NAME, ANONYMOUS)));
  const paths = server.log.read(NAME, seqOf(0), 9).map(({ writes }) => writes.map(writePath));
  expect(paths.map(([first]) => first)).toEqual(['s2/k0', 's2/k3', 's2/k6', 's1/k0', 's1/k3', 's1/k6']);
  server.unfinished[Symbol.dispose]();
  await expect(server.unfinished.finish('s3', NAME, ANONYMOUS)).resolves.toBeUndefined();
});
