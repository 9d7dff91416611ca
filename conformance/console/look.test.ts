import { expect, test } from 'vitest';
import { heading } from '../drivers/account-page.ts';
import { openWatchedPage } from '../drivers/browser.ts';
import { Keyboard } from '../drivers/console/keyboard.ts';
import { buttonOf } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const SLOW = { timeout: 60_000 };

/** A picture of 48 by 24 pixels. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAYCAIAAAAzn+mLAAAALklEQVR42u3OQQ0AAAgEoAtmHMMayxL+ZCMASdeJORIhISEhISEhISEhIaFfoQWf9ZI9wMexMAAAAABJRU5ErkJggg==';

test('[C550][C551][C552][C553][C394] the look that an owner sets by keyboard is kept, and the hosted page has it', async () => {
  const visitor = await testBed.visit('/projects/demo/sign-in/look');
  const { page } = visitor;
  const keys = new Keyboard(page);
  const changes = page.getByRole('region', { name: 'Unsaved changes' });
  const light = page.getByRole('textbox', { name: 'Light color', exact: true });
  await keys.fill(page.getByRole('textbox', { name: 'App name' }), 'Tea Shop');
  await keys.fill(light, '#7fe3c0');
  await page.getByText('Use a darker color.').first().waitFor(SLOW);
  expect(await buttonOf(changes, 'Save').isDisabled()).toBe(true);
  await keys.fill(light, '#00664a');
  await page.getByText('Contrast with the page: 5.9 to 1.').waitFor(SLOW);
  await keys.reach(buttonOf(page, 'Choose image'));
  const chosen = page.waitForEvent('filechooser', SLOW);
  await keys.press('Enter');
  const logo = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(LOGO, 'base64') };
  await (await chosen).setFiles(logo);
  await page.getByRole('img', { name: 'Sign-in page of Tea Shop (Light)' }).waitFor(SLOW);
  await changes.getByText('Logo: changed').waitFor(SLOW);
  await visitor.expectAccessible();
  await keys.enter(buttonOf(changes, 'Save'));
  await changes.waitFor({ state: 'detached', ...SLOW });

  await page.reload();
  await expect.poll(() => light.inputValue()).toBe('#00664a');
  await page.getByRole('img', { name: 'Logo', exact: true }).waitFor(SLOW);
  await visitor.expectAccessible();

  const hosted = new URLSearchParams({
    apiKey: 'any',
    redirectUrl: 'http://localhost:3000/',
    screen: 'account',
  });
  const url = `${testBed.server.url.replace('127.0.0.1', 'localhost')}/__/auth/sign-in?${hosted}`;
  const user = await openWatchedPage(testBed.browser, url);
  await heading(user.page, 'Sign in to Tea Shop').waitFor(SLOW);
  await user.page.getByRole('img', { name: 'Tea Shop' }).waitFor(SLOW);
  const submit = user.page.locator('button[type="submit"]');
  await expect
    .poll(() => submit.evaluate((button) => getComputedStyle(button).backgroundColor))
    .toBe('rgb(0, 102, 74)');
  expect(user.complaints).toEqual([]);
});
