import { toFile, toRequest } from '@hearth/core/api/account-file.ts';
import { expect, test } from 'vitest';
import { AccountDirectory } from '../accounts/directory.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { ANN, openVerified } from '../mfa/second-factor.fixture.ts';
import { projectScope } from '../tenants/scope.ts';
import { enroll, passkeysOf, signInWithPasskey, TestAuthenticator } from './authenticator.fixture.ts';

const IMPORT = '/v1/projects/demo/accounts:batchCreate';

/** Returns the exported accounts of a server with one account, which has a passkey. */
async function exportAnn() {
  const client = await AuthClient.open();
  const { idToken, uid } = await openVerified(client);
  const authenticator = new TestAuthenticator({}, { isBackupEligible: true });
  await enroll(client, authenticator, { idToken, name: 'Laptop' });
  await signInWithPasskey(client, authenticator, { counter: 7 });
  const { json } = await client.request('GET', '/v1/projects/demo/accounts:batchGet', undefined, {
    authorization: 'Bearer owner',
  });
  const [user] = json['users'] as readonly Record<string, unknown>[];
  // Development mode hashes passwords without parameters, so that the hash cannot be imported.
  const { passwordHash: _hash, salt: _salt, version: _version, hashParametersId: _id, ...rest } = user ?? {};
  return { client, authenticator, uid, user: rest };
}

test('[I927] an exported passkey signs in after its import, also through a file', async () => {
  const { authenticator, uid, user } = await exportAnn();
  const server = await AuthClient.open();
  const { json } = await server.admin(IMPORT, { users: [toRequest(toFile(user))] });
  expect(json['error']).toBeUndefined();
  expect((await signInWithPasskey(server, authenticator, { counter: 7 })).error).toMatch(
    /^INVALID_PASSKEY_COUNTER/,
  );
  expect((await signInWithPasskey(server, authenticator, { counter: 8 })).json['localId']).toBe(uid);
});

test('[I927] an import without a user handle gets that of the first sign-in', async () => {
  const { authenticator, user } = await exportAnn();
  const { passkeyUserHandle: _handle, ...rest } = toRequest(toFile(user));
  const server = await AuthClient.open();
  await server.admin(IMPORT, { users: [rest] });
  expect((await signInWithPasskey(server, authenticator, { counter: 8 })).status).toBe(200);
  expect((await signInWithPasskey(server, authenticator, { counter: 9, userHandle: 'AAAA' })).error).toMatch(
    /^INVALID_AUTHENTICATOR_RESPONSE/,
  );
});

test('[I927] an import that overwrites keeps the passkeys unless it has others', async () => {
  const { client, authenticator, uid } = await exportAnn();
  await client.admin(IMPORT, { allowOverwrite: true, users: [{ localId: uid, email: ANN.email }] });
  expect((await signInWithPasskey(client, authenticator, { counter: 8 })).status).toBe(200);
  const passkeyInfo = [{ credentialId: 'AAAA', publicKey: 'AAAA' }];
  await client.admin(IMPORT, { allowOverwrite: true, users: [{ localId: uid, passkeyInfo }] });
  expect((await signInWithPasskey(client, authenticator, { counter: 9 })).error).toBe(
    'PASSKEY_CREDENTIAL_NOT_FOUND',
  );
});

test.each([
  [{ credentialId: 'AAAA' }],
  [{ credentialId: '', publicKey: 'AAAA' }],
  [{ credentialId: 'AAAA', publicKey: 'A'.repeat(2_000) }],
  [{ credentialId: 'AAAA', publicKey: 'AAAA', counter: -1 }],
  [{ credentialId: 'AAAA', publicKey: 'AAAA', name: 'x'.repeat(65) }],
  [{ credentialId: 'AAAA', publicKey: 'AAAA', createdAt: 'then' }],
])('[I928] an account whose passkey is %j is not imported', async (passkey) => {
  const client = await AuthClient.open();
  const { json } = await client.admin(IMPORT, { users: [{ localId: 'ann', passkeyInfo: [passkey] }] });
  expect(json['error']).toMatchObject([{ index: 0 }]);
});

test('[I928] a passkey of another account is not imported', async () => {
  const { client, user } = await exportAnn();
  const users = [{ localId: 'other', passkeyInfo: passkeysOf(user) }];
  const { json } = await client.admin(IMPORT, { users });
  expect(json['error']).toMatchObject([{ message: 'passkey exists in other account in database' }]);
});

test('[C541] the passkeys of a project are counted', async () => {
  const server = await AuthClient.open();
  const directory = new AccountDirectory(server.services.recordStore);
  const count = () => directory.countPasskeys(projectScope('demo'));
  expect(count()).toEqual({ count: 0, isExact: true });
  const users = ['AAAA', 'AAAB'].map((credentialId, index) => ({
    localId: `u${index}`,
    passkeyInfo: [{ credentialId, publicKey: 'AAAA' }],
  }));
  await server.admin(IMPORT, { users });
  expect(count()).toEqual({ count: 2, isExact: true });
});
