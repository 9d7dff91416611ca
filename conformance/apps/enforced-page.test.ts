import type { Browser, Page } from 'playwright';
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

/** Creates an account on the account page, and records the statuses of all responses from then on. */
async function createAccountOnPage() {
  const query = { apiKey: 'any', redirectUrl: 'http://localhost:3000/', screen: 'account' };
  const url = server.url.replace('127.0.0.1', 'localhost');
  const visitor = await openWatchedPage(browser, `${url}/__/auth/sign-in?${new URLSearchParams(query)}`);
  const { page } = visitor;
  const statuses: number[] = [];
  page.on('response', (response) => statuses.push(response.status()));
  await button(page, 'Create an account').click(SLOW);
  await page.getByLabel('Email address').fill(freshEmail(), SLOW);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Create account').click();
  await heading(page, 'Your account').waitFor(SLOW);
  return { ...visitor, statuses };
}

async function changeName(page: Page, name: string): Promise<void> {
  await button(page, 'Change: Name').click(SLOW);
  await page.getByLabel('Name').fill(name);
  await button(page, 'Save').click();
  await page.getByText(name).waitFor(SLOW);
}

test('[S655][I1513] where accounts need App Check tokens, a user creates and changes an account on the hosted pages', async () => {
  const config = { appCheckConfig: { accounts: 'ENFORCED' }, recaptchaConfig: { hearth: { cost: 2_000 } } };
  await changeAuthConfig(server.url, config, 'appCheckConfig.accounts,recaptchaConfig.hearth.cost');
  const rejected = await fetch(`${server.url}/v1/accounts:signUp?key=any`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: freshEmail(), password: PASSWORD }),
  });
  expect(rejected.status).toBe(401);
  const { page, complaints } = await createAccountOnPage();
  await changeName(page, 'Ann Example');
  // The page uses one token for the whole visit.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await heading(page, 'Your account').waitFor(SLOW);
  await page.getByText('Ann Example').waitFor(SLOW);
  expect(asked).not.toContain('/__/app-check/exchange');
  expect(complaints).toEqual([]);
});

test('[S655][I1753] where methods accept each App Check token once, the hosted pages use each token once', async () => {
  const limitedUse = ['accounts:signUp', 'accounts:update'];
  const config = {
    appCheckConfig: { accounts: 'ENFORCED', limitedUse },
    recaptchaConfig: { hearth: { cost: 2_000 } },
  };
  const mask = 'appCheckConfig.accounts,appCheckConfig.limitedUse,recaptchaConfig.hearth.cost';
  await changeAuthConfig(server.url, config, mask);
  const { page, complaints, statuses } = await createAccountOnPage();
  for (const name of ['Ann Example', 'Bob Example']) await changeName(page, name);
  expect(statuses).not.toContain(401);
  expect(complaints).toEqual([]);
});
