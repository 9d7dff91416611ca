import { createServer } from 'node:http';
import {
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  isSignInWithEmailLink,
  multiFactor,
  sendEmailVerification,
  sendPasswordResetEmail,
  sendSignInLinkToEmail,
  signInWithEmailAndPassword,
  signInWithEmailLink,
  TotpMultiFactorGenerator,
  type User,
  verifyBeforeUpdateEmail,
} from 'firebase/auth';
import type { Browser } from 'playwright';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import {
  changeAccount,
  freshEmail,
  openAuth,
  PASSWORD,
  readMailedCode,
  readMailedCodes,
  requestForeignCode,
} from '../drivers/auth.ts';
import { useBrowser } from '../drivers/browser.ts';
import { KeyboardVisitor } from '../drivers/console/keyboard-visitor.ts';
import { totpCode } from '../drivers/credentials.ts';
import { listenOnLoopback } from '../drivers/test-bed.ts';

const NEW_PASSWORD = 'another password';
const EXPIRED = 'This link is no longer valid';
const LINK_SENT = 'we sent a link to it';
const CLOSE = 'You can close this page.';

let browser: Browser;

useBrowser((opened) => {
  browser = opened;
});

/** Creates an account, and opens an app that is signed in to the account. */
async function openUser() {
  const auth = openAuth();
  const email = freshEmail();
  const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
  return { auth, email, user };
}

/** Opens the link of the latest mail for a purpose to an address, in a new window. */
async function follow(email: string, purpose: string): Promise<KeyboardVisitor> {
  return KeyboardVisitor.open(browser, (await readMailedCode(email, purpose)).link);
}

async function choosePassword(visitor: KeyboardVisitor): Promise<void> {
  await visitor.waitForHeading('Choose a new password');
  await visitor.paste('New password', NEW_PASSWORD);
  await visitor.press('Save password');
  await visitor.waitForHeading('Password saved');
}

/** Starts the server of an app that pages link to; returns its URL. */
async function openApp(): Promise<string> {
  const server = createServer((_request, response) => response.end('The app'));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listenOnLoopback(server);
}

/** Returns a link that no mail contained. */
function buildLink(parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams({ oobCode: 'nonsense', apiKey: 'any', ...parameters });
  return `${inject('serverUrl')}/__/auth/action?${query}`;
}

function signIn(email: string, password: string) {
  return signInWithEmailAndPassword(openAuth(), email, password);
}

async function addSecondFactor(user: User): Promise<void> {
  const secret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
  const code = await totpCode(secret.secretKey);
  await multiFactor(user).enroll(TotpMultiFactorGenerator.assertionForEnrollment(secret, code), 'my app');
}

describe('The link of a mail, used by keyboard', () => {
  test('[I180] confirms the email address when the user presses the button', async () => {
    const { user, email } = await openUser();
    await sendEmailVerification(user);
    const visitor = await follow(email, 'VERIFY_EMAIL');
    await visitor.waitForHeading('Verify your email address');
    await user.reload();
    expect(user.emailVerified).toBe(false);
    await visitor.press('Verify email');
    await visitor.waitForHeading('Email verified');
    await user.reload();
    expect(user.emailVerified).toBe(true);
    expect(visitor.complaints).toEqual([]);
  });

  test('[I181] sets a new password, and the old password becomes invalid', async () => {
    const { auth, user, email } = await openUser();
    await sendPasswordResetEmail(auth, email);
    const visitor = await follow(email, 'PASSWORD_RESET');
    await choosePassword(visitor);
    expect((await signIn(email, NEW_PASSWORD)).user.uid).toBe(user.uid);
    await expect(signIn(email, PASSWORD)).rejects.toMatchObject({ code: 'auth/wrong-password' });
    await expect(user.getIdToken(true)).rejects.toMatchObject({ code: 'auth/user-token-expired' });
    expect(visitor.complaints).toEqual([]);
  });

  test('[I182] changes the email address; a second link restores it, and a third one sets a new password', async () => {
    const { user, email } = await openUser();
    const later = freshEmail();
    await verifyBeforeUpdateEmail(user, later);
    const visitor = await follow(email, 'VERIFY_AND_CHANGE_EMAIL');
    await visitor.waitForHeading('Change your email address');
    await visitor.press('Change email');
    await visitor.waitForHeading('Email changed');
    expect((await signIn(later, PASSWORD)).user).toMatchObject({ uid: user.uid, emailVerified: true });
    await expect(signIn(email, PASSWORD)).rejects.toMatchObject({ code: 'auth/user-not-found' });

    await visitor.goTo((await readMailedCode(email, 'RECOVER_EMAIL')).link);
    await visitor.waitForHeading('Restore your email address');
    await visitor.press('Restore email');
    await visitor.waitForHeading('Email restored');
    expect(await readMailedCodes(email)).toEqual([]);
    await visitor.press('Send password reset email');
    await visitor.page.getByText(LINK_SENT).waitFor();
    await visitor.goTo((await readMailedCode(email, 'PASSWORD_RESET')).link);
    await choosePassword(visitor);
    expect((await signIn(email, NEW_PASSWORD)).user.uid).toBe(user.uid);
    await expect(signIn(later, NEW_PASSWORD)).rejects.toMatchObject({ code: 'auth/user-not-found' });
    expect(visitor.complaints).toEqual([]);
  });

  test('[I183] names the second factor that was added, and removes it', async () => {
    const { user, email } = await openUser();
    await changeAccount(user.uid, { emailVerified: true });
    await addSecondFactor(user);
    await expect(signIn(email, PASSWORD)).rejects.toMatchObject({ code: 'auth/multi-factor-auth-required' });
    const visitor = await follow(email, 'REVERT_SECOND_FACTOR_ADDITION');
    await visitor.waitForHeading('Remove second factor');
    await visitor.page.getByText('my app').waitFor();
    await visitor.press('Remove second factor');
    await visitor.waitForHeading('Second factor removed');
    const again = await signIn(email, PASSWORD);
    expect(multiFactor(again.user).enrolledFactors).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  test('[I184] leads to the app, which signs the user in with the address of the page', async () => {
    const auth = openAuth();
    const email = freshEmail();
    const app = await openApp();
    await sendSignInLinkToEmail(auth, email, { url: `${app}/finish?cart=7`, handleCodeInApp: true });
    const { code } = await readMailedCode(email, 'EMAIL_SIGNIN');
    const { page } = await follow(email, 'EMAIL_SIGNIN');
    const { origin, pathname, searchParams } = new URL(page.url());
    expect(origin + pathname).toBe(`${app}/finish`);
    expect(Object.fromEntries(searchParams)).toEqual({
      cart: '7',
      mode: 'signIn',
      oobCode: code,
      apiKey: 'any',
      lang: 'en',
    });
    expect(isSignInWithEmailLink(auth, page.url())).toBe(true);
    const { user } = await signInWithEmailLink(auth, email, page.url());
    expect(user).toMatchObject({ email, emailVerified: true });
  });
});

test('[I185] programs that follow a link or view its page do not use the link up', async () => {
  const { auth, user, email } = await openUser();
  const later = freshEmail();
  await sendEmailVerification(user);
  await sendPasswordResetEmail(auth, email);
  await sendSignInLinkToEmail(auth, email, { url: await openApp(), handleCodeInApp: true });
  await verifyBeforeUpdateEmail(user, later);
  const mailed = await readMailedCodes(email);
  expect(mailed).toHaveLength(4);
  const visitor = await KeyboardVisitor.open(browser, `${inject('serverUrl')}/emulator/mail`);
  for (const { link, purpose } of mailed) {
    await fetch(link, { method: 'HEAD', redirect: 'manual' });
    await fetch(link, { headers: { 'sec-purpose': 'prefetch;prerender' }, redirect: 'manual' });
    await fetch(link, { redirect: 'manual' });
    await visitor.goTo(link);
    if (purpose !== 'EMAIL_SIGNIN') await visitor.page.getByRole('button').first().waitFor();
  }
  expect(await readMailedCodes(email)).toEqual(mailed);
  for (const { code, purpose } of mailed)
    expect(await checkActionCode(auth, code)).toMatchObject({ operation: purpose });
  await user.reload();
  expect(user).toMatchObject({ email, emailVerified: false });
});

describe('A link that is no longer valid', () => {
  test('[I186] is reported as expired if it was used, and its page sends a new one', async () => {
    const { auth, email } = await openUser();
    await sendPasswordResetEmail(auth, email);
    const { code, link } = await readMailedCode(email, 'PASSWORD_RESET');
    await confirmPasswordReset(auth, code, NEW_PASSWORD);
    const visitor = await KeyboardVisitor.open(browser, link);
    await visitor.waitForHeading(EXPIRED);
    await visitor.paste('Email address', email);
    await visitor.press('Send password reset email');
    await visitor.page.getByText(LINK_SENT).waitFor();
    expect((await readMailedCode(email, 'PASSWORD_RESET')).link).not.toBe(link);
    expect(visitor.complaints).toEqual([]);
  });

  test('[I186] is reported as expired if it was used while its page was open', async () => {
    const { auth, user, email } = await openUser();
    await sendEmailVerification(user);
    const visitor = await follow(email, 'VERIFY_EMAIL');
    await visitor.waitForHeading('Verify your email address');
    await applyActionCode(auth, (await readMailedCode(email, 'VERIFY_EMAIL')).code);
    await visitor.press('Verify email');
    await visitor.waitForHeading(EXPIRED);
  });

  test('[I186] is reported as expired if a newer link replaced it, or if it is of another project or of another kind', async () => {
    const { user, email } = await openUser();
    await sendEmailVerification(user);
    const { link: earlier } = await readMailedCode(email, 'VERIFY_EMAIL');
    await sendEmailVerification(user);
    const { link } = await readMailedCode(email, 'VERIFY_EMAIL');
    const otherKind = link.replace('mode=verifyEmail', 'mode=recoverEmail');
    const foreign = buildLink({ mode: 'resetPassword', oobCode: await requestForeignCode() });
    const visitor = await KeyboardVisitor.open(browser, earlier);
    await visitor.waitForHeading(EXPIRED);
    for (const other of [foreign, otherKind]) {
      await visitor.goTo(other);
      await visitor.waitForHeading(EXPIRED);
    }
    expect(await readMailedCodes(email)).toMatchObject([{ link }]);
  });
});

describe('The address of the app', () => {
  test('[I187] is named on a button that leads to it', async () => {
    const { user, email } = await openUser();
    const url = `${await openApp()}/welcome?from=mail`;
    await sendEmailVerification(user, { url });
    const visitor = await follow(email, 'VERIFY_EMAIL');
    await visitor.press('Verify email');
    await visitor.press(`Continue to ${new URL(url).host}`);
    await visitor.page.waitForURL(url);
    expect(visitor.complaints).toEqual([]);
  });

  test('[I187] is shown nowhere if an attacker puts a foreign address into the link', async () => {
    const visitor = await KeyboardVisitor.open(
      browser,
      buildLink({ mode: 'verifyEmail', continueUrl: 'https://example.com/' }),
    );
    const { page } = visitor;
    await page.getByText(CLOSE).waitFor();
    expect(await page.getByRole('link').count()).toBe(0);
    for (const continueUrl of [
      'https://localhost.example.com/',
      'http://localhost@example.com/',
      'javascript:alert(1)',
    ]) {
      await visitor.goTo(buildLink({ mode: 'signIn', continueUrl }));
      await visitor.waitForHeading('This link cannot open the app');
      expect(await page.getByRole('link').count()).toBe(0);
    }
    expect(visitor.complaints).toEqual([]);
  });
});

test('[I188] a user of an app in Arabic gets pages and mails in Arabic, on a small phone in dark colors', async () => {
  const { auth, user, email } = await openUser();
  auth.languageCode = 'ar';
  await verifyBeforeUpdateEmail(user, freshEmail());
  const { link } = await readMailedCode(email, 'VERIFY_AND_CHANGE_EMAIL');
  const phone = { viewport: { width: 320, height: 568 }, colorScheme: 'dark' } as const;
  const visitor = await KeyboardVisitor.open(browser, link, phone);
  const { page } = visitor;
  await visitor.waitForHeading('تغيير بريدك الإلكتروني');
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await visitor.press('تغيير البريد الإلكتروني');
  await visitor.waitForHeading('تم تغيير البريد الإلكتروني');
  const warning = await readMailedCode(email, 'RECOVER_EMAIL');
  expect(new URL(warning.link).searchParams.get('lang')).toBe('ar');
  expect(visitor.complaints).toEqual([]);
});

test('[I189] in development, the button of a rendered mail leads to its page', async () => {
  const { user, email } = await openUser();
  await sendEmailVerification(user);
  const visitor = await KeyboardVisitor.open(browser, `${inject('serverUrl')}/emulator/mail`);
  const mail = visitor.page.getByRole('article').filter({ hasText: email });
  const name = 'Show as in an email client';
  const shown = await mail.getByRole('link', { name }).getAttribute('href');
  expect(visitor.complaints).toEqual([]);
  await visitor.goTo(new URL(shown ?? '', visitor.page.url()).href);
  await visitor.press('Verify email address');
  await visitor.waitForHeading('Verify your email address');
  await visitor.press('Verify email');
  await visitor.waitForHeading('Email verified');
  await user.reload();
  expect(user.emailVerified).toBe(true);
});
