import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { ADMIN, ANONYMOUS, type Principal } from '../../access/principal.ts';
import type { CredentialVerifier } from '../../access/verifier.ts';
import { openSessionPools } from '../../platform/pools.fixture.ts';
import { readText } from '../database/read-text.fixture.ts';
import { receiverContract } from '../database/receiver.contract.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../model/test-server.fixture.ts';
import { Session } from './session.ts';

const NAME = 'sessions';
const PUT_A = request(1, 'p', '"p":"a","d":1');

let directory: string;
let server: TestServer;
let connection: RecordingConnection;
/** The fixed time of the sessions' clock, in ms. */
const nowMs = 1000;
/** Settles the verification of the credential. */
let verified: { resolve(identity: Principal): void; reject(error: Error): void };

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-session-'));
  server = await openTestServer(directory, () => 1000);
  connection = new RecordingConnection();
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

const verifier: CredentialVerifier = {
  verify: () =>
    new Promise((resolve, reject) => {
      verified = { resolve, reject };
    }),
};

function openSession(): Session {
  const { scheduler, databases, unfinished } = server;
  return new Session({
    id: 's',
    database: databases.open(NAME),
    connection,
    scheduler,
    appChecks: NO_APP_CHECK,
    verifier,
    nowMs: () => nowMs,
    unfinished,
    pools: openSessionPools(),
  });
}

function request(id: number, action: string, fields: string): string {
  return `{"t":"d","d":{"r":${id},"a":"${action}","b":{${fields}}}}`;
}

function response(id: number, status: string, json: string): string {
  return `{"t":"d","d":{"r":${id},"b":{"s":"${status}","d":${json}}}}`;
}

/** Lets promises settle, runs the scheduled transaction, and returns the messages since the last call. */
async function settle(): Promise<readonly string[]> {
  await new Promise(setImmediate);
  await server.scheduler.drain();
  return connection.messages.splice(0);
}

receiverContract('session', async () => {
  const receiver = openSession();
  receiver.receive(request(1, 'q', '"p":"a","h":""'));
  await settle();
  return { scheduler: server.scheduler, database: receiver.database, receiver, take: settle };
});

function data(): Promise<string> {
  return readText(server.databases, NAME, '');
}

test('[L25] requests before the end are executed, then the writes on disconnect', async () => {
  const session = openSession();
  session.receive(request(1, 'o', '"p":"a/left","d":{".sv":{"increment":1}}'));
  session.receive(request(2, 'p', '"p":"a/left","d":41'));
  session.end();
  session.end();
  session.receive(request(3, 'p', '"p":"late","d":true'));
  await settle();
  await expect(data()).resolves.toBe('{"a":{"left":42}}');
});

test('[L25] nothing is executed for a session after its end, even if its credential is then verified', async () => {
  const session = openSession();
  session.receive(request(1, 'auth', '"cred":"x"'));
  session.receive(request(2, 'p', '"p":"a","d":1'));
  session.end();
  await settle();
  verified.resolve(ADMIN);
  await expect(settle()).resolves.toEqual([]);
  await expect(data()).resolves.toBe('null');
});

test('[L58] a client that has data too large to be hashed receives it again', async () => {
  const session = openSession();
  const longText = JSON.stringify('x'.repeat(9_000_000));
  for (const key of ['a', 'b', 'c', 'd'])
    session.receive(request(1, 'p', `"p":"big/${key}","d":${longText}`));
  await expect.poll(() => connection.messages.length).toBe(4);
  connection.messages.length = 0;
  session.receive(request(2, 'q', '"p":"big","h":"whatever it was"'));
  // The value is so long that it is generated in steps.
  await expect.poll(() => connection.messages.length).toBe(2);
  const [push = '', answer] = connection.messages;
  expect(push.length).toBeGreaterThan(36_000_000);
  expect(answer).toBe(response(2, 'ok', '{}'));
});

test('[L52] an ended session leaves nothing in its database', async () => {
  const session = openSession();
  session.receive(request(1, 'q', '"p":"a","h":""'));
  session.receive(request(2, 'q', '"p":"a","q":{"i":".key","l":1,"vf":"l"},"t":1,"h":""'));
  await settle();
  const { listens, readers } = session.database;
  expect([listens.count, readers.size]).toEqual([2, 1]);
  session.end();
  await settle();
  expect([listens.count, readers.size, session.database.isIdle]).toEqual([0, 0, true]);
});

test('[W9][W31] pongs and responses come in the order of the pings and requests', async () => {
  const session = openSession();
  session.receive(PUT_A);
  session.receive('{"t":"c","d":{"t":"p","d":{}}}');
  session.receive(request(2, 'g', '"p":"a"'));
  await expect(settle()).resolves.toEqual([
    response(1, 'ok', '""'),
    '{"t":"c","d":{"t":"o","d":null}}',
    response(2, 'ok', '1'),
  ]);
});

test('[W47] requests after a sign-in wait for its verification, however long that takes', async () => {
  await server.databases.writeRules(NAME, ADMIN, '{"rules":{".read":"auth != null"}}');
  const session = openSession();
  session.receive(request(1, 'g', '"p":"a"'));
  session.receive(request(2, 'auth', '"cred":"x"'));
  session.receive(request(3, 'g', '"p":"a"'));
  await expect(settle()).resolves.toEqual([response(1, 'permission_denied', '"Permission denied"')]);
  verified.resolve({ kind: 'user', auth: { uid: 'u' }, expiresAtMs: 5500 });
  await expect(settle()).resolves.toEqual([
    response(2, 'ok', '{"auth":{"uid":"u"},"expires":5}'),
    response(3, 'ok', 'null'),
  ]);
});

test('[W45][W46] a failed sign-in removes the previous principal', async () => {
  await server.databases.writeRules(NAME, ADMIN, '{"rules":{".read":"auth != null"}}');
  const session = openSession();
  session.receive(request(1, 'auth', '"cred":"x"'));
  verified.resolve({ kind: 'user', auth: { uid: 'u' }, expiresAtMs: null });
  await settle();
  session.receive(request(2, 'auth', '"cred":"y"'));
  session.receive(request(3, 'g', '"p":"a"'));
  verified.reject(new RequestError('auth/expired'));
  await expect(settle()).resolves.toEqual([
    response(2, 'expired_token', '"Auth token is expired."'),
    response(3, 'permission_denied', '"Permission denied"'),
  ]);
});

test('[L4] a bug in the verifier fails only that sign-in', async () => {
  const session = openSession();
  session.receive(request(1, 'auth', '"cred":"x"'));
  session.receive(request(2, 'g', '"p":"a"'));
  verified.reject(new Error('a bug, on purpose'));
  await expect(settle()).resolves.toEqual([
    response(1, 'internal_error', '"Internal server error."'),
    response(2, 'ok', 'null'),
  ]);
});

test('[L26] on a full disk a client can change its principal, although it has writes on disconnect', async () => {
  const session = openSession();
  session.receive(request(1, 'o', '"p":"a","d":1'));
  await settle();
  session.receive(request(2, 'auth', '"cred":"x"'));
  verified.resolve(ADMIN);
  server.store.failNext({ kind: 'full', atPut: 0 });
  await expect(settle()).resolves.toEqual([response(2, 'ok', '{"auth":null,"expires":null}')]);
  expect(session.identity).toEqual(ADMIN);
});

test('[L64] nothing is executed for a client until it has read its responses', async () => {
  const session = openSession();
  session.receive(PUT_A);
  await settle();
  connection.isFull = true;
  session.receive(request(2, 'p', '"p":"a","d":2'));
  session.receive(request(3, 'g', '"p":"a"'));
  await expect(settle()).resolves.toEqual([]);
  await expect(data()).resolves.toBe('{"a":1}');
  connection.drain();
  await expect(settle()).resolves.toEqual([response(2, 'ok', '""'), response(3, 'ok', '2')]);
});

test('[L64] a client with many waiting requests is not read until half of them are done', async () => {
  const session = openSession();
  for (let id = 1; id <= 1001; id++) session.receive(request(id, 'g', '"p":"a"'));
  expect(connection.pauses).toBe(1);
  await expect(settle()).resolves.toHaveLength(1001);
  expect(connection.pauses).toBe(0);
});

test("[L65] a session that replaces another waits for the other's writes on disconnect", async () => {
  const first = openSession();
  first.receive(request(1, 'o', '"p":"status","d":"gone"'));
  await settle();
  const { scheduler, databases, unfinished } = server;
  const database = databases.open(NAME);
  const second = new Session({
    ...{
      id: 't',
      database,
      connection,
      scheduler,
      appChecks: NO_APP_CHECK,
      verifier,
      nowMs: () => nowMs,
      unfinished,
    },
    pools: openSessionPools(),
    startAfter: first.over,
  });
  second.receive(request(1, 'p', '"p":"status","d":"back"'));
  await expect(settle()).resolves.toEqual([]);
  first.end();
  await expect(settle()).resolves.toEqual([response(1, 'ok', '""')]);
  await expect(data()).resolves.toBe('{"status":"back"}');
});

/** Sends one request and returns the status of its response. */
async function statusOf(session: Session, action: string, fields: string): Promise<unknown> {
  session.receive(request(9, action, fields));
  const last = (await settle()).at(-1) ?? '';
  return /"r":9,"b":\{"s":"(\w+)"/.exec(last)?.[1];
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}

test('[W120] an `authvar` has at most 32 levels, and keeps integers of 64 bits', async () => {
  const session = openSession();
  session.receive(request(1, 'gauth', `"cred":"owner","authvar":${nested(33)}`));
  session.receive(request(2, 'gauth', `"cred":"owner","authvar":${nested(20_000)}`));
  const sentence = '"The field \\"authvar\\" is nested deeper than 32 levels."';
  await expect(settle()).resolves.toEqual([
    response(1, 'failure', sentence),
    response(2, 'failure', sentence),
  ]);
  session.receive(request(3, 'gauth', '"cred":"owner","authvar":{"uid":"u","n":9223372036854775807}'));
  await settle();
  verified.resolve({ kind: 'user', auth: { uid: 'u', n: 9223372036854775807n }, expiresAtMs: null });
  const answer = '{"auth":{"n":9223372036854775807,"uid":"u"},"expires":null}';
  await expect(settle()).resolves.toEqual([response(3, 'ok', answer)]);
});

test('[W121] an echo has at most 32 levels, and keeps integers of 64 bits', async () => {
  const session = openSession();
  await expect(statusOf(session, 'echo', `"d":${nested(32)}`)).resolves.toBe('ok');
  await expect(statusOf(session, 'echo', `"d":${nested(33)}`)).resolves.toBe('failure');
  await expect(statusOf(session, 'echo', `"d":${nested(20_000)}`)).resolves.toBe('failure');
  session.receive(request(1, 'echo', '"d":{"a":[9223372036854775807,null]}'));
  await expect(settle()).resolves.toEqual([response(1, 'ok', '{"a":[9223372036854775807,null]}')]);
  session.receive(request(2, 'echo', ''));
  await expect(settle()).resolves.toEqual([response(2, 'ok', 'null')]);
});

test('[W123] unknown fields of a query are neither kept nor sent back, however deep or long', async () => {
  const session = openSession();
  const query = `"q":{"x":${nested(20_000)},"l":null,"i":".key","junk":"${'y'.repeat(100_000)}"}`;
  await expect(statusOf(session, 'q', `"p":"a",${query},"t":1,"h":""`)).resolves.toBe('ok');
  await server.databases.writeRules(NAME, ADMIN, '{"rules":{}}');
  await expect(settle()).resolves.toEqual([
    '{"t":"d","d":{"a":"c","b":{"p":"a","q":[{"i":".key","l":null}]}}}',
  ]);
});

test('[W124] a null hash is rejected in a write, and a null query means no query', async () => {
  const session = openSession();
  await expect(statusOf(session, 'p', '"p":"a","d":1,"h":null')).resolves.toBe('failure');
  await expect(statusOf(session, 'm', '"p":"a","d":{"b":1},"h":null')).resolves.toBe('failure');
  await expect(data()).resolves.toBe('null');
  await expect(statusOf(session, 'q', '"p":"a","q":null,"h":null')).resolves.toBe('ok');
  await expect(statusOf(session, 'g', '"p":"a","q":null')).resolves.toBe('ok');
  expect(session.listens.findDefault(parsePath('a'))).toBeDefined();
  await expect(statusOf(session, 'n', '"p":"a","q":null')).resolves.toBe('ok');
  expect(session.listens.count).toBe(0);
});

test('[W125] an unlisten with the tag of a listen at another path ends nothing', async () => {
  const session = openSession();
  await statusOf(session, 'q', '"p":"a","q":{"i":".key"},"t":1,"h":""');
  await expect(statusOf(session, 'n', '"p":"b","q":{"i":".key"},"t":1')).resolves.toBe('ok');
  expect(session.listens.count).toBe(1);
  await expect(statusOf(session, 'n', '"p":"/a/","t":1')).resolves.toBe('ok');
  expect(session.listens.count).toBe(0);
});

test('[L65] a session that ends before it began still waits for the session that it replaces', async () => {
  const { scheduler, databases, unfinished } = server;
  const base = {
    database: databases.open(NAME),
    connection,
    scheduler,
    appChecks: NO_APP_CHECK,
    verifier,
    nowMs: () => nowMs,
    unfinished,
    pools: openSessionPools(),
  };
  const first = new Session({ id: 'a', ...base });
  const second = new Session({ id: 'b', ...base, startAfter: first.over });
  const third = new Session({ id: 'c', ...base, startAfter: second.over });
  first.receive(request(1, 'o', '"p":"status","d":"gone"'));
  third.receive(request(1, 'p', '"p":"status","d":"back"'));
  second.end();
  await settle();
  first.end();
  await settle();
  await settle();
  await expect(data()).resolves.toBe('{"status":"back"}');
});

test('[L62] the session submits about two tasks to the scheduler for each of many sign-ins', async () => {
  const session = openSession();
  let submitted = 0;
  const { scheduler } = server;
  const submit = scheduler.submit.bind(scheduler);
  scheduler.submit = (task) => {
    submitted++;
    submit(task);
  };
  for (let id = 1; id <= 500; id++) session.receive(request(id, 'auth', '"cred":7'));
  await expect(settle()).resolves.toHaveLength(500);
  expect(submitted).toBeLessThan(1100);
});

const REVOKED = '{"t":"d","d":{"a":"ac","b":{"s":"expired_token","d":"Auth token is expired."}}}';

async function signIn(session: Session, expiresAtMs: number | null): Promise<void> {
  session.receive(request(1, 'auth', '"cred":"x"'));
  verified.resolve({ kind: 'user', auth: { uid: 'ann' }, expiresAtMs });
  await settle();
}

test('[W171] when a credential expires the client is notified, and no listen is revoked', async () => {
  const session = openSession();
  // Long enough for a slow machine to execute the requests before the credential expires.
  await signIn(session, nowMs + 1_000);
  session.receive(request(2, 'q', '"p":"a","h":""'));
  session.receive(request(3, 'o', '"p":"status","d":"gone"'));
  await settle();
  await session.over;
  expect(connection.messages).toEqual([REVOKED]);
  await expect(data()).resolves.toBe('{"status":"gone"}');
});

test('[W171] a credential that has already expired is reported immediately, and one that was replaced in time is not', async () => {
  const session = openSession();
  await signIn(session, nowMs + 500);
  await signIn(session, null);
  await new Promise((resolve) => setTimeout(resolve, 600));
  await expect(statusOf(session, 'g', '"p":"a","q":null')).resolves.toBe('ok');
  session.receive(request(1, 'auth', '"cred":"x"'));
  verified.resolve({ kind: 'user', auth: { uid: 'ann' }, expiresAtMs: nowMs - 1 });
  await session.over;
  expect(connection.messages).toContain(REVOKED);
});

/** Signs in a user who may read `own`, and whose account is then deleted. */
async function openDeleted(revoke: 'dropIdentity' | 'signOut' = 'dropIdentity'): Promise<Session> {
  const rules = { open: { '.read': true }, own: { '.read': 'auth !== null', '.write': 'auth !== null' } };
  await server.databases.writeRules(NAME, ADMIN, JSON.stringify({ rules }));
  const session = openSession();
  await signIn(session, null);
  session.receive(request(2, 'q', '"p":"own","h":""'));
  session.receive(request(3, 'q', '"p":"open","h":""'));
  session.receive(request(4, 'o', '"p":"own","d":"gone"'));
  await settle();
  session[revoke]();
  await expect(settle()).resolves.toEqual(['{"t":"d","d":{"a":"c","b":{"p":"own"}}}']);
  return session;
}

test('[W174] when its account is deleted, a session is anonymous immediately, and continues if its client signs out', async () => {
  const session = await openDeleted();
  expect(session.identity).toEqual(ANONYMOUS);
  session.receive(request(5, 'unauth', ''));
  await expect(settle()).resolves.toEqual([response(5, 'ok', '"unauthenticated"')]);
  await signIn(session, null);
  await new Promise((resolve) => setTimeout(resolve, 2_200));
  await expect(statusOf(session, 'g', '"p":"own","q":null')).resolves.toBe('ok');
  expect(session.listens.count).toBe(1);
});

test('[W174] a client that does not sign out is notified after two seconds, and its queue runs as the deleted user', async () => {
  const session = await openDeleted();
  session.dropIdentity();
  await session.over;
  expect(connection.messages).toEqual([REVOKED]);
  await expect(data()).resolves.toBe('{"own":"gone"}');
});

test('[W174] requests after the deletion are anonymous, and so is the queue of a client that sends any', async () => {
  const session = await openDeleted();
  await expect(statusOf(session, 'p', '"p":"own","d":1')).resolves.toBe('permission_denied');
  await expect(statusOf(session, 'g', '"p":"open","q":null')).resolves.toBe('ok');
  await session.over;
  expect(connection.messages).toEqual([REVOKED]);
  await expect(data()).resolves.toBe('null');
});

test('[W174] the deletion does not affect a client that has signed out before', async () => {
  const session = openSession();
  await signIn(session, null);
  session.receive(request(2, 'unauth', ''));
  session.dropIdentity();
  await settle();
  session.dropIdentity();
  await expect(settle()).resolves.toEqual([]);
});

test('[W175] a session whose client can receive no other credential continues without a principal', async () => {
  const session = await openDeleted('signOut');
  await expect(statusOf(session, 'g', '"p":"own","q":null')).resolves.toBe('permission_denied');
  await expect(statusOf(session, 'g', '"p":"open","q":null')).resolves.toBe('ok');
  await new Promise((resolve) => setTimeout(resolve, 2_200));
  expect(connection.messages).toEqual([]);
  session.end();
  await session.over;
  await expect(data()).resolves.toBe('null');
});

test('[W172] revoking the credential of an anonymous session does nothing', async () => {
  const session = openSession();
  session.revokeCredential();
  await expect(statusOf(session, 'g', '"p":"a","q":null')).resolves.toBe('ok');
  await signIn(session, null);
  session.revokeCredential();
  session.revokeCredential();
  await session.over;
  expect(connection.messages.filter((message) => message === REVOKED).length).toBeGreaterThanOrEqual(1);
});

test('[W196] a client that only receives is disconnected once its database requires a token that it lacks', async () => {
  const { scheduler, databases, unfinished } = server;
  let mode: 'off' | 'enforce' = 'off';
  const session = new Session({
    id: 's',
    database: databases.open(NAME),
    connection,
    scheduler,
    appChecks: { ...NO_APP_CHECK, modeOf: () => mode },
    verifier,
    nowMs: () => nowMs,
    unfinished,
    pools: openSessionPools(),
  });
  session.receive(request(1, 'q', '"p":"a","h":""'));
  await settle();
  session.appCheck.endUnchecked(scheduler);
  await expect(settle()).resolves.toEqual([]);
  mode = 'enforce';
  session.appCheck.endUnchecked(scheduler);
  const [message] = await settle();
  expect(message).toContain('Missing appcheck token');
  await session.over;
});
