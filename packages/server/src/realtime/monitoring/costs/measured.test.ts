import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PathCost } from '@hearth/core/api/activity.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_APP_CHECK } from '../../../access/app-check.ts';
import { ADMIN, ANONYMOUS, type Principal } from '../../../access/principal.ts';
import { openSessionPools } from '../../../platform/pools.fixture.ts';
import { parseSet } from '../../database/write-input.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../../model/test-server.fixture.ts';
import { Session } from '../../protocol/session.ts';

const NAME = 'costly';
const RULES = '{"rules":{"rooms":{"$room":{".read":true,".write":"auth != null"}}}}';

let directory: string;
let server: TestServer;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-costs-'));
  server = await openTestServer(directory, () => 1_000);
  await server.databases.writeRules(NAME, ADMIN, RULES);
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

function user(uid: string): Principal {
  return { kind: 'user', auth: { uid, provider: 'custom', token: {} }, expiresAtMs: null };
}

interface Client {
  readonly connection: RecordingConnection;
  /** Sends a request, and waits until it is executed. */
  readonly request: (action: string, body: object) => Promise<void>;
}

async function openClient(id: string, identity: Principal = ANONYMOUS): Promise<Client> {
  const { scheduler, databases, unfinished } = server;
  const connection = new RecordingConnection();
  const session = new Session({
    id,
    database: databases.open(NAME),
    connection,
    scheduler,
    appChecks: NO_APP_CHECK,
    verifier: { verify: async () => identity },
    nowMs: () => 0,
    unfinished,
    pools: openSessionPools(),
  });
  let number = 0;
  const request = async (action: string, body: object): Promise<void> => {
    number += 1;
    session.receive(JSON.stringify({ t: 'd', d: { r: number, a: action, b: body } }));
    await server.scheduler.drain();
  };
  if (identity.kind === 'user') {
    await request('auth', { cred: id });
    await expect.poll(() => session.identity.kind).toBe('user');
  }
  return { connection, request };
}

function read(): ReturnType<TestServer['databases']['activityOf']>['costs'] {
  return server.databases.activityOf(NAME).costs;
}

function findCost(kind: PathCost['kind'], query: string | null = null): PathCost | undefined {
  return read()
    .read(100)
    .paths.find((cost) => cost.kind === kind && cost.query === query);
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

test('[H880] what a write sends to listeners is charged to the path they listen to, and to their accounts', async () => {
  const ann = await openClient('ann', user('ann'));
  const guest = await openClient('guest');
  for (const client of [ann, guest]) await client.request('q', { p: '/rooms/a', h: '' });
  const before = guest.connection.messages.length;
  await ann.request('p', { p: '/rooms/a/x', d: 'é'.repeat(500) });
  const pushed = bytesOf(guest.connection.messages.slice(before));
  expect(pushed).toBeGreaterThan(1_000);
  expect(findCost('broadcast')).toMatchObject({ path: '/rooms/$room', events: 2, sentBytes: 2 * pushed });
  expect(findCost('listen')).toMatchObject({ path: '/rooms/$room', events: 2 });
  expect(findCost('write')).toMatchObject({ path: '/rooms/$room/x', events: 1 });
  const rules = read()
    .read(100)
    .paths.filter(({ kind }) => kind === 'rules');
  expect(rules.map(({ path, events }) => [path, events])).toEqual([
    ['/rooms/$room', 2],
    ['/rooms/$room/x', 1],
  ]);
  const accounts = new Map(
    read()
      .read(10)
      .accounts.map(({ account, sentBytes }) => [account.kind, sentBytes]),
  );
  expect(accounts.get('guest')).toBeGreaterThanOrEqual(pushed);
  expect(accounts.get('user')).toBeGreaterThanOrEqual(pushed);
});

test('[H880] what a query sends is charged to its form', async () => {
  const writer = await openClient('w', user('w'));
  const reader = await openClient('r');
  await reader.request('q', { p: '/rooms/a', q: { i: '.key', l: 2, vf: 'r' }, t: 1, h: '' });
  for (const key of ['a', 'b', 'c']) await writer.request('p', { p: `/rooms/a/${key}`, d: key });
  expect(findCost('broadcast', 'orderByKey().limitToLast(2)')).toMatchObject({
    path: '/rooms/$room',
    events: 3,
  });
  expect(findCost('listen', 'orderByKey().limitToLast(2)')?.events).toBe(1);
});

test('[H880] of many listeners, only a sample is charged, with a higher weight', async () => {
  const writer = await openClient('w', user('w'));
  const uids = Array.from({ length: 20 }, (_, index) => `u${index}`);
  const clients = [];
  for (const uid of uids) clients.push(await openClient(uid, user(uid)));
  for (const { request } of clients) await request('q', { p: '/rooms/a', h: '' });
  await writer.request('p', { p: '/rooms/a', d: 'x'.repeat(10_000) });
  const cost = findCost('broadcast');
  expect(cost?.events).toBe(20);
  const charged = read()
    .read(100)
    .accounts.filter(
      ({ account, sentBytes }) => account.kind === 'user' && account.uid !== 'w' && sentBytes > 10_000,
    );
  expect(charged.length).toBeLessThanOrEqual(8);
  const sum = charged.reduce((total, { sentBytes }) => total + sentBytes, 0);
  expect(sum).toBeGreaterThanOrEqual(cost?.sentBytes ?? Number.POSITIVE_INFINITY);
});

test('[H880] a rejected request is counted, and a malformed one is not', async () => {
  const guest = await openClient('guest');
  await guest.request('p', { p: '/rooms/a', d: 1 });
  await guest.request('g', { p: 7 });
  expect(findCost('write')).toMatchObject({ events: 1 });
  expect(findCost('read')).toBeUndefined();
});

test('[H880] reads and writes over REST are counted with the bytes of their responses', async () => {
  const path = parsePath('rooms/a');
  const identity = user('ann');
  const written = server.databases.write(NAME, {
    operation: 'PUT',
    identity,
    writes: [parseSet({ path, isPriority: false }, 'x'.repeat(100))],
  });
  await server.scheduler.drain();
  await written;
  expect(findCost('write')).toMatchObject({ path: '/rooms/$room', events: 1 });
  const answer = server.databases.read(NAME, {
    operation: 'GET',
    identity,
    path,
    form: 'plain',
    selection: { kind: 'node' },
    wantsHash: false,
    timeoutMs: 1_000,
  });
  await server.scheduler.drain();
  await answer;
  expect(findCost('read')).toMatchObject({ path: '/rooms/$room', events: 1, sentBytes: 102 });
});

test('[H881] of many queries that one write affects, only a sample is charged, with a higher weight', async () => {
  const writer = await openClient('w', user('w'));
  const reader = await openClient('r');
  const queries = 400;
  for (let limit = 1; limit <= queries; limit++)
    await reader.request('q', { p: '/rooms/a', q: { i: '.key', l: limit, vf: 'r' }, t: limit, h: '' });
  server.databases.activityOf(NAME).costs.tick(1_000);
  await writer.request('p', { p: '/rooms/a/x', d: 1 });
  const broadcasts = read()
    .read(1_000)
    .paths.filter(({ kind }) => kind === 'broadcast');
  expect(broadcasts.map(({ events }) => events).toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 50 }, () => 1),
    251,
  ]);
});
