import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { pressWithoutPause } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();

async function waitForHeading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

function pathOf(page: Page): string {
  return new URL(page.url()).pathname;
}

test('[C1] the console opens on the default project in development mode, without a password', async () => {
  const { page } = await testBed.visit('/');
  await page.waitForURL('**/console/projects/demo');
  await page.getByRole('navigation', { name: 'Main navigation' }).first().waitFor();
  await expect.poll(() => page.title()).toMatch(/ · demo · Hearth$/);
});

describe('the palette and the help sheet', () => {
  test('[C20] the palette finds a command by its words, and Enter runs it', async () => {
    const visitor = await testBed.visit('/projects/demo');
    const { page } = visitor;
    await waitForHeading(page, /./);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await visitor.expectAccessible();
    await visitor.picture('shell-palette-light');
    await page.keyboard.type('dark the');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme))
      .toBe('dark');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('no such thing');
    await page.getByText('No results').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
  });

  test('[C21] a path in the palette opens the data there', async () => {
    const { page } = await testBed.visit('/projects/demo');
    await waitForHeading(page, /./);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('/rooms/lobby');
    await page.getByRole('option', { name: '/rooms/lobby' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => pathOf(page)).toBe('/console/projects/demo/data/demo-default-rtdb/rooms/lobby');
  });

  test('[C22] the help sheet lists commands with their keys, and the keys lead to the listed views', async () => {
    const visitor = await testBed.visit('/projects/demo');
    const { page } = visitor;
    await waitForHeading(page, /./);
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByRole('listitem').filter({ hasText: 'Accounts' }).filter({ hasText: 'GA' }).waitFor();
    await visitor.expectAccessible();
    await visitor.picture('shell-help-light');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await pressWithoutPause(page, { key: 'g' }, { key: 'p' });
    await waitForHeading(page, 'Project demo');
    expect(pathOf(page)).toBe('/console/projects/demo/settings');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
  });
});

test('[C23] the language changes immediately without reloading the page, and stays after a reload', async () => {
  const { page } = await testBed.visit('/projects/demo/settings');
  await waitForHeading(page, 'Project demo');
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  await page.getByRole('button', { name: 'Appearance and language' }).click();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ar');
  await expect.poll(() => page.evaluate(() => document.documentElement.dir)).toBe('rtl');
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('ar');
  expect(await page.evaluate(() => Reflect.get(globalThis, 'isSamePage'))).toBe(true);
  await page.reload();
  await expect.poll(() => page.evaluate(() => document.documentElement.dir)).toBe('rtl');
});

test('[C24] a banner shows since when the server does not respond, and disappears when the server responds', async () => {
  const visitor = await testBed.visit('/projects/demo/settings');
  const { page } = visitor;
  await waitForHeading(page, 'Project demo');
  await page.context().setOffline(true);
  await page.getByRole('alert').filter({ hasText: 'No response from the server since' }).waitFor();
  await page.getByRole('button', { name: 'Retry now' }).waitFor();
  await page.context().setOffline(false);
  await page.getByText('No response from the server since').waitFor({ state: 'detached' });
});

test('[C25] an address without a view shows a message and links to other pages', async () => {
  const visitor = await testBed.visit('/projects/demo/nowhere');
  const { page } = visitor;
  await waitForHeading(page, 'Page not found');
  await visitor.expectAccessible();
  await page.getByRole('link', { name: 'Go to overview' }).press('Enter');
  await page.waitForURL('**/console/projects/demo');
});

test('[C26] a new project is created from the switcher and opened; an invalid name is rejected while the user types', async () => {
  const visitor = await testBed.visit('/projects/demo');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Project: demo' }).click();
  await page.getByRole('menuitem', { name: 'New project…' }).click();
  const field = page.getByRole('textbox', { name: 'Project ID' });
  await field.fill('Not a name');
  expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
  await visitor.expectAccessible();
  await field.fill('hats');
  await field.press('Enter');
  await page.waitForURL('**/console/projects/hats');
  await page.getByRole('button', { name: 'Project: hats' }).click();
  await page.getByRole('menuitem', { name: 'demo' }).click();
  await page.waitForURL('**/console/projects/demo');
});

test('[C27] breadcrumbs say where the view is, and link to other databases', async () => {
  await testBed.admin('PUT', '/rooms/lobby.json?ns=other', { topic: 'tea' });
  const { page } = await testBed.visit('/projects/demo/data/demo-default-rtdb');
  const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await trail.getByRole('link', { name: 'Data' }).waitFor();
  await trail.getByRole('button', { name: 'Database: demo-default-rtdb' }).click();
  await page.getByRole('menuitem', { name: 'other' }).click();
  await expect.poll(() => pathOf(page)).toBe('/console/projects/demo/data/other');
});

test.each([
  ['logo and name', {}, true],
  ['logo alone on phones', PHONE, false],
])('[C942] a view has the %s, which leads to the overview', async (_what, options, hasName) => {
  const { page } = await testBed.visit('/projects/demo/rules', options);
  const brand = page.getByRole('banner').getByRole('link', { name: 'Hearth' });
  await brand.getByRole('presentation').waitFor();
  expect(await brand.getByText('Hearth').isVisible()).toBe(hasName);
  await brand.click();
  await page.waitForURL('**/console/projects/demo');
});

test('[C28] on phones the areas are below the view, and those that do not fit are in the menu "More"', async () => {
  const visitor = await testBed.visit('/projects/demo', PHONE);
  const { page } = visitor;
  await waitForHeading(page, /./);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Project' }).waitFor();
  await visitor.expectAccessible();
  await page.getByRole('menuitem', { name: 'Project' }).click();
  await page.waitForURL('**/console/projects/demo/settings');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test('[C29] the first tab stop skips the areas and leads to the content', async () => {
  const { page } = await testBed.visit('/projects/demo/settings');
  await waitForHeading(page, 'Project demo');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
});

test('[C38] for an empty database the overview shows three steps, and then the data that an app writes', async () => {
  const visitor = await testBed.visit('/projects/fresh');
  const { page } = visitor;
  await waitForHeading(page, 'Get started in three steps');
  await visitor.expectAccessible();
  await visitor.picture('overview-first-light');
  await page.getByRole('button', { name: 'Write value' }).press('Enter');
  await page.getByRole('list', { name: 'First children of the database' }).getByText('messages').waitFor();
  await testBed.admin('PUT', '/from-the-app.json?ns=fresh-default-rtdb', 'hello');
  await page.getByText('from-the-app').waitFor();
  expect(await page.getByRole('tabpanel').textContent()).toContain('connectDatabaseEmulator');
  await visitor.expectAccessible();
  await page.getByRole('button', { name: 'Go to overview' }).press('Enter');
  await waitForHeading(page, 'Overview');
});

test.each([
  ['phone', PHONE],
  ['ar', ARABIC],
] as const)('[C38][C421] the three steps pass the accessibility rules: %s', async (name, display) => {
  const visitor = await testBed.visit('/projects/looked-at', display);
  await visitor.page.locator('ol').getByRole('tab', { name: 'JavaScript' }).waitFor();
  await visitor.expectAccessible();
  await visitor.picture(`overview-first-${name}`);
});

test('[C420] while the default database is empty, the overview lists the other databases, with links to their data', async () => {
  const visitor = await testBed.visit('/projects/elsewhere');
  const { page } = visitor;
  await page.getByText('No data yet.').waitFor();
  await testBed.admin('PUT', '/hats.json?ns=elsewhere-shop', { red: 3 });
  await page.getByRole('link', { name: 'elsewhere-shop' }).press('Enter');
  await page.getByText('hats').waitFor();
  expect(pathOf(page)).toBe('/console/projects/elsewhere/data/elsewhere-shop');
});

test('[C38] a dropped file fills an empty database', async () => {
  const { page } = await testBed.visit('/projects/dropped');
  await waitForHeading(page, 'Get started in three steps');
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['{"hats":{"red":3}}'], 'hats.json', { type: 'application/json' }));
    return transfer;
  });
  await page.getByText('Drop a JSON file here').dispatchEvent('drop', { dataTransfer: data });
  await page.getByRole('list', { name: 'First children of the database' }).getByText('hats').waitFor();
});
