import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { listMails } from '../codes/mailed-codes.fixture.ts';
import { ANN, openAnn, openVerified } from '../mfa/second-factor.fixture.ts';
import { enroll, passkeysOf, signInWithPasskey, TestAuthenticator } from './authenticator.fixture.ts';
import { passkeyKey } from './passkey.ts';

const START = '/v2/accounts/passkeyEnrollment:start';
const FINISH = '/v2/accounts/passkeyEnrollment:finalize';

test('[I900] the options for a new passkey name the account by a random handle', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  const { json } = await client.post(START, { idToken });
  expect(json['credentialCreationOptions']).toEqual(json['options']);
  expect(json['options']).toMatchObject({
    rp: { id: 'localhost', name: 'demo' },
    user: { name: ANN.email, displayName: ANN.email },
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    extensions: { credProps: true },
  });
  const { user } = Object(json['options']);
  expect(Buffer.from(user.id, 'base64url')).toHaveLength(32);
});

test('[I901] an enrolled passkey is listed, excluded from the next enrollment, and announced by mail', async () => {
  const client = await AuthClient.open();
  const { idToken, uid } = await openVerified(client);
  const authenticator = new TestAuthenticator();
  const { json } = await enroll(client, authenticator, { idToken });
  expect(json).toMatchObject({ localId: uid, expiresIn: '3600' });
  expect(claimsOf(json['idToken'])['firebase']).toMatchObject({
    sign_in_provider: 'passkey',
    sign_in_second_factor: 'passkey',
    second_factor_identifier: passkeyKey(authenticator.credentialId),
  });
  const user = await client.lookup(idToken);
  expect(passkeysOf(user)).toMatchObject([
    { credentialId: authenticator.credentialId, name: 'Unnamed Passkey', backedUp: false },
  ]);
  expect(user['mfaInfo']).toEqual([]);
  const next = await client.post(START, { idToken });
  expect(Object(next.json['options'])).toMatchObject({
    user: { id: authenticator.userHandle },
    excludeCredentials: [
      { type: 'public-key', id: authenticator.credentialId, transports: ['internal', 'hybrid'] },
    ],
  });
  expect(listMails(client)).toMatchObject([{ to: ANN.email, kind: 'passkeyAdded' }]);
  expect(client.audited.at(-1)).toMatchObject({ event: 'passkey_added', uid, detail: 'Unnamed Passkey' });
});

test.each(['ES256', 'EdDSA', 'RS256'] as const)('[I902] a key for %s signs in', async (algorithm) => {
  const client = await AuthClient.open();
  const { idToken, uid } = await openVerified(client);
  const authenticator = new TestAuthenticator({ algorithm });
  await enroll(client, authenticator, { idToken });
  expect((await signInWithPasskey(client, authenticator)).json['localId']).toBe(uid);
});

test('[I902] keys for other algorithms are rejected', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  const { error } = await enroll(client, new TestAuthenticator({ algorithm: 'ES384' }), { idToken });
  expect(error).toMatch(/^INVALID_AUTHENTICATOR_RESPONSE : Unexpected public key alg/);
});

test('[I903] a passkey can be added only within five minutes of signing in', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  client.clock.ms += 301_000;
  expect((await client.post(START, { idToken })).error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
});

test('[I903] an account with a second factor needs a sign-in that used one', async () => {
  const client = await AuthClient.open();
  const ann = await openAnn(client);
  expect((await client.post(START, { idToken: ann.earlier.idToken })).error).toMatch(
    /^CREDENTIAL_TOO_OLD_LOGIN_AGAIN/,
  );
  expect((await enroll(client, new TestAuthenticator(), { idToken: ann.idToken })).status).toBe(200);
});

test('[I903] an account has at most 20 passkeys', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  for (let count = 0; count < 20; count += 1)
    expect((await enroll(client, new TestAuthenticator(), { idToken })).status).toBe(200);
  expect((await client.post(START, { idToken })).error).toMatch(/^PASSKEY_LIMIT_EXCEEDED/);
});

test.each([
  ['', 'Unnamed Passkey'],
  ['My laptop', 'My laptop'],
  ['x'.repeat(64), 'x'.repeat(64)],
])('[I904] the name %j becomes %j', async (name, shown) => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  await enroll(client, new TestAuthenticator(), { idToken, name });
  expect(passkeysOf(await client.lookup(idToken))).toMatchObject([{ name: shown }]);
});

test('[I904] a name of more than 64 characters is rejected', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  const { error } = await enroll(client, new TestAuthenticator(), { idToken, name: 'x'.repeat(65) });
  expect(error).toMatch(/^INVALID_ARGUMENT/);
});

test('[I904] a passkey without a name gets that of its password manager', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  const authenticator = new TestAuthenticator({ aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' });
  await enroll(client, authenticator, { idToken });
  expect(passkeysOf(await client.lookup(idToken))).toMatchObject([{ name: 'iCloud Keychain' }]);
});

test('[I905] a user signs up with only a passkey', async () => {
  const client = await AuthClient.open();
  const authenticator = new TestAuthenticator();
  const { json } = await enroll(client, authenticator, { signUp: true, displayName: 'Ann' });
  expect(json).toMatchObject({ isNewUser: true });
  expect(await client.lookup(json['idToken'])).toMatchObject({ displayName: 'Ann', providerUserInfo: [] });
  const { json: again } = await signInWithPasskey(client, authenticator);
  expect(again['localId']).toBe(json['localId']);
  expect(client.audited.map(({ event }) => event)).toEqual(['sign_up', 'passkey_added', 'sign_in']);
});

test('[I905] signing up with an address and a passkey needs an email link first, and fails if users may not sign up', async () => {
  const client = await AuthClient.open();
  expect((await client.post(START, { signUp: true, email: ANN.email })).error).toMatch(/^UNVERIFIED_EMAIL/);
  await client.settings((settings) => ({ ...settings, isSignUpEnabled: false }));
  expect((await client.post(START, { signUp: true })).error).toBe('ADMIN_ONLY_OPERATION');
});

test('[I906] a passkey makes an anonymous account permanent, and ends its other sessions', async () => {
  const client = await AuthClient.open();
  const { json: anonymous } = await client.post('accounts:signUp');
  const { json } = await enroll(client, new TestAuthenticator(), { idToken: anonymous['idToken'] });
  expect((await client.refresh(anonymous['refreshToken'])).error).toBe('TOKEN_EXPIRED');
  expect((await client.refresh(json['refreshToken'])).status).toBe(200);
});

test('[I906] a project may exclude anonymous users', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({
    ...settings,
    passkeys: { ...settings.passkeys, areAnonymousAllowed: false },
  }));
  const { json } = await client.post('accounts:signUp');
  expect((await client.post(START, { idToken: json['idToken'] })).error).toMatch(/^OPERATION_NOT_ALLOWED/);
});

test('[I907] a passkey belongs to one account of a project', async () => {
  const client = await AuthClient.open();
  const authenticator = new TestAuthenticator();
  const { idToken } = await openVerified(client);
  const other = await openVerified(client, 'bob@example.com');
  expect((await enroll(client, authenticator, { idToken })).status).toBe(200);
  for (const token of [idToken, other.idToken])
    expect((await enroll(client, authenticator, { idToken: token })).error).toBe('CREDENTIAL_ALREADY_IN_USE');
});

test('[I907] an account whose user ID has 128 characters enrolls and signs in', async () => {
  const client = await AuthClient.open();
  const localId = 'u'.repeat(128);
  await client.admin('/v1/projects/demo/accounts', { localId, ...ANN });
  const { json } = await client.post('accounts:signInWithPassword', ANN);
  const authenticator = new TestAuthenticator({ idBytes: 1_023 });
  expect((await enroll(client, authenticator, { idToken: json['idToken'] })).json['localId']).toBe(localId);
  expect((await signInWithPasskey(client, authenticator)).json['localId']).toBe(localId);
});

test('[I908] missing input has an error of its own, and nothing works while passkeys are not offered', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  expect((await client.post(START)).error).toBe('MISSING_ID_TOKEN');
  expect((await client.post(FINISH)).error).toBe('MISSING_ID_TOKEN');
  expect((await client.post(FINISH, { idToken })).error).toBe('MISSING_AUTHENTICATOR_RESPONSE');
  const authenticatorRegistrationResponse = { response: {} };
  expect((await client.post(FINISH, { idToken, authenticatorRegistrationResponse })).error).toBe(
    'INVALID_CREDENTIAL_ID',
  );
  await client.settings((settings) => ({
    ...settings,
    passkeys: { ...settings.passkeys, isEnabled: false },
  }));
  for (const path of [
    START,
    FINISH,
    '/v2/accounts/passkeySignIn:start',
    '/v2/accounts/passkeySignIn:finalize',
  ])
    expect((await client.post(path, { idToken })).error).toBe('OPERATION_NOT_ALLOWED');
});

test('[I909] an attestation with certificates is rejected before any of their addresses is requested', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  for (const format of ['packed', 'tpm', 'android-key', 'fido-u2f', 'apple', 'unknown']) {
    const attestation = { format, statement: new Map([['x5c', Buffer.from('certificate')]]) };
    const { error } = await enroll(client, new TestAuthenticator(), { idToken }, { attestation });
    expect(error).toMatch(/^INVALID_AUTHENTICATOR_RESPONSE : Leave out the attestation/);
  }
});

test.each([
  ['the origin of another page', { origin: 'https://evil.example' }],
  ['the origin of a similar name', { origin: 'http://notlocalhost:9000' }],
  ['another RP ID', { rpId: 'evil.example' }],
  ['another type', { type: 'webauthn.get' }],
  ['a frame of another site', { crossOrigin: true }],
  ['no presence of the user', { isUserPresent: false }],
])('[I910] the enrollment with %s is rejected and recorded', async (_what, difference) => {
  const client = await AuthClient.open();
  const { idToken, uid } = await openVerified(client);
  const { error } = await enroll(client, new TestAuthenticator(), { idToken }, difference);
  expect(error).toMatch(/^INVALID_AUTHENTICATOR_RESPONSE/);
  expect(client.audited.at(-1)).toMatchObject({
    event: 'passkey_added',
    result: 'INVALID_AUTHENTICATOR_RESPONSE',
    ...('crossOrigin' in difference ? {} : { uid }),
  });
});
