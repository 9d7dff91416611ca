import { expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { hasFocus } from '../drivers/console/keyboard.ts';
import { holdRequests, twoFrames } from '../drivers/console/page.ts';
import { openAccountProject, openConsoleTestBed, person } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();

/** More rows than the explorer holds at a time. */
const MANY = 3_000;
const ROW_PX = 36;

test('[C439] an edit whose row is unloaded and loaded again keeps the focus, and does not take it from another element', async () => {
  const many = Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`k${1_000 + index}`, index]));
  await testBed.admin('PUT', '/.json?ns=focus', many);
  const { page } = await testBed.visit('/projects/demo/data/focus');
  const tree = page.getByRole('treegrid');
  const field = page.getByRole('textbox', { name: 'Value of k1000' });
  const scrollTo = async (row: number) => {
    await tree.evaluate((element, px) => {
      element.scrollTop = px;
    }, row * ROW_PX);
    await rowOf(page, `k${1_000 + row}`).waitFor();
  };
  const inRow = rowOf(page, 'k1000').getByRole('textbox');
  await rowOf(page, 'k1000').dblclick();
  await field.waitFor();
  await page.keyboard.type('mi');
  await scrollTo(85);
  await page.keyboard.type('n');
  for (let row = 200; row < MANY; row += 200) await scrollTo(row);
  // The explorer no longer holds the page of this row.
  await inRow.waitFor({ state: 'detached' });
  await page.keyboard.type('e');
  expect(await field.inputValue()).toBe('mine');
  const search = page.getByRole('searchbox', { name: 'Search below this node' });
  await search.focus();
  await scrollTo(0);
  await inRow.waitFor();
  await twoFrames(page);
  expect(await hasFocus(search)).toBe(true);
  expect(await inRow.inputValue()).toBe('mine');
});

test('[C427] if the user moves on before a value can be edited, the focus stays where the user is, and the editor is open', async () => {
  await testBed.admin('PUT', '/.json?ns=slow', { title: 'old' });
  const { page } = await testBed.visit('/projects/demo/data/slow');
  const field = page.getByRole('textbox', { name: 'Value of title' });
  const search = page.getByRole('searchbox', { name: 'Search below this node' });
  const requested = page.waitForRequest('**/title.json*');
  const release = await holdRequests(page, '**/title.json*');
  await rowOf(page, 'title').dblclick();
  await requested;
  await search.focus();
  release();
  await field.waitFor();
  await twoFrames(page);
  expect(await hasFocus(search)).toBe(true);
  await rowOf(page, 'title').getByRole('button', { name: 'Cancel' }).click();
  await field.waitFor({ state: 'detached' });
  await rowOf(page, 'title').dblclick();
  await expect
    .poll(() => field.count().then(async (count) => count === 1 && (await hasFocus(field))))
    .toBe(true);
  await page.getByRole('treegrid').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => hasFocus(field)).toBe(true);
  await page.keyboard.type('new');
  await page.keyboard.press('Enter');
  await rowOf(page, 'title').getByText('"new"').waitFor();
});

test('[C440] text typed after a discard stays', async () => {
  await testBed.admin('PUT', '/node.json?ns=discarded', { a: 1 });
  const { page } = await testBed.visit('/projects/demo/data/discarded/node?view=json');
  const editor = page.getByRole('textbox', { name: 'JSON of /node' });
  await editor.getByText('"a"').waitFor();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('first');
  const requested = page.waitForRequest('**/node.json*');
  const release = await holdRequests(page, '**/node.json*');
  const answered = page.waitForResponse('**/node.json*');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await requested;
  await expect.poll(() => editor.textContent()).toMatch(/}$/);
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('second');
  release();
  await (await answered).finished();
  await twoFrames(page);
  expect(await editor.textContent()).toMatch(/}second$/);
});

test('[C441] if the user moves on after pressing a key in the list of accounts, the focus stays where the user is', async () => {
  const { list } = await openAccountProject(
    testBed,
    'moved',
    Array.from({ length: 200 }, (_, n) => person(n)),
  );
  const { page } = await testBed.visit(list);
  const first = page.getByRole('row').nth(1);
  await first.focus();
  const search = page.getByRole('searchbox', { name: 'Search accounts' });
  const searchHandle = await search.elementHandle();
  // Moves the focus in the same task, before the page draws the row far below.
  await first.evaluate((row, elsewhere) => {
    row.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
    if (elsewhere instanceof HTMLElement) elsewhere.focus();
  }, searchHandle);
  // The last loaded row.
  await page.locator('[data-row="99"]').waitFor();
  await twoFrames(page);
  expect(await hasFocus(search)).toBe(true);
});
