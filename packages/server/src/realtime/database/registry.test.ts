import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ADMIN, ANONYMOUS } from '../../access/principal.ts';
import { OPEN_RULES } from '../../rules/publishing/versions.ts';
import { openTestServer, type TestServer } from '../model/test-server.fixture.ts';
import type { Database } from './database.ts';
import { readText } from './read-text.fixture.ts';

const LOCKED = '{"rules":{".read":false}}';

let directory: string;
let server: TestServer;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-databases-'));
  server = await openTestServer(directory, () => 1000);
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

function putRules(name: string, source: string): void {
  server.store.transact((tx) => tx.put('meta', Buffer.from(`rules/${name}`), Buffer.from(source)));
}

/** Opens a database in a transaction that writes rules for it and then fails. */
async function openInFailingTransaction(name: string): Promise<Database> {
  const opened: Database[] = [];
  const { scheduler, databases } = server;
  await scheduler
    .request((transaction) => {
      transaction.tx.put('meta', Buffer.from(`rules/${name}`), Buffer.from(LOCKED));
      opened.push(databases.open(name, transaction));
      throw new Error('on purpose');
    })
    .catch(() => undefined);
  const [database] = opened;
  if (database === undefined) throw new Error('The transaction did not run.');
  return database;
}

test('[L72] a database opened in a transaction has the rules of that transaction, and is dropped if the transaction fails', async () => {
  const failed = await openInFailingTransaction('d');
  expect(failed.rules.source).toBe(LOCKED);
  const database = server.databases.open('d');
  expect(database).not.toBe(failed);
  expect(database.rules.source).toBe(OPEN_RULES);
  await openInFailingTransaction('d');
  expect(server.databases.open('d')).toBe(database);
});

test('[L72] databases with long rules are closed earlier than others', async () => {
  const { databases } = server;
  const source = `{"rules":{}}${' '.repeat(200_000)}`;
  const names = Array.from({ length: 30 }, (_, index) => `long${index}`);
  for (const name of names) putRules(name, source);
  const [first] = names.map((name) => databases.open(name));
  expect(databases.open('long0')).not.toBe(first);
});

test('[L72] a database with connected clients stays open, however many others are opened', () => {
  const { databases } = server;
  const reader = { readChecks: () => [], end: () => undefined };
  const connected = databases.open('connected');
  connected.readers.add(reader);
  const idle = databases.open('idle');
  for (let i = 0; i < 3000; i++) databases.open(`d${i}`);
  expect(databases.open('connected')).toBe(connected);
  expect(databases.open('idle')).not.toBe(idle);
});

test('[L72] a database that was idle only in a failed transaction stays open', async () => {
  const { scheduler, databases } = server;
  const reader = { readChecks: () => [], end: () => undefined };
  const connected = databases.open('connected');
  connected.readers.add(reader);
  await scheduler
    .request((transaction) => {
      connected.readers.delete(reader);
      transaction.onRollback(() => connected.readers.add(reader));
      for (let i = 0; i < 3000; i++) databases.open(`d${i}`, transaction);
      expect(databases.open('connected', transaction)).not.toBe(connected);
      throw new Error('on purpose');
    })
    .catch(() => undefined);
  expect(databases.open('connected')).toBe(connected);
});

test('[L71] a database whose stored rules cannot be read is locked, and an administrator can replace them', async () => {
  putRules('d', '{"rules":{".read":"no such language"}}');
  const { databases, errors } = server;
  await expect(readText(databases, 'd', 'a', ANONYMOUS)).rejects.toMatchObject({
    code: 'access/denied',
  });
  expect(errors.join('')).toContain('"database":"d"');
  await expect(databases.readRules('d', ADMIN)).resolves.toContain('no such language');
  await databases.writeRules('d', ADMIN, OPEN_RULES);
  await expect(readText(databases, 'd', 'a', ANONYMOUS)).resolves.toBe('null');
});
