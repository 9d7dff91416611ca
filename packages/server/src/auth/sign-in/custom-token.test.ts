import { expect, test } from 'vitest';
import { INSTALLATION } from '../../records/store.ts';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { openAnn } from '../mfa/second-factor.fixture.ts';
import { saveMember } from '../roles/member-store.ts';
import { CUSTOM_TOKEN_AUDIENCE } from '../tokens/custom-token.ts';
import { encodeJwt } from '../tokens/jwt.ts';

/** Creates a token as `firebase-admin` does for an emulator. */
function customToken(claims: object): string {
  return `${encodeJwt({ alg: 'none', typ: 'JWT' }, { aud: CUSTOM_TOKEN_AUDIENCE, ...claims })}.`;
}

function signIn(client: AuthClient, claims: object) {
  return client.post('accounts:signInWithCustomToken', { token: customToken(claims) });
}

test('[I417][I418] a custom token creates the account of its uid, and later signs in to it', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({ ...settings, isSignUpEnabled: false }));
  const first = await signIn(client, { uid: 'carl', claims: { role: 'guest' } });
  expect(first.json).toEqual({
    kind: 'identitytoolkit#VerifyCustomTokenResponse',
    localId: 'carl',
    isNewUser: true,
    idToken: expect.any(String),
    refreshToken: expect.any(String),
    expiresIn: '3600',
  });
  expect(claimsOf(first.json['idToken'])).toMatchObject({
    sub: 'carl',
    role: 'guest',
    firebase: { sign_in_provider: 'custom' },
  });
  expect(await client.lookup(first.json['idToken'])).toMatchObject({ localId: 'carl', customAuth: true });
  client.clock.ms += 1_000;
  const second = await signIn(client, { uid: 'carl' });
  expect(second.json).not.toHaveProperty('isNewUser');
  expect(await client.lookup(second.json['idToken'])).toMatchObject({
    createdAt: String(client.clock.ms - 1_000),
    lastLoginAt: String(client.clock.ms),
  });
});

test('[I682] a custom token for a member of the project is rejected', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp();
  await client.services.recordStore.change((transaction) =>
    saveMember(transaction.records(INSTALLATION), 'demo', {
      uid: String(localId),
      role: 'viewer',
      addedAtMs: 1,
    }),
  );
  const { status, error } = await signIn(client, { uid: localId });
  expect([status, error]).toEqual([
    400,
    'OPERATION_NOT_ALLOWED : Members of the project cannot sign in with a custom token.',
  ]);
});

test('[I417] a custom token signs in to an account that was created in another way, without its second factor', async () => {
  const client = await AuthClient.open();
  const { uid } = await openAnn(client);
  const { json } = await signIn(client, { uid });
  expect(claimsOf(json['idToken'])).toMatchObject({
    email: 'ann@example.com',
    firebase: { sign_in_provider: 'custom' },
  });
});

test('[I418] claims of the token override those of the account and stay with the session', async () => {
  const client = await AuthClient.open();
  await signIn(client, { uid: 'carl' });
  await client.admin('projects/demo/accounts:update', {
    localId: 'carl',
    customAttributes: '{"role":"member","team":"red"}',
  });
  const { json } = await signIn(client, { uid: 'carl', claims: { role: 'guest' } });
  const refreshed = await client.refresh(json['refreshToken']);
  for (const token of [json['idToken'], refreshed.json['id_token']])
    expect(claimsOf(token)).toMatchObject({ role: 'guest', team: 'red' });
  const other = await signIn(client, { uid: 'carl' });
  expect(claimsOf(other.json['idToken'])).toMatchObject({ role: 'member', team: 'red' });
});

test.each([
  [{}, 'MISSING_CUSTOM_TOKEN'],
  [{ token: '' }, 'INVALID_CUSTOM_TOKEN'],
  [{ token: 'some-token' }, 'INVALID_CUSTOM_TOKEN'],
  [{ token: '{"uid":' }, 'INVALID_CUSTOM_TOKEN'],
  [{ token: customToken({ uid: 'x', aud: 'demo' }) }, 'INVALID_CUSTOM_TOKEN'],
  [{ token: customToken({}) }, 'MISSING_IDENTIFIER'],
  [{ token: customToken({ uid: 'x', claims: { firebase: {} } }) }, 'FORBIDDEN_CLAIM : firebase'],
  [{ token: customToken({ uid: 'x', claims: [] }) }, 'INVALID_CLAIMS'],
])('[I419] %j is rejected with %s', async (body, error) => {
  const client = await AuthClient.open();
  const answer = await client.post('accounts:signInWithCustomToken', body);
  expect(answer.status).toBe(400);
  expect(answer.error?.startsWith(error)).toBe(true);
  const { json } = await client.admin('projects/demo/accounts:lookup', { localId: ['x'] });
  expect(json).not.toHaveProperty('users');
});

test('[I419] a custom token for a disabled account is rejected', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp();
  await client.admin('projects/demo/accounts:update', { localId, disableUser: true });
  expect((await signIn(client, { uid: localId })).error).toBe('USER_DISABLED');
});

test.each(['a/b', 'a\nb', 'a\u0000'])('[I420] an account with the uid %j is not created', async (uid) => {
  const client = await AuthClient.open();
  expect((await signIn(client, { uid })).error).toMatch(/^INVALID_CUSTOM_TOKEN : /);
});

test.each(['a.b', '#$[]', 'auth0|12', ' ', 'ünï', 'x'.repeat(128)])(
  '[I417] an account with the uid %j is created',
  async (uid) => {
    const client = await AuthClient.open();
    const { json } = await signIn(client, { uid });
    expect(await client.lookup(json['idToken'])).toMatchObject({ localId: uid });
  },
);

test('[I417] many concurrent sign-ins with one uid create one account', async () => {
  const client = await AuthClient.open();
  const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(client, { uid: 'carl' })));
  expect(answers.filter(({ json }) => json['isNewUser'] === true)).toHaveLength(1);
  expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 200));
});
