import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { emulatorVerifier } from '../../access/emulator-verifier.ts';
import { ADMIN } from '../../access/principal.ts';
import { openSessionPools } from '../../platform/pools.fixture.ts';
import { executeWrite } from '../database/write.ts';
import { parseUpdate } from '../database/write-input.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../model/test-server.fixture.ts';
import { Session } from './session.ts';

const NAME = 'checks';

/** More listens of one session than one transaction authorizes again. */
const LISTENS = 450;

const OPEN = { '.read': true, '.write': true };
const LOCKED = { '.write': true };
/** Users may read all rooms, and guests those with an even number. */
const USERS = { $room: { '.read': 'auth !== null || $room.matches(/[02468]$/)' } };

let directory: string;
let server: TestServer;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-checks-'));
  server = await openTestServer(directory, () => 1_000);
  await publish(OPEN);
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

function publish(rules: object): Promise<number> {
  return server.databases.writeRules(NAME, ADMIN, JSON.stringify({ rules }));
}

/** Writes the value of each room. Resolves when the messages for it are sent. */
function writeRooms(value: number): Promise<unknown> {
  const rooms = Object.fromEntries(Array.from({ length: LISTENS }, (_, n) => [`r${n}`, value]));
  return server.scheduler.request((transaction) =>
    executeWrite(transaction, server.databases.open(NAME), {
      operation: 'PUT',
      identity: ADMIN,
      writes: parseUpdate(parsePath(''), rooms),
    }),
  );
}

class Client {
  readonly connection = new RecordingConnection();
  readonly session: Session;

  constructor(id: string) {
    const { scheduler, databases, unfinished } = server;
    this.session = new Session({
      id,
      database: databases.open(NAME),
      connection: this.connection,
      scheduler,
      appChecks: NO_APP_CHECK,
      verifier: emulatorVerifier,
      nowMs: () => 0,
      unfinished,
      pools: openSessionPools(),
    });
  }

  request(action: string, body: object): void {
    this.session.receive(JSON.stringify({ t: 'd', d: { r: 1, a: action, b: body } }));
  }

  async listenToRooms(): Promise<void> {
    for (let n = 0; n < LISTENS; n++) this.request('q', { p: `r${n}`, h: '' });
    await server.scheduler.drain();
    this.connection.messages.length = 0;
  }

  /** Returns the messages since the last call: paths of values and of listens that have ended, and statuses. */
  take(): {
    readonly values: number;
    readonly ended: readonly string[];
    readonly statuses: readonly string[];
  } {
    const messages = this.connection.messages.splice(0).map((text) => JSON.parse(text).d);
    return {
      values: messages.filter(({ a }) => a === 'd').length,
      ended: messages.filter(({ a }) => a === 'c').map(({ b }) => b.p),
      statuses: messages.filter(({ a }) => a === undefined).map(({ b }) => b.s),
    };
  }
}

/** Returns an unsigned token, as the emulator accepts it. */
function tokenOf(uid: string): string {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: uid, user_id: uid, iat: 0, exp: 9e9, aud: 'demo' })}.`;
}

test('[W200] a publication that denies many reads ends each of them once, and is answered when all are ended', async () => {
  const clients = [new Client('a'), new Client('b')];
  for (const client of clients) await client.listenToRooms();
  const published = publish(LOCKED);
  await server.scheduler.request(() => undefined);
  const left = server.databases.open(NAME).listens.count;
  await published;
  // The first transaction has ended 200 of them.
  expect(left).toBeLessThan(2 * LISTENS);
  expect(left).toBeGreaterThan(0);
  expect(server.databases.open(NAME).listens.count).toBe(0);
  for (const client of clients) expect(new Set(client.take().ended).size).toBe(LISTENS);
  await writeRooms(1);
  for (const client of clients) expect(client.take()).toEqual({ values: 0, ended: [], statuses: [] });
});

test('[W200] the rules that are published last decide on all reads', async () => {
  const client = new Client('a');
  await client.listenToRooms();
  await Promise.all([publish(LOCKED), publish(OPEN), publish(USERS)]);
  const denied = client.take().ended;
  await writeRooms(1);
  // Those that the first rules have ended stay ended.
  const { values } = client.take();
  expect(values).toBeLessThanOrEqual(LISTENS / 2);
  expect(values).toBe(LISTENS - denied.length);
});

test('[W200] a user who signs out loses the reads of users, and keeps those that begin afterwards', async () => {
  await publish(USERS);
  const client = new Client('a');
  client.request('auth', { cred: tokenOf('u1') });
  await expect.poll(() => client.take().statuses).toEqual(['ok']);
  await client.listenToRooms();
  client.request('unauth', {});
  client.request('q', { p: 'r0', h: '' });
  client.request('q', { p: 'r1', h: '' });
  const { listens } = server.databases.open(NAME);
  await expect.poll(() => listens.count).toBe(LISTENS / 2);
  const { ended, statuses } = client.take();
  expect(statuses).toEqual(['ok', 'ok', 'permission_denied']);
  expect(ended.every((path) => /[13579]$/.test(path))).toBe(true);
  await writeRooms(1);
  expect(client.take().values).toBe(LISTENS / 2);
});

test('[W200] a user who signs in again before all reads are checked keeps those that are left', async () => {
  await publish(USERS);
  const client = new Client('a');
  client.request('auth', { cred: tokenOf('u1') });
  await expect.poll(() => client.take().statuses).toEqual(['ok']);
  await client.listenToRooms();
  client.request('unauth', {});
  client.request('auth', { cred: tokenOf('u1') });
  const statuses: string[] = [];
  const ended: string[] = [];
  await expect
    .poll(() => {
      const taken = client.take();
      statuses.push(...taken.statuses);
      ended.push(...taken.ended);
      return statuses;
    })
    .toEqual(['ok', 'ok']);
  await server.scheduler.drain();
  ended.push(...client.take().ended);
  await writeRooms(1);
  expect(client.take()).toEqual({ values: LISTENS - ended.length, ended: [], statuses: [] });
});

test('[W200] a session that ends while its reads are checked leaves nothing', async () => {
  const client = new Client('a');
  await client.listenToRooms();
  const published = publish(LOCKED);
  client.session.end();
  await published;
  await client.session.over;
  await expect.poll(() => server.databases.open(NAME).listens.count).toBe(0);
  expect(server.databases.open(NAME).listens.unchecked.size).toBe(0);
  expect(server.errors).toEqual([]);
});
