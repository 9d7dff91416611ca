import { createUserWithEmailAndPassword, multiFactor, TotpMultiFactorGenerator } from 'firebase/auth';
import type { Browser, Page } from 'playwright';
import { expect, inject, test } from 'vitest';
import { findViolations } from '../drivers/accessibility.ts';
import { changeAccount, freshEmail, openAuth, PASSWORD } from '../drivers/auth.ts';
import { useBrowser } from '../drivers/browser.ts';
import { totpCode, wrongTotpCode } from '../drivers/credentials.ts';
import { PopupApp } from '../drivers/popup-app.ts';

const SLOW = { timeout: 60_000 };

let browser: Browser;

useBrowser((opened) => {
  browser = opened;
});

const serverUrl = () => inject('serverUrl').replace('127.0.0.1', 'localhost');

async function openApp(): Promise<PopupApp> {
  const context = await browser.newContext({ locale: 'en-US' });
  return PopupApp.open(context, { serverUrl: serverUrl(), by: 'hearthAuth', hasShim: false });
}

/** Creates an account on the hosted page by keyboard. */
async function signUpByKeyboard(page: Page, email: string): Promise<void> {
  const create = page.getByRole('button', { name: 'Create an account' });
  await create.waitFor(SLOW);
  await create.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Create an account' }).waitFor(SLOW);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('heading', { name: /^Sign in to/ }).waitFor(SLOW);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('[S640][S641] an app signs in on the hosted page with a redirect, and a second time without typing', async () => {
  const app = await openApp();
  const { page } = app;
  const email = freshEmail();
  await page.evaluate("location.hash = '#own=1'");
  await app.start('startHostedSignIn');
  await signUpByKeyboard(page, email);
  const signedIn = await app.result('load');
  expect(signedIn).toMatchObject({ error: null, email });
  expect(page.url()).not.toContain('__hearth');
  await app.run('signOut');
  await app.start('startHostedSignIn');
  await page.getByText(email).waitFor(SLOW);
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await app.result('load')).toMatchObject({ error: null, uid: signedIn.uid });
  await app.run('signOut');
  await app.start('startHostedSignIn');
  await page.getByRole('button', { name: 'Use another account' }).click(SLOW);
  await signIn(page, email, 'wrong password');
  await page.getByRole('alert').filter({ hasText: 'is wrong' }).waitFor(SLOW);
  await signIn(page, email, PASSWORD);
  expect(await app.result('load')).toMatchObject({ error: null, uid: signedIn.uid });
  expect(app.foreignRequests).toEqual([]);
});

test('[S642] an app signs in on the hosted page in a popup, which closes', async () => {
  const app = await openApp();
  const email = freshEmail();
  const popup = await app.openPopup('signInWithHostedPopup');
  const closed = popup.waitForEvent('close', SLOW);
  await signUpByKeyboard(popup, email);
  expect(await app.result('signInWithHostedPopup')).toMatchObject({ error: null, email });
  await closed;
  expect(app.foreignRequests).toEqual([]);
});

test('[S643] an app rejects a code that another browser or site sends to it', async () => {
  const app = await openApp();
  const victim = await openApp();
  await app.start('startHostedSignIn');
  await app.page.getByRole('heading', { name: /^Sign in to/ }).waitFor(SLOW);
  const url = new URL(victim.page.url());
  url.hash = '__hearth=stolen&state=guessed';
  await victim.page.goto(`${url}`);
  await victim.page.reload();
  expect(await victim.result('load')).toMatchObject({ error: 'auth/invalid-state', uid: null });
});

test('[S644][I1507] the page asks for a second factor, and sends a reset email without revealing accounts', async () => {
  const auth = openAuth();
  const email = freshEmail();
  const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
  await changeAccount(user.uid, { emailVerified: true });
  const secret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
  const first = await totpCode(secret.secretKey);
  await multiFactor(user).enroll(TotpMultiFactorGenerator.assertionForEnrollment(secret, first), 'my app');
  const app = await openApp();
  const { page } = app;
  await app.start('startHostedSignIn');
  await page.getByRole('button', { name: 'Forgot your password?' }).click(SLOW);
  await page.getByLabel('Email address').fill(freshEmail());
  await page.getByRole('button', { name: 'Send password reset email' }).click();
  await page.getByRole('status').filter({ hasText: 'If this address has an account' }).waitFor(SLOW);
  await page.getByRole('button', { name: 'Back to sign-in' }).click();
  await signIn(page, email, PASSWORD);
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor(SLOW);
  await page.getByLabel('Code').fill(await wrongTotpCode(secret.secretKey));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('alert').filter({ hasText: 'The code is wrong' }).waitFor(SLOW);
  await page.getByLabel('Code').fill(await totpCode(secret.secretKey, 1));
  await page.getByRole('button', { name: 'Confirm' }).click();
  expect(await app.result('load')).toMatchObject({ error: null, uid: user.uid });
});

test.each([
  ['en', 'light'],
  ['ar', 'dark'],
] as const)(
  '[I1506] in %s, %s, every form of the hosted page has no accessibility violations and fits 320 px',
  async (lang, colorScheme) => {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
    const query = new URLSearchParams({
      apiKey: 'any',
      redirectUrl: 'http://localhost:3000/',
      challenge: 'a'.repeat(43),
      lang,
    });
    for (const screen of ['sign-in', 'sign-up', 'forgot']) {
      await page.emulateMedia({ colorScheme });
      query.set('screen', screen === 'forgot' ? 'sign-in' : screen);
      await page.goto(`${serverUrl()}/__/auth/sign-in?${query}`);
      await page.locator('form').waitFor(SLOW);
      if (screen === 'forgot') {
        await page.locator('button[type="button"]').nth(-2).click();
        await page.locator('input[type="password"]').waitFor({ state: 'detached', ...SLOW });
      }
      expect(await findViolations(page.locator('html')), screen).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      expect(await page.evaluate('document.documentElement.dir')).toBe(lang === 'ar' ? 'rtl' : 'ltr');
    }
    await page.close();
  },
);
