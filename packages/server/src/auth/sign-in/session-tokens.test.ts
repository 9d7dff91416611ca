import { expect, test } from 'vitest';
import { projectScope } from '../tenants/scope.ts';
import { TokenProblem } from '../tokens/jwt.ts';
import { unsignedTokens } from '../tokens/unsigned-tokens.ts';
import { parseCookieDuration, sessionCookieClaims } from './session-tokens.ts';

test('[I109] a session cookie has the claims of its ID token, with its own issuer and lifetime', async () => {
  const claims = {
    iss: 'https://securetoken.google.com/demo',
    aud: 'demo',
    sub: 'jack',
    auth_time: 900,
    iat: 1_000,
    exp: 4_600,
    role: 'admin',
    firebase: { sign_in_provider: 'password' },
  };
  const idToken = await unsignedTokens.verify(await unsignedTokens.sign(claims), projectScope('demo'));
  expect(sessionCookieClaims(idToken, 'demo', 300, 2_000)).toEqual({
    ...claims,
    iss: 'https://session.firebase.google.com/demo',
    iat: 2_000,
    exp: 2_300,
  });
});

test.each([
  [undefined, 1_209_600],
  [null, 1_209_600],
  ['', 1_209_600],
  ['300', 300],
  [300, 300],
  ['1209600', 1_209_600],
])('[I110] a cookie with the duration %j lasts %d seconds', (json, durationSec) => {
  expect(parseCookieDuration(json)).toBe(durationSec);
});

test.each(['299', 299, '1209601', 0, '0', '-300', 300.5, '3e2', 'a day', '99999999999', true, {}, ['300']])(
  '[I110] the duration %j of a cookie is rejected',
  (json) => {
    expect(() => parseCookieDuration(json)).toThrow(new TokenProblem('INVALID_DURATION'));
  },
);
