import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { claimsOf } from '../api/auth-client.fixture.ts';
import { takeRsaKeyPair } from '../tokens/rsa-key-pairs.fixture.ts';
import { configure, openProviderTestBed, reply } from './fake-provider.fixture.ts';
import { signInWithIdToken } from './idp.fixture.ts';

const ANN = { sub: '7', email: 'ann@example.com', email_verified: true, name: 'Ann' };
const NOW_SEC = 1_700_000_000;

test('[I960] a token that the provider signed for the project signs in, and its address is proven only as configured', async () => {
  const { client, provider } = await openProviderTestBed();
  await configure(client, 'oidc.work');
  const { json } = await signInWithIdToken(client, await provider.sign(ANN), {}, 'oidc.work');
  expect(json).toMatchObject({ isNewUser: true, displayName: 'Ann', emailVerified: false });
  expect(claimsOf(json['idToken'])).toMatchObject({
    email_verified: false,
    firebase: { sign_in_provider: 'oidc.work', sign_in_attributes: { name: 'Ann' } },
  });
  await configure(client, 'oidc.home', { hearth: { emailAuthority: 'VERIFIED' } });
  const proven = await signInWithIdToken(client, await provider.sign({ ...ANN, sub: '8' }), {}, 'oidc.home');
  expect(proven.json).toMatchObject({ localId: json['localId'], emailVerified: true });
  // Both configurations share the documents of the issuer.
  expect(provider.requested).toHaveLength(2);
});

test.each<readonly [string, object, string]>([
  ['another issuer', { iss: 'https://evil.example' }, 'is of another issuer'],
  ['no issuer', { iss: undefined }, 'has no issuer'],
  ['the app of another project', { aud: 'other' }, 'is for another app'],
  ['several apps', { aud: ['shop', 'other'] }, 'is for several apps'],
  ['another app, which obtained it', { aud: 'shop', azp: 'other' }, 'was issued to another app'],
  ['an earlier hour', { exp: NOW_SEC - 61 }, 'has expired'],
  ['no time', { exp: undefined }, 'has expired'],
  ['the future', { iat: NOW_SEC + 61 }, 'is from the future'],
  ['a later time', { nbf: NOW_SEC + 61 }, 'is not valid yet'],
])('[I961] a token of %s is rejected', async (_what, claims, problem) => {
  const { client, provider } = await openProviderTestBed();
  await configure(client, 'oidc.work');
  const { error } = await signInWithIdToken(
    client,
    await provider.sign({ ...ANN, ...claims }),
    {},
    'oidc.work',
  );
  expect(error).toBe(`INVALID_IDP_RESPONSE : The ID token ${problem}.`);
  expect(client.audited.at(-1)).toMatchObject({ event: 'sign_in', result: 'INVALID_IDP_RESPONSE' });
});

test('[I961] tokens with another signature are rejected, whatever algorithm they name', async () => {
  const { client, provider } = await openProviderTestBed();
  await configure(client, 'oidc.work');
  const { privateKey } = takeRsaKeyPair();
  const valid = await provider.sign(ANN);
  const [, claims] = valid.split('.');
  const header = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');
  const publicPem = Buffer.from(JSON.stringify(provider.publicKey()));
  const tokens = [
    await provider.sign(ANN, privateKey),
    await provider.sign(ANN, privateKey, { kid: 'unknown' }),
    await provider.sign(ANN, publicPem, { alg: 'HS256' }),
    `${header({ alg: 'none' })}.${claims}.`,
    `${header({ alg: 'RS256', kid: 'key-1' })}.${claims}.`,
    `${header({ alg: 'RS256', jwk: { kty: 'RSA' }, kid: 'key-1' })}.${claims}.${valid.split('.')[2]}`,
    JSON.stringify(ANN),
    'abc',
    'x'.repeat(16_385),
  ];
  for (const token of tokens) {
    const { error } = await signInWithIdToken(client, token, {}, 'oidc.work');
    expect(error).toMatch(/^INVALID_IDP_RESPONSE : The ID token/);
  }
  expect((await signInWithIdToken(client, valid, {}, 'oidc.work')).status).toBe(200);
});

test('[I961] tokens of another form, for other apps and of other times cause no request to the provider', async () => {
  const { client, provider } = await openProviderTestBed();
  await configure(client, 'oidc.work');
  const encode = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');
  const claims = encode({ ...ANN, aud: 'shop', iss: provider.issuer, exp: NOW_SEC + 100 });
  const garbage = [
    'abc',
    'a.b.c',
    `${encode({ alg: 'HS256' })}.${claims}.AAAA`,
    `${encode({ alg: 'none' })}.${claims}.`,
    `${encode({ alg: 'RS256' })}.${claims}`,
    await provider.sign({ ...ANN, aud: 'other' }),
    await provider.sign({ ...ANN, exp: NOW_SEC - 61 }),
  ];
  for (const token of garbage)
    expect((await signInWithIdToken(client, token, {}, 'oidc.work')).error).toMatch(
      /^INVALID_IDP_RESPONSE : The ID token/,
    );
  expect(provider.requested).toEqual([]);
});

test.each([
  ['raw', 'raw', undefined],
  [createHash('sha256').update('raw').digest('hex'), 'raw', undefined],
  ['raw', 'other', 'MISSING_OR_INVALID_NONCE'],
  ['raw', undefined, 'MISSING_OR_INVALID_NONCE'],
  [undefined, 'raw', 'MISSING_OR_INVALID_NONCE'],
  // The hash itself is in the token, which others may have seen.
  [
    createHash('sha256').update('raw').digest('hex'),
    createHash('sha256').update('raw').digest('hex'),
    undefined,
  ],
])(
  '[I962] with the nonce %s in the token and %s in the request, the error is %s',
  async (nonce, raw, error) => {
    const { client, provider } = await openProviderTestBed();
    await configure(client, 'oidc.work');
    const body = new URLSearchParams({
      providerId: 'oidc.work',
      id_token: await provider.sign({ ...ANN, nonce }),
      ...(raw === undefined ? {} : { nonce: raw }),
    });
    const answer = await signInWithIdToken(client, '', { postBody: body.toString() });
    expect(answer.error?.split(' : ')[0]).toBe(error);
  },
);

test('[I963] an unknown key is fetched again once a minute, and documents once an hour', async () => {
  const { client, provider } = await openProviderTestBed();
  await configure(client, 'oidc.work');
  const signIn = async (token: string) => (await signInWithIdToken(client, token, {}, 'oidc.work')).status;
  expect(await signIn(await provider.sign(ANN))).toBe(200);
  provider.rotate('key-2');
  // The keys are too recent to be fetched again.
  expect(await signIn(await provider.sign(ANN))).toBe(400);
  client.clock.ms += 60_000;
  expect(await signIn(await provider.sign(ANN))).toBe(200);
  expect(provider.requested.filter((address) => address.endsWith('/keys'))).toHaveLength(2);
  client.clock.ms += 3_600_000 - 60_000;
  await signIn(await provider.sign(ANN));
  expect(provider.requested.filter((address) => address.endsWith('configuration'))).toHaveLength(2);
});

test('[I963] while the provider cannot be reached, its last keys are used for a day', async () => {
  const { client, provider } = await openProviderTestBed();
  await configure(client, 'oidc.work');
  const token = await provider.sign({ ...ANN, exp: NOW_SEC + 1_000_000 });
  await signInWithIdToken(client, token, {}, 'oidc.work');
  provider.answers.clear();
  client.clock.ms += 86_399_000;
  expect((await signInWithIdToken(client, token, {}, 'oidc.work')).status).toBe(200);
  client.clock.ms += 60_000;
  expect((await signInWithIdToken(client, token, {}, 'oidc.work')).status).toBe(400);
});

test('[I964] the reason why a provider does not answer is only in the audit log, once until the next attempt', async () => {
  const { client, provider } = await openProviderTestBed();
  await configure(client, 'oidc.work');
  const keys = provider.discovery();
  const answers: readonly (readonly [string, () => ReturnType<typeof reply>, RegExp])[] = [
    ['configuration', () => reply('', 302), /status 302/],
    ['configuration', () => reply('<html>'), /something other than a JSON object/],
    ['configuration', () => reply({ ...keys, issuer: 'https://evil.example' }), /another issuer/],
    ['configuration', () => reply({ ...keys, jwks_uri: 'http://id.example/keys' }), /not an https URL/],
    ['configuration', () => reply({ ...keys, jwks_uri: 'https://u:p@id.example/keys' }), /not an https URL/],
    ['configuration', () => reply({ ...keys, jwks_uri: 'https://inside.example/keys' }), /unknown host/],
    ['keys', () => reply({ keys: {} }), /not a list of at most 100 keys/],
  ];
  const discovery = provider.answers.get(`${provider.issuer}/.well-known/openid-configuration`);
  for (const [which, answer, reason] of answers) {
    if (discovery !== undefined)
      provider.answers.set(`${provider.issuer}/.well-known/openid-configuration`, discovery);
    const address = which === 'keys' ? '/keys' : '/.well-known/openid-configuration';
    provider.answers.set(`${provider.issuer}${address}`, answer);
    client.clock.ms += 7_200_000;
    const token = await provider.sign({ ...ANN, exp: NOW_SEC + 1_000_000 });
    const { error } = await signInWithIdToken(client, token, {}, 'oidc.work');
    expect(error).toBe('INVALID_IDP_RESPONSE : The provider does not answer.');
    const logged = client.audited.filter(({ event }) => event === 'provider_unavailable');
    expect(logged.at(-1)?.detail).toMatch(reason);
  }
});

test('[I965] a provider that the project has not enabled is rejected, as are unsigned tokens', async () => {
  const { client, provider } = await openProviderTestBed();
  const error = 'OPERATION_NOT_ALLOWED : The identity provider configuration is not found.';
  const token = await provider.sign(ANN);
  expect((await signInWithIdToken(client, token, {}, 'oidc.work')).error).toBe(error);
  await configure(client, 'oidc.work', { enabled: false });
  expect((await signInWithIdToken(client, token, {}, 'oidc.work')).error).toBe(error);
  await configure(client, 'google.com');
  expect((await signInWithIdToken(client, ANN)).error).toMatch(/^INVALID_IDP_RESPONSE/);
  expect((await signInWithIdToken(client, token, {}, '')).error).toMatch(
    /^INVALID_CREDENTIAL_OR_PROVIDER_ID/,
  );
});

test.each([
  ['ann@gmail.com', true, {}, true],
  ['ann@gmail.com', false, {}, false],
  ['ann@example.com', true, {}, false],
  ['ann@example.com', true, { hd: 'example.com' }, true],
  ['ann@example.com', true, { hd: 'other.example' }, false],
])('[I966] Google proves %s, verified %s, with %j: %s', async (email, isVerified, claims, isProven) => {
  const { client, provider } = await openProviderTestBed('https://accounts.google.com');
  await configure(client, 'google.com');
  // A native app obtains tokens for the web client.
  const token = await provider.sign({ ...ANN, email, email_verified: isVerified, azp: 'android', ...claims });
  const { json } = await signInWithIdToken(client, token);
  expect(claimsOf(json['idToken'])['email_verified']).toBe(isProven);
});

test('[I966] Apple writes claims as text, and a bundle id is a client of the app', async () => {
  const { client, provider } = await openProviderTestBed('https://appleid.apple.com');
  await configure(client, 'apple.com', { appleSignInConfig: { bundleIds: ['example.app'] } });
  const token = await provider.sign({ ...ANN, aud: 'example.app', email_verified: 'true' });
  const { json } = await signInWithIdToken(client, token, {}, 'apple.com');
  expect(claimsOf(json['idToken'])['email_verified']).toBe(true);
});

test('[I966] the issuer of Microsoft contains the organization of the user', async () => {
  const issuer = 'https://login.microsoftonline.com/common/v2.0';
  const { client, provider } = await openProviderTestBed(issuer);
  const template = 'https://login.microsoftonline.com/{tenantid}/v2.0';
  provider.answers.set(`${issuer}/.well-known/openid-configuration`, () =>
    reply({ ...provider.discovery(), issuer: template }),
  );
  await configure(client, 'microsoft.com');
  const tid = '9122040d-6c67-4c5b-b112-36a304b66dad';
  const signIn = async (claims: object) =>
    signInWithIdToken(client, await provider.sign({ ...ANN, oid: 'o-1', ...claims }), {}, 'microsoft.com');
  const { json } = await signIn({ tid, iss: template.replace('{tenantid}', tid) });
  expect(json).toMatchObject({ federatedId: 'o-1', email: 'ann@example.com' });
  // The organization chooses the address.
  expect(claimsOf(json['idToken'])['email_verified']).toBe(false);
  for (const claims of [
    { tid, iss: template },
    { tid: 'a/../b', iss: 'https://login.microsoftonline.com/a/../b/v2.0' },
    { tid, iss: 'https://login.microsoftonline.com/other/v2.0' },
  ])
    expect((await signIn(claims)).error).toMatch(/of another issuer/);
});

test.each([
  ['00000000-0000-0000-0abc-0123456789ab', 'abc0123456789ab'],
  ['9122040d-6c67-4c5b-b112-36a304b66dad', '7'],
])(
  '[I973] an imported identity of Microsoft is found with the oid %s under the id %s',
  async (oid, rawId) => {
    const issuer = 'https://login.microsoftonline.com/common/v2.0';
    const { client, provider } = await openProviderTestBed(issuer);
    await configure(client, 'microsoft.com');
    const { localId } = await client.signUp('imported@example.com');
    const linkProviderUserInfo = { providerId: 'microsoft.com', rawId };
    await client.admin('projects/demo/accounts:update', { localId, linkProviderUserInfo });
    for (const _attempt of [1, 2]) {
      const token = await provider.sign({ ...ANN, oid });
      const { json } = await signInWithIdToken(client, token, {}, 'microsoft.com');
      expect(json['localId']).toBe(localId);
      expect(await client.lookup(json['idToken'])).toMatchObject({
        providerUserInfo: expect.arrayContaining([expect.objectContaining(linkProviderUserInfo)]),
      });
    }
  },
);

test.each([
  ['oidc.work', 'https://id.example', {}],
  ['google.com', 'https://accounts.google.com', {}],
  ['yahoo.com', 'https://api.login.yahoo.com', {}],
  ['linkedin.com', 'https://www.linkedin.com/oauth', {}],
  ['microsoft.com', 'https://login.microsoftonline.com/common/v2.0', { oid: 'o', xms_edov: false }],
])(
  '[I975] %s does not take over the account of an address that it claims to be verified',
  async (id, issuer, claims) => {
    const { client, provider } = await openProviderTestBed(issuer);
    await configure(client, id);
    const { localId } = await client.signUp();
    await client.admin('projects/demo/accounts:update', { localId, emailVerified: true });
    const token = await provider.sign({ ...ANN, sub: 'attacker', ...claims });
    const { json } = await signInWithIdToken(client, token, {}, id);
    expect(json).toMatchObject({ needConfirmation: true });
    for (const name of ['idToken', 'refreshToken']) expect(json).not.toHaveProperty(name);
    expect(client.audited.at(-1)).toMatchObject({ event: 'provider_unconfirmed', uid: localId, detail: id });
    const { json: own } = await client.post('accounts:signInWithPassword', {
      email: ANN.email,
      password: 'password',
    });
    expect(own['localId']).toBe(localId);
  },
);
