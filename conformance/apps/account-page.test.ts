import { readFile } from 'node:fs/promises';
import { signInWithEmailAndPassword } from 'firebase/auth';
import type { Browser } from 'playwright';
import { expect, test } from 'vitest';
import { findViolations } from '../drivers/accessibility.ts';
import { accountUrl, button, createAccount, heading, openAccount } from '../drivers/account-page.ts';
import { openAuth, PASSWORD } from '../drivers/auth.ts';
import { addAuthenticator } from '../drivers/authenticator.ts';
import { openWatchedPage, useBrowser } from '../drivers/browser.ts';
import { totpCode } from '../drivers/credentials.ts';

const SLOW = { timeout: 60_000 };

let browser: Browser;

useBrowser((opened) => {
  browser = opened;
});

test('[S646] a user adds an authenticator app and recovery codes on the account page, and removes the app', async () => {
  const { email } = await createAccount();
  const visitor = await openAccount(browser, email);
  const { page } = visitor;
  await button(page, 'Add an authenticator app').click(SLOW);
  const secret = (await page.locator('dd').last().textContent(SLOW))?.replaceAll(' ', '') ?? '';
  await page.getByLabel('Code that the app shows').fill(await totpCode(secret));
  await button(page, 'Add app').click();
  await page.getByText('Added.').waitFor(SLOW);
  await button(page, 'Create recovery codes').click();
  await button(page, 'Create codes').click();
  await button(page, 'I have stored the codes').waitFor(SLOW);
  await expect.poll(() => page.locator('main li').count()).toBe(10);
  await button(page, 'I have stored the codes').click();
  await button(page, 'Remove: Authenticator app').click(SLOW);
  await button(page, 'Remove second factor').click();
  await page.getByText('Removed.').waitFor(SLOW);
  await button(page, 'Add an authenticator app').waitFor();
  expect(visitor.complaints).toEqual([]);
});

test('[S647] a user adds a passkey on the account page, and removes it', async () => {
  const { email } = await createAccount();
  const visitor = await openAccount(browser, email);
  const { page } = visitor;
  await addAuthenticator(page);
  await button(page, 'Add a passkey').click(SLOW);
  await button(page, 'Create passkey').click();
  await page.getByText('Added.').waitFor(SLOW);
  await page.getByRole('button', { name: /^Remove: / }).click();
  await button(page, 'Remove passkey').click();
  await page.getByText('Removed.').waitFor(SLOW);
  expect(visitor.complaints).toEqual([]);
});

test('[S648] a user signs a device out, downloads their data, and deletes the account', async () => {
  const { email, uid } = await createAccount();
  const visitor = await openAccount(browser, email);
  const { page } = visitor;
  await heading(page, 'Your account').waitFor(SLOW);
  const device = page.getByRole('button', { name: /^Sign out: / });
  await device.first().click(SLOW);
  await button(page, 'Sign out device').click();
  await page.getByText('The device is signed out.').waitFor(SLOW);
  await button(page, 'Download your data').click();
  const downloading = page.waitForEvent('download', SLOW);
  await button(page, 'Download').click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(JSON.parse(file)).toMatchObject({ account: { localId: uid, email, hasPassword: true } });
  expect(file).not.toMatch(/seed|salt|passwordHash/);
  await button(page, 'Delete account').click();
  await button(page, 'Delete account').click();
  await heading(page, 'Your account is deleted').waitFor(SLOW);
  await expect(signInWithEmailAndPassword(openAuth(), email, PASSWORD)).rejects.toMatchObject({
    code: 'auth/user-not-found',
  });
  await page.reload();
  await heading(page, 'Sign in to demo').waitFor(SLOW);
  expect(visitor.complaints).toEqual([]);
});

test('[S649] a user who signed in long ago signs in again, and then continues', async () => {
  const { email } = await createAccount();
  const visitor = await openWatchedPage(browser, 'about:blank');
  const { page } = visitor;
  await page.clock.install();
  await page.goto(accountUrl());
  await page.getByLabel('Email address').fill(email, SLOW);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Sign in').click();
  await heading(page, 'Your account').waitFor(SLOW);
  await page.clock.fastForward('06:00');
  await button(page, 'Sign out everywhere').click(SLOW);
  await heading(page, 'Confirm that it is you').waitFor(SLOW);
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  await button(page, 'Confirm').click();
  await page.getByRole('alert').filter({ hasText: 'is wrong' }).waitFor(SLOW);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Confirm').click();
  await heading(page, 'Sign out everywhere').waitFor(SLOW);
  await button(page, 'Sign out everywhere').click();
  await heading(page, 'You are signed out').waitFor(SLOW);
});

test.each([
  ['en', 'light'],
  ['ar', 'dark'],
] as const)(
  '[I1508] in %s, %s, the account page and its forms have no accessibility violations and fit 320 px',
  async (lang, colorScheme) => {
    const { email } = await createAccount();
    const visitor = await openAccount(browser, email, { lang });
    const { page } = visitor;
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme });
    await page.locator('section').first().waitFor(SLOW);
    const check = async (screen: string): Promise<void> => {
      expect(await findViolations(page.locator('html')), screen).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), screen).toBeLessThanOrEqual(320);
    };
    await check('account');
    const count = await page.locator('section button').count();
    for (let index = 0; index < count; index += 1) {
      await page.locator('section button').nth(index).click();
      await page
        .locator('section')
        .first()
        .waitFor({ state: 'detached', ...SLOW });
      await page.locator('button').last().waitFor(SLOW);
      await check(`form ${index}`);
      await page.locator('main button').last().click();
      await page.locator('section').first().waitFor(SLOW);
    }
    expect(visitor.complaints).toEqual([]);
  },
);
