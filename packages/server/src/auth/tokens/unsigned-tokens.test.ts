import { expect, test } from 'vitest';
import { encodeJwt } from './jwt.ts';
import { MAX_TOKEN_LENGTH } from './services.ts';
import { unsignedTokens } from './unsigned-tokens.ts';

const NONE = { alg: 'none', typ: 'JWT' };

test('[I101] development mode issues tokens without signature, and accepts them', async () => {
  const claims = { sub: 'jack', aud: 'demo', exp: 3, iat: 2, auth_time: 1, firebase: { tenant: 'acme' } };
  const token = await unsignedTokens.sign(claims);
  expect(token).toBe(`${encodeJwt(NONE, claims)}.`);
  expect(await unsignedTokens.verify(token, 'whatever')).toEqual({
    uid: 'jack',
    tenantId: 'acme',
    signInProvider: 'custom',
    secondFactor: undefined,
    issuedAtSec: 2,
    expiresAtSec: 3,
    authTimeSec: 1,
    claims,
  });
});

test.each([[{ sub: 'jack' }], [{ user_id: 'jack', aud: 'other' }], [{ sub: 'jack', iat: 0, exp: 1 }]])(
  '[I101] %j is accepted, whatever its project and age',
  async (claims) => {
    expect(await unsignedTokens.verify(await unsignedTokens.sign(claims), 'demo')).toMatchObject({
      uid: 'jack',
    });
  },
);

test.each([
  ['nothing', ''],
  ['text', 'owner'],
  ['two parts', encodeJwt(NONE, { sub: 'jack' })],
  ['four parts', `${encodeJwt(NONE, { sub: 'jack' })}..`],
  ['a signature', `${encodeJwt(NONE, { sub: 'jack' })}.c2ln`],
  ['another algorithm', `${encodeJwt({ alg: 'RS256' }, { sub: 'jack' })}.`],
  ['a signed token', `${encodeJwt({ alg: 'RS256' }, { sub: 'jack' })}.c2ln`],
  ['no user', `${encodeJwt(NONE, {})}.`],
  ['text that is not JSON', 'YWJj.YWJj.'],
  ['bytes that are not UTF-8', '_-8.e30.'],
  ['too many characters', `${encodeJwt(NONE, { sub: 'x'.repeat(MAX_TOKEN_LENGTH) })}.`],
])('[I101] in development mode a token with %s is rejected', async (_, token) => {
  await expect(unsignedTokens.verify(token, 'demo')).rejects.toMatchObject({ code: 'INVALID_ID_TOKEN' });
});
