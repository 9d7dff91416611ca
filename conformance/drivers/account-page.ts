import { createUserWithEmailAndPassword } from 'firebase/auth';
import type { Browser, Page } from 'playwright';
import { inject } from 'vitest';
import { changeAccount, freshEmail, openAuth, PASSWORD } from './auth.ts';
import { openWatchedPage, type WatchedPage } from './browser.ts';

const SLOW = { timeout: 60_000 };

const serverUrl = () => inject('serverUrl').replace('127.0.0.1', 'localhost');

/** Returns the address of the account page. */
export function accountUrl(change: Readonly<Record<string, string>> = {}): string {
  const query = { apiKey: 'any', redirectUrl: 'http://localhost:3000/back', screen: 'account', ...change };
  return `${serverUrl()}/__/auth/sign-in?${new URLSearchParams(query)}`;
}

/** Creates an account with a verified address. */
export async function createAccount() {
  const email = freshEmail();
  const { user } = await createUserWithEmailAndPassword(openAuth(), email, PASSWORD);
  await changeAccount(user.uid, { emailVerified: true });
  return { email, uid: user.uid };
}

/** Opens the account page and signs in on it. */
export async function openAccount(
  browser: Browser,
  email: string,
  change: Readonly<Record<string, string>> = {},
): Promise<WatchedPage> {
  const visitor = await openWatchedPage(browser, accountUrl(change));
  const { page } = visitor;
  await page.locator('input[type="email"]').fill(email, SLOW);
  await page.locator('input[type="password"]').fill(PASSWORD);
  await page.locator('button[type="submit"]').click();
  return visitor;
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
