import {
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  getAdditionalUserInfo,
  linkWithCredential,
  signInAnonymously,
  signInWithEmailAndPassword,
  signOut,
  updateEmail,
  updatePassword,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import { AUTH_METHODS, freshEmail, openAuth, PASSWORD } from '../drivers/auth.ts';

describe.each(AUTH_METHODS)('Anonymous users, with %s', (by) => {
  test('[S340] signing in anonymously creates an account', async () => {
    const auth = openAuth({ by });
    const signedIn = await signInAnonymously(auth);
    expect(signedIn.operationType).toBe('signIn');
    expect(getAdditionalUserInfo(signedIn)?.isNewUser).toBe(true);
    expect(auth.currentUser).toMatchObject({
      uid: expect.stringMatching(/^[0-9A-Za-z]{28}$/),
      isAnonymous: true,
      email: null,
      providerData: [],
    });
    expect((await signedIn.user.getIdTokenResult()).signInProvider).toBe('anonymous');
  });

  test('[S340] signing in anonymously again keeps the account, and after a sign-out creates another one', async () => {
    const auth = openAuth({ by });
    const first = await signInAnonymously(auth);
    const again = await signInAnonymously(auth);
    expect(again.user.uid).toBe(first.user.uid);
    await signOut(auth);
    expect(auth.currentUser).toBeNull();
    expect((await signInAnonymously(auth)).user.uid).not.toBe(first.user.uid);
  });

  test('[S341] an anonymous account and one with an email address are separate', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const anonymous = await signInAnonymously(auth);
    const named = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    expect(named.user.uid).not.toBe(anonymous.user.uid);
    expect(auth.currentUser).toMatchObject({ uid: named.user.uid, isAnonymous: false });
    await signInAnonymously(auth);
    expect(auth.currentUser?.uid).not.toBe(named.user.uid);
    await signInWithEmailAndPassword(auth, email, PASSWORD);
    expect(auth.currentUser?.uid).toBe(named.user.uid);
  });

  test('[S342] an anonymous user who sets an email address and a password keeps the account', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await signInAnonymously(auth);
    await updateEmail(user, email);
    await updatePassword(user, PASSWORD);
    await signOut(auth);
    const again = await signInWithEmailAndPassword(auth, email, PASSWORD);
    expect(again.user).toMatchObject({ uid: user.uid, isAnonymous: false, email });
  });

  test('[S342] an anonymous user who links an email address and a password keeps the account', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await signInAnonymously(auth);
    const linked = await linkWithCredential(user, EmailAuthProvider.credential(email, PASSWORD));
    expect(linked.operationType).toBe('link');
    expect(linked.user).toMatchObject({ uid: user.uid, isAnonymous: false, email });
    expect(linked.user.providerData.map(({ providerId }) => providerId)).toEqual(['password']);
    expect((await linked.user.getIdTokenResult()).signInProvider).toBe('password');
    await signOut(auth);
    expect((await signInWithEmailAndPassword(auth, email, PASSWORD)).user.uid).toBe(user.uid);
  });

  test('[S343] an email address that another account has is not linked, and nothing changes', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const other = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    const { user } = await signInAnonymously(auth);
    const linked = linkWithCredential(user, EmailAuthProvider.credential(email, PASSWORD));
    await expect(linked).rejects.toMatchObject({ code: 'auth/email-already-in-use' });
    await user.reload();
    expect(auth.currentUser).toMatchObject({ uid: user.uid, isAnonymous: true, email: null });
    await signInWithEmailAndPassword(auth, email, PASSWORD);
    expect(auth.currentUser?.uid).toBe(other.user.uid);
  });
});
