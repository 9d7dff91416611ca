import { expect, test } from 'vitest';
import { lineOf } from '../drivers/console/data-tree.ts';
import { hasFocus } from '../drivers/console/keyboard.ts';
import { holdRequests, twoFrames } from '../drivers/console/page.ts';
import { openAccountProject, openConsoleTestBed, person } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();

/** More rows than the explorer holds at a time. */
const MANY = 3_000;
const ROW_PX = 36;

test('[C439] an edit whose line goes and comes keeps the keyboard, and takes it from nobody', async () => {
  const many = Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`k${1_000 + index}`, index]));
  await testBed.admin('PUT', '/.json?ns=focus', many);
  const { page } = await testBed.visit('/projects/demo/data/focus');
  const tree = page.getByRole('treegrid');
  const field = page.getByRole('textbox', { name: 'Value of k1000' });
  const scrollTo = async (row: number) => {
    await tree.evaluate((element, px) => {
      element.scrollTop = px;
    }, row * ROW_PX);
    await lineOf(page, `k${1_000 + row}`).waitFor();
  };
  const inLine = lineOf(page, 'k1000').getByRole('textbox');
  await lineOf(page, 'k1000').dblclick();
  await field.waitFor();
  await page.keyboard.type('mi');
  await scrollTo(85);
  await page.keyboard.type('n');
  for (let row = 200; row < MANY; row += 200) await scrollTo(row);
  // Its page is held no more.
  await inLine.waitFor({ state: 'detached' });
  await page.keyboard.type('e');
  expect(await field.inputValue()).toBe('mine');
  const search = page.getByRole('searchbox', { name: 'Search below this node' });
  await search.focus();
  await scrollTo(0);
  await inLine.waitFor();
  await twoFrames(page);
  expect(await hasFocus(search)).toBe(true);
  expect(await inLine.inputValue()).toBe('mine');
});

test('[C427] whoever goes on elsewhere before a value can be edited is left there, and finds it opened', async () => {
  await testBed.admin('PUT', '/.json?ns=slow', { title: 'old' });
  const { page } = await testBed.visit('/projects/demo/data/slow');
  const field = page.getByRole('textbox', { name: 'Value of title' });
  const search = page.getByRole('searchbox', { name: 'Search below this node' });
  const asked = page.waitForRequest('**/title.json*');
  const letGo = await holdRequests(page, '**/title.json*');
  await lineOf(page, 'title').dblclick();
  await asked;
  await search.focus();
  letGo();
  await field.waitFor();
  await twoFrames(page);
  expect(await hasFocus(search)).toBe(true);
  await lineOf(page, 'title').getByRole('button', { name: 'Cancel' }).click();
  await field.waitFor({ state: 'detached' });
  await lineOf(page, 'title').dblclick();
  await expect
    .poll(() => field.count().then(async (count) => count === 1 && (await hasFocus(field))))
    .toBe(true);
  await page.getByRole('treegrid').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => hasFocus(field)).toBe(true);
  await page.keyboard.type('new');
  await page.keyboard.press('Enter');
  await lineOf(page, 'title').getByText('"new"').waitFor();
});

test('[C440] what is typed after what was typed before is discarded stays', async () => {
  await testBed.admin('PUT', '/node.json?ns=discarded', { a: 1 });
  const { page } = await testBed.visit('/projects/demo/data/discarded/node?view=json');
  const editor = page.getByRole('textbox', { name: 'JSON of /node' });
  await editor.getByText('"a"').waitFor();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('first');
  const asked = page.waitForRequest('**/node.json*');
  const letGo = await holdRequests(page, '**/node.json*');
  const answered = page.waitForResponse('**/node.json*');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await asked;
  await expect.poll(() => editor.textContent()).toMatch(/}$/);
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('second');
  letGo();
  await (await answered).finished();
  await twoFrames(page);
  expect(await editor.textContent()).toMatch(/}second$/);
});

test('[C441] whoever goes on elsewhere after a key in the list of accounts is left there', async () => {
  const { list } = await openAccountProject(
    testBed,
    'moved',
    Array.from({ length: 200 }, (_, n) => person(n)),
  );
  const { page } = await testBed.visit(list);
  const first = page.getByRole('row').nth(1);
  await first.focus();
  const search = page.getByRole('searchbox', { name: 'Search accounts' });
  const goOn = await search.elementHandle();
  // At once, before the row far below is drawn.
  await first.evaluate((row, elsewhere) => {
    row.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
    if (elsewhere instanceof HTMLElement) elsewhere.focus();
  }, goOn);
  // The last of those that are loaded.
  await page.locator('[data-row="99"]').waitFor();
  await twoFrames(page);
  expect(await hasFocus(search)).toBe(true);
});
