import type { Browser, Page } from 'playwright';
import { expect, test } from 'vitest';
import { accountUrl, createAccount, heading, openAccount } from '../drivers/account-page.ts';
import { openWatchedPage, useBrowser } from '../drivers/browser.ts';

const SLOW = { timeout: 60_000 };

let browser: Browser;
useBrowser((opened) => {
  browser = opened;
});

/** The element with the focus. */
interface Focused {
  readonly tag: string;
  readonly name: string;
  /** Width of its focus ring, in pixels. */
  readonly ring: number;
}

/** Source of a function that reads the element with the focus. The ring of a text field is drawn around the field. */
const READ_FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const border = element.parentElement?.querySelector('fieldset');
  return {
    tag: element.tagName,
    name: element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent,
    ring: outlineStyle === 'none' ? parseFloat(border ? getComputedStyle(border).borderTopWidth : '0') : parseFloat(outlineWidth),
  };
})()`;

function readFocused(page: Page): Promise<Focused> {
  return page.evaluate(READ_FOCUSED);
}

/** Presses Tab until the focus has been on `count` elements, and returns them. */
async function tabThrough(page: Page, count: number): Promise<readonly Focused[]> {
  const reached: Focused[] = [];
  for (let index = 0; index < count; index += 1) {
    await page.keyboard.press('Tab');
    reached.push(await readFocused(page));
  }
  return reached;
}

/** Moves the focus with Tab to the element with a name, and presses Enter. */
async function press(page: Page, name: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab');
      return (await readFocused(page)).name;
    }, SLOW)
    .toBe(name);
  await page.keyboard.press('Enter');
}

/** Waits until the heading of the screen has the focus. */
async function waitForScreen(page: Page, name: string): Promise<void> {
  await heading(page, name).waitFor(SLOW);
  await expect.poll(async () => (await readFocused(page)).tag, SLOW).toBe('H1');
}

test('[S661] each control of the sign-in page is reached by keyboard, with a visible focus', async () => {
  const { page } = await openWatchedPage(browser, accountUrl());
  await page.locator('form').waitFor(SLOW);
  const count = await page.locator('main input, main button').count();
  const reached = await tabThrough(page, count);
  expect(new Set(reached.map(({ name }) => name)).size).toBe(count);
  expect(reached.filter(({ ring }) => !(ring >= 2))).toEqual([]);
  await press(page, 'Forgot your password?');
  await waitForScreen(page, 'Reset your password');
  await press(page, 'Back to sign-in');
  await waitForScreen(page, 'Sign in to demo');
});

test('[S661] a user reaches each control of the account page by keyboard, and each form moves the focus to its heading', async () => {
  const { email } = await createAccount();
  const { page, complaints } = await openAccount(browser, email);
  await waitForScreen(page, 'Your account');
  await page.locator('section').first().waitFor(SLOW);
  const count = await page.locator('main button').count();
  const reached = await tabThrough(page, count);
  expect(new Set(reached.map(({ name }) => name)).size).toBe(count);
  expect(reached.filter(({ ring }) => !(ring >= 2))).toEqual([]);
  await press(page, 'Change: Name');
  await waitForScreen(page, 'Change your name');
  await page.keyboard.press('Tab');
  expect(await readFocused(page)).toMatchObject({ tag: 'INPUT', name: 'Name', ring: 2 });
  await page.keyboard.type('Ann Example');
  await page.keyboard.press('Enter');
  await page.getByText('Saved.').waitFor(SLOW);
  await waitForScreen(page, 'Your account');
  await page.getByText('Ann Example').waitFor(SLOW);
  await press(page, 'Add a phone');
  await waitForScreen(page, 'Add a phone');
  await press(page, 'Cancel');
  await waitForScreen(page, 'Your account');
  await press(page, 'Sign out');
  await waitForScreen(page, 'You are signed out');
  expect(complaints).toEqual([]);
});
