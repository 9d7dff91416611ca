import type { UserRecord } from 'firebase-admin/auth';
import { expect, test } from 'vitest';
import { freshEmail, freshPhone, PASSWORD, useAuthProjects } from './admin-auth.ts';

const openProject = useAuthProjects();
const shared = openProject();
const { auth } = shared;

const uidsOf = (users: readonly UserRecord[]) => users.map(({ uid }) => uid);

test('[S390] the Admin SDK creates a user with every field except `disabled`', async () => {
  const [email, phoneNumber] = [freshEmail(), freshPhone()];
  const factor = { phoneNumber: freshPhone(), displayName: 'Work', factorId: 'phone' } as const;
  const made = await auth.createUser({
    uid: `ada ${phoneNumber}`,
    email: email.toUpperCase(),
    emailVerified: true,
    phoneNumber,
    password: PASSWORD,
    displayName: 'Ada',
    photoURL: 'https://example.com/ada.png',
    multiFactor: { enrolledFactors: [factor] },
  });
  expect(made).toMatchObject({
    uid: `ada ${phoneNumber}`,
    email,
    emailVerified: true,
    phoneNumber,
    displayName: 'Ada',
    photoURL: 'https://example.com/ada.png',
    disabled: false,
  });
  expect(made.providerData.map(({ providerId }) => providerId)).toEqual(['password', 'phone']);
  expect(made.multiFactor?.enrolledFactors).toMatchObject([factor]);
  expect(made.multiFactor?.enrolledFactors[0]?.uid).toMatch(/./);
  expect(Date.parse(made.metadata.creationTime)).toBeGreaterThan(0);
});

test('[S390] a user created without fields has a uid of 28 characters, and a user created as disabled cannot sign in', async () => {
  const { uid, metadata, providerData } = await auth.createUser({});
  expect(uid).toMatch(/^[A-Za-z0-9]{28}$/);
  expect(metadata.lastSignInTime).toBeNull();
  expect(providerData).toEqual([]);
  const email = freshEmail();
  const { disabled } = await auth.createUser({ email, password: PASSWORD, disabled: true });
  expect(disabled).toBe(true);
  await expect(shared.signIn(email, PASSWORD)).rejects.toThrow('USER_DISABLED');
});

test('[S391] users are found by uid, email address, phone number and provider, one or several per request', async () => {
  const [email, phoneNumber, rawId] = [freshEmail(), freshPhone(), crypto.randomUUID()];
  const { uid } = await auth.createUser({ email, phoneNumber });
  await auth.updateUser(uid, {
    providerToLink: { providerId: 'google.com', uid: rawId, email: 'ada@gmail.example', displayName: 'A.' },
  });
  const other = await auth.createUser({ email: freshEmail() });
  const found = await Promise.all([
    auth.getUser(uid),
    auth.getUserByEmail(email.toUpperCase()),
    auth.getUserByPhoneNumber(phoneNumber),
    auth.getUserByProviderUid('google.com', rawId),
  ]);
  expect(uidsOf(found)).toEqual([uid, uid, uid, uid]);
  const { users, notFound } = await auth.getUsers([
    { email },
    { phoneNumber },
    { providerId: 'google.com', providerUid: rawId },
    { uid: other.uid },
    { uid: 'nobody' },
    { email: 'nobody@example.com' },
  ]);
  expect(uidsOf(users).sort()).toEqual([uid, other.uid].sort());
  expect(notFound).toEqual([{ uid: 'nobody' }, { email: 'nobody@example.com' }]);
});

test('[S392] users are listed page by page, each once, with password hashes, and an invalid page token is rejected', async () => {
  const project = openProject();
  expect(await project.auth.listUsers()).toEqual({ users: [] });
  const made = await Promise.all(
    Array.from({ length: 7 }, (_, n) => project.auth.createUser({ uid: `u${n}`, password: PASSWORD })),
  );
  const listed: UserRecord[] = [];
  let pageToken: string | undefined;
  do {
    const page = await project.auth.listUsers(3, pageToken);
    expect(page.users.length).toBeLessThanOrEqual(3);
    listed.push(...page.users);
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  expect(uidsOf(listed)).toEqual(uidsOf(made).sort());
  expect(listed.every(({ passwordHash, passwordSalt }) => passwordHash && passwordSalt)).toBe(true);
  expect(uidsOf((await project.auth.listUsers(2, 'u2')).users)).toEqual(['u3', 'u4']);
  await expect(project.auth.listUsers(3, 'x'.repeat(129))).rejects.toMatchObject({
    code: 'auth/invalid-page-token',
  });
});

test('[S393] each part of a user can be changed, and fields set to null are removed', async () => {
  const email = freshEmail();
  const { uid } = await auth.createUser({
    email,
    password: PASSWORD,
    displayName: 'Ada',
    emailVerified: true,
  });
  const next = freshEmail();
  const changed = await auth.updateUser(uid, {
    email: next,
    password: 'another password',
    phoneNumber: freshPhone(),
    displayName: null,
    photoURL: 'https://example.com/a.png',
  });
  expect(changed).toMatchObject({ email: next, emailVerified: false, photoURL: 'https://example.com/a.png' });
  expect(changed.displayName).toBeUndefined();
  await expect(shared.signIn(email, PASSWORD)).rejects.toThrow('EMAIL_NOT_FOUND');
  await shared.signIn(next, 'another password');
  const factor = { uid: 'work', phoneNumber: freshPhone(), factorId: 'phone' } as const;
  const enrolled = await auth.updateUser(uid, {
    emailVerified: true,
    multiFactor: { enrolledFactors: [factor] },
  });
  expect(enrolled.multiFactor?.enrolledFactors).toMatchObject([factor]);
  const unnamed = { phoneNumber: freshPhone(), factorId: 'phone' } as const;
  const more = await auth.updateUser(uid, { multiFactor: { enrolledFactors: [factor, unnamed] } });
  expect(more.multiFactor?.enrolledFactors).toMatchObject([factor, unnamed]);
  expect(more.multiFactor?.enrolledFactors[1]?.uid).toMatch(/./);
  const bare = await auth.updateUser(uid, {
    phoneNumber: null,
    photoURL: null,
    multiFactor: { enrolledFactors: null },
    providersToUnlink: ['password'],
  });
  expect(bare.phoneNumber).toBeUndefined();
  expect(bare.photoURL).toBeUndefined();
  expect(bare.multiFactor).toBeUndefined();
  expect(bare.providerData).toEqual([]);
});

test('[S393] an identity of another provider is linked and unlinked', async () => {
  const { uid } = await auth.createUser({});
  const providerToLink = { providerId: 'github.com', uid: crypto.randomUUID(), displayName: 'ada' };
  const linked = await auth.updateUser(uid, { providerToLink });
  expect(linked.providerData).toMatchObject([providerToLink]);
  const other = await auth.createUser({});
  // The SDK has no code of its own for this error.
  await expect(auth.updateUser(other.uid, { providerToLink })).rejects.toMatchObject({
    httpResponse: { data: { error: { message: 'FEDERATED_USER_ID_ALREADY_LINKED' } } },
  });
  const unlinked = await auth.updateUser(uid, { providersToUnlink: ['github.com'] });
  expect(unlinked.providerData).toEqual([]);
});

test('[S394] new tokens of a user contain the custom claims until the claims are removed', async () => {
  const email = freshEmail();
  const { uid } = await auth.createUser({ email, password: PASSWORD });
  await auth.setCustomUserClaims(uid, { role: 'editor', levels: [1, 2] });
  expect((await auth.getUser(uid)).customClaims).toEqual({ role: 'editor', levels: [1, 2] });
  const claims = await auth.verifyIdToken(await shared.signIn(email, PASSWORD), true);
  expect(claims).toMatchObject({ uid, email, role: 'editor', levels: [1, 2], aud: shared.projectId });
  await auth.setCustomUserClaims(uid, null);
  expect((await auth.getUser(uid)).customClaims).toEqual({});
  expect(await auth.verifyIdToken(await shared.signIn(email, PASSWORD))).not.toHaveProperty('role');
});

test('[S395] revoked tokens, and tokens of disabled and deleted users, are rejected', async () => {
  const email = freshEmail();
  const { uid } = await auth.createUser({ email, password: PASSWORD });
  const session = await shared.send('signInWithPassword', { email, password: PASSWORD });
  const token = String(session['idToken']);
  expect(await auth.verifyIdToken(token, true)).toMatchObject({ uid });
  await auth.revokeRefreshTokens(uid);
  expect(await auth.getUser(uid)).toHaveProperty('tokensValidAfterTime');
  await expect(auth.verifyIdToken(token, true)).rejects.toMatchObject({ code: 'auth/id-token-revoked' });
  await expect(shared.refresh(String(session['refreshToken']))).rejects.toThrow('TOKEN_EXPIRED');
  await auth.updateUser(uid, { disabled: true });
  await expect(auth.verifyIdToken(token, true)).rejects.toMatchObject({ code: 'auth/user-disabled' });
  await auth.deleteUser(uid);
  await expect(auth.verifyIdToken(token, true)).rejects.toMatchObject({ code: 'auth/user-not-found' });
});

test('[S396] users are deleted one by one and several per request, and their email addresses become free', async () => {
  const email = freshEmail();
  const { uid } = await auth.createUser({ email });
  await auth.deleteUser(uid);
  await expect(auth.getUser(uid)).rejects.toMatchObject({ code: 'auth/user-not-found' });
  const again = await auth.createUser({ email });
  const more = await auth.createUser({ disabled: true });
  const uids = [again.uid, more.uid, 'nobody'];
  expect(await auth.deleteUsers(uids)).toEqual({ successCount: 3, failureCount: 0, errors: [] });
  expect((await auth.getUsers(uids.map((each) => ({ uid: each })))).users).toEqual([]);
});

test('[S397] errors have the codes of the official service', async () => {
  const [email, phoneNumber] = [freshEmail(), freshPhone()];
  const { uid } = await auth.createUser({ email, phoneNumber });
  const other = await auth.createUser({});
  const denied: readonly (readonly [() => Promise<unknown>, string])[] = [
    [() => auth.getUser('nobody'), 'user-not-found'],
    [() => auth.getUserByEmail('nobody@example.com'), 'user-not-found'],
    [() => auth.updateUser('nobody', { displayName: 'N' }), 'user-not-found'],
    [() => auth.setCustomUserClaims('nobody', {}), 'user-not-found'],
    [() => auth.revokeRefreshTokens('nobody'), 'user-not-found'],
    [() => auth.deleteUser('nobody'), 'user-not-found'],
    [() => auth.createUser({ uid }), 'uid-already-exists'],
    [() => auth.createUser({ email }), 'email-already-exists'],
    [() => auth.createUser({ phoneNumber }), 'phone-number-already-exists'],
    [() => auth.updateUser(other.uid, { email: email.toUpperCase() }), 'email-already-exists'],
    [() => auth.updateUser(other.uid, { phoneNumber }), 'phone-number-already-exists'],
    [() => auth.createUser({ email: 'no address' }), 'invalid-email'],
    [() => auth.createUser({ password: 'short' }), 'invalid-password'],
    [() => auth.setCustomUserClaims(uid, { sub: 'x' }), 'reserved-claim'],
    [() => auth.setCustomUserClaims(uid, { long: 'x'.repeat(1_000) }), 'claims-too-large'],
    [
      () =>
        auth.createUser({
          email: freshEmail(),
          multiFactor: { enrolledFactors: [{ phoneNumber: freshPhone(), factorId: 'phone' }] },
        }),
      'unverified-email',
    ],
    [() => auth.createSessionCookie('no token', { expiresIn: 300_000 }), 'invalid-id-token'],
    [() => auth.generatePasswordResetLink('nobody@example.com'), 'email-not-found'],
    [() => auth.generateEmailVerificationLink('nobody@example.com'), 'user-not-found'],
    [() => auth.getProviderConfig('saml.mine'), 'configuration-not-found'],
    [() => auth.deleteProviderConfig('oidc.mine'), 'configuration-not-found'],
  ];
  for (const [attempt, code] of denied)
    await expect(attempt(), code).rejects.toMatchObject({ code: `auth/${code}` });
});
