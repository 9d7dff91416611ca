import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashNode } from '@hearth/core/tree/digest.ts';
import { parseDraft } from '@hearth/core/tree/draft.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { emulatorVerifier } from '../../access/emulator-verifier.ts';
import { ADMIN } from '../../access/principal.ts';
import { openSessionPools, openTestPool } from '../../platform/pools.fixture.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import { prefixRange } from '../../storage/kv/store.ts';
import { readText } from '../database/read-text.fixture.ts';
import { STAGED_PREFIX } from '../import/record.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../model/test-server.fixture.ts';
import { parseTrigger } from '../triggers/trigger.ts';
import { Session } from './session.ts';

const NAME = 'demo';

/** A value that is too long to be written at once, with characters of one to four bytes. */
const LONG = Object.fromEntries(
  Array.from({ length: 3_000 }, (_, n) => [`k${n}`, { text: `"\\é😀${'x'.repeat(20)}${n}`, n: n / 2 }]),
);

const OK = { s: 'ok', d: '' };

let directory: string;
let server: TestServer;
let connection: RecordingConnection;
let session: Session;
let nowMs: number;

function openSession(id: string, to: RecordingConnection, messages?: ResourcePool): Session {
  const { scheduler, databases, unfinished, imports } = server;
  const pools = openSessionPools();
  return new Session({
    id,
    database: databases.open(NAME),
    connection: to,
    scheduler,
    appChecks: NO_APP_CHECK,
    verifier: emulatorVerifier,
    nowMs: () => 0,
    unfinished,
    stagedWrites: imports,
    pools: messages === undefined ? pools : { ...pools, messages },
  });
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-put-'));
  nowMs = 1_000;
  server = await openTestServer(directory, () => nowMs);
  connection = new RecordingConnection();
  session = openSession('s', connection);
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

function send(id: number, action: string, body: Readonly<Record<string, unknown>>, to = session): void {
  to.receive(JSON.stringify({ t: 'd', d: { r: id, a: action, b: body } }));
}

/** Resolves with the next messages of the server as parsed JSON, once there are `count`. */
async function take(count: number, from = connection): Promise<readonly unknown[]> {
  await expect.poll(() => from.messages.length).toBeGreaterThanOrEqual(count);
  return from.messages.splice(0, count).map((message) => JSON.parse(message).d);
}

async function read(path: string): Promise<unknown> {
  return JSON.parse(await readText(server.databases, NAME, path));
}

function publish(rules: unknown): Promise<number> {
  return server.databases.writeRules(NAME, ADMIN, JSON.stringify({ rules }));
}

/** Returns the number of long values that are being stored. */
function countStaged(): number {
  return server.store.read((tx) => [...tx.scan('meta', prefixRange(STAGED_PREFIX))].length);
}

/** Resolves when a long value is being stored, which takes several transactions. */
async function untilStaged(): Promise<void> {
  while (countStaged() === 0) await server.scheduler.drain();
}

function hashOf(json: unknown): string {
  const { node } = parseDraft(json, 0);
  const sha1 = (text: string): string => createHash('sha1').update(text).digest('base64');
  return hashNode(node as Parameters<typeof hashNode>[0], sha1);
}

test('[W176] a long value is stored in steps, and later requests wait for it', async () => {
  send(1, 'q', { p: '/', h: '' });
  await take(2);
  send(2, 'p', { p: '/long', d: LONG });
  send(3, 'p', { p: '/long/k1', d: 'later' });
  send(4, 'g', { p: '/long/k1' });
  await server.scheduler.drain();
  expect(connection.messages).toEqual([]);
  expect(await read('')).toBe(null);
  expect(countStaged()).toBe(1);
  expect(await take(5)).toEqual([
    { a: 'd', b: { p: 'long', d: LONG } },
    { r: 2, b: OK },
    { a: 'd', b: { p: 'long/k1', d: 'later' } },
    { r: 3, b: OK },
    { r: 4, b: { s: 'ok', d: 'later' } },
  ]);
  expect(await read('long')).toEqual({ ...LONG, k1: 'later' });
  expect(countStaged()).toBe(0);
});

test('[W178] the push of a long value is generated in steps, once for all listeners, before later messages', async () => {
  const long = { ...LONG, text: 'x'.repeat(300_000) };
  const others = ['a', 'b', 'c'].map((id) => {
    const other = new RecordingConnection();
    return { other, listener: openSession(id, other) };
  });
  for (const [n, path] of ['/', '/long', '/long/text'].entries()) {
    const { listener, other } = others[n] ?? expect.unreachable();
    send(1, 'q', { p: path, h: '' }, listener);
    await take(2, other);
  }
  send(1, 'p', { p: '/long', d: long });
  send(2, 'p', { p: '/long/k1', d: 'later' });
  expect(await take(2)).toEqual([
    { r: 1, b: OK },
    { r: 2, b: OK },
  ]);
  for (const { other } of others.slice(0, 2))
    expect(await take(2, other)).toEqual([
      { a: 'd', b: { p: 'long', d: long } },
      { a: 'd', b: { p: 'long/k1', d: 'later' } },
    ]);
  expect(await take(1, others[2]?.other)).toEqual([{ a: 'd', b: { p: 'long/text', d: long.text } }]);
});

test('[W178] a listener that leaves while a push is generated does not keep others from receiving it', async () => {
  const long = { ...LONG, text: 'x'.repeat(300_000) };
  const [first, second] = [new RecordingConnection(), new RecordingConnection()];
  const leaving = openSession('a', first);
  send(1, 'q', { p: '/', h: '' }, leaving);
  send(1, 'q', { p: '/', h: '' }, openSession('b', second));
  await take(2, second);
  send(1, 'p', { p: '/long', d: long });
  await take(1);
  leaving.end();
  expect(await take(1, second)).toEqual([{ a: 'd', b: { p: 'long', d: long } }]);
});

test('[W178] a listener without memory for a push does not keep others from receiving it', async () => {
  const long = { ...LONG, text: 'x'.repeat(300_000) };
  const [first, second] = [new RecordingConnection('192.0.2.7'), new RecordingConnection('192.0.2.8')];
  const pool = openTestPool(2 ** 18);
  const full = openSession('a', first, pool);
  const other = openSession('b', second);
  send(1, 'q', { p: '/', h: '' }, full);
  await take(2, first);
  send(1, 'q', { p: '/', h: '' }, other);
  await take(2, second);
  send(1, 'p', { p: '/long', d: long });
  expect(await take(1, second)).toEqual([{ a: 'd', b: { p: 'long', d: long } }]);
  expect(pool.usage).toMatchObject({ used: 0 });
});

test('[W178] the writer receives the push of its own long value before the response', async () => {
  const long = { ...LONG, text: 'x'.repeat(300_000) };
  send(1, 'q', { p: '/long', h: '' });
  await take(2);
  send(2, 'p', { p: '/long', d: long });
  send(3, 'g', { p: '/long/k1' });
  expect(await take(3)).toEqual([
    { a: 'd', b: { p: 'long', d: long } },
    { r: 2, b: OK },
    { r: 3, b: { s: 'ok', d: LONG['k1'] } },
  ]);
});

test('[W176] requests of other clients are served between the steps', async () => {
  let answeredBefore: number | undefined;
  class CountingConnection extends RecordingConnection {
    override deliver(messages: Parameters<RecordingConnection['deliver']>[0]): void {
      answeredBefore = connection.messages.length;
      super.deliver(messages);
    }
  }
  const other = new CountingConnection();
  send(1, 'p', { p: '/long', d: LONG });
  send(1, 'p', { p: '/short', d: 1 }, openSession('t', other));
  expect(await take(1, other)).toEqual([{ r: 1, b: OK }]);
  expect(answeredBefore).toBe(0);
  expect(await take(1)).toEqual([{ r: 1, b: OK }]);
  expect(await read('')).toEqual({ long: LONG, short: 1 });
});

test('[W57] server values and priorities of a long value are resolved', async () => {
  const stamped = { ...LONG, at: { '.sv': 'timestamp' }, first: { '.priority': 1, '.value': 'a' } };
  send(1, 'p', { p: '/long', d: stamped });
  expect(await take(1)).toEqual([{ r: 1, b: OK }]);
  expect(await read('long')).toEqual({ ...LONG, at: 1000, first: { '.priority': 1, '.value': 'a' } });
});

test('[W57][W198] increments of a long value are resolved, and stored in steps', async () => {
  send(1, 'p', { p: '/long/count', d: 4 });
  send(2, 'p', { p: '/long', d: { ...LONG, count: { '.sv': { increment: 3 } } } });
  await untilStaged();
  await take(2);
  expect(await read('long')).toEqual({ ...LONG, count: 7 });
  expect(countStaged()).toBe(0);
  expect(server.databases.open(NAME).listens.count).toBe(0);
});

test.each([
  ['once', 1],
  ['all the time', Number.POSITIVE_INFINITY],
])(
  '[W198] an increment adds to the last value before it, also if its node changes %s',
  async (_name, most) => {
    const seen = new RecordingConnection();
    send(1, 'q', { p: '/long/count', h: '' }, openSession('u', seen));
    const writer = openSession('t', new RecordingConnection());
    send(1, 'p', { p: '/long', d: { ...LONG, count: { '.sv': { increment: 1_000_000 } } } });
    let count = 0;
    await untilStaged();
    while (connection.messages.length === 0) {
      if (count < most) send(1, 'p', { p: '/long/count', d: ++count }, writer);
      await server.scheduler.drain();
    }
    expect(await take(1)).toEqual([{ r: 1, b: OK }]);
    const values = [...seen.messages.join().matchAll(/"p":"long\/count","d":(\d+)/g)].map(([, value]) =>
      Number(value),
    );
    const at = values.findIndex((value) => value >= 1_000_000);
    expect(values[at]).toBe(1_000_000 + (values[at - 1] ?? 0));
    // Usually the write comes first, and the value is stored again.
    if (most === 1) expect(values).toEqual(values[0] === 1 ? [1, 1_000_001] : [1_000_000, 1]);
    expect(countStaged()).toBe(0);
    expect(server.databases.open(NAME).listens.count).toBe(1);
  },
);

test.each([
  ['an invalid key', { ...LONG, 'a.b': 1 }],
  ['a misplaced name', { ...LONG, '.x': 1 }],
  ['too many levels', { ...LONG, deep: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) }],
  ['an unknown server value', { ...LONG, a: { '.sv': 'now' } }],
])('[W35][W37][W38] a long value with %s is rejected', async (_name, value) => {
  send(1, 'p', { p: '/long', d: value });
  send(2, 'p', { p: '/long/next', d: 1 });
  expect(await take(2)).toEqual([
    { r: 1, b: { s: 'failure', d: expect.any(String) } },
    { r: 2, b: OK },
  ]);
  expect(await read('long')).toEqual({ next: 1 });
  expect(countStaged()).toBe(0);
});

test('[W176] a long value that is not JSON is rejected', async () => {
  session.receive(`{"t":"d","d":{"r":1,"a":"p","b":{"p":"/long","d":{"a":"${'x'.repeat(70_000)}",}}}}`);
  expect(await take(1)).toEqual([{ r: 1, b: { s: 'failure', d: expect.any(String) } }]);
});

test('[W56] a long value that the rules deny is rejected before it is stored', async () => {
  await publish({ '.read': true, '.write': 'auth != null' });
  send(1, 'p', { p: '/long', d: LONG });
  expect(await take(1)).toEqual([{ r: 1, b: { s: 'permission_denied', d: expect.any(String) } }]);
  expect(countStaged()).toBe(0);
});

test('[W176][R236] a long value that rules read is stored in steps, and decided where it is stored', async () => {
  await publish({
    '.read': true,
    '.write': true,
    long: { k7: { '.validate': "newData.child('n').val() === 3.5" } },
  });
  send(1, 'p', { p: '/long', d: LONG });
  await untilStaged();
  send(2, 'p', { p: '/long', d: { ...LONG, k7: { n: 4 } } });
  expect(await take(2)).toEqual([
    { r: 1, b: OK },
    { r: 2, b: { s: 'permission_denied', d: expect.any(String) } },
  ]);
  expect(await read('long')).toEqual(LONG);
  expect(countStaged()).toBe(0);
});

test('[W176][R236] in rules that read a long value, `now` equals the timestamps in it; in other rules, it is the current time', async () => {
  await publish({
    '.read': true,
    '.write': "now >= 1500 && data.child('long').val() == null",
    long: { at: { '.validate': 'newData.val() === now' } },
  });
  send(1, 'p', { p: '/long', d: { ...LONG, at: { '.sv': 'timestamp' } } });
  expect(await take(1)).toEqual([{ r: 1, b: { s: 'permission_denied', d: expect.any(String) } }]);
  nowMs = 2_000;
  send(2, 'p', { p: '/long', d: { ...LONG, at: { '.sv': 'timestamp' } } });
  await untilStaged();
  nowMs = 3_000;
  expect(await take(1)).toEqual([{ r: 2, b: OK }]);
  expect(await read('long/at')).toBe(2_000);
});

test('[W176][R236] if a rule does not read the value, a deadline in the rule is checked when the value takes effect', async () => {
  await publish({
    '.read': true,
    '.write': 'now < 2000',
    long: { at: { '.validate': 'newData.isNumber()' } },
  });
  send(1, 'p', { p: '/long', d: { ...LONG, at: { '.sv': 'timestamp' } } });
  await untilStaged();
  nowMs = 2_000;
  expect(await take(1)).toEqual([{ r: 1, b: { s: 'permission_denied', d: expect.any(String) } }]);
});

test('[W176] a transaction whose long value the rules deny is answered as stale if its hash does not match', async () => {
  await publish({ '.read': true, '.write': true, long: { '.validate': "newData.hasChild('more')" } });
  send(1, 'p', { p: '/long', d: LONG, h: '' });
  await untilStaged();
  const other = new RecordingConnection();
  send(1, 'p', { p: '/long', d: { more: 1 } }, openSession('t', other));
  await take(1, other);
  send(2, 'p', { p: '/long', d: LONG, h: hashOf({ more: 1 }) });
  expect(await take(2)).toEqual([
    { r: 1, b: { s: 'datastale', d: expect.any(String) } },
    { r: 2, b: { s: 'permission_denied', d: expect.any(String) } },
  ]);
});

test.each([
  ['deny it', { '.read': true, '.write': false }, 'permission_denied'],
  ['read the value', { '.read': true, '.write': "newData.child('long/k7/n').val() === 3.5" }, 'ok'],
  [
    'read another value',
    { '.read': true, '.write': "newData.child('long/k7/n').val() === 4" },
    'permission_denied',
  ],
])(
  '[W176] rules that are published while a long value is stored, and %s, decide it',
  async (_name, rules, status) => {
    send(1, 'p', { p: '/long', d: LONG });
    await server.scheduler.drain();
    await publish(rules);
    expect(await take(1)).toEqual([{ r: 1, b: { s: status, d: expect.any(String) } }]);
    expect(await read('long')).toEqual(status === 'ok' ? LONG : null);
    expect(countStaged()).toBe(0);
  },
);

test('[W176] a transaction with a long value is written only if the data match its hash', async () => {
  send(1, 'p', { p: '/long', d: LONG, h: hashOf(1) });
  send(2, 'p', { p: '/long', d: LONG, h: '' });
  send(3, 'p', { p: '/long', d: { ...LONG, more: 1 }, h: hashOf(LONG) });
  expect(await take(3)).toEqual([
    { r: 1, b: { s: 'datastale', d: expect.any(String) } },
    { r: 2, b: OK },
    { r: 3, b: OK },
  ]);
  expect(await read('long/more')).toBe(1);
});

test('[W176] a write of another client, while a transaction with a long value is stored, makes it stale', async () => {
  send(1, 'p', { p: '/long', d: LONG, h: '' });
  await server.scheduler.drain();
  const other = new RecordingConnection();
  send(1, 'p', { p: '/long', d: 1 }, openSession('t', other));
  await take(1, other);
  expect(await take(1)).toEqual([{ r: 1, b: { s: 'datastale', d: expect.any(String) } }]);
  expect(await read('long')).toBe(1);
  expect(countStaged()).toBe(0);
});

test('[W182] a short write with the hash of a large node waits until the node is hashed in steps', async () => {
  let answeredBefore: number | undefined;
  class CountingConnection extends RecordingConnection {
    override deliver(messages: Parameters<RecordingConnection['deliver']>[0]): void {
      answeredBefore = connection.messages.length;
      super.deliver(messages);
    }
  }
  send(1, 'p', { p: '/long', d: LONG });
  await take(1);
  const other = new CountingConnection();
  send(2, 'p', { p: '/long', d: 1, h: hashOf({ ...LONG, k1: 2 }) });
  send(3, 'm', { p: '/long', d: { k1: 2 }, h: hashOf(LONG) });
  send(1, 'p', { p: '/short', d: 1 }, openSession('t', other));
  expect(await take(1, other)).toEqual([{ r: 1, b: OK }]);
  expect(answeredBefore).toBe(0);
  expect(await take(2)).toEqual([
    { r: 2, b: { s: 'datastale', d: expect.any(String) } },
    { r: 3, b: OK },
  ]);
  expect(await read('long/k1')).toBe(2);
});

test('[W176] a long value is written after its client has disconnected, before the onDisconnect writes', async () => {
  send(1, 'o', { p: '/long/k1', d: 'gone' });
  await take(1);
  send(2, 'p', { p: '/long', d: LONG });
  await server.scheduler.drain();
  session.end();
  await session.over;
  expect(await read('long')).toEqual({ ...LONG, k1: 'gone' });
});

test('[W176] a long value that triggers a function is written at once', async () => {
  const name = 'projects/p/locations/_/functions/f';
  const event = 'providers/google.firebase.database/eventTypes/ref.write';
  server.databases.administration.addTrigger(ADMIN, NAME, parseTrigger({ name, path: '/other', event }));
  send(1, 'p', { p: '/long', d: LONG });
  await server.scheduler.drain();
  expect(countStaged()).toBe(0);
  expect(await take(1)).toEqual([{ r: 1, b: OK }]);
});

test('[W180] long data that are not stored in steps are parsed between the requests of others', async () => {
  const other = new RecordingConnection();
  send(1, 'm', { p: '/long', d: LONG });
  send(2, 'm', { p: '/long', d: { 'a.b': LONG } });
  send(3, 'echo', { d: LONG });
  send(1, 'p', { p: '/short', d: 1 }, openSession('t', other));
  expect(await take(1, other)).toEqual([{ r: 1, b: OK }]);
  expect(await take(3)).toEqual([
    { r: 1, b: OK },
    { r: 2, b: { s: 'failure', d: expect.any(String) } },
    { r: 3, b: { s: 'ok', d: LONG } },
  ]);
  expect(await read('long')).toEqual(LONG);
});

test.each(['m', 'echo'])('[W180] long data of %s that are not JSON are rejected', async (action) => {
  session.receive(
    `{"t":"d","d":{"r":1,"a":"${action}","b":{"p":"/long","d":{"a":"${'x'.repeat(70_000)}",}}}}`,
  );
  expect(await take(1)).toEqual([{ r: 1, b: { s: 'failure', d: expect.any(String) } }]);
});

test('[W180] an update with too many paths is rejected as soon as the limit is exceeded', async () => {
  const paths = Array.from({ length: 50_001 }, (_, n) => `"a${n}":1`).join();
  session.receive(`{"t":"d","d":{"r":1,"a":"m","b":{"p":"/long","d":{${paths},no JSON}}}}`);
  expect(await take(1)).toEqual([{ r: 1, b: { s: 'write_too_big', d: expect.any(String) } }]);
});

test('[W181] an onDisconnect request with much data or many paths is rejected, and queues nothing', async () => {
  const paths = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}/b`, n]));
  send(1, 'o', { p: '/gone', d: LONG });
  send(2, 'om', { p: '/gone', d: LONG });
  send(3, 'om', { p: '/gone', d: paths(501) });
  send(4, 'om', { p: '/gone', d: paths(500) });
  send(5, 'o', { p: '/text', d: 'x'.repeat(65_000) });
  expect(await take(5)).toEqual([
    ...[1, 2, 3].map((r) => ({ r, b: { s: 'write_too_big', d: expect.any(String) } })),
    ...[4, 5].map((r) => ({ r, b: OK })),
  ]);
  session.end();
  await session.over;
  expect(await read('')).toEqual({
    gone: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`a${n}`, { b: n }])),
    text: 'x'.repeat(65_000),
  });
});

test('[W180] echo rejects data that are too long to be returned at once', async () => {
  const text = 'x'.repeat(262_143);
  send(1, 'echo', { d: [text] });
  send(2, 'echo', { d: text });
  expect(await take(2)).toEqual([
    { r: 1, b: { s: 'failure', d: expect.any(String) } },
    { r: 2, b: { s: 'ok', d: text } },
  ]);
});

test('[W180] long data whose values exceed the memory of all clients are rejected', async () => {
  const pool = openTestPool(2 ** 22);
  const other = new RecordingConnection();
  send(
    1,
    'm',
    { p: '/long', d: { a: Array.from({ length: 100_000 }, () => [[1]]) } },
    openSession('t', other, pool),
  );
  expect(await take(1, other)).toEqual([{ r: 1, b: { s: 'unavailable', d: expect.any(String) } }]);
  expect(pool.usage).toMatchObject({ used: 0 });
});

test('[W177] reading from a client pauses while much of what it has sent waits', async () => {
  send(1, 'p', { p: '/long', d: { ...LONG, text: 'x'.repeat(1_000_000) } });
  expect(connection.pauses).toBe(1);
  await take(1);
  expect(connection.pauses).toBe(0);
});

test('[W177] a session whose long requests exceed the memory of all clients is ended, and they are not executed', async () => {
  const pool = openTestPool(300_000);
  const evicted = openSession('t', new RecordingConnection(), pool);
  send(1, 'p', { p: '/first', d: 1 }, evicted);
  send(2, 'p', { p: '/long', d: LONG }, evicted);
  send(3, 'p', { p: '/last', d: 1 }, evicted);
  await evicted.over;
  expect(await read('')).toEqual({ first: 1 });
  expect(pool.usage).toMatchObject({ used: 0 });
});

test('[W177] the stored part of a dropped request is removed', async () => {
  send(1, 'p', { p: '/long', d: LONG });
  await server.scheduler.drain();
  session.evict();
  await session.over;
  await expect.poll(countStaged).toBe(0);
  expect(await read('')).toBe(null);
});

test('[W177] a long request is no longer counted once it is executed', async () => {
  const pool = openTestPool(2 ** 20);
  const other = new RecordingConnection();
  const counted = openSession('t', other, pool);
  for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) {
    send(id, 'p', { p: '/long', d: LONG }, counted);
    await take(1, other);
  }
  expect(pool.usage).toMatchObject({ used: 0 });
});
