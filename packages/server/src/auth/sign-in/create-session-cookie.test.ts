import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';

const METHOD = '/v1/projects/demo:createSessionCookie';

test.each([
  [undefined, 1_209_600],
  ['', 1_209_600],
  ['600', 600],
  [300, 300],
  ['1209600', 1_209_600],
])('[I429] a cookie for the duration %j lasts %i s', async (validDuration, lastsSec) => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  client.clock.ms += 60_000;
  const { status, json } = await client.admin(METHOD, { idToken, validDuration });
  const nowSec = client.clock.ms / 1_000;
  expect(status).toBe(200);
  expect(claimsOf(json['sessionCookie'])).toEqual({
    ...claimsOf(idToken),
    iss: 'https://session.firebase.google.com/demo',
    iat: nowSec,
    exp: nowSec + lastsSec,
  });
});

test.each(['299', 299, '1209601', 'x', 300.5, -300])(
  '[I430] the duration %j is rejected',
  async (validDuration) => {
    const client = await AuthClient.open();
    const { idToken } = await client.signUp();
    expect((await client.admin(METHOD, { idToken, validDuration })).error).toBe('INVALID_DURATION');
  },
);

test('[I430] a cookie needs an administrator and a valid token', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  expect((await client.post(METHOD, { idToken })).status).toBe(401);
  expect((await client.admin(METHOD)).error).toBe('MISSING_ID_TOKEN');
  expect((await client.admin(METHOD, { idToken: 'x' })).error).toBe('INVALID_ID_TOKEN');
  await client.admin('projects/demo/accounts:update', { localId, disableUser: true });
  expect((await client.admin(METHOD, { idToken })).error).toBe('USER_DISABLED');
});
