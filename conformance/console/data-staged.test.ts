import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { openStaged, rowOf, stagedEditsOf, stagedSignOf, typeValue } from '../drivers/console/data-tree.ts';
import { buttonOf, pointAtUndo } from '../drivers/console/page.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();
const { seed, get } = databasesOf(testBed);

const grid = (page: Page) => page.getByRole('treegrid');

test('[C330][C331][C333][C335] edits of every kind are staged, reviewed, applied together and undone, by keys alone', async () => {
  const name = await seed({ a: 1, b: { x: 'old' }, c: 3 });
  const visitor = await testBed.visit(`/projects/demo/data/${name}`);
  const { page } = visitor;
  await rowOf(page, 'a').waitFor();
  await page.keyboard.press('e');
  await page.getByText('New edits are staged').waitFor();
  await grid(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Value of a' }).waitFor();
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await stagedSignOf(page, 'a', 'changed').waitFor();
  await rowOf(page, 'a').locator('s').getByText('1').waitFor();
  await expect.poll(() => grid(page).evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('End');
  await page.keyboard.press('Delete');
  await stagedSignOf(page, 'c', 'deleted').waitFor();
  await page.keyboard.press('a');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('bb');
  await page.getByRole('textbox', { name: 'Value' }).fill('new');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await stagedSignOf(page, 'bb', 'added').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await get(name)).toEqual({ a: 1, b: { x: 'old' }, c: 3 });
  await page.getByText('Staged edits: 3').waitFor();
  await visitor.expectAccessible();
  await visitor.picture('data-staged-light');

  await page.keyboard.press('r');
  await stagedEditsOf(page).waitFor();
  const items = stagedEditsOf(page).getByRole('listitem');
  await items.filter({ hasText: '/a' }).getByText('2').waitFor();
  await expect
    .poll(() => stagedEditsOf(page).evaluate((dialog) => dialog.contains(document.activeElement)))
    .toBe(true);
  await visitor.expectAccessible();
  await visitor.picture('data-review-light');
  await page.keyboard.press('ControlOrMeta+Enter');
  await stagedEditsOf(page).waitFor({ state: 'detached' });
  await page.getByText('3 edits applied.').waitFor();
  expect(await get(name)).toEqual({ a: 2, b: { x: 'old' }, bb: 'new' });
  await pointAtUndo(page);
  await rowOf(page, 'c').waitFor({ state: 'detached' });
  expect(await page.getByRole('img', { name: /^Staged/ }).count()).toBe(0);
  await buttonOf(page, 'Undo').click();
  await rowOf(page, 'c').waitFor();
  expect(await get(name)).toEqual({ a: 1, b: { x: 'old' }, c: 3 });
});

test('[C331][C333] a staged move is shown at both paths, can be edited, and is discarded as a whole', async () => {
  const name = await seed({ room: { topic: 'hi', open: true }, z: 0 });
  const { page } = await openStaged(testBed, name);
  await rowOf(page, 'room').click();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'New key' }).fill('salon');
  await page.getByRole('button', { name: 'Rename' }).click();
  await stagedSignOf(page, 'room', 'deleted').waitFor();
  await stagedSignOf(page, 'salon', 'added').waitFor();
  await rowOf(page, 'salon').getByRole('button', { name: 'Expand salon' }).click();
  await typeValue(page, 'topic', 'bonjour');
  await rowOf(page, 'topic').getByText('"bonjour"').waitFor();
  await typeValue(page, 'z', '1');
  await buttonOf(page, 'Review').click();
  await stagedEditsOf(page)
    .getByRole('listitem')
    .filter({ hasText: '/salon' })
    .getByText('bonjour')
    .waitFor();
  await stagedEditsOf(page)
    .getByRole('button', { name: /^Discard edit of .*salon/ })
    .click();
  await stagedEditsOf(page).getByText('Staged edits discarded: 2.').waitFor();
  await stagedEditsOf(page).getByRole('button', { name: 'Undo' }).click();
  await stagedEditsOf(page)
    .getByRole('button', { name: /^Discard edit of .*salon/ })
    .click();
  await stagedEditsOf(page).getByRole('button', { name: 'Close review' }).click();
  await stagedSignOf(page, 'room', 'deleted').waitFor({ state: 'detached' });
  expect(await rowOf(page, 'salon').count()).toBe(0);
  await stagedSignOf(page, 'z', 'changed').waitFor();
  expect(await get(name)).toEqual({ room: { topic: 'hi', open: true }, z: 0 });
});

test('[C331] edits staged in one view are shown and marked in the others, where edits can be staged too', async () => {
  const name = await seed({
    users: { ada: { age: 36, city: 'London' }, kurt: { age: 71, city: 'Brno' }, n: 5 },
  });
  const { page } = await openStaged(testBed, name, '/users?view=table', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByRole('gridcell', { name: '36' }).click();
  await page.evaluate(() => navigator.clipboard.writeText('37\tParis\n72\t'));
  await page.keyboard.press('ControlOrMeta+v');
  const cell = page.getByRole('gridcell', { name: /37.*36/ });
  await cell.getByRole('img', { name: 'Staged: changed' }).waitFor();
  await page.getByRole('img', { name: 'Staged: deleted' }).waitFor();
  await page.getByText('Staged edits: 4').waitFor();
  await page.getByRole('button', { name: 'Show as JSON' }).click();
  const editor = page.getByRole('textbox', { name: 'JSON of /users' });
  await editor.getByText('"Paris"').waitFor();
  await expect.poll(() => page.locator('.cm-stageSigns').textContent()).toMatch(/±±−±/);
  await editor.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('"lena": {"age": 5},');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Staged: users').waitFor();
  await page.getByRole('button', { name: 'Show as tree' }).click();
  await stagedSignOf(page, 'lena', 'added').waitFor();
  expect(await get(name, '/users/ada')).toEqual({ age: 36, city: 'London' });
  await page.keyboard.press('r');
  await stagedEditsOf(page).getByText('1 of 1,000').waitFor();
  await stagedEditsOf(page).getByRole('button', { name: 'Apply 1 edit' }).click();
  await page.getByText('1 edit applied.').waitFor();
  expect(await get(name, '/users')).toEqual({
    ada: { age: 37, city: 'Paris' },
    kurt: { age: 72 },
    lena: { age: 5 },
    n: 5,
  });
});

test('[C340] a small file is staged, and a larger one is rejected', async () => {
  const name = await seed({ a: 1 });
  const { page } = await openStaged(testBed, name);
  await rowOf(page, 'a').waitFor();
  await buttonOf(page, 'Import').click();
  const choose = (text: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'data.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await choose(JSON.stringify({ big: 'x'.repeat(1_100_000) }));
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await page.getByRole('alert').getByText('larger than 1 MB cannot be staged').waitFor();
  await choose('{"a": 2, "n": {"x": 1}}');
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await stagedSignOf(page, 'n', 'added').waitFor();
  await stagedSignOf(page, 'a', 'changed').waitFor();
  expect(await get(name)).toEqual({ a: 1 });
});

test('[C341] while viewing as another principal, a user writes immediately, and staged edits wait', async () => {
  const name = await seed({ a: 1, b: 1 });
  await testBed.admin('PUT', `/.settings/rules.json?ns=${name}`, {
    rules: { '.read': true, '.write': true },
  });
  const { page } = await openStaged(testBed, name);
  await typeValue(page, 'a', '2');
  const address = new URL(page.url());
  address.searchParams.set('as', 'nobody');
  await page.goto(address.href);
  await page.getByText('Your staged edits (1) are hidden until you exit “View as”.').waitFor();
  expect(await page.locator('.row .sign').count()).toBe(0);
  await typeValue(page, 'b', '2');
  await expect.poll(() => get(name)).toEqual({ a: 1, b: 2 });
  address.searchParams.delete('as');
  await page.goto(address.href);
  await stagedSignOf(page, 'a', 'changed').waitFor();
});

test('[C345] staged edits pass the accessibility rules in dark colors, on phones and from right to left', async () => {
  for (const [display, options] of Object.entries({ dark: DARK, phone: PHONE, ar: ARABIC })) {
    const name = await seed({ a: 'one', b: { x: 1 }, c: true });
    const visitor = await testBed.visit(`/projects/demo/data/${name}`, options);
    const { page } = visitor;
    await rowOf(page, 'a').waitFor();
    await page.keyboard.press('e');
    await rowOf(page, 'c').click();
    await page.keyboard.press('Delete');
    await rowOf(page, 'b').click();
    await page.locator('.row .sign').waitFor();
    await visitor.expectAccessible();
    await visitor.picture(`data-staged-${display}`);
    await page.keyboard.press('r');
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await visitor.expectAccessible();
    await visitor.picture(`data-review-${display}`);
  }
});
