import {
  type ActionCodeSettings,
  type Auth,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  fetchSignInMethodsForEmail,
  getAdditionalUserInfo,
  isSignInWithEmailLink,
  linkWithCredential,
  reauthenticateWithCredential,
  sendSignInLinkToEmail,
  signInAnonymously,
  signInWithCredential,
  signInWithCustomToken,
  signInWithEmailLink,
  signOut,
  updatePassword,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import {
  AUTH_METHODS,
  changeAuthConfig,
  customToken,
  freshEmail,
  openAuth,
  PASSWORD,
  readMailedCode,
} from '../drivers/auth.ts';
import { openOwnServer } from '../drivers/test-bed-client.ts';

const CONTINUE = { url: 'http://localhost/finish?cart=7', handleCodeInApp: true };

describe.each(AUTH_METHODS)('Links in mails, with %s', (by) => {
  test('[S372] a link creates an account for its email address, and signs the user in', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const link = await requestLink(auth, email);
    expect(isSignInWithEmailLink(auth, link)).toBe(true);
    const made = await signInWithEmailLink(auth, email, link);
    expect(made.user).toMatchObject({ email, emailVerified: true, isAnonymous: false });
    expect(made.user.providerData.map(({ providerId }) => providerId)).toEqual(['password']);
    expect(getAdditionalUserInfo(made)?.isNewUser).toBe(true);
    await signOut(auth);
    const again = await signInWithEmailLink(auth, email, await requestLink(auth, email));
    expect(again.user.uid).toBe(made.user.uid);
    expect(getAdditionalUserInfo(again)?.isNewUser).toBe(false);
  });

  test('[S372] a link can be used as a credential, once', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const credential = EmailAuthProvider.credentialWithLink(email, await requestLink(auth, email));
    const { user } = await signInWithCredential(auth, credential);
    await signOut(auth);
    await expect(signInWithCredential(auth, credential)).rejects.toMatchObject({
      code: 'auth/invalid-action-code',
    });
    expect(auth.currentUser).toBeNull();
    expect(user.email).toBe(email);
  });

  test('[S372] if several clients follow one link at the same time, one is signed in', async () => {
    const email = freshEmail();
    const link = await requestLink(openAuth({ by }), email);
    const racing = [openAuth({ by }), openAuth({ by }), openAuth({ by })];
    await Promise.allSettled(racing.map((auth) => signInWithEmailLink(auth, email, link)));
    expect(racing.filter(({ currentUser }) => currentUser?.email === email)).toHaveLength(1);
  });

  test('[S372] a link is rejected for another email address, and a link with an invalid code is rejected', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const link = await requestLink(auth, email);
    await expect(signInWithEmailLink(auth, freshEmail(), link)).rejects.toMatchObject({
      code: 'auth/invalid-email',
    });
    const wrong = new URL(link);
    wrong.searchParams.set('oobCode', 'nonsense');
    await expect(signInWithEmailLink(auth, email, wrong.href)).rejects.toMatchObject({
      code: 'auth/invalid-action-code',
    });
    await signInWithEmailLink(auth, email, link);
  });

  test('[S373] a link reauthenticates the user', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await signInWithEmailLink(auth, email, await requestLink(auth, email));
    const credential = EmailAuthProvider.credentialWithLink(email, await requestLink(auth, email));
    const proven = await reauthenticateWithCredential(user, credential);
    expect(proven.user.uid).toBe(user.uid);
  });

  test('[S373] a link of another user does not reauthenticate', async () => {
    const auth = openAuth({ by });
    const [email, other] = [freshEmail(), freshEmail()];
    const { user } = await signInWithEmailLink(auth, email, await requestLink(auth, email));
    const credential = EmailAuthProvider.credentialWithLink(other, await requestLink(auth, other));
    await expect(reauthenticateWithCredential(user, credential)).rejects.toMatchObject({
      code: 'auth/user-mismatch',
    });
    expect(auth.currentUser?.uid).toBe(user.uid);
  });

  test('[S373] a link does not reauthenticate a deleted account', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await signInWithEmailLink(auth, email, await requestLink(auth, email));
    const credential = EmailAuthProvider.credentialWithLink(email, await requestLink(auth, email));
    await deleteUser(user);
    await expect(reauthenticateWithCredential(user, credential)).rejects.toMatchObject({
      code: 'auth/user-mismatch',
    });
  });

  test.each([
    ['an anonymous user', signInAnonymously],
    ['a custom token', (auth: Auth) => signInWithCustomToken(auth, customToken(crypto.randomUUID()))],
  ])('[S374] a link adds its email address to the account of %s', async (_whose, signIn) => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await signIn(auth);
    const credential = EmailAuthProvider.credentialWithLink(email, await requestLink(auth, email));
    const linked = await linkWithCredential(user, credential);
    expect(linked.user).toMatchObject({ uid: user.uid, email, emailVerified: true, isAnonymous: false });
    await user.getIdToken(true);
    await signOut(auth);
    const again = await signInWithEmailLink(auth, email, await requestLink(auth, email));
    expect(again.user.uid).toBe(user.uid);
  });

  test('[S374] an email address that another account has is not added', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    await createUserWithEmailAndPassword(openAuth({ by }), email, PASSWORD);
    const { user } = await signInAnonymously(auth);
    const credential = EmailAuthProvider.credentialWithLink(email, await requestLink(auth, email));
    await expect(linkWithCredential(user, credential)).rejects.toMatchObject({
      code: 'auth/email-already-in-use',
    });
    expect(auth.currentUser?.uid).toBe(user.uid);
  });

  test('[S374] a link adds nothing to a deleted account', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await signInAnonymously(auth);
    const credential = EmailAuthProvider.credentialWithLink(email, await requestLink(auth, email));
    await deleteUser(user);
    await expect(linkWithCredential(user, credential)).rejects.toMatchObject({
      code: 'auth/user-token-expired',
    });
    expect(auth.currentUser).toBeNull();
  });

  test('[S375] the sign-in methods of an email address are listed', async () => {
    const auth = openAuth({ by });
    const [email, other] = [freshEmail(), freshEmail()];
    expect(await fetchSignInMethodsForEmail(auth, email)).toEqual([]);
    const { user } = await signInWithEmailLink(auth, email, await requestLink(auth, email));
    expect(await fetchSignInMethodsForEmail(auth, email)).toEqual(['emailLink']);
    await updatePassword(user, PASSWORD);
    expect((await fetchSignInMethodsForEmail(auth, email)).toSorted()).toEqual(['emailLink', 'password']);
    await createUserWithEmailAndPassword(auth, other, PASSWORD);
    expect(await fetchSignInMethodsForEmail(auth, other)).toEqual(['password']);
  });

  test('[S379] a link may use a domain of the project', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const link = await requestLink(auth, email, { ...CONTINUE, linkDomain: 'localhost' });
    expect(new URL(link).hostname).toBe('localhost');
    expect(isSignInWithEmailLink(auth, link)).toBe(true);
    expect((await signInWithEmailLink(auth, email, link)).user.email).toBe(email);
  });

  test('[S379] a link for any other domain, and a continue URL of a foreign domain, are rejected', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const foreign = { ...CONTINUE, linkDomain: 'links.example.com' };
    await expect(sendSignInLinkToEmail(auth, email, foreign)).rejects.toMatchObject({
      code: 'auth/invalid-hosting-link-domain',
    });
    const away = { ...CONTINUE, url: 'https://example.com/finish' };
    await expect(sendSignInLinkToEmail(auth, email, away)).rejects.toMatchObject({
      code: 'auth/unauthorized-continue-uri',
    });
  });
});

test('[S375] with email enumeration protection the list of sign-in methods is empty', async () => {
  const server = await openOwnServer();
  const privacy = { emailPrivacyConfig: { enableImprovedEmailPrivacy: true } };
  await changeAuthConfig(server.url, privacy, 'emailPrivacyConfig');
  const auth = openAuth({ url: server.url });
  const email = freshEmail();
  await createUserWithEmailAndPassword(auth, email, PASSWORD);
  expect(await fetchSignInMethodsForEmail(auth, email)).toEqual([]);
  expect(await fetchSignInMethodsForEmail(auth, freshEmail())).toEqual([]);
});

/** Requests a mail with a sign-in link, and returns the link. */
async function requestLink(
  auth: Auth,
  email: string,
  settings: ActionCodeSettings = CONTINUE,
): Promise<string> {
  await sendSignInLinkToEmail(auth, email, settings);
  return (await readMailedCode(email, 'EMAIL_SIGNIN')).link;
}
