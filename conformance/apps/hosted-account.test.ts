import type { Browser } from 'playwright';
import { expect, test } from 'vitest';
import { button, createAccount, heading, openAccount } from '../drivers/account-page.ts';
import { freshEmail, readMailedCode } from '../drivers/auth.ts';
import { useBrowser } from '../drivers/browser.ts';

const SLOW = { timeout: 60_000 };
const NEW_PASSWORD = 'another long password';

let browser: Browser;

useBrowser((opened) => {
  browser = opened;
});

test('[S645] a user changes name, password and address on the account page', async () => {
  const { email } = await createAccount();
  const visitor = await openAccount(browser, email);
  const { page } = visitor;
  await heading(page, 'Your account').waitFor(SLOW);
  await button(page, 'Change: Name').click(SLOW);
  await page.getByLabel('Name').fill('Ann Example');
  await button(page, 'Save').click();
  await page.getByText('Ann Example').waitFor(SLOW);
  await button(page, 'Change: Password').click();
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await button(page, 'Save password').click();
  await page.getByText('Saved.').waitFor(SLOW);
  await button(page, 'Change: Email address').click();
  const later = freshEmail();
  await page.getByLabel('New email address').fill(later);
  await button(page, 'Send link').click();
  await page.getByText('We sent a link.').waitFor(SLOW);
  expect((await readMailedCode(email, 'VERIFY_AND_CHANGE_EMAIL')).link).toContain('oobCode=');
  expect(visitor.complaints).toEqual([]);
});
