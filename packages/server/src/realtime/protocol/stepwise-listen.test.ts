import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { emulatorVerifier } from '../../access/emulator-verifier.ts';
import { ADMIN } from '../../access/principal.ts';
import { openSessionPools } from '../../platform/pools.fixture.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import { executeWrite } from '../database/write.ts';
import { parseUpdate } from '../database/write-input.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../model/test-server.fixture.ts';
import { Session } from './session.ts';

const NAME = 'stepwise';
const COUNT = 10_500;
const QUERY = '"p":"rows","q":{"i":"n","l":2,"vf":"l"},"t":1,"h":""';

let directory: string;
let server: TestServer;
let connection: RecordingConnection;
let session: Session;

/** A value that is too long to be read in one transaction, with a character that takes several bytes. */
const LONG = Object.fromEntries(
  Array.from({ length: 3_000 }, (_, n) => [`k${n}`, { text: `${'é'.repeat(60)}${n}` }]),
);
const OK = { s: 'ok', d: {} };

function openSession(id: string, to: RecordingConnection): Session {
  const { scheduler, databases, unfinished } = server;
  return new Session({
    id,
    database: databases.open(NAME),
    connection: to,
    scheduler,
    appChecks: NO_APP_CHECK,
    verifier: emulatorVerifier,
    nowMs: () => 0,
    unfinished,
    pools: openSessionPools(),
  });
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-stepwise-'));
  server = await openTestServer(directory, () => 1000);
  connection = new RecordingConnection();
  session = openSession('s', connection);
  const rows = Object.fromEntries(Array.from({ length: COUNT }, (_, n) => [`k${n}`, { n: n + 10 }]));
  await write({ rows });
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

function write(fields: Readonly<Record<string, unknown>>): Promise<unknown> {
  const writes = parseUpdate(parsePath(''), fields);
  return server.scheduler.request((transaction) =>
    executeWrite(transaction, session.database, { operation: 'PUT', identity: ADMIN, writes }),
  );
}

function send(id: number, action: string, fields: string): void {
  session.receive(`{"t":"d","d":{"r":${id},"a":"${action}","b":{${fields}}}}`);
}

/** Resolves with the next messages of the server as parsed JSON, once there are `count`. */
async function take(count: number): Promise<readonly unknown[]> {
  await expect.poll(() => connection.messages.length).toBeGreaterThanOrEqual(count);
  return connection.messages.splice(0, count).map((message) => JSON.parse(message).d);
}

const WARNING = { s: 'ok', d: { w: ['no_index'] } };

test('[Q28] a listen to an unindexed query of a large node is answered after several steps, and later requests wait for it', async () => {
  send(1, 'q', QUERY);
  send(2, 's', '"c":{}');
  await server.scheduler.drain();
  expect(connection.messages).toEqual([]);
  expect(await take(3)).toEqual([
    { a: 'd', b: { p: 'rows', d: { k0: { n: 10 }, k1: { n: 11 } }, t: 1 } },
    { r: 1, b: WARNING },
    { r: 2, b: { s: 'ok', d: '' } },
  ]);
  expect(session.database.activity.queries.all()).toMatchObject([
    { location: '/rows', isIndexed: false, mostChildren: COUNT },
  ]);
});

test('[Q28] a write during the steps is part of the result', async () => {
  send(1, 'q', QUERY);
  await write({ 'rows/k9': { n: 1 } });
  expect(await take(2)).toEqual([
    { a: 'd', b: { p: 'rows', d: { k0: { n: 10 }, k9: { n: 1 } }, t: 1 } },
    { r: 1, b: WARNING },
  ]);
});

test('[Q28] a child that leaves the window is removed, and then the child that replaces it is sent', async () => {
  send(1, 'q', QUERY);
  await take(2);
  await write({ 'rows/k0': null });
  expect(await take(2)).toEqual([
    { a: 'm', b: { p: 'rows', d: { k0: null }, t: 1 } },
    { a: 'm', b: { p: 'rows', d: { k2: { n: 12 } }, t: 1 } },
  ]);
  await write({ 'rows/k1': { n: 11, text: 'x' } });
  expect(await take(1)).toMatchObject([{ b: { p: 'rows/k1' } }]);
});

test('[Q28] windows that one write changes read no more together than one query', async () => {
  await write({ short: Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`k${n}`, { n }])) });
  for (const tag of [1, 2]) {
    send(tag, 'q', `"p":"short","q":{"i":"n","l":${tag},"vf":"l"},"t":${tag},"h":""`);
    await take(2);
  }
  await write({ 'short/k0': null });
  expect(await take(3)).toEqual([
    { a: 'm', b: { p: 'short', d: { k0: null, k1: { n: 1 } }, t: 1 } },
    { a: 'm', b: { p: 'short', d: { k0: null }, t: 2 } },
    { a: 'm', b: { p: 'short', d: { k2: { n: 2 } }, t: 2 } },
  ]);
});

test('[Q28] after a write of the whole node, the whole result follows', async () => {
  send(1, 'q', QUERY);
  await take(2);
  const rows = Object.fromEntries(Array.from({ length: COUNT }, (_, n) => [`k${n}`, { n: -n }]));
  await write({ rows });
  expect(await take(1)).toEqual([
    {
      a: 'd',
      b: { p: 'rows', d: { [`k${COUNT - 2}`]: { n: 2 - COUNT }, [`k${COUNT - 1}`]: { n: 1 - COUNT } }, t: 1 },
    },
  ]);
});

/** Writes as soon as the steps of the running evaluation have ended, in the transaction that sends the result. */
async function writeWithResult(fields: Readonly<Record<string, unknown>>): Promise<void> {
  const { scheduler } = server;
  const request = scheduler.request.bind(scheduler);
  await new Promise<void>((resolve) => {
    scheduler.request = (body) => {
      scheduler.request = request;
      const result = request(body);
      void write(fields).then(() => resolve());
      return result;
    };
  });
}

test('[Q28] a write in the transaction that refills a window leads to another refill', async () => {
  send(1, 'q', QUERY);
  await take(2);
  await write({ 'rows/k0': null });
  await writeWithResult({ 'rows/k1': null });
  expect(await take(4)).toEqual([
    { a: 'm', b: { p: 'rows', d: { k0: null }, t: 1 } },
    { a: 'm', b: { p: 'rows', d: { k2: { n: 12 } }, t: 1 } },
    { a: 'm', b: { p: 'rows', d: { k1: null }, t: 1 } },
    { a: 'm', b: { p: 'rows', d: { k3: { n: 13 } }, t: 1 } },
  ]);
});

test('[Q28] a session that ends during the steps leaves no listen and sends no message', async () => {
  send(1, 'q', QUERY);
  await server.scheduler.drain();
  session.end();
  await session.over;
  expect(session.database.listens.count).toBe(0);
  expect(connection.messages).toEqual([]);
});

test('[Q28] rules that are published during the steps decide on the listen', async () => {
  send(1, 'q', QUERY);
  await server.scheduler.drain();
  await server.databases.writeRules(NAME, ADMIN, '{"rules":{".read":false}}');
  expect(await take(1)).toMatchObject([{ r: 1, b: { s: 'permission_denied' } }]);
  expect(session.database.listens.count).toBe(0);
});

test('[L100] a long value is sent as it was when the listen began, and later messages and requests wait', async () => {
  await write({ long: LONG });
  send(1, 'q', '"p":"long","h":""');
  send(2, 's', '"c":{}');
  await server.scheduler.drain();
  expect(connection.messages).toEqual([]);
  await write({ 'long/k0/text': 'changed' });
  expect(await take(4)).toEqual([
    { a: 'd', b: { p: 'long', d: LONG } },
    { r: 1, b: OK },
    { a: 'd', b: { p: 'long/k0/text', d: 'changed' } },
    { r: 2, b: { s: 'ok', d: '' } },
  ]);
});

test('[L100] a client that has a long value already does not receive it again', async () => {
  await write({ long: LONG });
  const hash = await server.scheduler.request((transaction) =>
    session.database.tree(transaction).hash(parsePath('long')),
  );
  send(1, 'q', `"p":"long","h":${JSON.stringify(hash)}`);
  expect(await take(1)).toEqual([{ r: 1, b: OK }]);
  await write({ 'long/k1': null });
  expect(await take(1)).toMatchObject([{ b: { p: 'long/k1', d: null } }]);
  send(2, 'q', `"p":"long","h":${JSON.stringify(hash)}`);
  expect(await take(2)).toMatchObject([{ b: { p: 'long' } }, { r: 2 }]);
});

test('[L100] a single read and a listen to a query also receive long values', async () => {
  await write({ long: LONG });
  send(1, 'g', '"p":"long"');
  send(2, 'q', '"p":"long","q":{"i":".key","sp":"k1"},"t":1,"h":""');
  const [read, push] = await take(3);
  expect(read).toEqual({ r: 1, b: { s: 'ok', d: LONG } });
  const { k0, ...others } = LONG;
  expect(push).toEqual({ a: 'd', b: { p: 'long', d: others, t: 1 } });
  expect(k0).toBeDefined();
});

test('[L100] 40 sessions that listen to a long value at the same time all receive it', async () => {
  await write({ long: LONG });
  const connections = Array.from({ length: 40 }, () => new RecordingConnection());
  for (const [index, to] of connections.entries())
    openSession(`c${index}`, to).receive('{"t":"d","d":{"r":1,"a":"q","b":{"p":"long","h":""}}}');
  await expect
    .poll(() => connections.map(({ messages }) => messages.length))
    .toEqual(connections.map(() => 2));
  const texts = new Set(connections.map(({ messages }) => messages[0]));
  expect(texts.size).toBe(1);
});

test('[L100] after 40 sessions have ended while long values were generated, another session receives a long value', async () => {
  await write({ long: LONG });
  const sessions = Array.from({ length: 40 }, (_, index) =>
    openSession(`e${index}`, new RecordingConnection()),
  );
  for (const each of sessions) each.receive('{"t":"d","d":{"r":1,"a":"q","b":{"p":"long","h":""}}}');
  await server.scheduler.drain();
  for (const each of sessions) each.end();
  await Promise.all(sessions.map((each) => each.over));
  send(1, 'q', '"p":"long","h":""');
  expect(await take(2)).toMatchObject([{ b: { p: 'long' } }, { r: 1 }]);
});

test('[L100] a session of another network receives a long value before those of one network that wait longer', async () => {
  await write({ long: LONG });
  const order: string[] = [];
  class OrderedConnection extends RecordingConnection {
    override deliver(messages: readonly OutgoingMessage[]): void {
      super.deliver(messages);
      order.push(this.network);
    }
  }
  const networks = [...Array.from({ length: 24 }, (_, index) => `192.0.2.${index}`), '198.51.100.1'];
  for (const network of networks)
    openSession(network, new OrderedConnection(network)).receive(
      '{"t":"d","d":{"r":1,"a":"g","b":{"p":"long"}}}',
    );
  await expect.poll(() => order.length).toBe(networks.length);
  // 16 are generated at a time, and the second that gets a place after them is the other network's.
  expect(order.indexOf('198.51.100.1')).toBeLessThan(20);
});

/** A connection to a client that reads a delivery only when `drain` is called. */
class SlowConnection extends RecordingConnection {
  override deliver(messages: readonly OutgoingMessage[]): void {
    super.deliver(messages);
    this.isFull = true;
  }
}

test('[L100] a client that requests many long values gets the next one when it has read the last', async () => {
  await write({ long: LONG });
  const slow = new SlowConnection();
  const reader = openSession('slow', slow);
  for (let id = 1; id <= 20; id++) reader.receive(`{"t":"d","d":{"r":${id},"a":"g","b":{"p":"long"}}}`);
  for (let id = 1; id <= 20; id++) {
    await expect.poll(() => slow.messages.length).toBe(id);
    await server.scheduler.drain();
    expect(slow.messages).toHaveLength(id);
    slow.drain();
  }
});
