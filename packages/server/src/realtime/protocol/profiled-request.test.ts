import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { ADMIN, ANONYMOUS } from '../../access/principal.ts';
import { openSessionPools } from '../../platform/pools.fixture.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../model/test-server.fixture.ts';
import type { ProfileFeed } from '../monitoring/profiling.ts';
import { Session } from './session.ts';

const NAME = 'profiled';
const RULES = '{"rules":{"open":{".read":true,".write":true}}}';

let directory: string;
let server: TestServer;
let feed: ProfileFeed;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-profile-'));
  server = await openTestServer(directory, () => 1000);
  await server.databases.writeRules(NAME, ADMIN, RULES);
  feed = await server.databases.profiling.watch(ADMIN, NAME);
  await feed.next();
});

afterEach(() => {
  feed.end();
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

function openSession(): Session {
  const { scheduler, databases, unfinished } = server;
  return new Session({
    id: 's',
    database: databases.open(NAME),
    connection: new RecordingConnection(),
    scheduler,
    appChecks: NO_APP_CHECK,
    verifier: { verify: async () => ANONYMOUS },
    nowMs: () => 0,
    unfinished,
    pools: openSessionPools(),
  });
}

/** Returns the operations that the feed reports now, without the times. */
async function operations(): Promise<readonly unknown[]> {
  await server.scheduler.drain();
  const { value } = await feed.next();
  return Array.from(String(value).matchAll(/^data: (.*)$/gm), ([, json]) => {
    const { timestamp, millis, pendingTime, ...operation } = JSON.parse(json ?? '');
    expect(timestamp).toBe(1000);
    return operation;
  });
}

test.each<readonly [string, string, readonly unknown[]]>([
  ['g', '"p":"/open/a"', [{ name: 'realtime-read', path: ['open', 'a'], allowed: true, bytes: 4 }]],
  ['p', '"p":"open/a","d":"é"', [{ name: 'realtime-write', path: ['open', 'a'], allowed: true, bytes: 4 }]],
  ['p', '"p":"open/a","d":null', [{ name: 'realtime-write', path: ['open', 'a'], allowed: true, bytes: 0 }]],
  [
    'p',
    '"p":"open/a","d":1,"h":""',
    [{ name: 'realtime-transaction', path: ['open', 'a'], allowed: true, bytes: 1 }],
  ],
  ['m', '"p":"open","d":{"a/b":1}', [{ name: 'realtime-update', path: ['open'], allowed: true, bytes: 9 }]],
  ['n', '"p":"open"', [{ name: 'listener-unlisten', path: ['open'], allowed: true, bytes: 0 }]],
  ['s', '"c":{}', []],
])('[H83] the action %s with {%s} is recorded as %j', async (action, fields, expected) => {
  openSession().receive(`{"t":"d","d":{"r":1,"a":"${action}","b":{${fields}}}}`);
  expect(await operations()).toEqual([{ name: 'concurrent-connect' }, ...expected]);
});

test.each([
  ['', { index: {}, orderBy: '.priority' }, false],
  [',"t":1,"q":{"i":"a/b","l":1,"vf":"l"}', { index: { path: ['a', 'b'] } }, true],
  [',"t":1,"q":{"i":".key","l":1,"vf":"l"}', { index: {}, orderBy: '.key' }, false],
])('[H83] a listen with %s orders by %j, unindexed: %s', async (fields, order, unIndexed) => {
  openSession().receive(`{"t":"d","d":{"r":1,"a":"q","b":{"p":"open"${fields}}}}`);
  expect(await operations()).toEqual([
    { name: 'concurrent-connect' },
    {
      name: 'listener-listen',
      path: ['open'],
      allowed: true,
      bytes: expect.any(Number),
      unIndexed,
      querySet: [order],
    },
  ]);
});

test('[H83] broadcasts to listeners and the end of a connection are recorded', async () => {
  const session = openSession();
  session.receive('{"t":"d","d":{"r":1,"a":"q","b":{"p":"open"}}}');
  await operations();
  session.receive('{"t":"d","d":{"r":2,"a":"p","b":{"p":"open/a","d":true}}}');
  session.end();
  expect(await operations()).toEqual([
    { name: 'listener-broadcast', path: ['open'], bytes: 4 },
    { name: 'realtime-write', path: ['open', 'a'], allowed: true, bytes: 4 },
    { name: 'concurrent-disconnect' },
  ]);
});

test('[H84] an operation that rules reject is recorded as not allowed', async () => {
  openSession().receive('{"t":"d","d":{"r":1,"a":"p","b":{"p":"closed","d":1}}}');
  expect(await operations()).toContainEqual({
    name: 'realtime-write',
    path: ['closed'],
    allowed: false,
    bytes: 0,
  });
});

test('[H82] nothing is recorded for readers of another database, or after readers have left', async () => {
  feed.end();
  expect(server.databases.open(NAME).profiler).toBeNull();
  feed = await server.databases.profiling.watch(ADMIN, 'other');
  await feed.next();
  openSession();
  await server.databases.write('other', {
    operation: 'PUT',
    identity: ADMIN,
    writes: [{ kind: 'priority', path: parsePath('a'), priority: null }],
  });
  expect(server.databases.profiling.find(NAME)).toBeNull();
});
