import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { buttonOf } from '../drivers/console/page.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const { seed, put, get } = databasesOf(testBed);

const PEOPLE = {
  ada: { age: 36, born: 1_700_000_000_000, name: 'Ada' },
  kurt: { age: 71, born: 1_600_000_000_000, name: 'Kurt' },
};

const cellOf = (page: Page, text: string) => page.getByRole('gridcell', { name: text, exact: true });
const heads = (page: Page) => page.getByRole('columnheader').allInnerTexts();
const WIDE = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [`c${String(index).padStart(2, '0')}`, index]),
);

test('[C600] columns are hidden, moved and pinned by keys alone, and stay so after a reload', async () => {
  const name = await seed(PEOPLE);
  const visitor = await testBed.visit(`/projects/demo/data/${name}?view=table`);
  const { page } = visitor;
  await cellOf(page, '36').waitFor();
  await buttonOf(page, 'Columns').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Columns' });
  await visitor.expectAccessible();
  await dialog.getByRole('checkbox', { name: 'age' }).focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Move name up' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Pin born' }).focus();
  await page.keyboard.press('Space');
  await dialog.getByLabel('Width of name').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('300');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => heads(page)).toEqual(['Key', 'born', 'name']);
  await page.reload();
  await cellOf(page, 'Ada').waitFor();
  expect(await heads(page)).toEqual(['Key', 'born', 'name']);
  expect((await page.getByRole('columnheader', { name: 'name' }).boundingBox())?.width).toBe(300);
  await visitor.expectAccessible();
});

test('[C600] the menu of the active column opens by keys, and hides the column', async () => {
  const name = await seed(PEOPLE);
  const { page } = await testBed.visit(`/projects/demo/data/${name}?view=table`);
  await cellOf(page, '36').click();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Hide column' }).click();
  await expect.poll(() => heads(page)).toEqual(['Key', 'born', 'name']);
  await expect
    .poll(() => page.getByRole('grid').evaluate((grid) => grid === document.activeElement))
    .toBe(true);
});

for (const language of ['en', 'ar'])
  test(`[C600] a column is resized by dragging its edge: ${language}`, async () => {
    const name = await seed(PEOPLE);
    const { page } = await testBed.visit(`/projects/demo/data/${name}?view=table`, { locale: language });
    await cellOf(page, '36').waitFor();
    const head = page.getByRole('columnheader', { name: 'age' });
    const edge = await head.locator('.edge').boundingBox();
    const width = (await head.boundingBox())?.width ?? 0;
    if (edge === null) throw new Error('The column has no edge.');
    const at = { x: edge.x + edge.width / 2, y: edge.y + edge.height / 2 };
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + (language === 'ar' ? -50 : 50), at.y, { steps: 3 });
    await page.mouse.up();
    await expect.poll(async () => (await head.boundingBox())?.width).toBe(width + 50);
  });

test('[C601] of 60 columns, the table draws those on the screen, also from right to left', async () => {
  const name = await seed({ a: WIDE, b: WIDE });
  for (const locale of ['en', 'ar']) {
    const { page } = await testBed.visit(`/projects/demo/data/${name}?view=table`, { locale });
    await cellOf(page, '0').first().waitFor();
    expect(await page.getByRole('columnheader').count()).toBeLessThan(20);
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await cellOf(page, '59').first().waitFor();
    await page.getByRole('columnheader', { name: 'c59' }).waitFor();
    await cellOf(page, '0').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Home');
    await cellOf(page, '0').first().waitFor();
  }
});

test('[C602] times are shown as dates, and as numbers on request; the header shows the types', async () => {
  const name = await seed(PEOPLE);
  const { page } = await testBed.visit(`/projects/demo/data/${name}?view=table`, {
    timezoneId: 'UTC',
    locale: 'en',
  });
  await page.getByRole('gridcell', { name: '11/14/23, 10:13:20 PM' }).waitFor();
  const types = await page
    .locator('[role="columnheader"] [data-type]')
    .evaluateAll((heads) => heads.map((head) => (head as HTMLElement).dataset['type']));
  expect(types).toEqual(['number', 'time', 'text']);
  await buttonOf(page, 'Show times as dates').click();
  await cellOf(page, '1700000000000').waitFor();
});

test('[C603] the editor covers the cell, so that no other cell moves, and Shift selects no text', async () => {
  const name = await seed(PEOPLE);
  const { page } = await testBed.visit(`/projects/demo/data/${name}?view=table`);
  await cellOf(page, '36').click();
  await cellOf(page, 'Kurt').click({ modifiers: ['Shift'] });
  expect(await page.locator('[aria-selected="true"]').count()).toBe(6);
  expect(await page.evaluate(() => String(getSelection()))).toBe('');
  const before = await cellOf(page, 'Ada').boundingBox();
  await cellOf(page, '36').dblclick();
  const field = page.getByRole('textbox', { name: 'Value of age' });
  await field.waitFor();
  expect(await cellOf(page, 'Ada').boundingBox()).toEqual(before);
  await field.fill('37');
  await page.keyboard.press('Enter');
  await cellOf(page, '37').waitFor();
  expect(await get(name, '/ada/age')).toBe(37);
});

test('[C604] rows of any size up to 32 KB show their members, and the table counts its rows', async () => {
  const name = await seed({ big: { text: 'x'.repeat(9_000), title: 'large' }, small: { title: 'tiny' } });
  const { page } = await testBed.visit(`/projects/demo/data/${name}?view=table`);
  await cellOf(page, 'large').waitFor();
  await page.getByText('2 children').waitFor();
  await put(name, '/third', { title: 'new' });
  await page.getByText('3 children').waitFor();
});
