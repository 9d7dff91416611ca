import { beforeAll, expect, test } from 'vitest';
import { projectScope } from '../tenants/scope.ts';
import { encodeJwt } from './jwt.ts';
import { testKey, testRing } from './key-ring.fixture.ts';
import { tokenServiceContract } from './services.contract.ts';
import { SignedTokens } from './signed-tokens.ts';
import { unsignedTokens } from './unsigned-tokens.ts';

const NONE = { alg: 'none', typ: 'JWT' };

let signed: SignedTokens;
beforeAll(async () => {
  signed = new SignedTokens(testRing('idToken', [await testKey('key1')]), () => 0);
});

tokenServiceContract('unsigned', () => ({
  tokens: unsignedTokens,
  nowSec: 1_700_000_000,
  signElsewhere: (claims) => signed.sign(claims),
}));

test('[I101] development mode issues tokens without signature', async () => {
  expect(await unsignedTokens.sign({ sub: 'jack' })).toBe(`${encodeJwt(NONE, { sub: 'jack' })}.`);
});

test.each([[{ sub: 'jack' }], [{ user_id: 'jack', aud: 'other' }], [{ sub: 'jack', iat: 0, exp: 1 }]])(
  '[I101] a token with the claims %j is accepted, whatever its project and age',
  async (claims) => {
    expect(
      await unsignedTokens.verify(await unsignedTokens.sign(claims), projectScope('demo')),
    ).toMatchObject({
      uid: 'jack',
    });
  },
);

test.each([
  ['a signature', `${encodeJwt(NONE, { sub: 'jack' })}.c2ln`],
  ['another algorithm', `${encodeJwt({ alg: 'RS256' }, { sub: 'jack' })}.`],
  ['a signature of another algorithm', `${encodeJwt({ alg: 'RS256' }, { sub: 'jack' })}.c2ln`],
])('[I101] in development mode a token with %s is rejected', async (_, token) => {
  await expect(unsignedTokens.verify(token, projectScope('demo'))).rejects.toMatchObject({
    code: 'INVALID_ID_TOKEN',
  });
});
