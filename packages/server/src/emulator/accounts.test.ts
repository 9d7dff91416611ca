import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { batchGet } from '../auth/accounts/export.ts';
import { batchCreate } from '../auth/accounts/import.ts';
import { createTestAuth } from '../auth/create-test-auth.fixture.ts';
import type { JsonObject } from '../auth/fields.ts';
import { readEmulatorConfig } from '../auth/projects/config-methods.ts';
import { signInWithPassword } from '../auth/sign-in/password.ts';
import { refresh } from '../auth/sign-in/refresh.ts';
import { signUp } from '../auth/sign-in/sign-up.ts';
import { accountsProduct, importEmulatorAccounts, ProjectAccounts } from './accounts.ts';
import { exportEmulatorData } from './export.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-emulator-accounts-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const openAccounts = (): ProjectAccounts => new ProjectAccounts(createTestAuth().services, 'demo');

const fileOf = (name: string): string => join(directory, 'auth_export', name);

function exportAccounts(accounts: ProjectAccounts, wasImported = true): Promise<readonly string[]> {
  return exportEmulatorData(directory, '1.0.0', [accountsProduct(accounts, wasImported)]);
}

/** Imports into the accounts and returns the reported lines. */
async function importAccounts(accounts: ProjectAccounts): Promise<readonly string[]> {
  const lines: string[] = [];
  await importEmulatorAccounts(directory, accounts, (line) => lines.push(line));
  return lines;
}

/** Writes an export of accounts like the official emulator. */
function writeOfficial(text: string): void {
  const auth = { version: '15.0.0', path: 'auth_export' };
  writeFileSync(
    join(directory, 'firebase-export-metadata.json'),
    JSON.stringify({ version: '15.0.0', auth }),
  );
  mkdirSync(join(directory, 'auth_export'), { recursive: true });
  writeFileSync(fileOf('accounts.json'), text);
}

const writeUsers = (...users: readonly JsonObject[]): void =>
  writeOfficial(JSON.stringify({ kind: 'identitytoolkit#DownloadAccountResponse', users }));

/** Returns the accounts without `hashParametersId`, which differs between servers. */
async function usersOf(accounts: ProjectAccounts): Promise<readonly JsonObject[]> {
  const { users } = await accounts.call(batchGet);
  return [users ?? []].flat().map((user) => ({ ...user, hashParametersId: null }));
}

async function uidsOf(accounts: ProjectAccounts): Promise<readonly unknown[]> {
  return (await usersOf(accounts)).map(({ localId }) => localId);
}

function signIn(accounts: ProjectAccounts, localId: string, password: string): Promise<JsonObject> {
  return accounts.call(signInWithPassword, { email: `${localId}@example.com`, password });
}

const add = (accounts: ProjectAccounts, localId: string, password?: string): Promise<JsonObject> =>
  accounts.call(signUp, { localId, email: `${localId}@example.com`, password });

/** The hash of `secret1` in the format of the official emulator. */
const FAKE = { passwordHash: 'fakeHash:salt=fakeSaltAb:password=secret1', salt: 'fakeSaltAb' };
/** A hash of another system: SHA-256 with one round. */
const HASHED = { passwordHash: 'W3Okv2n6RDl83CeSLnSfVpXgHTzBQ5mCMvWYTRBnSD8=' };

test('[H380][H381] exported accounts, passwords and settings exist after an import into another server', async () => {
  const accounts = openAccounts();
  await add(accounts, 'ann', 'password');
  await add(accounts, 'bob');
  const old = [{ localId: 'old', email: 'old@example.com', ...HASHED }];
  await accounts.call(batchCreate, { users: old, hashAlgorithm: 'SHA256', rounds: 1 });
  expect(await exportAccounts(accounts)).toEqual(['3 accounts']);
  const other = openAccounts();
  expect(await importAccounts(other)).toEqual([]);
  expect(await usersOf(other)).toEqual(await usersOf(accounts));
  expect(await uidsOf(other)).toEqual(['ann', 'bob', 'old']);
  expect(await other.call(readEmulatorConfig)).toEqual(await accounts.call(readEmulatorConfig));
  await signIn(other, 'ann', 'password');
  await expect(signIn(other, 'ann', 'passwor')).rejects.toThrow('INVALID_PASSWORD');
});

test('[H380] an export has the files of the official emulator and password-hashes.json; accounts and hashes are private', async () => {
  const accounts = openAccounts();
  await add(accounts, 'ann', 'password');
  await exportAccounts(accounts);
  expect(readdirSync(join(directory, 'auth_export')).sort()).toEqual([
    'accounts.json',
    'config.json',
    'password-hashes.json',
  ]);
  for (const name of ['accounts.json', 'password-hashes.json'])
    expect(statSync(fileOf(name)).mode & 0o077).toBe(0);
  const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
  expect(json(fileOf('accounts.json'))).toMatchObject({ users: [{ localId: 'ann' }] });
  expect(json(fileOf('config.json'))).toMatchObject({ signIn: { allowDuplicateEmails: false } });
  expect(json(join(directory, 'firebase-export-metadata.json'))).toEqual({
    version: '1.0.0',
    auth: { version: '1.0.0', path: 'auth_export' },
  });
});

test('[H381] an export of the official emulator replaces the accounts, and sessions of remaining accounts continue', async () => {
  const accounts = openAccounts();
  await add(accounts, 'ann', 'password');
  await add(accounts, 'gone', 'password');
  const { refreshToken } = await signIn(accounts, 'ann', 'password');
  const gone = await signIn(accounts, 'gone', 'password');
  writeUsers(
    { localId: 'ann', email: 'gone@example.com', ...FAKE, validSince: '1', mfaInfo: [] },
    { localId: 'new', email: 'new@example.com', emailVerified: true, ...FAKE },
  );
  writeFileSync(fileOf('config.json'), '{"signIn":{"allowDuplicateEmails":true}}');
  expect(await importAccounts(accounts)).toEqual([]);
  expect(await uidsOf(accounts)).toEqual(['ann', 'new']);
  expect(await accounts.call(readEmulatorConfig)).toMatchObject({ signIn: { allowDuplicateEmails: true } });
  await signIn(accounts, 'new', 'secret1');
  await accounts.call(refresh, { grantType: 'refresh_token', refreshToken });
  const ended = accounts.call(refresh, { grantType: 'refresh_token', refreshToken: gone['refreshToken'] });
  await expect(ended).rejects.toThrow();
});

test.each(['{"users": [{"localId": "new"}', '{"users": [{"localId": nope}]}', '[]', ''])(
  '[H382] the import of an accounts file with the invalid text %j changes nothing',
  async (text) => {
    const accounts = openAccounts();
    await add(accounts, 'ann');
    writeOfficial(text);
    await expect(importAccounts(accounts)).rejects.toThrow(/^\S+accounts\.json: /);
    expect(await uidsOf(accounts)).toEqual(['ann']);
  },
);

test('[H383] accounts and credentials that cannot be imported are reported', async () => {
  const accounts = openAccounts();
  writeUsers(
    { localId: 'ann', email: 'ann@example.com' },
    { localId: 'twin', email: 'ann@example.com' },
    { localId: 'bob', email: 'bob@example.com', ...HASHED },
    {
      localId: 'cy',
      email: 'cy@example.com',
      emailVerified: true,
      ...FAKE,
      mfaInfo: [{ mfaEnrollmentId: 'x', totpInfo: {} }],
    },
  );
  writeFileSync(fileOf('accounts-tenant.json'), '{}');
  expect(await importAccounts(accounts)).toEqual([
    expect.stringMatching(/accounts-tenant\.json was skipped: it belongs to a tenant\.$/),
    'The account bob was imported without its password, because the export does not name the hash algorithm.',
    'The account cy was imported without its authenticator app, because exports do not contain its secret.',
    'The account twin was skipped: email exists in other account in database',
  ]);
  expect(await uidsOf(accounts)).toEqual(['ann', 'bob', 'cy']);
  await signIn(accounts, 'cy', 'secret1');
});

test('[H384] an import without accounts changes none, and an export without accounts keeps an earlier one that was not imported', async () => {
  const accounts = openAccounts();
  await add(accounts, 'ann');
  writeFileSync(join(directory, 'firebase-export-metadata.json'), '{"version":"1"}');
  expect(await importAccounts(accounts)).toEqual([]);
  expect(await uidsOf(accounts)).toEqual(['ann']);
  writeUsers({ localId: 'official' });
  const empty = openAccounts();
  expect(await exportAccounts(empty, false)).toEqual([]);
  expect(readFileSync(fileOf('accounts.json'), 'utf8')).toContain('official');
  expect(readdirSync(directory).sort()).toEqual(['auth_export', 'firebase-export-metadata.json']);
  expect(await exportAccounts(empty)).toEqual(['0 accounts']);
  expect(await importAccounts(accounts)).toEqual([]);
  expect(await uidsOf(accounts)).toEqual([]);
});
