import { beforeAll, expect, test } from 'vitest';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, type ConsoleVisitor, DARK, PHONE } from '../drivers/console/visitor.ts';

const PROJECT = 'hats';
const VIEW = `/projects/${PROJECT}/data/${PROJECT}`;
const FILTER = '?order=child&child=age&start=30&limit=5';
const testBed = openConsoleTestBed();

beforeAll(async () => {
  const source = '{"rules": {".read": true, "people": {".indexOn": "age"}}}';
  await testBed.admin('POST', `/api/databases/${PROJECT}/rules/publish`, { source });
  const people = { ann: { age: 31 }, bob: { age: 29 } };
  await testBed.admin('PUT', `/.json?ns=${PROJECT}`, { people });
});

async function openList({ page }: ConsoleVisitor) {
  await page.getByRole('button', { name: 'Saved queries' }).click();
  return page.getByRole('dialog', { name: 'Saved queries' });
}

test('[C360][C364] a query is saved, opened, renamed and deleted by keys alone', async () => {
  const visitor = await testBed.visit(`${VIEW}/people${FILTER}&as=nobody`);
  const { page } = visitor;
  const { keyboard } = page;
  await page.getByRole('button', { name: 'Saved queries' }).focus();
  await keyboard.press('b');
  const dialog = page.getByRole('dialog', { name: 'Saved queries' });
  await dialog.getByRole('textbox', { name: 'Name of the current view' }).waitFor();
  await keyboard.type('Grown ups');
  await keyboard.press('Enter');
  const link = dialog.getByRole('link', { name: 'Grown ups' });
  await link.waitFor();
  await visitor.picture('data-saved-light');
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'Rename Grown ups' }).press('Enter');
  await keyboard.type('Over 30');
  await keyboard.press('Enter');
  await dialog.getByRole('link', { name: 'Over 30' }).waitFor();
  await expect
    .poll(() => dialog.getByRole('button', { name: 'Rename Over 30' }).evaluate(isFocused))
    .toBe(true);
  await keyboard.press('Escape');
  await page.goto(`${testBed.server.url}/console${VIEW}`);
  await page.getByRole('treegrid').waitFor();
  await openList(visitor);
  await dialog.getByRole('link', { name: 'Over 30' }).press('Enter');
  await page.getByText('1 matching child').waitFor();
  expect(new URL(page.url()).search).toBe(FILTER);
  await page.getByRole('button', { name: 'Saved queries' }).press('Enter');
  await dialog.getByRole('button', { name: 'Delete Over 30' }).press('Enter');
  await dialog.getByText('No saved queries yet.').waitFor();
  await dialog.getByRole('button', { name: 'Undo' }).press('Enter');
  await dialog.getByRole('link', { name: 'Over 30' }).waitFor();
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

test('[C361][C364] names are checked while the user types, and the palette opens saved queries by their names', async () => {
  const visitor = await testBed.visit(`${VIEW}/people${FILTER}`);
  const { page } = visitor;
  const dialog = await openList(visitor);
  const field = dialog.getByRole('textbox', { name: 'Name of the current view' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await field.fill('x'.repeat(61));
  await dialog.getByText('At most 60 characters.').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await field.fill(' ');
  expect(await save.isDisabled()).toBe(true);
  await field.fill('Grown ups\u202e');
  await save.click();
  await field.fill('Grown ups\u202e');
  await dialog.getByText('This name is already used.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.goto(`${testBed.server.url}/console${VIEW}`);
  await page.getByRole('treegrid').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('grown');
  await page.getByRole('option', { name: /^Open “Grown ups/ }).click();
  await page.getByText('1 matching child').waitFor();
});

test('[C362][C363] saved queries are the same in two windows, and at most fifty are stored', async () => {
  const visitor = await testBed.visit(VIEW);
  const { page } = visitor;
  const other = await page.context().newPage();
  await other.goto(page.url());
  await openList(visitor);
  const dialog = page.getByRole('dialog', { name: 'Saved queries' });
  const field = dialog.getByRole('textbox', { name: 'Name of the current view' });
  await other.getByRole('button', { name: 'Saved queries' }).click();
  const inOther = other.getByRole('dialog', { name: 'Saved queries' });
  await inOther.getByRole('textbox').fill('theirs');
  await inOther.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('link', { name: 'theirs' }).waitFor();
  await other.evaluate(() => {
    const [key = ''] = Object.keys(localStorage).filter((name) => name.includes('saved-queries'));
    const [first] = JSON.parse(localStorage.getItem(key) ?? '[]');
    const many = Array.from({ length: 49 }, (_, index) => ({
      ...first,
      id: `${index}`,
      name: `theirs ${index}`,
    }));
    localStorage.setItem(key, JSON.stringify(many));
  });
  await dialog.getByRole('link', { name: 'theirs 48' }).waitFor();
  await field.fill('mine');
  await field.press('Enter');
  await dialog.getByText('You have 50 saved queries').waitFor();
  expect(await field.count()).toBe(0);
  await inOther.getByText('You have 50 saved queries').waitFor();
  await inOther.getByRole('button', { name: 'Delete mine', exact: true }).click();
  await field.waitFor();
});

test.each([
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
] as const)('[C365] saved queries pass the accessibility rules: %s', async (name, options) => {
  const visitor = await testBed.visit(`${VIEW}/people${FILTER}`, options);
  const { page } = visitor;
  await page.getByText('ann').first().waitFor();
  await page.keyboard.press('b');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Grown ups');
  await page.keyboard.press('Enter');
  await dialog.getByRole('link', { name: 'Grown ups' }).waitFor();
  await visitor.picture(`data-saved-${name}`);
  await visitor.expectAccessible();
});
