import { expect, test } from 'vitest';
import { CUSTOM_TOKEN_AUDIENCE, unsignedCustomTokens } from './custom-token.ts';
import { type Claims, encodeJwt } from './jwt.ts';

const HERE = { projectId: 'demo', tenantId: undefined };

function jwt(claims: Claims, header: Claims = { alg: 'none' }, signature = ''): string {
  return `${encodeJwt(header, { aud: CUSTOM_TOKEN_AUDIENCE, ...claims })}.${signature}`;
}

test.each([
  ['bare JSON', '{"uid":"jack","claims":{"role":"admin"}}', { uid: 'jack', claims: { role: 'admin' } }],
  ['bare JSON with a number', '{"uid":7}', { uid: '7', claims: {} }],
  ['a token', jwt({ uid: 'jack' }), { uid: 'jack', claims: {} }],
  ['a token with user_id', jwt({ user_id: 'jack' }), { uid: 'jack', claims: {} }],
  ['a signed token', jwt({ uid: 'jack' }, { alg: 'RS256' }, 'c2ln'), { uid: 'jack', claims: {} }],
  ['an expired token', jwt({ uid: 'jack', iat: 0, exp: 1 }), { uid: 'jack', claims: {} }],
])('[I114] development mode accepts %s as a custom token', async (_, token, expected) => {
  expect(await unsignedCustomTokens.verify(token, HERE)).toEqual(expected);
});

test.each([
  ['', 'MISSING_CUSTOM_TOKEN'],
  [
    '{uid:1}',
    'INVALID_CUSTOM_TOKEN : ((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))',
  ],
  ['invalid', 'INVALID_CUSTOM_TOKEN : Invalid assertion format'],
  [
    jwt({ uid: 'jack', aud: 'demo' }),
    'INVALID_CUSTOM_TOKEN : ((Invalid aud (audience): demo Note: Firebase ID Tokens / third-party tokens cannot be used with signInWithCustomToken.))',
  ],
  [jwt({}), 'MISSING_IDENTIFIER'],
  [jwt({ uid: '' }), 'MISSING_IDENTIFIER'],
  [jwt({ uid: { a: 1 } }), 'MISSING_IDENTIFIER'],
  ['{}', 'MISSING_IDENTIFIER'],
  ['{"uid":"jack","claims":[]}', 'INVALID_CLAIMS'],
  ['{"uid":"jack","claims":{"aud":"x"}}', 'FORBIDDEN_CLAIM : aud'],
  ['x'.repeat(8_193), 'INVALID_CUSTOM_TOKEN : The token is longer than 8192 characters.'],
])('[I114] in development mode the custom token %s is rejected: %s', async (token, message) => {
  await expect(unsignedCustomTokens.verify(token, HERE)).rejects.toThrow(message);
});

test('[I114] in development mode a token must name its tenant, and bare JSON need not', async () => {
  const there = { projectId: 'demo', tenantId: 'acme' };
  await unsignedCustomTokens.verify(jwt({ uid: 'jack', tenant_id: 'acme' }), there);
  await unsignedCustomTokens.verify('{"uid":"jack"}', there);
  await expect(unsignedCustomTokens.verify(jwt({ uid: 'jack' }), there)).rejects.toThrow(
    'TENANT_ID_MISMATCH',
  );
});
