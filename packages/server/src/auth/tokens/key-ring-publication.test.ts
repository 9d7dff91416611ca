import { expect, test } from 'vitest';
import { testKey, testRing } from './key-ring.fixture.ts';
import { certificatesByKeyId, jwks, KEY_CACHE_CONTROL, openIdConfiguration } from './key-ring.ts';

test('[I107] keys are published as JSON web keys, without private parts', async () => {
  const ring = testRing('idToken', [await testKey('a'), await testKey('b')]);
  const { keys } = jwks(ring);
  expect(keys.map(({ kid }) => kid)).toEqual(['a', 'b']);
  for (const key of keys) {
    expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(key).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', e: 'AQAB' });
  }
});

test('[I107] keys are published as certificates by key ID', async () => {
  const ring = testRing('idToken', [{ ...(await testKey('a')), certificate: 'pem' }]);
  expect(certificatesByKeyId(ring)).toEqual({ a: 'pem' });
});

test('[I107] verifiers may cache keys for six hours', () => {
  expect(KEY_CACHE_CONTROL).toBe('public, max-age=21600, must-revalidate');
});

test('[I108] a project has an OpenID configuration', () => {
  expect(openIdConfiguration('demo', 'https://id.example.com/.well-known/jwks.json')).toEqual({
    issuer: 'https://securetoken.google.com/demo',
    jwks_uri: 'https://id.example.com/.well-known/jwks.json',
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });
});
