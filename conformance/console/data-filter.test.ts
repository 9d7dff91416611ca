import { expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();

const { seed, put, get } = databasesOf(testBed);

const ROWS = {
  ann: { age: 30, city: 'Bonn', tags: { a: true } },
  bob: { age: 40, city: 'Kiel' },
};

test.each([
  ['on a desktop', {}],
  ['in dark colors', DARK],
  ['on a phone', PHONE],
] as const)('[C718] %s, a value in the results of a filter is edited in place', async (_where, options) => {
  const name = await seed({ rows: ROWS });
  const visitor = await testBed.visit(`/projects/demo/data/${name}/rows?order=child&child=age`, options);
  const { page } = visitor;
  const results = page.getByRole('list', { name: 'Matching children' });
  await results.getByRole('button', { name: 'Edit age: 30' }).click();
  const field = results.getByRole('textbox', { name: 'Value of age' });
  await field.waitFor();
  expect(await results.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('number');
  await visitor.expectAccessible();
  await field.fill('50');
  await results.getByRole('button', { name: 'Save' }).click();
  await results.getByRole('button', { name: 'Edit age: 50' }).waitFor();
  expect(await get(name, '/rows/ann/age')).toBe(50);
  // The results follow the order: ann is now the last.
  await expect.poll(() => results.getByRole('listitem').last().textContent()).toContain('ann');
  await visitor.expectAccessible();
});

test('[C718] results are edited and deleted with a keyboard alone, and the focus returns to the value', async () => {
  const name = await seed({ rows: ROWS });
  const { page } = await testBed.visit(`/projects/demo/data/${name}/rows?order=key`);
  const results = page.getByRole('list', { name: 'Matching children' });
  const value = results.getByRole('button', { name: /^Edit city: "Kiel"/ });
  await value.focus();
  await page.keyboard.press('Enter');
  const field = results.getByRole('textbox', { name: 'Value of city' });
  await field.waitFor();
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await expect.poll(() => value.evaluate((element) => element === document.activeElement)).toBe(true);
  await results.getByRole('button', { name: 'Delete bob' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  // While the dialog is open, the list behind it is hidden.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await results.getByText('ann').waitFor();
  await results.getByText('bob').waitFor({ state: 'detached' });
  await expect.poll(() => get(name, '/rows')).toEqual({ ann: ROWS.ann });
});

test('[C718] an edit stays open while its value changes, and leaves the results', async () => {
  const name = await seed({ rows: ROWS });
  const { page } = await testBed.visit(`/projects/demo/data/${name}/rows?order=child&child=age&start=35`);
  const results = page.getByRole('list', { name: 'Matching children' });
  await results.getByRole('button', { name: 'Edit city: "Kiel"' }).click();
  await page.getByRole('textbox', { name: 'Value of city' }).fill('Köln');
  await put(name, '/rows/bob/city', 'Ulm');
  await page.getByText('Ulm').first().waitFor();
  await put(name, '/rows/bob/age', 10);
  await results.getByText('bob').waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Value of city' }).inputValue()).toBe('Köln');
});

test('[C718] a staged edit of a result is marked, and writes nothing', async () => {
  const name = await seed({ rows: ROWS });
  const { page } = await testBed.visit(`/projects/demo/data/${name}/rows?order=key`);
  await page.getByRole('button', { name: 'Stage edits' }).click();
  const results = page.getByRole('list', { name: 'Matching children' });
  await results.getByRole('button', { name: 'Edit age: 30' }).click();
  await results.getByRole('textbox', { name: 'Value of age' }).fill('31');
  await page.keyboard.press('Enter');
  await page.getByText('Staged edits: 1.').waitFor();
  await results.getByRole('listitem').first().getByRole('img').waitFor();
  expect(await get(name, '/rows')).toEqual(ROWS);
});

test('[C718] in Arabic, keys and values of results read from left to right', async () => {
  const name = await seed({ rows: ROWS });
  const { page } = await testBed.visit(`/projects/demo/data/${name}/rows?order=key`, ARABIC);
  const value = page.locator('button.shown bdi', { hasText: 'Bonn' });
  await value.waitFor();
  expect(await value.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr');
});

test.each([
  ['the tree', ''],
  ['the results of a filter', '?order=key'],
])('[C719] on a phone, the parts of an editor in %s do not overlap', async (_where, query) => {
  const name = await seed({ rows: ROWS });
  const visitor = await testBed.visit(`/projects/demo/data/${name}/rows/ann${query}`, PHONE);
  const { page } = visitor;
  const button =
    query === ''
      ? rowOf(page, 'city').getByRole('button', { name: 'Edit city' })
      : page.getByRole('button', { name: /^Edit city/ });
  await button.click();
  const editor = page.locator('[data-editor]');
  await editor.getByRole('textbox', { name: 'Value of city' }).waitFor();
  const parts = [
    editor.getByRole('combobox', { name: 'Type' }),
    editor.getByRole('textbox', { name: 'Value of city' }),
    editor.getByRole('button', { name: 'Save' }),
    editor.getByRole('button', { name: 'Cancel' }),
  ];
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  for (const [index, box] of boxes.entries()) {
    if (box === null) throw new Error('A part of the editor is hidden.');
    expect(box.x + box.width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    for (const other of boxes.slice(index + 1)) {
      if (other === null) continue;
      const isBeside = box.x + box.width <= other.x + 1 || other.x + other.width <= box.x + 1;
      const isBelow = box.y + box.height <= other.y + 1 || other.y + other.height <= box.y + 1;
      expect(isBeside || isBelow).toBe(true);
    }
  }
  expect(boxes[2]?.height).toBeGreaterThanOrEqual(40);
  await visitor.expectAccessible();
});
