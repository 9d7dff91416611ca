import { expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const { seed } = databasesOf(testBed);

test('[C605] the path field completes keys, and the keyboard is enough to use it', async () => {
  const name = await seed({ rooms: { lobby: { topic: 'hi' }, lounge: 1, attic: 2 } });
  const visitor = await testBed.visit(`/projects/demo/data/${name}`);
  const { page } = visitor;
  await rowOf(page, 'rooms').waitFor();
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Path or URL of a node' });
  await field.fill('/rooms/lo');
  const options = page.getByRole('listbox', { name: 'Matching paths' }).getByRole('option');
  await options.first().waitFor();
  expect(await options.allInnerTexts()).toEqual(['/rooms/lobby', '/rooms/lounge']);
  await page.keyboard.press('ArrowDown');
  await visitor.expectAccessible();
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('/rooms/lobby');
  await page.keyboard.press('Enter');
  await rowOf(page, 'topic').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/rooms\/lobby$/);
});

test('[C605] a path without data is opened only on request', async () => {
  const name = await seed({ rooms: 1 });
  const visitor = await testBed.visit(`/projects/demo/data/${name}`);
  const { page } = visitor;
  await rowOf(page, 'rooms').waitFor();
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Path or URL of a node' });
  await field.fill('/absent');
  await field.press('Enter');
  await page.getByRole('alert').getByText('Nothing is at this path.').waitFor();
  await visitor.expectAccessible();
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`${name}$`));
  await field.press('Enter');
  await page.waitForURL(/\/absent$/);
});
