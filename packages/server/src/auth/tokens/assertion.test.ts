import { beforeAll, beforeEach, expect, test } from 'vitest';
import { signJwt, type TestServiceAccount, testServiceAccount } from '../projects/service-account.fixture.ts';
import { type AssertionContext, verifyAssertion } from './assertion.ts';
import { type Claims, encodeJwt } from './jwt.ts';

const NOW_SEC = 1_700_000_000;
const TOKEN_URL = 'https://id.example.com/token';

let own: TestServiceAccount;
let context: AssertionContext;

beforeAll(async () => {
  own = await testServiceAccount('demo');
});

beforeEach(() => {
  context = {
    findAccount: (email) => (email === own.account.email ? own.account : undefined),
    tokenUrl: TOKEN_URL,
    nowMs: NOW_SEC * 1_000,
  };
});

function claimsOf(change: Claims = {}): Claims {
  return {
    iss: own.account.email,
    scope:
      'https://www.googleapis.com/auth/identitytoolkit https://www.googleapis.com/auth/firebase.database',
    aud: TOKEN_URL,
    iat: NOW_SEC,
    exp: NOW_SEC + 3_600,
    ...change,
  };
}

test.each([
  [{}],
  [{ aud: 'https://oauth2.googleapis.com/token' }],
  [{ iat: NOW_SEC + 60, exp: NOW_SEC + 3_660 }],
  [{ iat: NOW_SEC - 660, exp: NOW_SEC - 59 }],
])('[I116] an assertion with %j is accepted', async (change) => {
  for (const header of [{}, { kid: 'key1' }]) {
    const signed = await verifyAssertion(signJwt(claimsOf(change), own.pair, header), context);
    expect(signed).toMatchObject({ account: own.account, keyId: 'key1' });
  }
});

test.each([
  [{ aud: 'https://elsewhere.example/token' }, 'The audience must be https://id.example.com/token or'],
  [{ aud: undefined }, 'The audience must be'],
  [{ iat: undefined }, 'must contain the times when it was issued'],
  [{ exp: '1' }, 'must contain the times when it was issued'],
  [{ exp: NOW_SEC + 3_601 }, 'valid for more than 3600 seconds'],
  [{ iat: NOW_SEC + 61 }, 'issued in the future'],
  [{ iat: NOW_SEC - 300, exp: NOW_SEC - 60 }, 'has expired'],
  [{ iat: NOW_SEC - 661, exp: NOW_SEC + 10 }, 'older than 600 seconds'],
])('[I117] an assertion with %j is rejected: %s', async (change, description) => {
  await expect(verifyAssertion(signJwt(claimsOf(change), own.pair), context)).rejects.toMatchObject({
    code: 'invalid_grant',
    detail: expect.stringContaining(description),
  });
});

test('[I117] an assertion that no registered key signed is rejected', async () => {
  const stranger = await testServiceAccount('demo');
  const forged = [
    '',
    'a.b.c',
    'x'.repeat(20_000),
    `${encodeJwt({ alg: 'none' }, claimsOf())}.`,
    signJwt(claimsOf(), stranger.pair),
    signJwt(claimsOf(), own.pair, { kid: 'key2' }),
    signJwt(claimsOf(), own.pair, { alg: 'RS384' }),
    signJwt(claimsOf({ iss: 'nobody@demo.hearth.internal' }), own.pair),
  ];
  for (const assertion of forged)
    await expect(verifyAssertion(assertion, context)).rejects.toMatchObject({
      code: 'invalid_grant',
      detail: 'The assertion is not signed (RS256) by a key that is registered here and enabled.',
    });
});
