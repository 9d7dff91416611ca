import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { freshEmail, freshPhone, useAuthProjects } from './admin-auth.ts';
import { HASHED_PASSWORDS, OLD_PASSWORD } from './hashed-passwords.ts';

const project = useAuthProjects()();
const { auth } = project;

/** Length of this server's own hash, which replaces the imported one at the first sign-in. */
const OWN_HASH_BYTES = 32;

async function readHash(uid: string): Promise<Buffer> {
  const { users } = await auth.listUsers();
  return Buffer.from(users.find((user) => user.uid === uid)?.passwordHash ?? '', 'base64url');
}

test.each(HASHED_PASSWORDS)(
  '[S400] a user imported with a hash by $hash.algorithm signs in with the old password, and then has a hash of this server',
  async ({ hash, passwordHash, passwordSalt }) => {
    const [uid, email] = [`of ${hash.algorithm}`, freshEmail()];
    const user = { uid, email, passwordHash, ...(passwordSalt === undefined ? {} : { passwordSalt }) };
    const imported = await auth.importUsers([user], { hash });
    expect(imported).toEqual({ successCount: 1, failureCount: 0, errors: [] });
    await expect(project.signIn(email, `${OLD_PASSWORD}r`)).rejects.toThrow('INVALID_PASSWORD');
    expect(await readHash(uid)).toEqual(passwordHash);
    const { uid: signedIn } = await auth.verifyIdToken(await project.signIn(email, OLD_PASSWORD));
    expect(signedIn).toBe(uid);
    const upgraded = await readHash(uid);
    expect(upgraded).not.toEqual(passwordHash);
    expect(upgraded.length).toBe(OWN_HASH_BYTES);
    await project.signIn(email, OLD_PASSWORD);
  },
);

test.each(['MD5', 'SHA1', 'SHA256', 'SHA512'] as const)(
  '[S400] a user imported with a hash by %s in hexadecimal text signs in with the old password',
  async (algorithm) => {
    const [uid, email, salt] = [`hex of ${algorithm}`, freshEmail(), 'NaCl'];
    const text = createHash(algorithm).update(`${salt}${OLD_PASSWORD}`).digest('hex');
    const user = { uid, email, passwordHash: Buffer.from(text), passwordSalt: Buffer.from(salt) };
    const { errors } = await auth.importUsers([user], { hash: { algorithm, rounds: 1 } });
    expect(errors).toEqual([]);
    await project.signIn(email, OLD_PASSWORD);
  },
);

test('[S401] an import keeps every field that the Admin SDK can set on a user', async () => {
  const factor = { uid: 'work', phoneNumber: freshPhone(), displayName: 'Work', factorId: 'phone' } as const;
  const identity = { uid: crypto.randomUUID(), providerId: 'google.com', email: 'ada@gmail.example' };
  const user = {
    uid: 'imported',
    email: freshEmail(),
    emailVerified: true,
    phoneNumber: freshPhone(),
    displayName: 'Ada',
    photoURL: 'https://example.com/ada.png',
    disabled: true,
    customClaims: { role: 'editor' },
    metadata: {
      creationTime: 'Thu, 01 Feb 2024 10:00:00 GMT',
      lastSignInTime: 'Fri, 02 Feb 2024 11:00:00 GMT',
    },
  };
  const enrolledFactors = [{ ...factor, enrollmentTime: 'Sat, 03 Feb 2024 12:00:00 GMT' }];
  const imported = { ...user, providerData: [identity], multiFactor: { enrolledFactors } };
  expect(await auth.importUsers([imported])).toMatchObject({ successCount: 1, errors: [] });
  const found = await auth.getUser('imported');
  expect(found).toMatchObject(user);
  expect(found.multiFactor?.enrolledFactors).toMatchObject(enrolledFactors);
  expect(found.providerData).toMatchObject([identity, { providerId: 'phone', uid: user.phoneNumber }]);
});

test('[S402] invalid users of an import are reported by their position, and the others are imported', async () => {
  const taken = await auth.createUser({ email: freshEmail(), phoneNumber: freshPhone() });
  const { email = '', phoneNumber = '' } = taken;
  const uid = crypto.randomUUID();
  const { successCount, failureCount, errors } = await auth.importUsers([
    { uid: `${uid}-1`, email },
    { uid: `${uid}-2`, email: freshEmail() },
    { uid: `${uid}-3`, phoneNumber },
    { uid: `${uid}-4`, customClaims: { aud: 'x' } },
    { uid: '' },
  ]);
  expect([successCount, failureCount]).toEqual([1, 4]);
  expect(errors.map(({ index, error }) => [index, error.code])).toEqual([
    [0, 'auth/invalid-user-import'],
    [2, 'auth/invalid-user-import'],
    [3, 'auth/reserved-claim'],
    [4, 'auth/invalid-uid'],
  ]);
  expect(errors[0]?.error.message).toBe('email exists in other account in database');
  const { users } = await auth.getUsers([1, 2, 3, 4].map((n) => ({ uid: `${uid}-${n}` })));
  expect(users.map((user) => user.uid)).toEqual([`${uid}-2`]);
});

test('[S402] a thousand users are imported in one request', async () => {
  const users = Array.from({ length: 1_000 }, (_, n) => ({
    uid: `many-${n}`,
    email: `many-${n}@example.com`,
  }));
  expect(await auth.importUsers(users)).toMatchObject({ successCount: 1_000 });
  expect((await auth.getUserByEmail('many-999@example.com')).uid).toBe('many-999');
});
