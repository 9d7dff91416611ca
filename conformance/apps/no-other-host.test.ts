import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { CHROMIUM_LAUNCH } from '../../scripts/chromium.ts';
import { changeAccount, freshEmail, PASSWORD } from '../drivers/auth.ts';
import { addAuthenticator } from '../drivers/authenticator.ts';
import { totpCode } from '../drivers/credentials.ts';
import { inventUser, PopupApp, type PopupAppOptions } from '../drivers/popup-app.ts';
import { freshPhoneNumber, readSmsCode } from '../drivers/sms.ts';

let browser: Browser;

beforeAll(async () => {
  // Requests that the test cannot observe in the page must fail too.
  const rules = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1';
  browser = await chromium.launch({ ...CHROMIUM_LAUNCH, args: [...CHROMIUM_LAUNCH.args, rules] });
});

afterAll(() => browser?.close());

async function openApp(change: Partial<PopupAppOptions>): Promise<PopupApp> {
  const serverUrl = inject('serverUrl').replace('127.0.0.1', 'localhost');
  return PopupApp.open(await browser.newContext(), { serverUrl, ...change });
}

/** Signs up, out and in with a password, changes it, and asks for mails. */
async function usePassword(app: PopupApp): Promise<{ readonly uid: string; readonly email: string }> {
  const email = freshEmail();
  const uid = await app.evaluate(`
    const { user } = await sdk.createUserWithEmailAndPassword(auth, '${email}', '${PASSWORD}');
    await sdk.sendEmailVerification(user);
    await sdk.updateProfile(user, { displayName: 'Ann' });
    await sdk.signOut(auth);
    await sdk.sendPasswordResetEmail(auth, '${email}');
    await sdk.signInWithEmailAndPassword(auth, '${email}', '${PASSWORD}');
    await auth.currentUser.getIdToken(true);
    return auth.currentUser.uid`);
  expect(uid).toMatch(/^\w{28}$/);
  return { uid: String(uid), email };
}

/** Enrolls an authenticator app, and signs in with it. The user is signed in with a verified address. */
async function useTotp(
  app: PopupApp,
  { uid, email }: { readonly uid: string; readonly email: string },
): Promise<void> {
  await changeAccount(uid, { emailVerified: true });
  const secretKey = await app.evaluate(`
    await auth.currentUser.reload();
    window.secret = await sdk.TotpMultiFactorGenerator.generateSecret(await sdk.multiFactor(auth.currentUser).getSession());
    return window.secret.secretKey`);
  const enrolled = await app.evaluate(`
    const assertion = sdk.TotpMultiFactorGenerator.assertionForEnrollment(window.secret, '${await totpCode(String(secretKey))}');
    await sdk.multiFactor(auth.currentUser).enroll(assertion, 'app');
    await sdk.signOut(auth);
    const error = await sdk.signInWithEmailAndPassword(auth, '${email}', '${PASSWORD}').catch((reason) => reason);
    window.resolver = sdk.getMultiFactorResolver(auth, error);
    return window.resolver.hints[0].factorId`);
  expect(enrolled).toBe('totp');
  // The enrollment used up the current code.
  const code = await totpCode(String(secretKey), 1);
  const signedIn = await app.evaluate(`
    const assertion = sdk.TotpMultiFactorGenerator.assertionForSignIn(window.resolver.hints[0].uid, '${code}');
    return (await window.resolver.resolveSignIn(assertion)).user.uid`);
  expect(signedIn).toBe(uid);
}

/** Signs in by phone with each kind of the SDK's verifier. */
async function usePhone(app: PopupApp): Promise<void> {
  for (const size of ['normal', 'invisible']) {
    const phone = freshPhoneNumber();
    const sent = await app.evaluate(`
      const verifier = new sdk.RecaptchaVerifier(auth, document.body.appendChild(document.createElement('div')), { size: '${size}' });
      window.confirmation = await sdk.signInWithPhoneNumber(auth, '${phone}', verifier);
      return 'sent'`);
    expect(sent).toBe('sent');
    const code = await readSmsCode(phone);
    const number = await app.evaluate(
      `return (await window.confirmation.confirm('${code}')).user.phoneNumber`,
    );
    expect(number).toBe(phone);
  }
}

/** Signs in with a popup, and again with a redirect. */
async function useProvider(app: PopupApp): Promise<void> {
  const email = freshEmail();
  await app.run('signOut');
  await inventUser(await app.openPopup('signInWithPopup'), email);
  expect(await app.result('signInWithPopup')).toMatchObject({ error: null, email });
  await app.run('signOut');
  await app.start('signInWithRedirect');
  await app.page.getByRole('button', { name: email }).click();
  expect(await app.result('load')).toMatchObject({ error: null, email });
}

/** Adds a passkey, and signs in with it. */
async function usePasskey(app: PopupApp): Promise<void> {
  await addAuthenticator(app.page);
  const result = await app.evaluate(`
    const passkeys = await import('/client/passkeys/index.ts');
    const { user } = await sdk.createUserWithEmailAndPassword(auth, '${freshEmail()}', '${PASSWORD}');
    await passkeys.enrollPasskey(auth, user, { name: 'key' });
    await sdk.signOut(auth);
    return (await passkeys.signInWithPasskey(auth)).user.uid === user.uid`);
  expect(result).toBe(true);
}

test.each(['connectAuthEmulator', 'hearthAuth'] as const)(
  '[S959] with %s and the script of the server, no way of signing in requests another host',
  async (by) => {
    const app = await openApp({ by });
    await useTotp(app, await usePassword(app));
    await usePhone(app);
    await useProvider(app);
    if (by === 'hearthAuth') await usePasskey(app);
    expect(app.foreignRequests).toEqual([]);
  },
);

test('[S959] without the script, the verifier of the SDK requests another host, and the test detects this', async () => {
  const app = await openApp({ by: 'hearthAuth', hasShim: false });
  await app.evaluate(`
    const verifier = new sdk.RecaptchaVerifier(auth, document.body.appendChild(document.createElement('div')), {});
    await verifier.render()`);
  expect(app.foreignRequests).toEqual([expect.stringMatching(/^https:\/\/www\.google\.com\/recaptcha\//)]);
});
