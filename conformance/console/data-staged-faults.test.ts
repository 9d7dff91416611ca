import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { rowOf, stagedEditsOf, stagedSignOf, typeValue } from '../drivers/console/data-tree.ts';
import { buttonOf, pointAtUndo } from '../drivers/console/page.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();

const { seed, put, get } = databasesOf(testBed);

/** Writes data to a new database of the running test, and opens the data at a path. */
async function openNew(data: unknown, path = ''): Promise<{ readonly name: string; readonly page: Page }> {
  const name = await seed(data);
  const { page } = await testBed.visit(`/projects/demo/data/${name}${path}`);
  return { name, page };
}

test('[C347] a tab that has no storage, or whose storage is full, says so, and edits are staged nevertheless', async () => {
  const { name, page } = await openNew({ a: 1 });
  await rowOf(page, 'a').waitFor();
  await page.evaluate(() => {
    const text = 'x'.repeat(1_000);
    // Fills the storage as far as the browser allows.
    for (let step = 1_000_000; step > 0; step = Math.floor(step / 10))
      for (let count = 0; count >= 0; ) {
        try {
          sessionStorage.setItem(`${step} ${count}`, text.repeat(step / 1_000).slice(0, step));
          count += 1;
        } catch {
          count = -1;
        }
      }
  });
  const notKept = page.getByText('The browser storage is full');
  await buttonOf(page, /^Stage edits/).click();
  await typeValue(page, 'a', '2');
  await stagedSignOf(page, 'a', 'changed').waitFor();
  await notKept.waitFor();
  await page.addInitScript(() =>
    Object.defineProperty(window, 'sessionStorage', {
      get() {
        throw new DOMException('Nothing is kept here.', 'SecurityError');
      },
    }),
  );
  await page.reload();
  await typeValue(page, 'a', '3');
  await stagedSignOf(page, 'a', 'changed').waitFor();
  await notKept.waitFor();
  await page.keyboard.press('r');
  await buttonOf(page, 'Apply 1 edit').click();
  await page.getByText('1 edit applied.').waitFor();
  expect(await get(name)).toEqual({ a: 3 });
  await notKept.waitFor({ state: 'detached' });
});

test.each(['staged', 'immediate'])(
  '[C348] undo of a removal (%s) does not restore data below a value',
  async (how) => {
    const { name, page } = await openNew({ room: { topic: 'hi' }, z: 1 }, '/room');
    await rowOf(page, 'topic').waitFor();
    if (how === 'staged') await buttonOf(page, /^Stage edits/).click();
    await rowOf(page, 'topic').click();
    await page.keyboard.press('Delete');
    if (how === 'staged') {
      await stagedSignOf(page, 'topic', 'deleted').waitFor();
      await page.keyboard.press('r');
      await buttonOf(page, 'Apply 1 edit').click();
    } else await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => get(name)).toEqual({ z: 1 });
    await pointAtUndo(page);
    await put(name, '/room', 'theirs');
    await buttonOf(page, 'Undo').click();
    const dialog = page.getByRole('dialog', { name: 'Overwrite later changes?' });
    await dialog.getByText('"theirs"').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await get(name)).toEqual({ room: 'theirs', z: 1 });
  },
);

test('[C86] nothing is added below a value that another user wrote at the last moment', async () => {
  const { name, page } = await openNew({ room: { topic: 'hi' } }, '/room');
  await rowOf(page, 'topic').waitFor();
  await page.route(
    '**/changes',
    async (route) => {
      await put(name, '/room', 'theirs');
      await route.continue();
    },
    { times: 1 },
  );
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Add child' });
  await dialog.getByRole('textbox', { name: 'Key' }).fill('late');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('mine');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('alert').getByText('value').waitFor();
  expect(await get(name)).toEqual({ room: 'theirs' });
});

test('[C349] a staged move loses no data if another user makes and reverts one half of the same move', async () => {
  const { name, page } = await openNew({ room: { topic: 'hi' }, z: 1 });
  await rowOf(page, 'room').waitFor();
  await buttonOf(page, /^Stage edits/).click();
  await rowOf(page, 'room').click();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'New key' }).fill('salon');
  await page.getByRole('button', { name: 'Rename' }).click();
  await stagedSignOf(page, 'salon', 'added').waitFor();
  await put(name, '/salon', { topic: 'hi' });
  await page.getByText('Changed by other users: 1.').waitFor();
  await page.getByText('Staged edits: 2').waitFor();
  await testBed.admin('DELETE', `/salon.json?ns=${name}`);
  await page.getByText('Changed by other users').waitFor({ state: 'detached' });
  await page.keyboard.press('r');
  await buttonOf(page, 'Apply 2 edits').click();
  await page.getByText('2 edits applied.').waitFor();
  expect(await get(name)).toEqual({ salon: { topic: 'hi' }, z: 1 });
});

test('[C366] the reason why edits were not applied is not shown for other edits', async () => {
  const { page } = await openNew({ a: 1, b: 1 });
  await rowOf(page, 'a').waitFor();
  await buttonOf(page, /^Stage edits/).click();
  await typeValue(page, 'a', '2');
  await page.route('**/changes', (route) => route.abort());
  await buttonOf(page, 'Review').click();
  await buttonOf(page, 'Apply 1 edit').click();
  const unknown = stagedEditsOf(page).getByText('the edits may or may not be applied');
  await unknown.waitFor();
  await stagedEditsOf(page).getByRole('button', { name: 'Discard all' }).click();
  await unknown.waitFor({ state: 'detached' });
  await stagedEditsOf(page).getByRole('button', { name: 'Close review' }).click();
  await page.unroute('**/changes');
  // Rows move when the message disappears, which must not happen between the two clicks on a row.
  await page.getByText('No response from the server since').waitFor({ state: 'detached' });
  await typeValue(page, 'b', '2');
  await page.keyboard.press('r');
  await buttonOf(page, 'Apply 1 edit').waitFor();
  expect(await unknown.count()).toBe(0);
});
