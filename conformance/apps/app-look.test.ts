import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../drivers/accessibility.ts';
import { heading } from '../drivers/account-page.ts';
import { changeAuthConfig, freshEmail, PASSWORD, readMailedCode, requestAsAdmin } from '../drivers/auth.ts';
import { openWatchedPage } from '../drivers/browser.ts';
import type { ServerProcess } from '../drivers/server-process.ts';
import { openServerWithBrowser, type ServerWithBrowser } from '../drivers/server-with-browser.ts';

const SLOW = { timeout: 60_000 };
/** A picture of 48 by 24 pixels. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAYCAIAAAAzn+mLAAAALklEQVR42u3OQQ0AAAgEoAtmHMMayxL+ZCMASdeJORIhISEhISEhISEhIaFfoQWf9ZI9wMexMAAAAABJRU5ErkJggg==';
const COLORS = { light: '#00664a', dark: '#7fe3c0' } as const;
const AS_STYLE = { light: 'rgb(0, 102, 74)', dark: 'rgb(127, 227, 192)' } as const;

let running: ServerWithBrowser;
let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  running = await openServerWithBrowser();
  ({ server, browser } = running);
  const theme = { lightColor: COLORS.light, darkColor: COLORS.dark, cornerRadius: 3, logo: LOGO };
  const notification = { sendEmail: { hearth: { appName: 'Tea Shop' } } };
  const mask = 'hearth.theme,notification.sendEmail.hearth.appName';
  await changeAuthConfig(server.url, { hearth: { theme }, notification }, mask);
});

afterAll(() => running[Symbol.asyncDispose]());

const urlOf = (path: string) => `${server.url.replace('127.0.0.1', 'localhost')}${path}`;
const HOSTED = new URLSearchParams({
  apiKey: 'any',
  redirectUrl: 'http://localhost:3000/',
  screen: 'account',
});
const ACTION = new URLSearchParams({ mode: 'resetPassword', oobCode: 'old', apiKey: 'any' });

test.each([
  ['sign-in page', 'light', `/__/auth/sign-in?${HOSTED}`, 'Sign in to Tea Shop'],
  ['sign-in page', 'dark', `/__/auth/sign-in?${HOSTED}`, 'Sign in to Tea Shop'],
  ['page for codes', 'light', `/__/auth/action?${ACTION}`, 'This link is no longer valid'],
  ['page for codes', 'dark', `/__/auth/action?${ACTION}`, 'This link is no longer valid'],
] as const)(
  '[S656][I1593] the %s has the look of the app in the %s scheme',
  async (_page, colorScheme, path, title) => {
    const viewport = { width: 320, height: 640 };
    const { page, complaints } = await openWatchedPage(browser, urlOf(path), { colorScheme, viewport });
    await heading(page, title).waitFor(SLOW);
    await page.getByRole('img', { name: 'Tea Shop' }).waitFor();
    await expect.poll(() => page.evaluate('document.querySelector("img").naturalWidth')).toBe(48);
    const submit = `document.querySelector('button[type="submit"]')`;
    await expect
      .poll(() => page.evaluate(`getComputedStyle(${submit}).backgroundColor`), SLOW)
      .toBe(AS_STYLE[colorScheme]);
    expect(await page.evaluate(`getComputedStyle(${submit}).borderRadius`)).toBe('3px');
    expect(await findViolations(page.locator('html'))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    expect(complaints).toEqual([]);
  },
);

test('[S657][I1595] where accounts need App Check tokens and solved challenges, an old link requests another mail', async () => {
  const captcha = { emailPasswordEnforcementState: 'ENFORCE', hearth: { cost: 2_000 } };
  await changeAuthConfig(
    server.url,
    { appCheckConfig: { accounts: 'ENFORCED' }, recaptchaConfig: captcha },
    'appCheckConfig.accounts,recaptchaConfig.emailPasswordEnforcementState,recaptchaConfig.hearth.cost',
  );
  const email = freshEmail();
  await requestAsAdmin(server.url, 'POST', '/v1/projects/demo/accounts', { email, password: PASSWORD });
  const { page, complaints } = await openWatchedPage(browser, urlOf(`/__/auth/action?${ACTION}`));
  await page.locator('input[type="email"]').fill(email, SLOW);
  await page.locator('button[type="submit"]').click();
  await page.getByText('we sent a link to it').waitFor(SLOW);
  expect((await readMailedCode(email, 'PASSWORD_RESET', server.url)).link).toContain('oobCode=');
  expect(complaints).toEqual([]);
});
