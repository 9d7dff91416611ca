import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { listMails, requestCode } from './mailed-codes.fixture.ts';

const EMAIL = 'ann@example.com';
const NEW_PASSWORD = 'another password';

type Body = Readonly<Record<string, unknown>>;

const reset = (client: AuthClient, body: Body) => client.post('accounts:resetPassword', body);

async function openReset() {
  const client = await AuthClient.open();
  const { idToken, localId, refreshToken } = await client.signUp(EMAIL);
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email: EMAIL });
  client.clock.ms += 2_000;
  return { client, idToken, localId, refreshToken, oobCode };
}

test('[I347] a code sets a password, verifies the address, ends all sessions, and a notice is mailed', async () => {
  const { client, idToken, localId, refreshToken, oobCode } = await openReset();
  const { json } = await reset(client, { oobCode, newPassword: NEW_PASSWORD });
  expect(json).toEqual({
    kind: 'identitytoolkit#ResetPasswordResponse',
    email: EMAIL,
    requestType: 'PASSWORD_RESET',
  });
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
  const refreshed = await client.refresh(refreshToken);
  expect(refreshed.error).toBe('TOKEN_EXPIRED');
  const signIn = (password: string) => client.post('accounts:signInWithPassword', { email: EMAIL, password });
  expect((await signIn('password')).error).toBe('INVALID_PASSWORD');
  const { json: signedIn } = await signIn(NEW_PASSWORD);
  expect(signedIn['localId']).toBe(localId);
  expect(await client.lookup(signedIn['idToken'])).toMatchObject({ emailVerified: true });
  expect(listMails(client).at(-1)).toMatchObject({ to: EMAIL, kind: 'passwordChanged' });
  expect(client.audited).toContainEqual(expect.objectContaining({ event: 'password_reset', uid: localId }));
});

test('[I347] sign-in methods from before the address was verified are removed', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp(EMAIL);
  const link = { linkProviderUserInfo: { providerId: 'google.com', rawId: '1' } };
  await client.admin('accounts:update', { localId, phoneNumber: '+15555550100', ...link });
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email: EMAIL });
  await reset(client, { oobCode, newPassword: NEW_PASSWORD });
  const { json } = await client.admin('accounts:lookup', { localId: [localId] });
  expect(json['users']).toEqual([
    expect.objectContaining({ providerUserInfo: [expect.objectContaining({ providerId: 'password' })] }),
  ]);
});

test('[I347] sign-in methods from after the address was verified remain', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp(EMAIL);
  await client.admin('accounts:update', { localId, emailVerified: true, phoneNumber: '+15555550100' });
  const link = { linkProviderUserInfo: { providerId: 'google.com', rawId: '1' } };
  await client.admin('accounts:update', { localId, ...link });
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email: EMAIL });
  await reset(client, { oobCode, newPassword: NEW_PASSWORD });
  const { json } = await client.admin('accounts:lookup', { localId: [localId] });
  const [user] = json['users'] as readonly { readonly providerUserInfo: readonly Body[] }[];
  expect(user?.providerUserInfo.map(({ providerId }) => providerId)).toEqual([
    'password',
    'google.com',
    'phone',
  ]);
});

test('[I559] second factors are removed if the address is not verified', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp(EMAIL);
  const mfa = { enrollments: [{ mfaEnrollmentId: 'a', phoneInfo: '+15555550101' }] };
  await client.admin('accounts:update', { localId, emailVerified: true, mfa });
  await client.admin('accounts:update', { localId, emailVerified: false });
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email: EMAIL });
  expect((await reset(client, { oobCode, newPassword: NEW_PASSWORD })).status).toBe(200);
  const { json } = await client.admin('accounts:lookup', { localId: [localId] });
  expect(Object(json['users'])[0]['mfaInfo'] ?? []).toEqual([]);
});

test('[I347] second factors remain if the address was verified before', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp(EMAIL);
  const mfa = { enrollments: [{ mfaEnrollmentId: 'a', phoneInfo: '+15555550101' }] };
  await client.admin('accounts:update', { localId, emailVerified: true, mfa });
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email: EMAIL });
  expect((await reset(client, { oobCode, newPassword: NEW_PASSWORD })).status).toBe(200);
  const { json } = await client.admin('accounts:lookup', { localId: [localId] });
  expect(json['users']).toEqual([
    expect.objectContaining({ mfaInfo: [expect.objectContaining({ mfaEnrollmentId: 'a' })] }),
  ]);
});

test('[I339] of many concurrent password resets with one code, exactly one succeeds', async () => {
  const { client, oobCode } = await openReset();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => reset(client, { oobCode, newPassword: `password ${i}` })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ error }) => error === 'INVALID_OOB_CODE')).toHaveLength(9);
});

test('[I348] a password that the project does not accept is rejected, and the code stays valid', async () => {
  const { client, oobCode } = await openReset();
  expect((await reset(client, { oobCode, newPassword: 'short' })).error).toMatch(/^WEAK_PASSWORD : /);
  await client.settings((settings) => ({
    ...settings,
    passwordPolicy: { ...settings.passwordPolicy, isEnforced: true, minLength: 20 },
  }));
  expect((await reset(client, { oobCode, newPassword: NEW_PASSWORD })).error).toMatch(
    /^PASSWORD_DOES_NOT_MEET_REQUIREMENTS : /,
  );
  expect((await reset(client, { oobCode, newPassword: `${NEW_PASSWORD} and more` })).status).toBe(200);
});

test.each<[Body, string]>([
  [{}, 'MISSING_OOB_CODE'],
  [{ newPassword: NEW_PASSWORD }, 'MISSING_OOB_CODE'],
  [{ oobCode: '' }, 'INVALID_OOB_CODE'],
  [{ oobCode: '', newPassword: NEW_PASSWORD }, 'INVALID_OOB_CODE'],
  [{ oobCode: 'nonsense' }, 'INVALID_OOB_CODE'],
  [{ oobCode: 'nonsense', newPassword: NEW_PASSWORD }, 'INVALID_OOB_CODE'],
  [{ email: EMAIL, oldPassword: 'password', newPassword: NEW_PASSWORD }, 'OPERATION_NOT_ALLOWED'],
])('[I348] resetting a password with %j is rejected with %s', async (body, error) => {
  const client = await AuthClient.open();
  await client.signUp(EMAIL);
  expect((await reset(client, body)).error).toBe(error);
});

test('[I348] a code of another type cannot set a password', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp(EMAIL);
  const oobCode = await requestCode(client, 'VERIFY_EMAIL', { idToken });
  expect((await reset(client, { oobCode, newPassword: NEW_PASSWORD })).error).toBe('INVALID_OOB_CODE');
});

test('[I348] the password is not reset if the account is disabled or has another address', async () => {
  const { client, localId, oobCode } = await openReset();
  await client.admin('accounts:update', { localId, disableUser: true });
  expect((await reset(client, { oobCode, newPassword: NEW_PASSWORD })).error).toBe('USER_DISABLED');
  await client.admin('accounts:update', { localId, disableUser: false, email: 'new@example.com' });
  expect((await reset(client, { oobCode, newPassword: NEW_PASSWORD })).error).toBe('INVALID_OOB_CODE');
});

test('[I347][I348] a password is reset even without sign-in by password, unless the project is disabled', async () => {
  const { client, idToken, oobCode } = await openReset();
  const verify = await requestCode(client, 'VERIFY_EMAIL', { idToken });
  await client.settings((settings) => ({
    ...settings,
    signIn: { ...settings.signIn, isEmailEnabled: false },
  }));
  for (const body of [{ oobCode }, { oobCode: verify }, { oobCode, newPassword: NEW_PASSWORD }])
    expect((await reset(client, body)).status).toBe(200);
  const signIn = { email: EMAIL, password: NEW_PASSWORD };
  expect((await client.post('accounts:signInWithPassword', signIn)).error).toBe('PASSWORD_LOGIN_DISABLED');
  await client.settings((settings) => ({ ...settings, isDisabled: true }));
  expect((await reset(client, { oobCode: verify })).error).toBe('PROJECT_DISABLED');
});
