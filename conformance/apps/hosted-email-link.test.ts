import { createUserWithEmailAndPassword, multiFactor, TotpMultiFactorGenerator } from 'firebase/auth';
import type { Browser, BrowserContext, Page } from 'playwright';
import { expect, inject, test } from 'vitest';
import { findViolations } from '../drivers/accessibility.ts';
import { accountUrl, button, createAccount, heading } from '../drivers/account-page.ts';
import { changeAccount, freshEmail, openAuth, PASSWORD, readMailedCode } from '../drivers/auth.ts';
import { openWatchedPage, useBrowser } from '../drivers/browser.ts';
import { totpCode } from '../drivers/credentials.ts';
import { PopupApp } from '../drivers/popup-app.ts';

const SLOW = { timeout: 60_000 };
const SEND = 'Email me a sign-in link';

let browser: Browser;

useBrowser((opened) => {
  browser = opened;
});

const serverUrl = () => inject('serverUrl').replace('127.0.0.1', 'localhost');

async function openApp(context?: BrowserContext): Promise<PopupApp> {
  return PopupApp.open(context ?? (await browser.newContext({ locale: 'en-US' })), {
    serverUrl: serverUrl(),
    by: 'hearthAuth',
    hasShim: false,
  });
}

/** Requests a link by keyboard, and returns it. */
async function requestLink(page: Page, email: string): Promise<string> {
  await button(page, SEND).focus(SLOW);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send link' }).waitFor(SLOW);
  await page.getByLabel('Email address').fill(email);
  await page.keyboard.press('Enter');
  await heading(page, 'Check your mail').waitFor(SLOW);
  return linkOf(email);
}

async function linkOf(email: string): Promise<string> {
  return (await readMailedCode(email, 'EMAIL_SIGNIN')).link.replace('127.0.0.1', 'localhost');
}

async function openTab(page: Page, url: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(url);
  return tab;
}

test('[S670] a link that the same browser opens signs the user in, and the tab that began continues to the app', async () => {
  const app = await openApp();
  const email = freshEmail();
  await app.start('startHostedSignIn');
  const link = await requestLink(app.page, email);
  const tab = await openTab(app.page, link);
  await heading(tab, 'You are signed in').waitFor(SLOW);
  expect(tab.url()).not.toContain('oobCode');
  const signedIn = await app.result('load');
  expect(signedIn).toMatchObject({ error: null, email });
  expect(app.page.url()).not.toContain('__hearth');
  expect(await app.evaluate('return auth.currentUser.emailVerified')).toBe(true);
  await tab.reload();
  await button(tab, 'Continue').click(SLOW);
  const inTab = tab.locator('output', { hasText: `"uid":"${signedIn.uid}"` });
  await inTab.waitFor(SLOW);
  expect(app.foreignRequests).toEqual([]);
});

test('[S671] another browser asks for the address of the link, and continues to the app without typing again', async () => {
  const app = await openApp();
  const other = await openApp();
  const email = freshEmail();
  await app.start('startHostedSignIn');
  const link = await requestLink(app.page, email);
  // The link names the address of the app in the first browser.
  const { page } = other;
  await page.goto(link);
  await heading(page, 'Confirm your email address').waitFor(SLOW);
  await page.getByLabel('Email address').fill(freshEmail());
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'sent to another address' }).waitFor(SLOW);
  await page.getByLabel('Email address').fill(email.toUpperCase());
  await page.keyboard.press('Enter');
  await heading(page, 'You are signed in').waitFor(SLOW);
  await button(page, 'Continue').click();
  expect(await other.result('load')).toMatchObject({ error: null, email });
  // The browser that requested the link is not signed in when another browser opens it.
  await heading(app.page, 'Check your mail').waitFor(SLOW);
});

test('[S672] a popup continues when another tab opens the link', async () => {
  const app = await openApp();
  const email = freshEmail();
  const popup = await app.openPopup('signInWithHostedPopup');
  const closed = popup.waitForEvent('close', SLOW);
  await openTab(app.page, await requestLink(popup, email));
  expect(await app.result('signInWithHostedPopup')).toMatchObject({ error: null, email });
  await closed;
});

test('[S673] a link that was used or replaced signs no user in, and the page can send another one', async () => {
  const app = await openApp();
  const email = freshEmail();
  await app.start('startHostedSignIn');
  const { page } = app;
  const first = await requestLink(page, email);
  await button(page, 'Send another link').click();
  await button(page, 'Send link').click(SLOW);
  await heading(page, 'Check your mail').waitFor(SLOW);
  const second = await linkOf(email);
  expect(second).not.toBe(first);
  const { page: other } = await openWatchedPage(browser, first);
  const finish = async () => {
    await heading(other, 'Confirm your email address').waitFor(SLOW);
    await other.getByLabel('Email address').fill(email);
    await other.keyboard.press('Enter');
  };
  const problem = other.getByRole('alert').filter({ hasText: 'has expired or was used' });
  await finish();
  await problem.waitFor(SLOW);
  await other.goto(second);
  await finish();
  await heading(other, 'You are signed in').waitFor(SLOW);
  await other.context().clearCookies();
  await other.goto(second);
  await finish();
  await problem.waitFor(SLOW);
  await other.getByLabel('Email address').fill(email);
  await button(other, 'Send link').click();
  await heading(other, 'Check your mail').waitFor(SLOW);
  await openTab(other, await linkOf(email));
  await heading(other, 'You are signed in').waitFor(SLOW);
});

test('[S674] after a link, the page asks for the second factor of the account', async () => {
  const email = freshEmail();
  const { user } = await createUserWithEmailAndPassword(openAuth(), email, PASSWORD);
  await changeAccount(user.uid, { emailVerified: true });
  const secret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
  const first = await totpCode(secret.secretKey);
  await multiFactor(user).enroll(TotpMultiFactorGenerator.assertionForEnrollment(secret, first), 'my app');
  const app = await openApp();
  await app.start('startHostedSignIn');
  const tab = await openTab(app.page, await requestLink(app.page, email));
  await heading(tab, 'Confirm that it is you').waitFor(SLOW);
  await tab.getByLabel('Code').fill(await totpCode(secret.secretKey, 1));
  await tab.keyboard.press('Enter');
  await heading(tab, 'You are signed in').waitFor(SLOW);
  expect(await app.result('load')).toMatchObject({ error: null, uid: user.uid });
});

test('[S675] a link can confirm a recent sign-in on the account page, and the user continues there', async () => {
  const { email } = await createAccount();
  const { page } = await openWatchedPage(browser, 'about:blank');
  await page.clock.install();
  await page.goto(accountUrl());
  await page.getByLabel('Email address').fill(email, SLOW);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Sign in').click();
  await heading(page, 'Your account').waitFor(SLOW);
  await page.clock.fastForward('06:00');
  await button(page, 'Sign out everywhere').click(SLOW);
  await button(page, SEND).click(SLOW);
  await heading(page, 'Check your mail').waitFor(SLOW);
  // The user looks back before they open the link.
  const read = page.waitForResponse((response) => response.url().includes('/__/auth/session:read'));
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await (await read).finished();
  const tab = await openTab(page, await linkOf(email));
  await heading(tab, 'Your account').waitFor(SLOW);
  await heading(page, 'Sign out everywhere').waitFor(SLOW);
  await button(page, 'Sign out everywhere').click();
  await heading(page, 'You are signed out').waitFor(SLOW);
});

test.each([
  ['en', 'light', 'Check your mail', 'Confirm your email address'],
  ['ar', 'dark', 'تحقق من بريدك', 'أكّد بريدك الإلكتروني'],
] as const)(
  '[I1506] in %s, %s, the views of a link have no accessibility violations and fit 320 px',
  async (lang, colorScheme, sentHeading, addressHeading) => {
    const phone = { viewport: { width: 320, height: 640 }, colorScheme } as const;
    const query = new URLSearchParams({
      apiKey: 'any',
      redirectUrl: 'http://localhost:3000/',
      challenge: 'a'.repeat(43),
      lang,
    });
    const { page } = await openWatchedPage(browser, `${serverUrl()}/__/auth/sign-in?${query}`, phone);
    const expectGood = async (name: string) => {
      await heading(page, name).waitFor(SLOW);
      expect(await findViolations(page.locator('html')), name).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    };
    const email = freshEmail();
    await page.locator('button[type="button"]').first().click(SLOW);
    await page.locator('input[type="password"]').waitFor({ state: 'detached', ...SLOW });
    await page.locator('input[type="email"]').fill(email);
    await page.keyboard.press('Enter');
    await expectGood(sentHeading);
    await page.evaluate('localStorage.clear()');
    await page.goto(await linkOf(email));
    await expectGood(addressHeading);
    await page.locator('input[type="email"]').fill(email);
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasNotText: addressHeading }).waitFor(SLOW);
    await page.locator('form').waitFor({ state: 'detached', ...SLOW });
    expect(await findViolations(page.locator('html'))).toEqual([]);
  },
);
