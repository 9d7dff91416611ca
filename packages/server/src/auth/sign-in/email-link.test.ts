import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { listMails, requestCode } from '../codes/mailed-codes.fixture.ts';
import { factorsOf, openAnn } from '../mfa/second-factor.fixture.ts';

const EMAIL = 'ann@example.com';

type Body = Readonly<Record<string, unknown>>;

const signIn = (client: AuthClient, body: Body) => client.post('accounts:signInWithEmailLink', body);
const codeFor = (client: AuthClient, email = EMAIL) => requestCode(client, 'EMAIL_SIGNIN', { email });

test('[I349] the code of a mail creates an account with the verified address', async () => {
  const client = await AuthClient.open();
  const oobCode = await codeFor(client);
  const { json } = await signIn(client, { email: 'Ann@example.com', oobCode });
  expect(json).toEqual({
    kind: 'identitytoolkit#EmailLinkSigninResponse',
    localId: expect.any(String),
    email: EMAIL,
    isNewUser: true,
    idToken: expect.any(String),
    refreshToken: expect.any(String),
    expiresIn: '3600',
  });
  expect(await client.lookup(json['idToken'])).toMatchObject({
    emailVerified: true,
    emailLinkSignin: true,
    providerUserInfo: [expect.objectContaining({ providerId: 'password', email: EMAIL })],
  });
  expect(claimsOf(json['idToken'])).toMatchObject({
    email_verified: true,
    firebase: { sign_in_provider: 'password' },
  });
});

test('[I349] the code signs in to the account of its address, and keeps the password if the address was verified', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp(EMAIL);
  await client.admin('accounts:update', { localId, emailVerified: true });
  const { json } = await signIn(client, { email: EMAIL, oobCode: await codeFor(client) });
  expect(json).toMatchObject({ localId, isNewUser: false });
  const password = await client.post('accounts:signInWithPassword', { email: EMAIL, password: 'password' });
  expect(password.status).toBe(200);
});

test('[I350] if the address was not verified, the account loses its other sign-in methods and its sessions', async () => {
  const client = await AuthClient.open();
  const { localId, idToken, refreshToken } = await client.signUp(EMAIL);
  const link = { linkProviderUserInfo: { providerId: 'google.com', rawId: '1' } };
  await client.admin('accounts:update', { localId, phoneNumber: '+15555550100', ...link });
  client.clock.ms += 2_000;
  const { json } = await signIn(client, { email: EMAIL, oobCode: await codeFor(client) });
  expect(json).toMatchObject({ localId, isNewUser: false });
  const user = await client.lookup(json['idToken']);
  expect(user['providerUserInfo']).toEqual([expect.objectContaining({ providerId: 'password' })]);
  expect(user).not.toHaveProperty('passwordHash');
  expect(user).not.toHaveProperty('phoneNumber');
  const password = await client.post('accounts:signInWithPassword', { email: EMAIL, password: 'password' });
  expect(password.error).toBe('INVALID_PASSWORD');
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
  const refreshed = await client.refresh(refreshToken);
  expect(refreshed.error).toBe('TOKEN_EXPIRED');
});

test('[I350][I559] if the address was not verified, the account also loses its second factors', async () => {
  const client = await AuthClient.open();
  const { uid, idToken } = await openAnn(client);
  await client.post('/v2/accounts/mfaRecoveryCodes:generate', { idToken });
  await client.admin('accounts:update', { localId: uid, emailVerified: false });
  const { status, json } = await signIn(client, { email: EMAIL, oobCode: await codeFor(client) });
  expect(status).toBe(200);
  expect(json).toMatchObject({ localId: uid, idToken: expect.any(String) });
  expect(factorsOf(await client.lookup(json['idToken']))).toEqual([]);
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
});

test('[I351] a code with another address is rejected, and is void after five attempts', async () => {
  const client = await AuthClient.open();
  const oobCode = await codeFor(client);
  const wrong = { email: 'bob@example.com', oobCode };
  for (let i = 0; i < 4; i += 1)
    expect((await signIn(client, wrong)).error).toBe(
      'INVALID_EMAIL : The email provided does not match the sign-in email address.',
    );
  const other = await codeFor(client, 'eve@example.com');
  expect((await signIn(client, { email: 'eve@example.com', oobCode: other })).status).toBe(200);
  expect((await signIn(client, wrong)).error).toMatch(/^INVALID_EMAIL/);
  expect((await signIn(client, { email: EMAIL, oobCode })).error).toBe('INVALID_OOB_CODE');
});

test('[I351] after four wrong addresses the right one still signs in', async () => {
  const client = await AuthClient.open();
  const oobCode = await codeFor(client);
  await Promise.all(Array.from({ length: 4 }, () => signIn(client, { email: 'bob@example.com', oobCode })));
  expect((await signIn(client, { email: EMAIL, oobCode })).status).toBe(200);
});

test('[I339] of many concurrent sign-ins with one code, one succeeds', async () => {
  const client = await AuthClient.open();
  const oobCode = await codeFor(client);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => signIn(client, { email: EMAIL, oobCode })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ error }) => error === 'INVALID_OOB_CODE')).toHaveLength(99);
});

test.each<[Body, string]>([
  [{ oobCode: 'nonsense' }, 'MISSING_EMAIL'],
  [{ email: '', oobCode: 'nonsense' }, 'INVALID_EMAIL'],
  [{ email: EMAIL, oobCode: '' }, 'INVALID_OOB_CODE'],
  [{ email: 'ann', oobCode: 'nonsense' }, 'INVALID_EMAIL'],
  [{ email: EMAIL }, 'MISSING_OOB_CODE'],
  [{ email: EMAIL, oobCode: 'nonsense' }, 'INVALID_OOB_CODE'],
  [{ email: EMAIL, oobCode: 'nonsense', idToken: 'nonsense' }, 'INVALID_ID_TOKEN'],
])('[I352] signing in with %j is rejected with %s', async (body, error) => {
  const client = await AuthClient.open();
  expect((await signIn(client, body)).error).toBe(error);
});

test('[I352] a code of another type and an expired code are rejected', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp(EMAIL);
  const verify = await requestCode(client, 'VERIFY_EMAIL', { idToken });
  expect((await signIn(client, { email: EMAIL, oobCode: verify })).error).toBe('INVALID_OOB_CODE');
  const oobCode = await codeFor(client);
  client.clock.ms += 6 * 3_600_000;
  expect((await signIn(client, { email: EMAIL, oobCode })).error).toBe('EXPIRED_OOB_CODE');
});

test('[I352] sign-in is rejected for a disabled account, and if the project does not offer it', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp(EMAIL);
  const oobCode = await codeFor(client);
  const unknown = await codeFor(client, 'bob@example.com');
  await client.admin('accounts:update', { localId, disableUser: true });
  expect((await signIn(client, { email: EMAIL, oobCode })).error).toBe('USER_DISABLED');
  await client.settings((settings) => ({ ...settings, isSignUpEnabled: false }));
  const newcomer = { email: 'bob@example.com', oobCode: unknown };
  expect((await signIn(client, newcomer)).error).toBe('ADMIN_ONLY_OPERATION');
  await client.settings((settings) => ({
    ...settings,
    signIn: { ...settings.signIn, isEmailLinkEnabled: false },
  }));
  expect((await signIn(client, { email: EMAIL, oobCode })).error).toBe('OPERATION_NOT_ALLOWED');
  await client.settings((settings) => ({ ...settings, isDisabled: true }));
  expect((await signIn(client, { email: EMAIL, oobCode })).error).toBe('PROJECT_DISABLED');
});

test('[I353] with an ID token, the address is added to the account of the token', async () => {
  const client = await AuthClient.open();
  const { json: anonymous } = await client.post('accounts:signUp');
  const { idToken, localId } = anonymous;
  const { json } = await signIn(client, { email: EMAIL, oobCode: await codeFor(client), idToken });
  expect(json).toMatchObject({ localId, isNewUser: false, email: EMAIL });
  expect(await client.lookup(json['idToken'])).toMatchObject({ email: EMAIL, emailVerified: true });
});

test('[I353] an account to which an address is added keeps its phone number', async () => {
  const client = await AuthClient.open();
  const { json: anonymous } = await client.post('accounts:signUp');
  const { idToken, localId } = anonymous;
  await client.admin('accounts:update', { localId, phoneNumber: '+15555550100' });
  const { json } = await signIn(client, { email: EMAIL, oobCode: await codeFor(client), idToken });
  expect(await client.lookup(json['idToken'])).toMatchObject({ phoneNumber: '+15555550100', email: EMAIL });
});

test('[I353] replacing an address needs a recent sign-in, and the old address gets a mail', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp('old@example.com');
  const later = await codeFor(client);
  client.clock.ms += 1_000;
  const { json } = await signIn(client, { email: EMAIL, oobCode: later, idToken });
  expect(json['localId']).toBe(localId);
  expect(listMails(client).at(-1)).toMatchObject({ to: 'old@example.com', kind: 'recoverEmail' });
  client.clock.ms += 301_000;
  const again = { email: 'third@example.com', oobCode: await codeFor(client, 'third@example.com') };
  expect((await signIn(client, { ...again, idToken: json['idToken'] })).error).toBe(
    'CREDENTIAL_TOO_OLD_LOGIN_AGAIN',
  );
});

test('[I353] replacing an address revokes earlier tokens, also those of the same second', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp('old@example.com');
  const { json } = await signIn(client, { email: EMAIL, oobCode: await codeFor(client), idToken });
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
  expect(await client.lookup(json['idToken'])).toMatchObject({ localId, email: EMAIL });
});

test('[I353] linking is rejected for an address of another account, a disabled account and a deleted account', async () => {
  const client = await AuthClient.open();
  await client.signUp(EMAIL);
  const { json: anonymous } = await client.post('accounts:signUp');
  const { idToken, localId } = anonymous;
  const body = { email: EMAIL, oobCode: await codeFor(client), idToken };
  expect((await signIn(client, body)).error).toBe('EMAIL_EXISTS');
  await client.admin('accounts:update', { localId, disableUser: true });
  expect((await signIn(client, body)).error).toBe('USER_DISABLED');
  await client.admin('accounts:delete', { localId });
  expect((await signIn(client, body)).error).toBe('USER_NOT_FOUND');
});

test('[I354] an account with a second factor needs it after the code, and the code is used up', async () => {
  const client = await AuthClient.open();
  const { enrollmentId } = await openAnn(client);
  const oobCode = await codeFor(client);
  const { json } = await signIn(client, { email: EMAIL, oobCode });
  expect(json).not.toHaveProperty('idToken');
  expect(json).toMatchObject({
    mfaPendingCredential: expect.any(String),
    mfaInfo: [expect.objectContaining({ mfaEnrollmentId: enrollmentId })],
  });
  expect((await signIn(client, { email: EMAIL, oobCode })).error).toBe('INVALID_OOB_CODE');
});
