import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestServer, RecordingConnection, type TestServer } from '../database/model/test-server.ts';
import { ADMIN, type Identity } from '../identity/identity.ts';
import type { CredentialVerifier } from '../identity/verifier.ts';
import { Session } from './session.ts';

const NAME = 'sessions';
const PUT_A = request(1, 'p', '"p":"a","d":1');

let directory: string;
let server: TestServer;
let connection: RecordingConnection;
/** Settles the credential that is being verified. */
let verified: { resolve(identity: Identity): void; reject(error: Error): void };

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
  const { committer, databases } = server;
  return new Session({ id: 's', database: databases.open(NAME), connection, committer, verifier });
}

function request(id: number, action: string, fields: string): string {
  return `{"t":"d","d":{"r":${id},"a":"${action}","b":{${fields}}}}`;
}

function response(id: number, status: string, json: string): string {
  return `{"t":"d","d":{"r":${id},"b":{"s":"${status}","d":${json}}}}`;
}

/** Promises settle, and then the turn that was scheduled meanwhile is run and told. */
async function settle(): Promise<readonly string[]> {
  await new Promise(setImmediate);
  await server.committer.drain();
  return connection.frames.splice(0);
}

function data(): Promise<string> {
  return server.databases.readJson(NAME, ADMIN, parsePath(''), 'export');
}

test('[L25] what was asked for before the end is done, then what was left to be written', async () => {
  const session = openSession();
  session.receive(request(1, 'o', '"p":"a/left","d":{".sv":{"increment":1}}'));
  session.receive(request(2, 'p', '"p":"a/left","d":41'));
  session.end();
  session.end();
  session.receive(request(3, 'p', '"p":"late","d":true'));
  await settle();
  await expect(data()).resolves.toBe('{"a":{"left":42}}');
});

test('[L25] nothing is done for a session after its end, though its credential turns out good', async () => {
  const session = openSession();
  session.receive(request(1, 'auth', '"cred":"x"'));
  session.receive(request(2, 'p', '"p":"a","d":1'));
  session.end();
  await settle();
  verified.resolve(ADMIN);
  await expect(settle()).resolves.toEqual([]);
  await expect(data()).resolves.toBe('null');
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

test('[W9][W31] pongs and answers come in the order of what they answer', async () => {
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

test('[W47] requests behind a credential wait for it, however long it takes', async () => {
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

test('[W45][W46] a credential that fails takes the former identity away', async () => {
  await server.databases.writeRules(NAME, ADMIN, '{"rules":{".read":"auth != null"}}');
  const session = openSession();
  session.receive(request(1, 'auth', '"cred":"x"'));
  verified.resolve({ kind: 'user', auth: { uid: 'u' }, expiresAtMs: null });
  await settle();
  session.receive(request(2, 'auth', '"cred":"y"'));
  session.receive(request(3, 'g', '"p":"a"'));
  verified.reject(new Refusal('auth/expired'));
  await expect(settle()).resolves.toEqual([
    response(2, 'expired_token', '"Auth token is expired."'),
    response(3, 'permission_denied', '"Permission denied"'),
  ]);
});

test('[L4] a verifier with a bug fails the credential alone', async () => {
  const session = openSession();
  session.receive(request(1, 'auth', '"cred":"x"'));
  session.receive(request(2, 'g', '"p":"a"'));
  verified.reject(new Error('a bug, on purpose'));
  await expect(settle()).resolves.toEqual([
    response(1, 'internal_error', '"Internal server error."'),
    response(2, 'ok', 'null'),
  ]);
});

test('[L26] on a full disk, who left something to be written stays who it is', async () => {
  const session = openSession();
  session.receive(request(1, 'o', '"p":"a","d":1'));
  await settle();
  session.receive(request(2, 'auth', '"cred":"x"'));
  verified.resolve(ADMIN);
  server.store.failNext({ kind: 'full', atPut: 0 });
  await expect(settle()).resolves.toEqual([expect.stringContaining('"s":"unavailable"')]);
  expect(session.identity).toEqual({ kind: 'guest' });
});
