import {
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  getAdditionalUserInfo,
  linkWithCredential,
  signInAnonymously,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  updateEmail,
  updatePassword,
  updateProfile,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import { AUTH_METHODS, customToken, freshEmail, openAuth, PASSWORD } from '../drivers/auth.ts';

describe.each(AUTH_METHODS)('Custom tokens, with %s', (by) => {
  test('[S344] a custom token creates the account of its uid, and later tokens find the account', async () => {
    const auth = openAuth({ by });
    const uid = crypto.randomUUID();
    const first = await signInWithCustomToken(auth, customToken(uid));
    expect(first.user).toMatchObject({ uid, isAnonymous: false, email: null, providerData: [] });
    expect(getAdditionalUserInfo(first)?.isNewUser).toBe(true);
    const second = await signInWithCustomToken(auth, customToken(uid));
    expect(second.user.uid).toBe(uid);
    expect(getAdditionalUserInfo(second)?.isNewUser).toBe(false);
  });

  test('[S344] a custom token finds the account of its uid even if the account has an email address', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    const joined = await signInWithCustomToken(openAuth({ by }), customToken(user.uid));
    expect(joined.user).toMatchObject({ uid: user.uid, email });
    expect(getAdditionalUserInfo(joined)?.isNewUser).toBe(false);
  });

  test('[S344] an invalid custom token is rejected', async () => {
    const auth = openAuth({ by });
    await expect(signInWithCustomToken(auth, 'nonsense')).rejects.toMatchObject({
      code: 'auth/invalid-custom-token',
    });
    expect(auth.currentUser).toBeNull();
  });

  test('[S345] the claims of a custom token are in refreshed tokens too', async () => {
    const auth = openAuth({ by });
    const { user } = await signInWithCustomToken(auth, customToken(crypto.randomUUID(), { level: 7 }));
    expect((await user.getIdTokenResult()).claims['level']).toBe(7);
    const refreshed = await user.getIdTokenResult(true);
    expect(refreshed).toMatchObject({ signInProvider: 'custom', claims: { level: 7, sub: user.uid } });
  });

  test('[S346] accounts of custom tokens, of email addresses and of anonymous users are separate', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const anonymous = await signInAnonymously(auth);
    const custom = await signInWithCustomToken(auth, customToken(crypto.randomUUID()));
    const named = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    expect(new Set([anonymous, custom, named].map(({ user }) => user.uid)).size).toBe(3);
    await signInWithCustomToken(auth, customToken(custom.user.uid));
    expect(auth.currentUser).toMatchObject({ uid: custom.user.uid, email: null });
    await signInWithEmailAndPassword(auth, email, PASSWORD);
    expect(auth.currentUser?.uid).toBe(named.user.uid);
    await anonymous.user.reload();
    expect(anonymous.user.isAnonymous).toBe(true);
  });

  test('[S346] the account of a custom token has a profile, and can be deleted', async () => {
    const auth = openAuth({ by });
    const uid = crypto.randomUUID();
    const { user } = await signInWithCustomToken(auth, customToken(uid));
    await updateProfile(user, { displayName: 'Ada' });
    const again = await signInWithCustomToken(openAuth({ by }), customToken(uid));
    expect(again.user.displayName).toBe('Ada');
    await deleteUser(user);
    expect(auth.currentUser).toBeNull();
    await expect(again.user.reload()).rejects.toMatchObject({ code: 'auth/user-token-expired' });
    const secondSignIn = await signInWithCustomToken(auth, customToken(uid));
    expect(secondSignIn.user.displayName).toBeNull();
    expect(getAdditionalUserInfo(secondSignIn)?.isNewUser).toBe(true);
  });

  test('[S347] an email address and a password can be set for the account of a custom token', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await signInWithCustomToken(auth, customToken(crypto.randomUUID()));
    await updateEmail(user, email);
    await updatePassword(user, PASSWORD);
    expect((await signInWithEmailAndPassword(openAuth({ by }), email, PASSWORD)).user.uid).toBe(user.uid);
  });

  test('[S347] an email address and a password can be linked to the account of a custom token', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await signInWithCustomToken(auth, customToken(crypto.randomUUID()));
    await linkWithCredential(user, EmailAuthProvider.credential(email, PASSWORD));
    expect(auth.currentUser).toMatchObject({ uid: user.uid, email });
    expect((await signInWithEmailAndPassword(openAuth({ by }), email, PASSWORD)).user.uid).toBe(user.uid);
    expect((await signInWithCustomToken(auth, customToken(user.uid))).user.email).toBe(email);
  });

  test('[S347] an email address that another account has can be neither set nor linked', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    await createUserWithEmailAndPassword(auth, email, PASSWORD);
    const { user } = await signInWithCustomToken(auth, customToken(crypto.randomUUID()));
    const taken = { code: 'auth/email-already-in-use' };
    await expect(updateEmail(user, email)).rejects.toMatchObject(taken);
    const credential = EmailAuthProvider.credential(email, PASSWORD);
    await expect(linkWithCredential(user, credential)).rejects.toMatchObject(taken);
    await user.reload();
    expect(user.email).toBeNull();
  });
});
