import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';

const ANN = { email: 'ann@example.com', password: 'password' };

/** Signs in to a uid with a custom token. */
async function signInAs(client: AuthClient, uid: string, claims: object = {}) {
  const { json } = await client.post('accounts:signInWithCustomToken', {
    token: JSON.stringify({ uid, claims }),
  });
  return json;
}

async function signInAnonymously(client: AuthClient) {
  return (await client.post('accounts:signUp')).json;
}

const BEGINNINGS = [
  ['an anonymous user', signInAnonymously],
  ['a user with a custom token', (client: AuthClient) => signInAs(client, 'carl')],
] as const;

test.each(BEGINNINGS)('[I19] %s links an address and a password', async (_who, begin) => {
  const client = await AuthClient.open();
  const { idToken, localId } = await begin(client);
  const linked = await client.post('accounts:signUp', { idToken, ...ANN });
  expect(linked.json['localId']).toBe(localId);
  const { json } = await client.post('accounts:signInWithPassword', ANN);
  expect(json['localId']).toBe(localId);
  expect(await client.lookup(json['idToken'])).toMatchObject({
    email: ANN.email,
    providerUserInfo: [{ providerId: 'password' }],
  });
});

test.each(BEGINNINGS)('[I405] %s sets an address, then a password', async (_who, begin) => {
  const client = await AuthClient.open();
  const { idToken, localId } = await begin(client);
  const first = await client.post('accounts:update', { idToken, email: ANN.email });
  await client.post('accounts:update', { idToken: first.json['idToken'], password: ANN.password });
  const { json } = await client.post('accounts:signInWithPassword', ANN);
  expect(json['localId']).toBe(localId);
});

test.each(BEGINNINGS)('[I19][I406] %s cannot take the address of another account', async (_who, begin) => {
  const client = await AuthClient.open();
  await client.signUp(ANN.email, ANN.password);
  const { idToken } = await begin(client);
  expect((await client.post('accounts:signUp', { idToken, ...ANN })).error).toBe('EMAIL_EXISTS');
  expect((await client.post('accounts:update', { idToken, email: ANN.email })).error).toBe('EMAIL_EXISTS');
});

test.each(BEGINNINGS)('[I14][I417] %s and a user with an address have two accounts', async (_who, begin) => {
  const client = await AuthClient.open();
  const { localId } = await begin(client);
  const ann = await client.signUp(ANN.email, ANN.password);
  expect(ann['localId']).not.toBe(localId);
  const again = await begin(client);
  expect((await client.lookup(ann['idToken']))['localId']).toBe(ann['localId']);
  expect((await client.lookup(again['idToken']))['email']).toBeUndefined();
});

test('[I417] a custom token with the uid of an anonymous account signs in to that account', async () => {
  const client = await AuthClient.open();
  const { localId } = await signInAnonymously(client);
  const json = await signInAs(client, String(localId));
  expect(json).toMatchObject({ localId });
  expect(json).not.toHaveProperty('isNewUser');
});

test('[I401][I418] a profile that is set in one session with a custom token is kept for the next one', async () => {
  const client = await AuthClient.open();
  const { idToken } = await signInAs(client, 'carl', { role: 'guest' });
  await client.post('accounts:update', { idToken, displayName: 'Carl', photoUrl: 'photo-url' });
  const again = await signInAs(client, 'carl');
  expect(claimsOf(again['idToken'])).toMatchObject({ name: 'Carl', picture: 'photo-url' });
  expect(claimsOf(again['idToken'])['role']).toBeUndefined();
});

test.each(BEGINNINGS)('[I414] %s deletes the account, and its token is rejected', async (_who, begin) => {
  const client = await AuthClient.open();
  const { idToken } = await begin(client);
  expect((await client.post('accounts:delete', { idToken })).status).toBe(200);
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('USER_NOT_FOUND');
});

test('[I414] a user who deleted the account cannot sign in', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp(ANN.email, ANN.password);
  await client.post('accounts:delete', { idToken });
  expect((await client.post('accounts:signInWithPassword', ANN)).error).toBe('EMAIL_NOT_FOUND');
});
