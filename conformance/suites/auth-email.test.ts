import {
  type Auth,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  getAdditionalUserInfo,
  reauthenticateWithCredential,
  signInWithCredential,
  signInWithEmailAndPassword,
  signOut,
  unlink,
  updateEmail,
  updatePassword,
  updateProfile,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import {
  AUTH_METHODS,
  changeAccount,
  changeAuthConfig,
  freshEmail,
  openAuth,
  PASSWORD,
} from '../drivers/auth.ts';
import { openOwnServer } from '../drivers/test-bed-client.ts';

describe.each(AUTH_METHODS)('Email addresses and passwords, with %s', (by) => {
  test('[S348] signing up creates an account and signs the user in', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const made = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    expect(made.operationType).toBe('signIn');
    expect(getAdditionalUserInfo(made)?.isNewUser).toBe(true);
    expect(auth.currentUser).toMatchObject({
      uid: made.user.uid,
      email,
      emailVerified: false,
      isAnonymous: false,
      providerData: [{ providerId: 'password', uid: email, email }],
    });
    expect(Date.parse(made.user.metadata.creationTime ?? '')).toBeGreaterThan(0);
  });

  test('[S348] an email address can sign up once, and an invalid email address or password is rejected', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    const signUp = (address: string, password: string) =>
      createUserWithEmailAndPassword(auth, address, password);
    await expect(signUp(email.toUpperCase(), PASSWORD)).rejects.toMatchObject({
      code: 'auth/email-already-in-use',
    });
    await expect(signUp('nonsense', PASSWORD)).rejects.toMatchObject({ code: 'auth/invalid-email' });
    await expect(signUp(freshEmail(), 'short')).rejects.toMatchObject({ code: 'auth/weak-password' });
    await expect(signUp(freshEmail(), '')).rejects.toMatchObject({ code: 'auth/missing-password' });
    expect(auth.currentUser?.uid).toBe(user.uid);
  });

  test('[S349] an email address and a password sign the user in any number of times, also as a credential', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    await signOut(auth);
    const first = await signInWithEmailAndPassword(auth, email, PASSWORD);
    const second = await signInWithEmailAndPassword(auth, email, PASSWORD);
    const third = await signInWithCredential(auth, EmailAuthProvider.credential(email, PASSWORD));
    expect([first, second, third].map((signedIn) => signedIn.user.uid)).toEqual(Array(3).fill(user.uid));
    expect(getAdditionalUserInfo(third)?.isNewUser).toBe(false);
  });

  test('[S349] a sign-in that fails is rejected with the reason, and does not change the current user', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    await expectRejected(auth, email, 'another password', 'auth/wrong-password');
    await expectRejected(auth, freshEmail(), PASSWORD, 'auth/user-not-found');
    await expectRejected(auth, 'nonsense', PASSWORD, 'auth/invalid-email');
    await expectRejected(auth, email, '', 'auth/missing-password');
    expect(auth.currentUser?.uid).toBe(user.uid);
    await changeAccount(user.uid, { disableUser: true });
    await expectRejected(auth, email, PASSWORD, 'auth/user-disabled');
  });

  test('[S350] a changed profile is visible after a reload wherever the user is signed in', async () => {
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(openAuth({ by }), email, PASSWORD);
    const elsewhere = await signInWithEmailAndPassword(openAuth({ by }), email, PASSWORD);
    await updateProfile(user, { displayName: 'Ada', photoURL: 'https://example.com/ada.png' });
    const profile = { displayName: 'Ada', photoURL: 'https://example.com/ada.png' };
    expect(user).toMatchObject(profile);
    await elsewhere.user.reload();
    expect(elsewhere.user).toMatchObject({ ...profile, providerData: [profile] });
    expect((await user.getIdTokenResult(true)).claims).toMatchObject({ name: 'Ada', email });
    await updateProfile(user, { displayName: '' });
    await elsewhere.user.reload();
    expect(elsewhere.user.displayName).toBeNull();
  });

  test('[S351] a new password and a new email address replace the old ones', async () => {
    const auth = openAuth({ by });
    const [email, later] = [freshEmail(), freshEmail()];
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    await updatePassword(user, 'another password');
    await updateEmail(user, later);
    await user.getIdToken(true);
    await expectRejected(auth, later, PASSWORD, 'auth/wrong-password');
    await expectRejected(auth, email, 'another password', 'auth/user-not-found');
    expect((await signInWithEmailAndPassword(auth, later, 'another password')).user.uid).toBe(user.uid);
  });

  test('[S351] a user whose password is removed stays signed in, and cannot sign in with the password', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    const unlinked = await unlink(user, 'password');
    expect(unlinked.providerData).toEqual([]);
    await user.getIdToken(true);
    expect(auth.currentUser?.uid).toBe(user.uid);
    await expect(signInWithEmailAndPassword(auth, email, PASSWORD)).rejects.toThrow('auth/');
  });

  test('[S351] a user can reauthenticate only with a valid credential of the same user', async () => {
    const auth = openAuth({ by });
    const [email, other] = [freshEmail(), freshEmail()];
    await createUserWithEmailAndPassword(auth, other, PASSWORD);
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    const proven = await reauthenticateWithCredential(user, EmailAuthProvider.credential(email, PASSWORD));
    expect(proven).toMatchObject({ operationType: 'reauthenticate', user: { uid: user.uid } });
    const invalid = reauthenticateWithCredential(user, EmailAuthProvider.credential(other, PASSWORD));
    await expect(invalid).rejects.toMatchObject({ code: 'auth/user-mismatch' });
    const wrong = reauthenticateWithCredential(user, EmailAuthProvider.credential(email, 'wrong'));
    await expect(wrong).rejects.toMatchObject({ code: 'auth/wrong-password' });
    expect(auth.currentUser?.uid).toBe(user.uid);
  });

  test('[S352] a deleted account is signed out everywhere, and another account can use its email address', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    const elsewhere = openAuth({ by });
    await signInWithEmailAndPassword(elsewhere, email, PASSWORD);
    await deleteUser(user);
    expect(auth.currentUser).toBeNull();
    await expect(elsewhere.currentUser?.reload()).rejects.toMatchObject({ code: 'auth/user-token-expired' });
    expect(elsewhere.currentUser).toBeNull();
    await expectRejected(auth, email, PASSWORD, 'auth/user-not-found');
    const again = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    expect(again.user.uid).not.toBe(user.uid);
  });
});

test('[S349] with email enumeration protection the error does not reveal whether email address or password is wrong', async () => {
  const server = await openOwnServer();
  const privacy = { emailPrivacyConfig: { enableImprovedEmailPrivacy: true } };
  await changeAuthConfig(server.url, privacy, 'emailPrivacyConfig');
  const auth = openAuth({ url: server.url });
  const email = freshEmail();
  await createUserWithEmailAndPassword(auth, email, PASSWORD);
  await expectRejected(auth, email, 'another password', 'auth/invalid-credential');
  await expectRejected(auth, freshEmail(), 'another password', 'auth/invalid-credential');
});

async function expectRejected(auth: Auth, email: string, password: string, code: string): Promise<void> {
  await expect(signInWithEmailAndPassword(auth, email, password)).rejects.toMatchObject({ code });
}
