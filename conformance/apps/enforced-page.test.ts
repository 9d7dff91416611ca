import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { button, heading } from '../drivers/account-page.ts';
import { changeAuthConfig, freshEmail, PASSWORD } from '../drivers/auth.ts';
import { openWatchedPage } from '../drivers/browser.ts';
import type { ServerProcess } from '../drivers/server-process.ts';
import { openServerWithBrowser, type ServerWithBrowser } from '../drivers/server-with-browser.ts';

const SLOW = { timeout: 60_000 };

let running: ServerWithBrowser;
let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  running = await openServerWithBrowser();
  ({ server, browser } = running);
});

afterAll(() => running[Symbol.asyncDispose]());

test('[S655][I1513] where accounts need App Check tokens, a user creates and changes an account on the hosted pages', async () => {
  const config = { appCheckConfig: { accounts: 'ENFORCED' }, recaptchaConfig: { hearth: { cost: 2_000 } } };
  await changeAuthConfig(server.url, config, 'appCheckConfig.accounts,recaptchaConfig.hearth.cost');
  const url = server.url.replace('127.0.0.1', 'localhost');
  const rejected = await fetch(`${url}/v1/accounts:signUp?key=any`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: freshEmail(), password: PASSWORD }),
  });
  expect(rejected.status).toBe(401);
  const query = { apiKey: 'any', redirectUrl: 'http://localhost:3000/', screen: 'account' };
  const address = `${url}/__/auth/sign-in?${new URLSearchParams(query)}`;
  const { page, complaints } = await openWatchedPage(browser, address);
  const email = freshEmail();
  await button(page, 'Create an account').click(SLOW);
  await page.getByLabel('Email address').fill(email, SLOW);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Create account').click();
  await heading(page, 'Your account').waitFor(SLOW);
  await button(page, 'Change: Name').click(SLOW);
  await page.getByLabel('Name').fill('Ann Example');
  await button(page, 'Save').click();
  await page.getByText('Ann Example').waitFor(SLOW);
  // The page uses one token for the whole visit.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await heading(page, 'Your account').waitFor(SLOW);
  await page.getByText('Ann Example').waitFor(SLOW);
  expect(asked).not.toContain('/__/app-check/exchange');
  expect(complaints).toEqual([]);
});
