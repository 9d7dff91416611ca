import { readFile } from 'node:fs/promises';
import { createUserWithEmailAndPassword } from 'firebase/auth';
import type { Browser, Page } from 'playwright';
import { expect, test } from 'vitest';
import { findViolations } from '../drivers/accessibility.ts';
import { accountUrl, button, createAccount, heading, openAccount } from '../drivers/account-page.ts';
import { freshEmail, openAuth, PASSWORD } from '../drivers/auth.ts';
import { addAuthenticator } from '../drivers/authenticator.ts';
import { openWatchedPage, useBrowser } from '../drivers/browser.ts';
import { freshPhoneNumber, readSmsCode, wrongSmsCode } from '../drivers/sms.ts';

const SLOW = { timeout: 60_000 };

let browser: Browser;
useBrowser((opened) => {
  browser = opened;
});

/** Signs a user in by phone on another device. The server creates the account. */
async function signInElsewhere(phone: string): Promise<void> {
  const { page } = await openWatchedPage(browser, accountUrl());
  await button(page, 'Sign in with a phone number').click(SLOW);
  await page.getByLabel('Phone number').fill(phone, SLOW);
  await button(page, 'Send code').click();
  await page.getByLabel('Code', { exact: true }).waitFor(SLOW);
  await page.getByLabel('Code', { exact: true }).fill(await readSmsCode(phone));
  await button(page, 'Sign in').click();
  await heading(page, 'Your account').waitFor(SLOW);
}

/** Signs the other device out, and returns the file with the data of the account. */
async function useAccount(page: Page): Promise<string> {
  await heading(page, 'Your account').waitFor(SLOW);
  await page
    .getByRole('button', { name: /^Sign out: / })
    .first()
    .click(SLOW);
  await button(page, 'Sign out device').click();
  await page.getByText('The device is signed out.').waitFor(SLOW);
  // The page updates the list after it has read the account again.
  await expect.poll(() => page.getByRole('button', { name: /^Sign out: / }).count()).toBe(0);
  await button(page, 'Download your data').click();
  const downloading = page.waitForEvent('download', SLOW);
  await button(page, 'Download').click();
  return readFile(await (await downloading).path(), 'utf8');
}

test('[S658] a user signs in by phone with the keyboard, signs another device out, and downloads their data', async () => {
  const phone = freshPhoneNumber();
  await signInElsewhere(phone);
  const viewport = { width: 320, height: 640 };
  const { page, complaints } = await openWatchedPage(browser, accountUrl(), { viewport });
  await button(page, 'Sign in with a phone number').focus(SLOW);
  await page.keyboard.press('Enter');
  await heading(page, 'Sign in with a phone number').waitFor(SLOW);
  const number = page.getByLabel('Phone number');
  await number.waitFor(SLOW);
  await page.keyboard.press('Tab');
  await page.keyboard.type('12345');
  await page.keyboard.press('Enter');
  await page.getByText('Enter the number with its country code').waitFor(SLOW);
  expect(await findViolations(page.locator('html'))).toEqual([]);
  await number.fill(`${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5)}`);
  await page.keyboard.press('Enter');
  const code = page.getByLabel('Code', { exact: true });
  await code.waitFor(SLOW);
  const right = await readSmsCode(phone);
  await code.fill(wrongSmsCode(right));
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'The code is wrong.' }).waitFor(SLOW);
  expect(await findViolations(page.locator('html'))).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  await code.fill(right);
  await page.keyboard.press('Enter');
  const data = JSON.parse(await useAccount(page));
  expect(data).toMatchObject({ account: { phoneNumber: phone, hasPassword: false } });
  await page.getByText(phone, { exact: true }).waitFor(SLOW);
  expect(complaints).toEqual([]);
});

test('[S664] a code that was wrong too often has expired, and the pages send another one', async () => {
  const { email } = await createAccount();
  const phone = freshPhoneNumber();
  const { page, complaints } = await openAccount(browser, email);
  await button(page, 'Add a phone').click(SLOW);
  await sendCode(page, phone);
  await typeWrongCodes(page, 'Add a phone', await readSmsCode(phone));
  const number = page.getByLabel('Phone number');
  await number.waitFor(SLOW);
  expect(await findViolations(page.locator('html'))).toEqual([]);
  const other = freshPhoneNumber();
  await sendCode(page, other);
  await page.getByLabel('Code', { exact: true }).fill(await readSmsCode(other));
  await button(page, 'Add a phone').click();
  const masked = `•••• ${other.slice(-4)}`;
  await page.getByRole('button', { name: `Remove: ${masked}` }).waitFor(SLOW);
  await signOutAndIn(page, email);
  const send = button(page, `Send a code to ${masked}`);
  await send.click(SLOW);
  await page.getByLabel('Code', { exact: true }).waitFor(SLOW);
  await typeWrongCodes(page, 'Confirm', await readSmsCode(other));
  await send.waitFor(SLOW);
  expect(await findViolations(page.locator('html'))).toEqual([]);
  expect(complaints).toEqual([]);
});

async function sendCode(page: Page, phone: string): Promise<void> {
  await page.getByLabel('Phone number').fill(phone, SLOW);
  await button(page, 'Send code').click();
  await page.getByLabel('Code', { exact: true }).waitFor(SLOW);
}

/** More wrong codes than the server accepts for a message. */
const WRONG_CODES = 6;

/** Types wrong codes until the page says that the code has expired. */
async function typeWrongCodes(page: Page, submit: string, right: string): Promise<void> {
  const expired = page.getByRole('alert').filter({ hasText: 'has expired' });
  const wrong = page.getByRole('alert').filter({ hasText: 'The code is wrong.' });
  for (let tries = 0; tries < WRONG_CODES; tries += 1) {
    await page.getByLabel('Code', { exact: true }).fill(wrongSmsCode(right));
    // The page shows the problem of the previous code until the server has answered.
    const answered = page.waitForResponse((answer) => answer.url().includes(':finalize'), SLOW);
    await button(page, submit).click();
    await answered;
    await expired.or(wrong).waitFor(SLOW);
    if (await expired.isVisible()) return;
  }
  throw new Error('The server accepts more wrong codes than expected.');
}

test('[S659] a user of a tenant signs another device out and downloads their data', async () => {
  const tenantId = `hosted-${crypto.randomUUID().slice(0, 8)}`;
  const auth = openAuth();
  auth.tenantId = tenantId;
  const email = freshEmail();
  const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
  const { page, complaints } = await openAccount(browser, email, { tid: tenantId });
  const data = JSON.parse(await useAccount(page));
  expect(data).toMatchObject({ account: { localId: user.uid, email } });
  // Users of a tenant cannot sign in by phone.
  await button(page, 'Sign out').click(SLOW);
  await heading(page, 'You are signed out').waitFor(SLOW);
  await page.goto(accountUrl({ tid: tenantId }));
  await button(page, 'Forgot your password?').waitFor(SLOW);
  expect(await button(page, 'Sign in with a phone number').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('[S660] a user adds a phone as a second factor, signs in with its code, then with a passkey instead, and removes it', async () => {
  const { email } = await createAccount();
  const phone = freshPhoneNumber();
  const { page, complaints } = await openAccount(browser, email);
  const confirmPasskeys = await addAuthenticator(page);
  await button(page, 'Add a passkey').click(SLOW);
  await button(page, 'Create passkey').click();
  await page.getByText('Added.').waitFor(SLOW);
  // The authenticator must not answer the suggestion of the sign-in form.
  await confirmPasskeys(false);
  await button(page, 'Add a phone').click();
  await page.getByLabel('Phone number').fill(phone, SLOW);
  await button(page, 'Send code').click();
  await page.getByLabel('Code', { exact: true }).waitFor(SLOW);
  expect(await findViolations(page.locator('html'))).toEqual([]);
  await page.getByLabel('Code', { exact: true }).fill(await readSmsCode(phone));
  await button(page, 'Add a phone').click();
  const masked = `•••• ${phone.slice(-4)}`;
  await page.getByRole('button', { name: `Remove: ${masked}` }).waitFor(SLOW);
  await signOutAndIn(page, email);
  await button(page, `Send a code to ${masked}`).click(SLOW);
  await page.getByLabel('Code', { exact: true }).fill(await readSmsCode(phone), SLOW);
  await button(page, 'Confirm').click();
  await heading(page, 'Your account').waitFor(SLOW);
  await signOutAndIn(page, email);
  await button(page, `Send a code to ${masked}`).waitFor(SLOW);
  await confirmPasskeys(true);
  await button(page, 'Sign in with a passkey').click();
  await heading(page, 'Your account').waitFor(SLOW);
  await page.getByRole('button', { name: `Remove: ${masked}` }).click(SLOW);
  await button(page, 'Remove second factor').click(SLOW);
  await page.getByText('Removed.').waitFor(SLOW);
  expect(complaints).toEqual([]);
});

/** Signs out of the account page, and signs in again with the password. */
async function signOutAndIn(page: Page, email: string): Promise<void> {
  await button(page, 'Sign out').click(SLOW);
  await heading(page, 'You are signed out').waitFor(SLOW);
  await page.goto(accountUrl());
  await page.getByLabel('Email address').fill(email, SLOW);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Sign in').click();
}
