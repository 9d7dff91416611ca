import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { ANN, change, finish, openAnn, openVerified } from '../mfa/second-factor.fixture.ts';
import { SERVING } from '../throttling/limits.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import {
  type Difference,
  enroll,
  finishWith,
  passkeysOf,
  requestOptions,
  signInWithPasskey,
  TestAuthenticator,
} from './authenticator.fixture.ts';
import { passkeyKey } from './passkey.ts';

/** Opens a server with an account that has a passkey. */
async function open(always: Difference = {}) {
  const client = await AuthClient.open();
  const { idToken, uid } = await openVerified(client);
  const authenticator = new TestAuthenticator({}, always);
  await enroll(client, authenticator, { idToken });
  return { client, authenticator, idToken, uid };
}

test('[I911] a passkey signs in, and the tokens name it as method and second factor, also after a refresh', async () => {
  const { client, authenticator, uid } = await open();
  client.clock.ms += 60_000;
  const { json } = await signInWithPasskey(client, authenticator);
  expect(json).toMatchObject({ localId: uid, expiresIn: '3600' });
  const { json: refreshed } = await client.refresh(json['refreshToken']);
  for (const token of [json['idToken'], refreshed['id_token']])
    expect(claimsOf(token)['firebase']).toMatchObject({
      sign_in_provider: 'passkey',
      sign_in_second_factor: 'passkey',
      second_factor_identifier: passkeyKey(authenticator.credentialId),
    });
  expect(passkeysOf(await client.lookup(json['idToken']))).toMatchObject([
    { lastUsedAt: new Date(client.clock.ms).toISOString() },
  ]);
  expect(client.audited.at(-1)).toMatchObject({ event: 'sign_in', uid, detail: 'passkey' });
});

test('[I912] the options for a sign-in name no passkeys, except for the account of an ID token', async () => {
  const { client, authenticator, idToken, uid } = await open();
  const { json } = await client.post('/v2/accounts/passkeySignIn:start');
  expect(json['credentialRequestOptions']).toEqual(json['options']);
  expect(json['options']).toEqual({
    challenge: expect.any(String),
    rpId: 'localhost',
    timeout: 300_000,
    userVerification: 'required',
  });
  expect(await requestOptions(client, { idToken })).toMatchObject({
    allowCredentials: [{ type: 'public-key', id: authenticator.credentialId }],
  });
  const again = await signInWithPasskey(client, authenticator, { userHandle: null }, { idToken });
  expect(again.json['localId']).toBe(uid);
});

test.each<readonly [string, Difference]>([
  ['the origin of another page', { origin: 'https://evil.example' }],
  ['another RP ID', { rpId: 'evil.example' }],
  ['another type', { type: 'webauthn.create' }],
  ['a frame of another site', { crossOrigin: true }],
  ['no presence of the user', { isUserPresent: false }],
  ['no verification of the user', { isUserVerified: false }],
  ['the user handle of another account', { userHandle: Buffer.alloc(32).toString('base64url') }],
  ['no user handle', { userHandle: null }],
  ['another backup eligibility', { isBackupEligible: true }],
])('[I913] a sign-in with %s is rejected and recorded with its account', async (_what, difference) => {
  const { client, authenticator, uid } = await open();
  expect((await signInWithPasskey(client, authenticator, difference)).error).toMatch(
    /^INVALID_AUTHENTICATOR_RESPONSE/,
  );
  const event = { event: 'sign_in', detail: 'passkey', result: 'INVALID_AUTHENTICATOR_RESPONSE' };
  expect(client.audited.at(-1)).toMatchObject({ ...event, ...(difference.crossOrigin ? {} : { uid }) });
  expect((await signInWithPasskey(client, authenticator)).status).toBe(200);
});

test('[I913] a signature by another key is rejected', async () => {
  const { client, authenticator, uid } = await open();
  const options = await requestOptions(client);
  const response = Object(authenticator.sign(options));
  const foreign = Object(new TestAuthenticator().sign(options));
  const { error } = await finishWith(client, {
    ...response,
    response: { ...response.response, signature: foreign.response.signature },
  });
  expect(error).toBe('INVALID_AUTHENTICATOR_RESPONSE : The signature is not that of the passkey.');
  expect(client.audited.at(-1)).toMatchObject({ event: 'sign_in', uid });
});

test('[I913] a passkey that no account has is rejected', async () => {
  const { client } = await open();
  expect((await signInWithPasskey(client, new TestAuthenticator(), { userHandle: 'AAAA' })).error).toBe(
    'PASSKEY_CREDENTIAL_NOT_FOUND',
  );
});

test('[I914] a challenge works once, however many clients send its signature at the same time', async () => {
  const { client, authenticator } = await open();
  const response = authenticator.sign(await requestOptions(client));
  const answers = await Promise.all(Array.from({ length: 20 }, () => finishWith(client, response)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(new Set(answers.map(({ error }) => error))).toEqual(new Set([undefined, 'INVALID_SESSION_INFO']));
});

test('[I914] a challenge is valid for five minutes', async () => {
  const { client, authenticator } = await open();
  const response = authenticator.sign(await requestOptions(client));
  client.clock.ms += 300_000;
  expect((await finishWith(client, response)).error).toBe('SESSION_EXPIRED');
});

test('[I914] a challenge is valid only for its purpose, account, project and API key', async () => {
  const { client, authenticator, idToken } = await open();
  const forEnrollment = await client.post('/v2/accounts/passkeyEnrollment:start', { idToken });
  const { challenge } = Object(forEnrollment.json['options']);
  const forAccount = Object(await requestOptions(client, { idToken }));
  const forAnyone = Object(await requestOptions(client));
  for (const wrong of [challenge, forAccount.challenge, `${forAnyone.challenge.slice(0, -2)}AA`, ''])
    expect((await finishWith(client, authenticator.sign({ ...forAnyone, challenge: wrong }))).error).toBe(
      'INVALID_SESSION_INFO',
    );
  expect((await finishWith(client, authenticator.sign(forAnyone), { idToken })).error).toBe(
    'INVALID_SESSION_INFO',
  );
  const body = JSON.stringify({ authenticatorAuthenticationResponse: authenticator.sign(forAnyone) });
  const otherKey = await client.request('POST', '/v2/accounts/passkeySignIn:finalize?key=other', body);
  expect(otherKey.error).toBe('INVALID_SESSION_INFO');
  const otherProject = await client.request(
    'POST',
    '/v2/accounts/passkeySignIn:finalize?key=console.other',
    body,
  );
  expect(otherProject.error).toBe('INVALID_SESSION_INFO');
  expect((await finishWith(client, authenticator.sign(forAnyone))).status).toBe(200);
});

test('[I914] starting a sign-in stores nothing, and records of used challenges are removed after they have expired', async () => {
  const { client, authenticator } = await open();
  const countUsed = (): number =>
    client.services.recordStore.read(
      (view) => view.records('accounts:demo').listKeys(['passkeyUsed'], { limit: 100 }).length,
    );
  for (let count = 0; count < 10; count += 1) await requestOptions(client);
  expect(countUsed()).toBe(1);
  await signInWithPasskey(client, authenticator);
  expect(countUsed()).toBe(2);
  client.clock.ms += 300_001;
  await signInWithPasskey(client, authenticator);
  expect(countUsed()).toBe(1);
});

test.each([
  [5, 5],
  [5, 4],
  [5, 0],
])('[I915] after the counter %d, the counter %d is rejected and recorded', async (before, after) => {
  const { client, authenticator, uid } = await open();
  expect((await signInWithPasskey(client, authenticator, { counter: before })).status).toBe(200);
  expect((await signInWithPasskey(client, authenticator, { counter: after })).error).toMatch(
    /^INVALID_PASSKEY_COUNTER/,
  );
  expect(client.audited.at(-1)).toMatchObject({ event: 'sign_in', uid, result: 'INVALID_PASSKEY_COUNTER' });
  expect((await signInWithPasskey(client, authenticator, { counter: 6 })).status).toBe(200);
});

test('[I915] an authenticator whose counter stays 0 signs in any number of times', async () => {
  const { client, authenticator } = await open();
  for (let count = 0; count < 3; count += 1)
    expect((await signInWithPasskey(client, authenticator)).status).toBe(200);
});

test('[I916] where verification of the user is not required, a sign-in without it is one factor', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({
    ...settings,
    passkeys: { ...settings.passkeys, userVerification: 'PREFERRED' },
  }));
  const ann = await openAnn(client);
  const authenticator = new TestAuthenticator();
  await enroll(client, authenticator, { idToken: ann.idToken });
  expect(await requestOptions(client)).toMatchObject({ userVerification: 'preferred' });
  const verified = await signInWithPasskey(client, authenticator);
  expect(verified.json['idToken']).toEqual(expect.any(String));
  const { json } = await signInWithPasskey(client, authenticator, { isUserVerified: false });
  expect(json).toMatchObject({ localId: ann.uid, mfaInfo: [{ mfaEnrollmentId: ann.enrollmentId }] });
  expect(json['idToken']).toBeUndefined();
  const done = await finish(client, json['mfaPendingCredential'], ann.enrollmentId, ann.app.code());
  expect(claimsOf(done.json['idToken'])['firebase']).toMatchObject({
    sign_in_provider: 'passkey',
    sign_in_second_factor: 'totp',
  });
  const sdk = await client.post('accounts:signInWithCustomToken', { token: done.json['customToken'] });
  expect(claimsOf(sdk.json['idToken'])['firebase']).toMatchObject({ sign_in_second_factor: 'totp' });
});

test('[I917] a disabled account is rejected, and the passkey of a deleted account is unknown', async () => {
  const { client, authenticator, uid } = await open();
  await change(client, uid, { disableUser: true });
  expect((await signInWithPasskey(client, authenticator)).error).toBe('USER_DISABLED');
  expect(client.audited.at(-1)).toMatchObject({ event: 'sign_in', uid, result: 'USER_DISABLED' });
  await client.admin('/v1/projects/demo/accounts:delete', { localId: uid });
  expect((await signInWithPasskey(client, authenticator)).error).toBe('PASSKEY_CREDENTIAL_NOT_FOUND');
  const other = await openVerified(client, 'bob@example.com');
  expect((await enroll(client, authenticator, { idToken: other.idToken })).status).toBe(200);
});

test('[I917] a new password ends the sessions of passkeys, and the passkeys stay', async () => {
  const { client, authenticator, uid } = await open();
  const { json } = await signInWithPasskey(client, authenticator);
  await change(client, uid, { password: 'another password' });
  expect((await client.refresh(json['refreshToken'])).error).toBe('TOKEN_EXPIRED');
  expect((await signInWithPasskey(client, authenticator)).json['localId']).toBe(uid);
});

test('[I918] more sign-ins with passkeys than a network may start are rejected', async () => {
  const client = await AuthClient.open(unsignedTokenServices, {
    limits: { ...SERVING, passkeys: { ...SERVING.passkeys, host: { burst: 3, perHour: 0 } } },
  });
  for (let count = 0; count < 3; count += 1)
    expect(await requestOptions(client)).toMatchObject({ rpId: 'localhost' });
  expect((await client.post('/v2/accounts/passkeySignIn:start')).error).toMatch(
    /^TOO_MANY_ATTEMPTS_TRY_LATER/,
  );
  expect((await client.post('accounts:signUp', ANN)).status).toBe(200);
});
