import {
  type AuthError,
  createUserWithEmailAndPassword,
  FacebookAuthProvider,
  GithubAuthProvider,
  GoogleAuthProvider,
  getAdditionalUserInfo,
  linkWithCredential,
  OAuthProvider,
  reauthenticateWithCredential,
  revokeAccessToken,
  signInAnonymously,
  signInWithCredential,
  unlink,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import { AUTH_METHODS, freshEmail, openAuth, PASSWORD } from '../drivers/auth.ts';

/** Returns a credential of Google as the official emulator accepts it. */
function google(sub: string, email: string, isVerified = true) {
  return GoogleAuthProvider.credential(
    JSON.stringify({ sub, email, email_verified: isVerified, name: 'Ann' }),
  );
}

const newId = () => crypto.randomUUID();

describe.each(AUTH_METHODS)('Other providers, with %s', (by) => {
  test('[S958] revokeAccessToken revokes a token of Apple before the user deletes the account', async () => {
    const auth = openAuth({ by });
    const credential = new OAuthProvider('apple.com').credential({
      idToken: JSON.stringify({ sub: newId() }),
    });
    await signInWithCredential(auth, credential);
    await revokeAccessToken(auth, 'token of Apple');
    await auth.currentUser?.delete();
  });

  test('[S512] a credential signs up, and later signs in to the same account', async () => {
    const auth = openAuth({ by });
    const [sub, email] = [newId(), freshEmail()];
    const first = await signInWithCredential(auth, google(sub, email));
    expect(first.user).toMatchObject({ email, emailVerified: true, displayName: 'Ann', isAnonymous: false });
    expect(first.user.providerData).toMatchObject([{ providerId: 'google.com', uid: sub, email }]);
    expect(getAdditionalUserInfo(first)).toMatchObject({
      isNewUser: true,
      providerId: 'google.com',
      profile: { id: sub, email },
    });
    expect(GoogleAuthProvider.credentialFromResult(first)?.idToken).toContain(sub);
    const again = await signInWithCredential(openAuth({ by }), google(sub, email));
    expect(again.user.uid).toBe(first.user.uid);
    expect(getAdditionalUserInfo(again)?.isNewUser).toBe(false);
    const { signInProvider, claims } = await again.user.getIdTokenResult(true);
    expect(signInProvider).toBe('google.com');
    expect(claims).toMatchObject({ firebase: { identities: { 'google.com': [sub], email: [email] } } });
  });

  test('[S512] an access token and the user name of GitHub are passed on', async () => {
    const auth = openAuth({ by });
    const token = JSON.stringify({ sub: newId(), screen_name: 'ann', login: 'ann' });
    const result = await signInWithCredential(auth, GithubAuthProvider.credential(token));
    expect(getAdditionalUserInfo(result)?.username).toBe('ann');
    expect(GithubAuthProvider.credentialFromResult(result)?.accessToken).toBe(token);
  });

  test('[S513] several providers are linked to an account, and unlinked', async () => {
    const auth = openAuth({ by });
    const { user } = await signInWithCredential(auth, google(newId(), freshEmail()));
    const facebook = JSON.stringify({ sub: newId(), email: freshEmail() });
    await linkWithCredential(user, FacebookAuthProvider.credential(facebook));
    const work = new OAuthProvider('oidc.work').credential({ idToken: JSON.stringify({ sub: newId() }) });
    await linkWithCredential(user, work);
    const idsOf = () => user.providerData.map(({ providerId }) => providerId).sort();
    expect(idsOf()).toEqual(['facebook.com', 'google.com', 'oidc.work']);
    await unlink(user, 'facebook.com');
    expect(idsOf()).toEqual(['google.com', 'oidc.work']);
    expect((await signInWithCredential(openAuth({ by }), work)).user.uid).toBe(user.uid);
    const other = await signInWithCredential(openAuth({ by }), FacebookAuthProvider.credential(facebook));
    expect(other.user.uid).not.toBe(user.uid);
  });

  test('[S513] an anonymous user keeps the ID when a provider is linked', async () => {
    const auth = openAuth({ by });
    const { user } = await signInAnonymously(auth);
    const { uid } = user;
    const email = freshEmail();
    await linkWithCredential(user, google(newId(), email));
    expect(auth.currentUser).toMatchObject({ uid, email, isAnonymous: false });
  });

  test('[S514] a credential of another account is not linked, and signs in to that account', async () => {
    const [sub, email] = [newId(), freshEmail()];
    const owner = await signInWithCredential(openAuth({ by }), google(sub, email));
    const auth = openAuth({ by });
    const { user } = await createUserWithEmailAndPassword(auth, freshEmail(), PASSWORD);
    await expect(linkWithCredential(user, google(sub, email))).rejects.toMatchObject({
      code: 'auth/credential-already-in-use',
    });
    expect((await signInWithCredential(auth, google(sub, email))).user.uid).toBe(owner.user.uid);
  });

  test('[S514] a credential with the address of another account is not linked', async () => {
    const email = freshEmail();
    await createUserWithEmailAndPassword(openAuth({ by }), email, PASSWORD);
    const { user } = await createUserWithEmailAndPassword(openAuth({ by }), freshEmail(), PASSWORD);
    await expect(linkWithCredential(user, google(newId(), email))).rejects.toMatchObject({
      code: 'auth/email-already-in-use',
    });
  });

  test('[S515] an address that the provider does not prove asks for another sign-in, after which it is linked', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    const error: AuthError = await signInWithCredential(
      openAuth({ by }),
      google(newId(), email, false),
    ).catch((cause) => cause);
    expect(error.code).toBe('auth/account-exists-with-different-credential');
    expect(error.customData.email).toBe(email);
    const credential = GoogleAuthProvider.credentialFromError(error);
    if (credential === null) throw new Error('The error has no credential.');
    expect((await linkWithCredential(user, credential)).user.uid).toBe(user.uid);
    expect((await signInWithCredential(openAuth({ by }), credential)).user.uid).toBe(user.uid);
  });

  test('[S515] a proven address takes over an account that has not verified it', async () => {
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(openAuth({ by }), email, PASSWORD);
    const { user: owner } = await signInWithCredential(openAuth({ by }), google(newId(), email));
    expect(owner.uid).toBe(user.uid);
    expect(owner.providerData.map(({ providerId }) => providerId)).toEqual(['google.com']);
    await expect(user.getIdToken(true)).rejects.toMatchObject({ code: 'auth/user-token-expired' });
  });

  test('[S516] a user signs in again only with the identity of the account', async () => {
    const auth = openAuth({ by });
    const [sub, email] = [newId(), freshEmail()];
    const { user } = await signInWithCredential(auth, google(sub, email));
    expect((await reauthenticateWithCredential(user, google(sub, email))).user.uid).toBe(user.uid);
    await expect(reauthenticateWithCredential(user, google(newId(), freshEmail()))).rejects.toMatchObject({
      code: 'auth/user-mismatch',
    });
    expect(auth.currentUser).toBe(user);
  });
});
