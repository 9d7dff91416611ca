import { expect, test } from 'vitest';
import { freshEmail, PASSWORD, useAuthProjects } from './admin-auth.ts';

const openProject = useAuthProjects();
const project = openProject();
const { auth } = project;

const CONTINUE_URL = 'http://localhost/welcome';
const HOUR_MS = 3_600_000;

/** Returns the code in a link. Fails the test unless the link has the mode and leads back to the app. */
function codeOf(link: string, mode: string): string {
  const { searchParams } = new URL(link);
  expect(searchParams.get('mode')).toBe(mode);
  expect(searchParams.get('continueUrl')).toBe(CONTINUE_URL);
  return searchParams.get('oobCode') ?? '';
}

test('[S403] a generated link to reset a password sets the new password', async () => {
  const email = freshEmail();
  await auth.createUser({ email, password: PASSWORD });
  const link = await auth.generatePasswordResetLink(email, { url: CONTINUE_URL });
  const newPassword = 'chosen by a link';
  const oobCode = codeOf(link, 'resetPassword');
  expect(await project.send('resetPassword', { oobCode })).toMatchObject({
    email,
    requestType: 'PASSWORD_RESET',
  });
  await project.send('resetPassword', { oobCode, newPassword });
  await expect(project.signIn(email, PASSWORD)).rejects.toThrow('INVALID_PASSWORD');
  await project.signIn(email, newPassword);
});

test('[S403] a generated link to verify an email address verifies the address', async () => {
  const email = freshEmail();
  const { uid } = await auth.createUser({ email });
  const link = await auth.generateEmailVerificationLink(email, { url: CONTINUE_URL });
  await project.send('update', { oobCode: codeOf(link, 'verifyEmail') });
  expect((await auth.getUser(uid)).emailVerified).toBe(true);
});

test('[S403] a generated link to change an email address sets and verifies the new address', async () => {
  const [email, next] = [freshEmail(), freshEmail()];
  const { uid } = await auth.createUser({ email });
  const link = await auth.generateVerifyAndChangeEmailLink(email, next, { url: CONTINUE_URL });
  await project.send('update', { oobCode: codeOf(link, 'verifyAndChangeEmail') });
  expect(await auth.getUser(uid)).toMatchObject({ email: next, emailVerified: true });
});

test('[S403] a generated sign-in link signs the user in', async () => {
  const email = freshEmail();
  const link = await auth.generateSignInWithEmailLink(email, { url: CONTINUE_URL, handleCodeInApp: true });
  const oobCode = codeOf(link, 'signIn');
  const answer = await project.send('signInWithEmailLink', { email, oobCode });
  expect(await auth.verifyIdToken(String(answer['idToken']))).toMatchObject({ email, email_verified: true });
});

test('[S404] a session cookie is created from an ID token, verified, and rejected after its user is disabled', async () => {
  const email = freshEmail();
  const { uid } = await auth.createUser({ email, password: PASSWORD });
  await auth.setCustomUserClaims(uid, { role: 'editor' });
  const token = await project.signIn(email, PASSWORD);
  const cookie = await auth.createSessionCookie(token, { expiresIn: 5 * 24 * HOUR_MS });
  const claims = await auth.verifySessionCookie(cookie, true);
  expect(claims).toMatchObject({ uid, email, role: 'editor' });
  expect(claims.iss).toBe(`https://session.firebase.google.com/${project.projectId}`);
  expect(claims.exp - claims.iat).toBe((5 * 24 * HOUR_MS) / 1000);
  await expect(auth.verifySessionCookie(token)).rejects.toMatchObject({ code: 'auth/argument-error' });
  await expect(auth.verifyIdToken(cookie)).rejects.toMatchObject({ code: 'auth/argument-error' });
  await auth.updateUser(uid, { disabled: true });
  await expect(auth.verifySessionCookie(cookie, true)).rejects.toMatchObject({ code: 'auth/user-disabled' });
});

test('[S404] a session cookie for less than five minutes or more than two weeks is rejected', async () => {
  const email = freshEmail();
  await auth.createUser({ email, password: PASSWORD });
  const token = await project.signIn(email, PASSWORD);
  for (const expiresIn of [299_000, 14 * 24 * HOUR_MS + 1_000])
    await expect(auth.createSessionCookie(token, { expiresIn })).rejects.toMatchObject({
      code: 'auth/invalid-session-cookie-duration',
    });
});

test('[S405] a custom token signs in the user that it names, with its claims', async () => {
  const token = await auth.createCustomToken('ada of the app', { plan: 'gold' });
  const answer = await project.send('signInWithCustomToken', { token });
  expect(answer['isNewUser']).toBe(true);
  const claims = await auth.verifyIdToken(String(answer['idToken']), true);
  expect(claims).toMatchObject({ uid: 'ada of the app', plan: 'gold' });
  expect(claims.firebase.sign_in_provider).toBe('custom');
  expect((await auth.getUser('ada of the app')).providerData).toEqual([]);
});

test('[S405] tokens of one project are not valid in another', async () => {
  const email = freshEmail();
  await auth.createUser({ email, password: PASSWORD });
  const token = await project.signIn(email, PASSWORD);
  const other = openProject();
  await expect(other.auth.verifyIdToken(token)).rejects.toMatchObject({ code: 'auth/argument-error' });
  await expect(other.auth.createSessionCookie(token, { expiresIn: HOUR_MS })).rejects.toMatchObject({
    code: 'auth/user-not-found',
  });
});

test('[S406] the configuration of a project is read and changed one part at a time, and changes take effect immediately', async () => {
  const own = openProject();
  const manager = own.auth.projectConfigManager();
  const constraints = { requireUppercase: true, minLength: 10 };
  const changed = await manager.updateProjectConfig({
    passwordPolicyConfig: { enforcementState: 'ENFORCE', forceUpgradeOnSignin: false, constraints },
    emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
    recaptchaConfig: {
      emailPasswordEnforcementState: 'AUDIT',
      phoneEnforcementState: 'ENFORCE',
      managedRules: [{ endScore: 0.1, action: 'BLOCK' }],
      useAccountDefender: true,
      useSmsBotScore: true,
    },
    multiFactorConfig: {
      state: 'ENABLED',
      factorIds: ['phone'],
      providerConfigs: [{ state: 'ENABLED', totpProviderConfig: { adjacentIntervals: 3 } }],
    },
  });
  const shown = {
    passwordPolicyConfig: { enforcementState: 'ENFORCE', constraints },
    emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
    recaptchaConfig: {
      emailPasswordEnforcementState: 'AUDIT',
      phoneEnforcementState: 'ENFORCE',
      useAccountDefender: true,
    },
    multiFactorConfig: {
      factorIds: ['phone'],
      providerConfigs: [{ totpProviderConfig: { adjacentIntervals: 3 } }],
    },
  };
  expect(changed).toMatchObject(shown);
  await manager.updateProjectConfig({
    smsRegionConfig: { allowlistOnly: { allowedRegions: ['DE'] } },
  });
  const read = await manager.getProjectConfig();
  expect(read).toMatchObject({ ...shown, smsRegionConfig: { allowlistOnly: { allowedRegions: ['DE'] } } });
  const allowByDefault = { disallowedRegions: ['FR'] };
  const denied = await manager.updateProjectConfig({ smsRegionConfig: { allowByDefault } });
  expect(denied.smsRegionConfig).toEqual({ allowByDefault });
  await expect(own.signIn('nobody@example.com', PASSWORD)).rejects.toThrow('INVALID_LOGIN_CREDENTIALS');
  await expect(own.send('signUp', { email: freshEmail(), password: 'password' })).rejects.toThrow(
    'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
  );
  await expect(own.auth.createUser({ password: 'password' })).rejects.toMatchObject({
    code: 'auth/password-does-not-meet-requirements',
  });
});
