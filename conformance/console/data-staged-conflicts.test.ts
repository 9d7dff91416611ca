import { expect, test } from 'vitest';
import { openStaged, rowOf, stagedEditsOf, typeValue } from '../drivers/console/data-tree.ts';
import { buttonOf } from '../drivers/console/page.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const { seed, put, get } = databasesOf(testBed);

test('[C334] data that other users have changed is shown, and overwritten only after the user decides so', async () => {
  const name = await seed({ a: 1, b: 1, c: 1 });
  const visitor = await openStaged(testBed, name);
  const { page } = visitor;
  for (const key of ['a', 'b', 'c']) await typeValue(page, key, '2');
  await put(name, '/a', 'theirs a');
  await put(name, '/b', 'theirs b');
  await page.getByText('Changed by other users: 2.').waitFor();
  await buttonOf(page, 'Review').click();
  await expect.poll(() => buttonOf(page, 'Apply 3 edits').isDisabled()).toBe(true);
  const itemOf = (path: string) =>
    stagedEditsOf(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: path }) });
  await itemOf('/a').getByRole('note').getByText('theirs a').waitFor();
  await visitor.expectAccessible();
  await visitor.picture('data-conflict-light');
  await itemOf('/a').getByRole('button', { name: 'Keep theirs' }).click();
  await itemOf('/b').getByRole('button', { name: 'Overwrite with mine' }).click();
  await buttonOf(page, 'Apply 2 edits').click();
  await page.getByText('2 edits applied.').waitFor();
  expect(await get(name)).toEqual({ a: 'theirs a', b: 2, c: 2 });
});

test('[C334][C335] if another user writes at the last moment nothing is applied, and the conflict is shown', async () => {
  const name = await seed({ a: 1, b: 1 });
  const { page } = await openStaged(testBed, name);
  for (const key of ['a', 'b']) await typeValue(page, key, '2');
  await buttonOf(page, 'Review').click();
  let isFirst = true;
  await page.route('**/changes', async (route) => {
    const isApplying = route.request().postData()?.includes('"a":2') === true;
    if (isApplying && isFirst) {
      isFirst = false;
      await put(name, '/b', 'theirs');
    }
    await route.continue();
  });
  await buttonOf(page, 'Apply 2 edits').click();
  await page.getByText('Nothing was applied').waitFor();
  await stagedEditsOf(page).getByRole('note').getByText('"theirs"').waitFor();
  expect(await get(name)).toEqual({ a: 1, b: 'theirs' });
  await stagedEditsOf(page).getByRole('button', { name: 'Keep theirs' }).click();
  await buttonOf(page, 'Apply 1 edit').click();
  await page.getByText('1 edit applied.').waitFor();
  expect(await get(name)).toEqual({ a: 2, b: 'theirs' });
});

test('[C334][C335] two users stage edits of the same paths: the second sees what the first has applied, and decides', async () => {
  const name = await seed({ shared: 1, first: 1, second: 1 });
  const [one, other] = [(await openStaged(testBed, name)).page, (await openStaged(testBed, name)).page];
  for (const key of ['shared', 'first']) await typeValue(one, key, '2');
  for (const key of ['shared', 'second']) await typeValue(other, key, '3');
  await one.keyboard.press('r');
  await buttonOf(one, 'Apply 2 edits').click();
  await one.getByText('2 edits applied.').waitFor();
  await rowOf(other, 'first').getByText('2').waitFor();
  await other.getByText('Changed by other users: 1.').waitFor();
  await other.keyboard.press('r');
  await stagedEditsOf(other).getByRole('button', { name: 'Keep theirs' }).click();
  await buttonOf(other, 'Apply 1 edit').click();
  await other.getByText('1 edit applied.').waitFor();
  expect(await get(name)).toEqual({ shared: 2, first: 2, second: 3 });
});
