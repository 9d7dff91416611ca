import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { change, finish, openAnn } from '../mfa/second-factor.fixture.ts';
import { projectScope } from '../tenants/scope.ts';
import { accountRecords } from './account-store.ts';
import { checkAccounts } from './check.ts';
import { AccountMerges } from './merges.ts';

const SCOPE = projectScope('demo');

function problemsOf({ services }: AuthClient): readonly string[] {
  return services.recordStore.read((view) => {
    const steps = checkAccounts(view.records(accountRecords(SCOPE)));
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value.problems;
    }
  });
}

/** Merges two accounts with the values that the preview shows. */
async function merge(client: AuthClient, into: string, from: string) {
  const merges = new AccountMerges(client.services);
  const { digest } = merges.preview(SCOPE, { into, from });
  return merges.merge(SCOPE, { into, from }, digest);
}

test('[I1706][I1703] after a merge, the user signs in to the remaining account with the app and the password of the other', async () => {
  const client = await AuthClient.open();
  const ann = await openAnn(client);
  const into = 'guest';
  await client.admin('/v1/projects/demo/accounts', { localId: into });
  await merge(client, into, ann.uid);
  const { json } = await client.post('accounts:signInWithPassword', {
    email: 'ann@example.com',
    password: 'password',
  });
  expect(json).toMatchObject({ localId: into, mfaPendingCredential: expect.any(String) });
  const signedIn = await finish(client, json['mfaPendingCredential'], ann.enrollmentId, ann.app.code());
  expect(signedIn.json).toHaveProperty('idToken');
  expect(problemsOf(client)).toEqual([]);
});

test('[I1706] the removed account and its sessions are gone, and its index entries name the remaining one', async () => {
  const client = await AuthClient.open();
  const into = await client.signUp('a@example.com', 'password');
  const from = await client.signUp('b@example.com', 'password');
  await change(client, from['localId'], {
    phoneNumber: '+442079460123',
    linkProviderUserInfo: { providerId: 'google.com', rawId: 'g1', email: 'a@example.com' },
  });
  await merge(client, String(into['localId']), String(from['localId']));
  const refreshed = (token: unknown) =>
    client.post('/v1/token', { grantType: 'refresh_token', refreshToken: token });
  expect((await refreshed(from['refreshToken'])).status).toBe(400);
  expect((await refreshed(into['refreshToken'])).status).toBe(200);
  const found = await client.admin('/v1/projects/demo/accounts:lookup', { phoneNumber: ['+442079460123'] });
  expect(found.json['users']).toMatchObject([
    {
      localId: into['localId'],
      providerUserInfo: [{ providerId: 'password' }, { providerId: 'google.com' }, { providerId: 'phone' }],
    },
  ]);
  const gone = await client.admin('/v1/projects/demo/accounts:lookup', { localId: [from['localId']] });
  expect(gone.json['users']).toBeUndefined();
  expect(problemsOf(client)).toEqual([]);
});

test('[I1707] a merge does nothing if an account has changed since the preview', async () => {
  const client = await AuthClient.open();
  const [into, from] = [await client.signUp('a@example.com', 'password'), await client.signUp()];
  const pair = { into: String(into['localId']), from: String(from['localId']) };
  const merges = new AccountMerges(client.services);
  const { digest } = merges.preview(SCOPE, pair);
  await change(client, pair.from, { customAttributes: '{"role":"admin"}' });
  await expect(merges.merge(SCOPE, pair, digest)).rejects.toMatchObject({ code: 'account/changed' });
  expect(merges.preview(SCOPE, pair).moved).toEqual([{ kind: 'claim', text: 'role' }]);
});

test('[I1706] an account that a merge disables is signed out', async () => {
  const client = await AuthClient.open();
  const [into, from] = [await client.signUp('a@example.com', 'password'), await client.signUp()];
  await change(client, from['localId'], { disableUser: true });
  await merge(client, String(into['localId']), String(from['localId']));
  const refreshed = await client.post('/v1/token', {
    grantType: 'refresh_token',
    refreshToken: into['refreshToken'],
  });
  expect(refreshed.status).toBe(400);
});

test('[I1700] duplicates share a verified address, the address of an identity, or a number', async () => {
  const client = await AuthClient.open();
  const create = async (localId: string, fields: object, link?: object): Promise<void> => {
    await client.admin('/v1/projects/demo/accounts', { localId, ...fields });
    if (link !== undefined) await change(client, localId, { linkProviderUserInfo: link });
  };
  const google = { providerId: 'google.com', rawId: 'g', email: 'Ann@Example.com' };
  await create('ann', { email: 'ann@example.com', emailVerified: true, phoneNumber: '+442079460123' });
  await create('by-google', {}, google);
  await create('unverified', { email: 'bob@example.com' });
  await create('by-github', {}, { providerId: 'github.com', rawId: 'h', email: 'bob@example.com' });
  await create('by-phone', {
    email: 'c@example.com',
    emailVerified: true,
    mfaInfo: [{ phoneInfo: '+442079460123' }],
  });
  const merges = new AccountMerges(client.services);
  const found = async (uid: string) => {
    const { duplicates, isComplete } = await merges.findDuplicates(SCOPE, uid);
    expect(isComplete).toBe(true);
    return duplicates.map(({ account, shared }) => [account['localId'], shared]);
  };
  const byAddress = [{ kind: 'email', text: 'ann@example.com' }];
  expect(await found('by-google')).toEqual([['ann', byAddress]]);
  expect(await found('ann')).toEqual([
    ['by-google', byAddress],
    ['by-phone', [{ kind: 'phone', text: '+442079460123' }]],
  ]);
  expect(await found('by-github')).toEqual([]);
  await expect(merges.findDuplicates(SCOPE, 'nobody')).rejects.toMatchObject({ code: 'account/unknown' });
});
