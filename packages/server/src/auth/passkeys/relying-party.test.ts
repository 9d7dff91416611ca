import { describe, expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { openVerified } from '../mfa/second-factor.fixture.ts';
import type { ProjectPasskeys } from '../projects/passkey-settings.ts';
import { DEVELOPMENT_SETTINGS, NEW_SETTINGS, type ProjectSettings } from '../projects/project.ts';
import { enroll, TestAuthenticator } from './authenticator.fixture.ts';
import { isAcceptedOrigin, type RelyingParty } from './relying-party.ts';

const HASH = 'A'.repeat(43);

function partyOf(settings: Partial<ProjectSettings>, passkeys: Partial<ProjectPasskeys> = {}): RelyingParty {
  const id = passkeys.rpId ?? 'auth.example.com';
  return {
    id,
    origin: 'https://auth.example.com',
    settings: { ...NEW_SETTINGS, ...settings, passkeys: { ...NEW_SETTINGS.passkeys, ...passkeys } },
    isDevelopment: false,
  };
}

describe('[I919] the origin of a page or app', () => {
  const authorizedDomains = ['example.com', 'other.example', '*.wild.example', 'localhost', '203.0.113.5'];
  const party = partyOf({ authorizedDomains }, { rpId: 'example.com', androidKeyHashes: [HASH] });

  test.each([
    'https://example.com',
    'https://app.example.com',
    'https://app.example.com:8443',
    'https://auth.example.com',
    'https://other.example',
    `android:apk-key-hash:${HASH}`,
  ])('%s is accepted', (origin) => expect(isAcceptedOrigin(origin, party)).toBe(true));

  test.each([
    'http://example.com',
    'https://example.com/',
    'https://example.com.evil.test',
    'https://notexample.com',
    'https://user@example.com',
    'https://sub.other.example',
    'https://other.example:8443',
    'https://a.wild.example',
    'https://203.0.113.5',
    'http://localhost:3000',
    'https://EXAMPLE.com',
    `android:apk-key-hash:${'B'.repeat(43)}`,
    'null',
    '',
  ])('%j is rejected', (origin) => expect(isAcceptedOrigin(origin, party)).toBe(false));

  test('a domain below the RP ID that the project does not list is rejected', () => {
    const narrow = partyOf({ authorizedDomains: ['app.example.com'] }, { rpId: 'example.com' });
    expect(isAcceptedOrigin('https://app.example.com', narrow)).toBe(true);
    expect(isAcceptedOrigin('https://blog.example.com', narrow)).toBe(false);
  });

  test('in development mode pages of localhost at any port are accepted, and others are not', () => {
    const party = { ...partyOf({}), id: 'localhost', settings: DEVELOPMENT_SETTINGS, isDevelopment: true };
    for (const origin of ['http://localhost', 'http://localhost:5173', 'http://app.localhost:5173'])
      expect(isAcceptedOrigin(origin, party)).toBe(true);
    for (const origin of ['http://127.0.0.1:5173', 'http://localhost.evil.test', 'http://192.0.2.1'])
      expect(isAcceptedOrigin(origin, party)).toBe(false);
  });
});

test('[I920] domains outside the RP ID are listed for browsers, and their pages use the passkeys', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({
    ...settings,
    authorizedDomains: ['localhost', 'app.example', '*.wild.example', '127.0.0.1'],
  }));
  const { status, json, headers } = await client.request('GET', '/.well-known/webauthn');
  expect([status, json, headers['content-type']]).toEqual([
    200,
    { origins: ['https://app.example'] },
    'application/json; charset=utf-8',
  ]);
  const { idToken } = await openVerified(client);
  const related = new TestAuthenticator({}, { origin: 'https://app.example' });
  expect((await enroll(client, related, { idToken })).status).toBe(200);
});

test('[I1646] apps that the project lists may use the credentials of the host, and open no links', async () => {
  const client = await AuthClient.open();
  const links = () => client.request('GET', '/.well-known/assetlinks.json');
  const apple = () => client.request('GET', '/.well-known/apple-app-site-association');
  expect([(await links()).text, (await apple()).text]).toEqual(['[]', '{"webcredentials":{"apps":[]}}']);
  client.clock.ms += 60_000;
  await client.settings((settings) => ({
    ...settings,
    passkeys: {
      ...settings.passkeys,
      androidPackages: ['com.example.one', 'com.example.two'],
      androidKeyHashes: [Buffer.alloc(32, 0xab).toString('base64url')],
      appleAppIds: ['ABCDE12345.com.example.app'],
    },
  }));
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
  const linkTo = (name: string) => ({
    relation: ['delegate_permission/common.get_login_creds'],
    target: { namespace: 'android_app', package_name: name, sha256_cert_fingerprints: [fingerprint] },
  });
  const { status, text, headers } = await links();
  expect([status, JSON.parse(text)]).toEqual([200, [linkTo('com.example.one'), linkTo('com.example.two')]]);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const { text: association, headers: appleHeaders } = await apple();
  expect(JSON.parse(association)).toEqual({ webcredentials: { apps: ['ABCDE12345.com.example.app'] } });
  expect(appleHeaders['content-type']).toBe('application/json; charset=utf-8');
});

test('[I1646] the list of native apps is empty for projects without passkeys, or with another domain for passkeys', async () => {
  for (const change of [{ isEnabled: false }, { rpId: 'other.example' }, { androidKeyHashes: [] }]) {
    const client = await AuthClient.open();
    await client.settings((settings) => ({
      ...settings,
      passkeys: {
        ...settings.passkeys,
        androidPackages: ['com.example.app'],
        androidKeyHashes: [HASH],
        ...change,
      },
    }));
    expect((await client.request('GET', '/.well-known/assetlinks.json')).text).toBe('[]');
  }
});

test('[I921] passkeys are settings of the project that only owners change', async () => {
  const client = await AuthClient.open();
  const path = '/v2/projects/demo/config?updateMask=signIn.hearth.passkeys';
  const update = (passkeys: object) =>
    client.request('PATCH', path, JSON.stringify({ signIn: { hearth: { passkeys } } }), {
      authorization: 'Bearer owner',
    });
  const passkeys = {
    enabled: true,
    rpId: 'Example.com',
    userVerification: 'PREFERRED',
    allowAnonymous: false,
    androidKeyHashes: [HASH],
    androidPackages: ['com.example.app'],
    appleAppIds: ['ABCDE12345.com.example.app'],
  };
  const { json } = await update(passkeys);
  expect(Object(json['signIn']).hearth.passkeys).toEqual({ ...passkeys, rpId: 'example.com' });
  for (const wrong of [
    { rpId: 'https://example.com' },
    { rpId: '192.0.2.1' },
    { userVerification: 'NEVER' },
    { androidKeyHashes: ['short'] },
    { androidPackages: ['app'] },
    { androidPackages: ['com.example.app/x'] },
    { androidPackages: Array.from({ length: 51 }, (_, n) => `com.example.app${n}`) },
    { appleAppIds: ['com.example.app'] },
    { appleAppIds: [7] },
    { enabled: 1 },
  ])
    expect((await update({ ...passkeys, ...wrong })).error).toMatch(/^INVALID_CONFIG/);
});
