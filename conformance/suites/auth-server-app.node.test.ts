import { hearthAuth } from '@hearth/client';
import { deleteApp, type FirebaseServerApp, initializeServerApp } from 'firebase/app';
import {
  type Auth,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  getAuth,
  signInAnonymously,
  signOut,
  updateProfile,
} from 'firebase/auth';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { AUTH_METHODS, freshEmail, openAuth, PASSWORD } from '../drivers/auth.ts';

describe.each(AUTH_METHODS)('Server-rendered pages, with %s', (by) => {
  test('[S355] the current user is the user of the ID token, anonymous or not', async () => {
    const auth = openAuth();
    const email = freshEmail();
    for (const { user } of [
      await signInAnonymously(auth),
      await createUserWithEmailAndPassword(auth, email, PASSWORD),
    ]) {
      const rendering = await openServerAuth(by, await user.getIdToken());
      expect(rendering.currentUser).toMatchObject({
        uid: user.uid,
        isAnonymous: user.isAnonymous,
        email: user.email,
      });
    }
  });

  test('[S355] without a valid ID token no user is signed in', async () => {
    expect((await openServerAuth(by, undefined)).currentUser).toBeNull();
    const auth = openAuth();
    const { user } = await signInAnonymously(auth);
    const token = await user.getIdToken();
    await user.delete();
    expect((await openServerAuth(by, token)).currentUser).toBeNull();
  });

  test("[S355] the user's token is the given one, and cannot be refreshed", async () => {
    const { user } = await signInAnonymously(openAuth());
    const token = await user.getIdToken();
    const rendering = await openServerAuth(by, token);
    expect(await rendering.currentUser?.getIdToken()).toBe(token);
    await expect(rendering.currentUser?.getIdToken(true)).rejects.toMatchObject({
      code: 'auth/operation-not-supported-in-this-environment',
    });
  });

  test('[S356] a profile that changes elsewhere is visible after a reload', async () => {
    const { user } = await createUserWithEmailAndPassword(openAuth(), freshEmail(), PASSWORD);
    const rendering = await openServerAuth(by, await user.getIdToken());
    await updateProfile(user, { displayName: 'Ada' });
    expect(rendering.currentUser?.displayName).toBeNull();
    await rendering.currentUser?.reload();
    expect(rendering.currentUser?.displayName).toBe('Ada');
  });

  test('[S356] a user who signs out in the app of the server stays signed in on the page', async () => {
    const auth = openAuth();
    const { user } = await signInAnonymously(auth);
    const rendering = await openServerAuth(by, await user.getIdToken());
    await signOut(auth);
    expect(rendering.currentUser?.uid).toBe(user.uid);
    await rendering.currentUser?.reload();
  });

  test('[S356] the app of a server rejects every sign-in and sign-out', async () => {
    const { user } = await signInAnonymously(openAuth());
    const rendering = await openServerAuth(by, await user.getIdToken());
    const requestError = { code: 'auth/operation-not-supported-in-this-environment' };
    await expect(signInAnonymously(rendering)).rejects.toMatchObject(requestError);
    const signUp = createUserWithEmailAndPassword(rendering, freshEmail(), PASSWORD);
    await expect(signUp).rejects.toMatchObject(requestError);
    await expect(signOut(rendering)).rejects.toMatchObject(requestError);
    expect(rendering.currentUser?.uid).toBe(user.uid);
  });
});

/** Opens an Auth as a server does for one request. Resolves when the Auth knows whether a user is signed in. */
async function openServerAuth(by: (typeof AUTH_METHODS)[number], idToken: string | undefined): Promise<Auth> {
  const options = { apiKey: 'any', projectId: 'demo' };
  const app: FirebaseServerApp = initializeServerApp(
    options,
    idToken === undefined ? {} : { authIdToken: idToken },
  );
  onTestFinished(() => deleteApp(app));
  const auth = by === 'hearthAuth' ? hearthAuth(app, inject('serverUrl')) : getAuth(app);
  if (by === 'connectAuthEmulator') connectAuthEmulator(auth, inject('serverUrl'), { disableWarnings: true });
  await auth.authStateReady();
  return auth;
}
