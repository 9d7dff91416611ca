import { expect, test } from 'vitest';
import { INSTALLATION } from '../../records/store.ts';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { requestCode } from '../codes/mailed-codes.fixture.ts';
import { ANN, openAnn } from '../mfa/second-factor.fixture.ts';
import { saveMember } from '../roles/member-store.ts';
import { GOOGLE_ANN, signInWithIdToken } from './idp.fixture.ts';

test('[I850] an identity that no account has gets a new account, and later the same one', async () => {
  const client = await AuthClient.open();
  const { json } = await signInWithIdToken(client, GOOGLE_ANN);
  expect(json).toMatchObject({
    kind: 'identitytoolkit#VerifyAssertionResponse',
    providerId: 'google.com',
    federatedId: 'https://accounts.google.com/100',
    email: 'ann@example.com',
    emailVerified: true,
    displayName: 'Ann',
    isNewUser: true,
    oauthIdToken: JSON.stringify(GOOGLE_ANN),
    expiresIn: '3600',
  });
  expect(JSON.parse(String(json['rawUserInfo']))).toMatchObject({ id: '100', verified_email: true });
  const again = await signInWithIdToken(client, {
    ...GOOGLE_ANN,
    name: 'Ann B.',
    picture: 'https://x.example/a',
  });
  expect(again.json['localId']).toBe(json['localId']);
  expect(again.json).not.toHaveProperty('isNewUser');
  expect(await client.lookup(again.json['idToken'])).toMatchObject({
    email: 'ann@example.com',
    emailVerified: true,
    // The account keeps its name, and gets the picture that it did not have.
    displayName: 'Ann',
    photoUrl: 'https://x.example/a',
    providerUserInfo: [{ providerId: 'google.com', rawId: '100', displayName: 'Ann B.' }],
  });
});

test('[I850] ID tokens name the provider and the identity, also after a refresh', async () => {
  const client = await AuthClient.open();
  const claims = { sub: '7', email: 'ann@example.com', groups: ['staff'], iss: 'https://id.example' };
  const { json } = await signInWithIdToken(client, claims, {}, 'oidc.work');
  const refreshed = await client.refresh(json['refreshToken']);
  for (const token of [json['idToken'], refreshed.json['id_token']])
    expect(claimsOf(token)['firebase']).toEqual({
      identities: { email: ['ann@example.com'], 'oidc.work': ['7'] },
      sign_in_provider: 'oidc.work',
      sign_in_attributes: { sub: '7', email: 'ann@example.com', groups: ['staff'] },
    });
});

test.each<readonly [Readonly<Record<string, unknown>>, string]>([
  [{ requestUri: undefined }, 'MISSING_REQUEST_URI'],
  [{ requestUri: 'nowhere' }, 'INVALID_REQUEST_URI'],
  [{ postBody: 'id_token={"sub":"1"}' }, 'INVALID_CREDENTIAL_OR_PROVIDER_ID'],
  [{ postBody: 'providerId=password&id_token={"sub":"1"}' }, 'INVALID_CREDENTIAL_OR_PROVIDER_ID'],
  [{ postBody: 'providerId=google.com' }, 'INVALID_IDP_RESPONSE'],
  [{ postBody: 'providerId=google.com&id_token=abc' }, 'INVALID_IDP_RESPONSE'],
  [{ postBody: 'providerId=google.com&id_token={"sub":[1]}' }, 'INVALID_IDP_RESPONSE'],
  [{ postBody: `providerId=google.com&id_token={"sub":"${'x'.repeat(256)}"}` }, 'INVALID_IDP_RESPONSE'],
  [{ idToken: 'x' }, 'INVALID_ID_TOKEN'],
])('[I851] a sign-in with %j is rejected with %s', async (change, error) => {
  const client = await AuthClient.open();
  const answer = await signInWithIdToken(client, GOOGLE_ANN, change);
  expect([answer.status, answer.error?.split(' : ')[0]]).toEqual([400, error]);
});

test('[I852] an identity is added to the account of an ID token', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  const linked = await signInWithIdToken(client, { ...GOOGLE_ANN, email: 'other@example.com' }, { idToken });
  expect(linked.json['localId']).toBe(localId);
  expect(claimsOf(linked.json['idToken'])['firebase']).toMatchObject({ sign_in_provider: 'google.com' });
  const { email, providerUserInfo } = await client.lookup(linked.json['idToken']);
  expect([email, Array.isArray(providerUserInfo) && providerUserInfo.length]).toEqual(['ann@example.com', 2]);
  expect(client.audited.at(-2)).toMatchObject({ event: 'provider_linked', detail: 'google.com' });
});

test('[I852] an anonymous account gets the address, and its earlier sessions end', async () => {
  const client = await AuthClient.open();
  const { json: anonymous } = await client.post('accounts:signUp');
  const { json } = await signInWithIdToken(client, GOOGLE_ANN, { idToken: anonymous['idToken'] });
  expect(await client.lookup(json['idToken'])).toMatchObject({
    localId: anonymous['localId'],
    email: 'ann@example.com',
    emailVerified: true,
  });
  expect((await client.refresh(anonymous['refreshToken'])).error).toBe('TOKEN_EXPIRED');
});

test.each([true, false])(
  '[I852] the address of the account is verified by an identity: %s',
  async (isVerified) => {
    const client = await AuthClient.open();
    const { idToken } = await client.signUp();
    const claims = { ...GOOGLE_ANN, email_verified: isVerified };
    const { json } = await signInWithIdToken(client, claims, { idToken });
    const account = await client.lookup(json['idToken']);
    expect([account['emailVerified'], 'passwordHash' in account]).toEqual([isVerified, true]);
  },
);

test('[I852] an identity that an account has, or an address of another account, is not added', async () => {
  const client = await AuthClient.open();
  await signInWithIdToken(client, GOOGLE_ANN);
  const { idToken } = await client.signUp('ben@example.com');
  const used = await signInWithIdToken(client, GOOGLE_ANN, { idToken });
  expect(used.status).toBe(200);
  expect(used.json).toMatchObject({
    errorMessage: 'FEDERATED_USER_ID_ALREADY_LINKED',
    oauthIdToken: JSON.stringify(GOOGLE_ANN),
  });
  const taken = await signInWithIdToken(client, { ...GOOGLE_ANN, sub: '101' }, { idToken });
  expect(taken.json).toMatchObject({ errorMessage: 'EMAIL_EXISTS', email: 'ann@example.com' });
  for (const { json } of [used, taken]) expect(json).not.toHaveProperty('idToken');
  const plain = await signInWithIdToken(client, GOOGLE_ANN, { idToken, returnIdpCredential: false });
  expect(plain.error).toBe('FEDERATED_USER_ID_ALREADY_LINKED');
});

test('[I853] a proven address signs in to the account that has verified it', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp();
  await client.admin('projects/demo/accounts:update', { localId, emailVerified: true });
  const { json } = await signInWithIdToken(client, GOOGLE_ANN);
  expect(json['localId']).toBe(localId);
  expect((await client.post('accounts:signInWithPassword', ANN)).json['localId']).toBe(localId);
  const recycled = await signInWithIdToken(client, { ...GOOGLE_ANN, sub: '200' });
  expect(recycled.json).toMatchObject({ localId, emailRecycled: true });
  expect(await client.lookup(recycled.json['idToken'])).toMatchObject({
    providerUserInfo: [{ providerId: 'password' }, { providerId: 'google.com', rawId: '200' }],
  });
});

test('[I853] a proven address takes over an account that has not verified it, without its credentials', async () => {
  const client = await AuthClient.open();
  const { localId, idToken, refreshToken } = await client.signUp();
  await client.post('accounts:update', { idToken, displayName: 'Not Ann' });
  await client.admin('projects/demo/accounts:update', {
    localId,
    phoneNumber: '+16505550101',
    linkProviderUserInfo: { providerId: 'github.com', rawId: '1' },
  });
  const { json } = await signInWithIdToken(client, GOOGLE_ANN);
  expect(json['localId']).toBe(localId);
  const account = await client.lookup(json['idToken']);
  expect(account).toMatchObject({
    emailVerified: true,
    displayName: 'Ann',
    providerUserInfo: [{ providerId: 'google.com' }],
  });
  expect(account).not.toHaveProperty('passwordHash');
  expect((await client.post('accounts:signInWithPassword', ANN)).status).toBe(400);
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
  expect((await client.refresh(refreshToken)).error).toBe('TOKEN_EXPIRED');
});

test('[I853] an identity that was added under an earlier address is removed when the new address is proven', async () => {
  const client = await AuthClient.open();
  // An attacker with an address of their own adds an identity, and then takes the address of Ann.
  const { localId, idToken } = await client.signUp('eve@example.com');
  await client.admin('projects/demo/accounts:update', { localId, emailVerified: true });
  const linked = await signInWithIdToken(client, { sub: 'eve' }, { idToken }, 'github.com');
  await client.post('accounts:update', { idToken: linked.json['idToken'], email: 'ann@example.com' });
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email: 'ann@example.com' });
  await client.post('accounts:resetPassword', { oobCode, newPassword: 'new password' });
  const eve = await signInWithIdToken(client, { sub: 'eve' }, {}, 'github.com');
  expect(eve.json['localId']).not.toBe(localId);
});

test('[I854] an address that the provider does not prove is not enough', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp();
  const claims = { ...GOOGLE_ANN, email_verified: false };
  const { json, status } = await signInWithIdToken(client, claims);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    needConfirmation: true,
    localId,
    email: 'ann@example.com',
    providerId: 'google.com',
    oauthIdToken: JSON.stringify(claims),
    verifiedProvider: [],
  });
  for (const name of ['idToken', 'refreshToken']) expect(json).not.toHaveProperty(name);
  expect(client.audited.at(-1)).toMatchObject({ event: 'provider_unconfirmed', uid: localId });
  await client.settings((settings) => ({ ...settings, isEmailPrivate: true }));
  const hidden = await signInWithIdToken(client, claims);
  for (const name of ['localId', 'verifiedProvider']) expect(hidden.json).not.toHaveProperty(name);
});

test('[I855] no account is created without permission, and a disabled one is not signed in to', async () => {
  const client = await AuthClient.open();
  expect((await signInWithIdToken(client, GOOGLE_ANN, { autoCreate: false })).error).toBe('EMAIL_NOT_FOUND');
  await client.settings((settings) => ({ ...settings, isSignUpEnabled: false }));
  expect((await signInWithIdToken(client, GOOGLE_ANN)).error).toBe('ADMIN_ONLY_OPERATION');
  await client.settings((settings) => ({ ...settings, isSignUpEnabled: true }));
  const { localId } = (await signInWithIdToken(client, GOOGLE_ANN)).json;
  await client.admin('projects/demo/accounts:update', { localId, disableUser: true });
  expect((await signInWithIdToken(client, GOOGLE_ANN)).error).toBe('USER_DISABLED');
  expect(client.audited.at(-1)).toMatchObject({ event: 'sign_in', uid: localId, result: 'USER_DISABLED' });
});

test('[I856] accounts of members are not accessible through other providers', async () => {
  const client = await AuthClient.open();
  const { localId, idToken } = (await signInWithIdToken(client, GOOGLE_ANN)).json;
  await client.services.recordStore.change((transaction) =>
    saveMember(transaction.records(INSTALLATION), 'demo', {
      uid: String(localId),
      role: 'owner',
      addedAtMs: 1,
    }),
  );
  const error = 'OPERATION_NOT_ALLOWED : Members of the project cannot sign in with another provider.';
  expect((await signInWithIdToken(client, GOOGLE_ANN)).error).toBe(error);
  expect((await signInWithIdToken(client, { ...GOOGLE_ANN, sub: '2' })).error).toBe(error);
  expect((await signInWithIdToken(client, { sub: '2' }, { idToken })).error).toBe(error);
});

test('[I857] where several accounts may share an address, providers do not select an account by it', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({
    ...settings,
    signIn: { ...settings.signIn, areDuplicateEmailsAllowed: true },
  }));
  const { localId } = await client.signUp();
  const { json } = await signInWithIdToken(client, GOOGLE_ANN);
  expect(json['localId']).not.toBe(localId);
  const account = await client.lookup(json['idToken']);
  expect(account).not.toHaveProperty('email');
  expect(account).toMatchObject({ providerUserInfo: [{ email: 'ann@example.com' }] });
});

test('[I858] a second factor is asked for, and the tokens name the provider', async () => {
  const client = await AuthClient.open();
  const ann = await openAnn(client);
  const { json } = await signInWithIdToken(client, GOOGLE_ANN);
  expect(json).toMatchObject({ localId: ann.uid, providerId: 'google.com', mfaInfo: [{}] });
  expect(json).not.toHaveProperty('idToken');
  const finished = await client.post('/v2/accounts/mfaSignIn:finalize', {
    mfaPendingCredential: json['mfaPendingCredential'],
    mfaEnrollmentId: ann.enrollmentId,
    totpVerificationInfo: { verificationCode: ann.app.code() },
  });
  expect(claimsOf(finished.json['idToken'])['firebase']).toMatchObject({
    sign_in_provider: 'google.com',
    sign_in_second_factor: 'totp',
  });
});
