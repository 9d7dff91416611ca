import {
  enrollPasskey,
  listPasskeys,
  removePasskey,
  signInWithPasskey,
  signUpWithPasskey,
  supportsPasskeys,
} from '@hearth/client/passkeys';
import {
  type Auth,
  createUserWithEmailAndPassword,
  signInAnonymously,
  signOut,
  type User,
} from 'firebase/auth';
import { beforeEach, describe, expect, test } from 'vitest';
import { cdp } from 'vitest/browser';
import { AUTH_METHODS, freshEmail, openAuth, PASSWORD } from '../drivers/auth.ts';

/** Gives the browser an authenticator without a user interface, which verifies its user. */
async function addAuthenticator(): Promise<string> {
  const { authenticatorId } = await cdp().send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

let authenticatorId = '';

beforeEach(async () => {
  await cdp().send('WebAuthn.enable');
  authenticatorId = await addAuthenticator();
  return async () => {
    await cdp().send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    await cdp().send('WebAuthn.disable');
  };
});

async function signUp(auth: Auth): Promise<User> {
  return (await createUserWithEmailAndPassword(auth, freshEmail(), PASSWORD)).user;
}

describe.each(AUTH_METHODS)('Passkeys, with %s', (by) => {
  test('[S610] a user adds a passkey and signs in with it, and the SDK has a session of the method passkey', async () => {
    const auth = openAuth({ by });
    expect(supportsPasskeys()).toBe(true);
    const user = await signUp(auth);
    await enrollPasskey(auth, user, { name: 'Laptop' });
    expect(auth.currentUser?.uid).toBe(user.uid);
    await signOut(auth);
    const { user: again } = await signInWithPasskey(auth);
    expect(again.uid).toBe(user.uid);
    const { signInProvider, signInSecondFactor } = await again.getIdTokenResult(true);
    expect([signInProvider, signInSecondFactor]).toEqual(['passkey', 'passkey']);
    expect(await listPasskeys(auth, again)).toMatchObject([{ name: 'Laptop' }]);
  });

  test('[S611] a user signs up with only a passkey', async () => {
    const auth = openAuth({ by });
    const { user } = await signUpWithPasskey(auth, { displayName: 'Ann' });
    expect(user).toMatchObject({ displayName: 'Ann', email: null, isAnonymous: false });
    await signOut(auth);
    expect((await signInWithPasskey(auth)).user.uid).toBe(user.uid);
  });
});

test('[S612] an anonymous user keeps the account', async () => {
  const auth = openAuth();
  const { user } = await signInAnonymously(auth);
  const { user: permanent } = await enrollPasskey(auth, user);
  expect(permanent.uid).toBe(user.uid);
  await permanent.getIdToken(true);
});

test('[S613] the suggestions of an input sign in', async () => {
  const auth = openAuth();
  const user = await signUp(auth);
  await enrollPasskey(auth, user);
  await signOut(auth);
  const input = document.createElement('input');
  input.autocomplete = 'username webauthn';
  document.body.append(input);
  const { user: again } = await signInWithPasskey(auth, { autofill: true });
  input.remove();
  expect(again.uid).toBe(user.uid);
});

test('[S613] the suggestions end when the app aborts', async () => {
  const auth = openAuth();
  await cdp().send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
  const input = document.createElement('input');
  input.autocomplete = 'username webauthn';
  document.body.append(input);
  const abort = new AbortController();
  const signingIn = signInWithPasskey(auth, { autofill: true, signal: abort.signal });
  abort.abort();
  await expect(signingIn).rejects.toMatchObject({ name: 'AbortError' });
  input.remove();
});

test('[S614] a removed passkey no longer signs in, and the user of its session stays signed in', async () => {
  const auth = openAuth();
  const user = await signUp(auth);
  const { user: enrolled } = await enrollPasskey(auth, user);
  const [passkey] = await listPasskeys(auth, enrolled);
  await removePasskey(auth, enrolled, passkey?.credentialId ?? '');
  const current = auth.currentUser;
  expect(current?.uid).toBe(user.uid);
  expect((await current?.getIdTokenResult(true))?.signInSecondFactor).toBeNull();
  await signOut(auth);
  await expect(signInWithPasskey(auth)).rejects.toThrow();
});
