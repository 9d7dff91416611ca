import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';

test('[I29] a lookup with an ID token returns the account of the token', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  const { json } = await client.post('accounts:lookup', { idToken });
  expect(json).toEqual({
    kind: 'identitytoolkit#GetAccountInfoResponse',
    users: [
      {
        localId,
        email: 'ann@example.com',
        emailVerified: false,
        passwordHash: 'UkVEQUNURUQ=',
        passwordUpdatedAt: client.clock.ms,
        providerUserInfo: [
          {
            providerId: 'password',
            rawId: 'ann@example.com',
            federatedId: 'ann@example.com',
            email: 'ann@example.com',
          },
        ],
        validSince: String(Math.floor(client.clock.ms / 1000)),
        createdAt: String(client.clock.ms),
        lastLoginAt: String(client.clock.ms),
        lastRefreshAt: new Date(client.clock.ms).toISOString(),
        mfaInfo: [],
      },
    ],
  });
});

test.each([
  [{}, 'MISSING_ID_TOKEN'],
  [{ idToken: 'garbage' }, 'INVALID_ID_TOKEN'],
  [{ idToken: unsigned({ sub: 'nobody', iat: 2_000_000_000 }) }, 'USER_NOT_FOUND'],
])('[I30] looking up %j is rejected with %s', async (body, error) => {
  const client = await AuthClient.open();
  expect((await client.post('accounts:lookup', body)).error).toBe(error);
});

test('[I30] a token that is older than the account counts as expired', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp();
  const idToken = unsigned({ sub: localId, iat: Math.floor(client.clock.ms / 1000) - 1 });
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
});

test('[I31] an administrator finds accounts by their identifiers, each once, and the response has no list if none is found', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp('ann@example.com');
  const find = async (body: object) =>
    (await client.admin('/v1/projects/demo/accounts:lookup', { ...body })).json['users'];
  const ann = [expect.objectContaining({ localId })];
  expect(await find({ email: ['ANN@example.com'] })).toEqual(ann);
  expect(await find({ email: ['ann@example.com'], localId: [localId, 'x', ''] })).toEqual(ann);
  for (const body of [{ localId: ['x'] }, { email: ['bob@example.com'] }, { phoneNumber: ['+15550001'] }, {}])
    expect(await find(body)).toBeUndefined();
});

test('[I31] 100 accounts can be looked up in one request, and 101 are rejected', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp();
  const named = Array.from({ length: 99 }, (_, index) => `u${index}`);
  const find = (more: object) =>
    client.admin('/v1/projects/demo/accounts:lookup', { localId: [...named, localId], ...more });
  expect((await find({})).json['users']).toHaveLength(1);
  expect((await find({ email: ['ann@example.com'] })).error).toMatch(/^INVALID_ARGUMENT : At most 100 /);
});

function unsigned(claims: object): string {
  const encode = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode(claims)}.`;
}
