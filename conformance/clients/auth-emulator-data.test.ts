import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../drivers/json.ts';
import { openDataDir, type ServerProcess, startServer } from '../drivers/server-process.ts';

/** An account as the Auth emulator of `firebase emulators:export` writes it. */
const ADA = {
  localId: 'ada',
  lastLoginAt: '1706695200000',
  emailVerified: true,
  email: 'ada@example.com',
  salt: 'fakeSaltAbCdEf',
  passwordHash: 'fakeHash:salt=fakeSaltAbCdEf:password=secret1',
  passwordUpdatedAt: 1_706_695_200_000,
  validSince: '1706695200',
  createdAt: '1706695200000',
  providerUserInfo: [
    {
      providerId: 'password',
      email: 'ada@example.com',
      federatedId: 'ada@example.com',
      rawId: 'ada@example.com',
    },
  ],
  lastRefreshAt: '2024-01-31T10:00:00.000Z',
};

async function writeExport(directory: string): Promise<void> {
  const files: Readonly<Record<string, Json>> = {
    'firebase-export-metadata.json': {
      version: '15.34.2',
      auth: { version: '15.34.2', path: 'auth_export' },
    },
    'auth_export/accounts.json': { kind: 'identitytoolkit#DownloadAccountResponse', users: [ADA] },
    'auth_export/config.json': {
      signIn: { allowDuplicateEmails: false },
      emailPrivacyConfig: { enableImprovedEmailPrivacy: false },
    },
  };
  await mkdir(join(directory, 'auth_export'), { recursive: true });
  for (const [name, json] of Object.entries(files))
    await writeFile(join(directory, name), JSON.stringify(json));
}

async function signIn({ url }: ServerProcess, password: string): Promise<Json | undefined> {
  const answer = await fetch(`${url}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADA.email, password }),
  });
  return readObject(await answer.text())['localId'];
}

function readObject(text: string): JsonObject {
  const json = parseJson(text);
  if (!isJsonObject(json)) throw new Error(`Not a JSON object: ${text}`);
  return json;
}

test('[S411] hearth dev starts with the accounts that the Auth emulator exported, and exports them when it stops', async () => {
  const folders = [await openDataDir(), await openDataDir(), await openDataDir()] as const;
  onTestFinished(async () => {
    for (const { remove } of folders) await remove();
  });
  const [{ path: exported }, data, freshData] = folders;
  await writeExport(exported);
  const args = ['--import', exported, '--export-on-exit'];
  const first = await startServer({ dataDir: data.path, args });
  expect(await signIn(first, 'secret2')).toBeUndefined();
  expect(await signIn(first, 'secret1')).toBe('ada');
  await first.stop();
  const { users } = readObject(await readFile(join(exported, 'auth_export/accounts.json'), 'utf8'));
  expect(users).toEqual([
    expect.objectContaining({ localId: 'ada', email: ADA.email, createdAt: ADA.createdAt }),
  ]);
  const second = await startServer({ dataDir: freshData.path, args });
  expect(await signIn(second, 'secret1')).toBe('ada');
  await second.stop();
});
