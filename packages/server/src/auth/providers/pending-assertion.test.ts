import { expect, test } from 'vitest';
import { accountRecords } from '../accounts/account-store.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { projectScope } from '../tenants/scope.ts';
import { configure, openProviderTestBed } from './fake-provider.fixture.ts';
import { GOOGLE_ANN, signInWithIdToken } from './idp.fixture.ts';

const UNPROVEN = { ...GOOGLE_ANN, email_verified: false };

function usePending(client: AuthClient, pendingToken: unknown, change: object = {}) {
  return client.post('accounts:signInWithIdp', { requestUri: 'http://localhost', pendingToken, ...change });
}

test('[I970] an identity that asked for confirmation is linked with its pending token, once', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  const { pendingToken } = (await signInWithIdToken(client, UNPROVEN)).json;
  const linked = await usePending(client, pendingToken, { idToken });
  expect(linked.json).toMatchObject({ localId, providerId: 'google.com' });
  expect((await signInWithIdToken(client, UNPROVEN)).json['localId']).toBe(localId);
  expect((await usePending(client, pendingToken)).error).toBe('INVALID_PENDING_TOKEN');
});

test('[I970] of many simultaneous uses of a pending token, one succeeds', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  const { pendingToken } = (await signInWithIdToken(client, UNPROVEN)).json;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => usePending(client, pendingToken, { idToken })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('[I970] the pending token of an identity that is already linked signs in to its account', async () => {
  const client = await AuthClient.open();
  const owner = (await signInWithIdToken(client, GOOGLE_ANN)).json;
  const { idToken } = await client.signUp('ben@example.com');
  const { pendingToken } = (await signInWithIdToken(client, GOOGLE_ANN, { idToken })).json;
  expect((await usePending(client, pendingToken)).json['localId']).toBe(owner['localId']);
});

test('[I971] a pending token proves no more than the credential, and not for longer than an hour', async () => {
  const client = await AuthClient.open();
  await client.signUp();
  const { pendingToken } = (await signInWithIdToken(client, UNPROVEN)).json;
  expect((await usePending(client, pendingToken)).json).toMatchObject({ needConfirmation: true });
  client.clock.ms += 3_600_000;
  expect((await usePending(client, pendingToken)).error).toBe('INVALID_PENDING_TOKEN');
  for (const text of ['x', 'x'.repeat(131_073), `${String(pendingToken).slice(0, -1)}A`])
    expect((await usePending(client, text)).error).toBe('INVALID_PENDING_TOKEN');
});

test('[I971] a pending token is not valid in another project, nor after the provider was disabled', async () => {
  const { client, provider } = await openProviderTestBed();
  await configure(client, 'oidc.work');
  const { idToken } = await client.signUp();
  const token = await provider.sign({ sub: '7', email: 'ann@example.com' });
  const { json } = await signInWithIdToken(client, token, {}, 'oidc.work');
  const foreign = await client.admin('accounts:signInWithIdp', {
    requestUri: 'http://localhost',
    targetProjectId: 'other',
    pendingToken: json['pendingToken'],
  });
  expect(foreign.error).toBe('INVALID_PENDING_TOKEN');
  const headers = { authorization: 'Bearer owner' };
  const address = '/v2/projects/demo/oauthIdpConfigs/oidc.work?updateMask=enabled';
  await client.request('PATCH', address, '{"enabled":false}', headers);
  expect((await usePending(client, json['pendingToken'], { idToken })).error).toMatch(
    /^OPERATION_NOT_ALLOWED/,
  );
});

test('[I971] records of used pending tokens are removed after their time', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  const use = async (sub: string): Promise<void> => {
    const { pendingToken } = (await signInWithIdToken(client, { ...UNPROVEN, sub })).json;
    expect((await usePending(client, pendingToken, { idToken })).status).toBe(200);
    await client.post('accounts:update', { idToken, deleteProvider: ['google.com'] });
  };
  await use('1');
  client.clock.ms += 3_600_001;
  const again = await client.post('accounts:signInWithPassword', {
    email: 'ann@example.com',
    password: 'password',
  });
  const { pendingToken } = (await signInWithIdToken(client, { ...UNPROVEN, sub: '2' })).json;
  await usePending(client, pendingToken, { idToken: again.json['idToken'] });
  const used = client.services.recordStore.read((view) =>
    view.records(accountRecords(projectScope('demo'))).listKeys(['usedAssertions'], { limit: 10 }),
  );
  expect(used).toHaveLength(1);
});
