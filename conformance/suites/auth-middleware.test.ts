import {
  type Auth,
  beforeAuthStateChanged,
  createUserWithEmailAndPassword,
  sendSignInLinkToEmail,
  signInAnonymously,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  signInWithEmailLink,
  signOut,
  type UserCredential,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import { customToken, freshEmail, openAuth, PASSWORD, readMailedCode } from '../drivers/auth.ts';

type SignIn = (auth: Auth) => Promise<UserCredential>;

const SIGN_INS: readonly (readonly [string, SignIn])[] = [
  ['anonymously', signInAnonymously],
  ['with a custom token', (auth) => signInWithCustomToken(auth, customToken(crypto.randomUUID()))],
  ['by signing up', (auth) => createUserWithEmailAndPassword(auth, freshEmail(), PASSWORD)],
  ['with a password', signInToNewAccount],
  ['with a link', signInByLink],
];

const BLOCKED = { code: 'auth/login-blocked' };

const reject = (): never => {
  throw new Error('not now');
};

describe.each(SIGN_INS)('beforeAuthStateChanged, signing in %s', (_kind, signIn) => {
  test.each([
    ['synchronously', reject],
    ['with a promise', async () => reject()],
  ])('[S357] a callback can reject a user %s', async (_how, block) => {
    const auth = openAuth();
    beforeAuthStateChanged(auth, block);
    await expect(signIn(auth)).rejects.toMatchObject(BLOCKED);
    expect(auth.currentUser).toBeNull();
  });

  test('[S357] a callback that rejects keeps the previous user', async () => {
    const auth = openAuth();
    const { user } = await signInAnonymously(auth);
    beforeAuthStateChanged(auth, reject);
    await expect(signInToOther(auth, signIn)).rejects.toMatchObject(BLOCKED);
    expect(auth.currentUser?.uid).toBe(user.uid);
    await user.reload();
  });

  test.each([
    ['synchronously', () => {}],
    ['with a promise', async () => {}],
  ])('[S357] a callback can accept a user %s', async (_how, allow) => {
    const auth = openAuth();
    const before = await signInWithCustomToken(auth, customToken(crypto.randomUUID()));
    const received: (string | undefined)[] = [];
    beforeAuthStateChanged(auth, (user) => {
      received.push(user?.uid);
      return allow();
    });
    const { user } = await signIn(auth);
    expect(auth.currentUser?.uid).toBe(user.uid);
    expect(user.uid).not.toBe(before.user.uid);
    expect(received).toEqual([user.uid]);
  });

  test('[S358] after a callback has rejected, no further callback is called, and the earlier ones are notified', async () => {
    const auth = openAuth();
    const { user } = await signInAnonymously(auth);
    const received: string[] = [];
    const hear = (name: string) => () => void received.push(name);
    beforeAuthStateChanged(auth, hear('first'), hear('first undone'));
    beforeAuthStateChanged(auth, hear('second'), hear('second undone'));
    beforeAuthStateChanged(auth, reject, hear('third undone'));
    beforeAuthStateChanged(auth, hear('fourth'), hear('fourth undone'));
    await expect(signInToOther(auth, signIn)).rejects.toMatchObject(BLOCKED);
    expect(received).toEqual(['first', 'second', 'second undone', 'first undone']);
    expect(auth.currentUser?.uid).toBe(user.uid);
  });

  test('[S358] all callbacks are called, until they are removed', async () => {
    const auth = openAuth();
    const received: string[] = [];
    beforeAuthStateChanged(auth, () => void received.push('first'));
    const leave = beforeAuthStateChanged(auth, async () => void received.push('second'));
    const { user } = await signIn(auth);
    expect(auth.currentUser?.uid).toBe(user.uid);
    leave();
    await signOut(auth);
    expect(received).toEqual(['first', 'second', 'first']);
  });

  test('[S358] a callback that rejects prevents a sign-out', async () => {
    const auth = openAuth();
    const { user } = await signIn(auth);
    beforeAuthStateChanged(auth, reject);
    await expect(signOut(auth)).rejects.toMatchObject(BLOCKED);
    expect(auth.currentUser?.uid).toBe(user.uid);
    await user.getIdToken(true);
  });
});

/**
 * Signs in as another user. Replaces an anonymous sign-in with a custom token, because an anonymous user who signs in
 * anonymously again stays the same user, and no callback is called.
 */
function signInToOther(auth: Auth, signIn: SignIn): Promise<UserCredential> {
  return signIn === signInAnonymously
    ? signInWithCustomToken(auth, customToken(crypto.randomUUID()))
    : signIn(auth);
}

async function signInToNewAccount(auth: Auth): Promise<UserCredential> {
  const email = freshEmail();
  await createUserWithEmailAndPassword(openAuth(), email, PASSWORD);
  return signInWithEmailAndPassword(auth, email, PASSWORD);
}

async function signInByLink(auth: Auth): Promise<UserCredential> {
  const email = freshEmail();
  await sendSignInLinkToEmail(auth, email, { url: 'http://localhost/', handleCodeInApp: true });
  const { link } = await readMailedCode(email, 'EMAIL_SIGNIN');
  return signInWithEmailLink(auth, email, link);
}
