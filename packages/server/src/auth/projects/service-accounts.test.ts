import { createPrivateKey, createPublicKey } from 'node:crypto';
import { must } from '@hearth/core/error/assert.ts';
import { beforeEach, expect, test } from 'vitest';
import { randomBytes } from '../../platform/random.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import type { RecordStore } from '../../records/store.ts';
import { type ServiceAccountKeyFile, ServiceAccounts } from './service-accounts.ts';

const EMAIL = 'admin@demo.hearth.internal';
const TOKEN_URL = 'https://id.example.com/token';

let clock: TestClock;
let recordStore: RecordStore;
let accounts: ServiceAccounts;

beforeEach(() => {
  clock = new TestClock();
  recordStore = memoryRecordStore(clock);
  accounts = new ServiceAccounts({ recordStore, randomBytes });
});

async function createKey(): Promise<ServiceAccountKeyFile> {
  const creation = await accounts.createKey(EMAIL, TOKEN_URL);
  return must(creation.kind === 'created' ? creation.keyFile : undefined, creation.kind);
}

test('[I115] a key of a service account is returned once as a file, and only its public part is stored', async () => {
  expect(await accounts.create('demo', 'admin', ['identity.admin', 'database.admin'])).toEqual({
    kind: 'created',
    email: EMAIL,
  });
  const keyFile = await createKey();
  expect(keyFile).toEqual({
    type: 'service_account',
    project_id: 'demo',
    private_key_id: expect.stringMatching(/^[0-9a-f]{40}$/),
    private_key: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/),
    client_email: EMAIL,
    client_id: expect.stringMatching(/^\d+$/),
    token_uri: TOKEN_URL,
  });

  const found = must(accounts.find(EMAIL), 'the account exists');
  expect(found).toMatchObject({ projectId: 'demo', roles: ['identity.admin', 'database.admin'] });
  const [key] = found.keys;
  expect(key?.keyId).toBe(keyFile.private_key_id);
  expect(key?.publicKey).toBe(
    createPublicKey(createPrivateKey(keyFile.private_key)).export({ format: 'pem', type: 'spki' }),
  );
  const stored = recordStore.read((view) =>
    JSON.stringify(view.records('installation').find(['service-account-keys'])),
  );
  expect(stored).toContain('BEGIN PUBLIC KEY');
  expect(stored).not.toContain('PRIVATE');
});

test('[I115] accounts are listed by project, without the contents of their keys', async () => {
  await accounts.create('demo', 'admin', ['identity.admin']);
  await accounts.create('other', 'admin', []);
  const { private_key_id: keyId } = await createKey();
  expect(accounts.list('demo')).toEqual([
    {
      email: EMAIL,
      roles: ['identity.admin'],
      createdAtMs: clock.ms,
      isDisabled: false,
      keys: [{ keyId, createdAtMs: clock.ms }],
    },
  ]);
});

test('[I115] creating an account that exists changes nothing', async () => {
  await accounts.create('demo', 'admin', ['identity.admin']);
  expect(await accounts.create('demo', 'admin', [])).toEqual({
    kind: 'exists',
    email: EMAIL,
    roles: ['identity.admin'],
  });
  expect(accounts.find(EMAIL)?.roles).toEqual(['identity.admin']);
});

test.each(['', 'Admin', '-a', 'a b', 'a@b', 'a'.repeat(31)])(
  '[I115] an account cannot have the name "%s"',
  async (name) => {
    expect(await accounts.create('demo', name, [])).toEqual({ kind: 'bad-name' });
  },
);

test('[I115] a project has at most 100 accounts, and an account at most 10 keys', async () => {
  for (let n = 0; n < 100; n++) await accounts.create('demo', n === 0 ? 'admin' : `a${n}`, []);
  expect(await accounts.create('demo', 'b', [])).toEqual({ kind: 'too-many' });
  for (let n = 0; n < 10; n++) await createKey();
  expect(await accounts.createKey(EMAIL, TOKEN_URL)).toEqual({ kind: 'too-many' });
});

test('[I119] a removed key is not found', async () => {
  await accounts.create('demo', 'admin', []);
  const first = await createKey();
  const second = await createKey();
  expect(await accounts.removeKey(EMAIL, first.private_key_id)).toBe(true);
  expect(await accounts.removeKey(EMAIL, first.private_key_id)).toBe(false);
  expect(accounts.find(EMAIL)?.keys.map(({ keyId }) => keyId)).toEqual([second.private_key_id]);
});

test('[I119] a disabled account is not found until it is enabled', async () => {
  await accounts.create('demo', 'admin', ['identity.admin']);
  expect(await accounts.setDisabled(EMAIL, true)).toBe(true);
  expect(accounts.find(EMAIL)).toBeUndefined();
  expect(accounts.list('demo')).toMatchObject([{ isDisabled: true }]);
  expect(await accounts.setDisabled(EMAIL, false)).toBe(true);
  expect(accounts.find(EMAIL)).toMatchObject({ roles: ['identity.admin'] });
});

test('[I119] an account that does not exist has no keys', async () => {
  for (const email of ['', 'jack@example.com', 'admin@demo.hearth.internal.evil', EMAIL]) {
    expect(accounts.find(email)).toBeUndefined();
    expect(await accounts.createKey(email, TOKEN_URL)).toEqual({ kind: 'no-such-account' });
    expect(await accounts.removeKey(email, 'a')).toBe(false);
    expect(await accounts.setDisabled(email, true)).toBe(false);
  }
});
