import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { randomBytes } from '../../platform/random.ts';
import { secretBox } from '../../platform/secret-box.ts';
import { secretKey } from '../../platform/secret-key.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import type { TokenUse } from '../tokens/id-token.ts';
import { takeRsaKeyPairLater } from '../tokens/rsa-key-pairs.fixture.ts';
import { SigningKeys } from '../tokens/signing-keys.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { AuthClient } from './auth-client.fixture.ts';

const ISSUER = 'securetoken@system.gserviceaccount.com';
const CERTIFICATES = [
  [`/robot/v1/metadata/x509/${ISSUER}`, 'idToken'],
  [`/robot/v1/metadata/x509/${encodeURIComponent(ISSUER)}`, 'idToken'],
  [`/www.googleapis.com/robot/v1/metadata/x509/${ISSUER}`, 'idToken'],
  ['/identitytoolkit/v3/relyingparty/publicKeys', 'sessionCookie'],
  ['/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys', 'sessionCookie'],
] as const satisfies readonly (readonly [string, TokenUse])[];
const KEY_SETS = [
  [`/service_accounts/v1/jwk/${ISSUER}`, 'idToken'],
  ['/.well-known/jwks.json', 'idToken'],
  ['/v1/sessionCookiePublicKeys', 'sessionCookie'],
  ['/identitytoolkit.googleapis.com/v1/sessionCookiePublicKeys', 'sessionCookie'],
] as const satisfies readonly (readonly [string, TokenUse])[];

async function openWithKeys() {
  const clock = new TestClock();
  const keys = await SigningKeys.open({
    recordStore: memoryRecordStore(clock),
    box: secretBox(secretKey(new Uint8Array(32)), randomBytes),
    nowMs: clock.nowMs,
    randomBytes,
    generateKeyPair: takeRsaKeyPairLater,
  });
  const publishedKeys = { idToken: keys.ring('idToken'), sessionCookie: keys.ring('sessionCookie') };
  const client = await AuthClient.open({ ...unsignedTokenServices, publishedKeys });
  return { client, keyIdOf: (use: TokenUse) => keys.ring(use).current().keyId };
}

test('[I427] keys can be read without an API key, and cached for six hours', async () => {
  const { client, keyIdOf } = await openWithKeys();
  for (const [path, use] of CERTIFICATES) {
    const { status, headers, json } = await client.request('GET', path);
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=21600, must-revalidate']);
    expect(Object.keys(json)).toEqual([keyIdOf(use)]);
    expect(new X509Certificate(String(json[keyIdOf(use)])).publicKey.asymmetricKeyType).toBe('rsa');
  }
  for (const [path, use] of KEY_SETS) {
    const { status, headers, json } = await client.request('GET', path);
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=21600, must-revalidate']);
    expect(json).toMatchObject({ keys: [{ kid: keyIdOf(use), kty: 'RSA', alg: 'RS256', use: 'sig' }] });
  }
});

test('[I427] the OpenID configuration of a project names the URL of the keys', async () => {
  const client = await AuthClient.open();
  const { status, headers, json } = await client.request('GET', '/demo/.well-known/openid-configuration');
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=21600, must-revalidate']);
  expect(json).toMatchObject({
    issuer: 'https://securetoken.google.com/demo',
    jwks_uri: 'http://localhost:9000/.well-known/jwks.json',
  });
});

test.each([
  '/robot/v1/metadata/x509/other@system.gserviceaccount.com',
  '/service_accounts/v1/jwk/other@system.gserviceaccount.com',
  '/no%20project/.well-known/openid-configuration',
])('[I428] %s does not exist', async (path) => {
  const client = await AuthClient.open();
  const { status, headers } = await client.request('GET', path);
  expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
});

test('[I428] no keys are published in development mode', async () => {
  const client = await AuthClient.open();
  expect((await client.request('GET', '/identitytoolkit/v3/relyingparty/publicKeys')).json).toEqual({});
  expect((await client.request('GET', '/.well-known/jwks.json')).json).toEqual({ keys: [] });
});
