import { expect, test } from 'vitest';
import { customTokenVerifierContract } from './custom-token.contract.ts';
import { CUSTOM_TOKEN_AUDIENCE, unsignedCustomTokens } from './custom-token.ts';
import { type Claims, encodeJwt } from './jwt.ts';

const HERE = { projectId: 'demo', tenantId: undefined };

function jwt(claims: Claims, header: Claims = { alg: 'none' }, signature = ''): string {
  return `${encodeJwt(header, { aud: CUSTOM_TOKEN_AUDIENCE, ...claims })}.${signature}`;
}

customTokenVerifierContract('unsigned', () => ({
  verifier: unsignedCustomTokens,
  issue: (change) => jwt({ uid: 'jack', ...change }),
}));

test.each([
  ['bare JSON', '{"uid":"jack","claims":{"role":"admin"}}', { uid: 'jack', claims: { role: 'admin' } }],
  ['bare JSON with a number', '{"uid":7}', { uid: '7', claims: {} }],
  ['a signed token', jwt({ uid: 'jack' }, { alg: 'RS256' }, 'c2ln'), { uid: 'jack', claims: {} }],
  ['an expired token', jwt({ uid: 'jack', iat: 0, exp: 1 }), { uid: 'jack', claims: {} }],
])('[I114] development mode accepts %s as a custom token', async (_, token, expected) => {
  expect(await unsignedCustomTokens.verify(token, HERE)).toEqual(expected);
});

test.each([
  [
    '{uid:1}',
    'INVALID_CUSTOM_TOKEN : ((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))',
  ],
  ['invalid', 'INVALID_CUSTOM_TOKEN : Invalid assertion format'],
  [
    jwt({ uid: 'jack', aud: 'demo' }),
    'INVALID_CUSTOM_TOKEN : ((Invalid aud (audience): demo Note: Firebase ID Tokens / third-party tokens cannot be used with signInWithCustomToken.))',
  ],
  ['{}', 'MISSING_IDENTIFIER'],
  ['{"uid":"jack","claims":[]}', 'INVALID_CLAIMS'],
  ['{"uid":"jack","claims":{"aud":"x"}}', 'FORBIDDEN_CLAIM : aud'],
])('[I114] in development mode the custom token %s is rejected: %s', async (token, message) => {
  await expect(unsignedCustomTokens.verify(token, HERE)).rejects.toThrow(message);
});

test('[I114] in development mode bare JSON need not name its tenant', async () => {
  const there = { projectId: 'demo', tenantId: 'acme' };
  expect(await unsignedCustomTokens.verify('{"uid":"jack"}', there)).toEqual({ uid: 'jack', claims: {} });
});
