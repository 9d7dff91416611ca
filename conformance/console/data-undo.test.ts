import { expect, test } from 'vitest';
import { rowOf, typeValue } from '../drivers/console/data-tree.ts';
import { buttonOf, pointAtUndo } from '../drivers/console/page.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();

const { seed, put, get } = databasesOf(testBed);

/** More bytes than the browser reads at a time. */
const LARGE = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`m${index}`, 'x'.repeat(600)]));

test('[C517] the deletion of a large node is undone from its notice, and the undo is undone too', async () => {
  const name = await seed({ a: 1, large: LARGE });
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await rowOf(page, 'large').click();
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('You can undo this for 7 days.').waitFor();
  await dialog.getByRole('textbox').fill('large');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Deleted.').waitFor();
  expect(await get(name)).toEqual({ a: 1 });
  await pointAtUndo(page);
  await buttonOf(page, 'Undo').click();
  await page.getByText('Undone.').waitFor();
  expect(await get(name)).toEqual({ a: 1, large: LARGE });
  await rowOf(page, 'large').waitFor();
  await pointAtUndo(page);
  await buttonOf(page, 'Undo').click();
  await expect.poll(() => get(name)).toEqual({ a: 1 });
});

test('[C518] Ctrl+Z reverts the latest changes of the user one after the other, but not in a field', async () => {
  const name = await seed({ a: 1, b: 'text' });
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await typeValue(page, 'a', '2');
  await expect.poll(() => get(name, '/a')).toBe(2);
  await typeValue(page, 'a', '3');
  await expect.poll(() => get(name, '/a')).toBe(3);
  await rowOf(page, 'b').click();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Value' }).fill('typed');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Escape');
  expect(await get(name, '/a')).toBe(3);
  await page.getByRole('treegrid').focus();
  await page.keyboard.press('Control+z');
  await expect.poll(() => get(name, '/a')).toBe(2);
  await page.keyboard.press('Control+z');
  await expect.poll(() => get(name, '/a')).toBe(1);
  await page.keyboard.press('Control+z');
  await page.getByText('You have no change to undo.').waitFor();
});

test('[C519] an undo that would overwrite later writes shows them and asks', async () => {
  const name = await seed({ room: { topic: 'mine', size: 3 }, z: 1 });
  const visitor = await testBed.visit(`/projects/demo/data/${name}`);
  const { page } = visitor;
  await rowOf(page, 'room').click();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await pointAtUndo(page);
  await put(name, '/room/topic', 'theirs');
  await buttonOf(page, 'Undo').click();
  const dialog = page.getByRole('dialog', { name: 'Overwrite later changes?' });
  await dialog.getByText('/room/topic').waitFor();
  await dialog.getByText('"theirs"').waitFor();
  await dialog.getByText('an administrator').waitFor();
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await get(name)).toEqual({ room: { topic: 'theirs' }, z: 1 });
  await page.keyboard.press('Control+z');
  await dialog.getByText('"theirs"').waitFor();
  // The dialog also shows writes that happen while it is open.
  await put(name, '/room/topic', 'latest');
  await dialog.getByRole('button', { name: 'Overwrite and undo' }).click();
  await dialog.getByText('"latest"').waitFor();
  await dialog.getByRole('button', { name: 'Overwrite and undo' }).click();
  await expect.poll(() => get(name)).toEqual({ room: { topic: 'mine', size: 3 }, z: 1 });
});

test('[C520] an import is undone from its notice', async () => {
  const before = { kept: { a: 1 }, large: LARGE };
  const name = await seed(before);
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  for (const mode of ['Replace everything', 'Merge (replace matching keys)']) {
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await dialog.getByLabel(mode).check();
    await dialog.getByText('You can undo the import for 7 days').waitFor();
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'new.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"kept":{"b":2},"added":true}'),
    });
    await dialog.getByRole('button', { name: /^(Replace|Import)$/ }).click();
    await page.getByText('new.json imported.').waitFor();
    expect(await get(name, '/added')).toBe(true);
    await pointAtUndo(page);
    await buttonOf(page, 'Undo').click();
    await page.getByText('Undone.').waitFor();
    expect(await get(name)).toEqual(before);
  }
});

test.each([
  ['on a desktop', {}],
  ['in dark colors', DARK],
  ['on a phone', PHONE],
] as const)(
  '[C521] %s, the list of changes shows who changed what, and undoes any of them',
  async (_where, options) => {
    const name = await seed({ a: 1, b: 2 });
    await testBed.admin('POST', `/api/databases/${name}/changes`, {
      changes: { '/a': 5 },
      isUndoable: true,
    });
    await testBed.admin('POST', `/api/databases/${name}/changes`, {
      changes: { '/b': null },
      isUndoable: true,
    });
    await put(name, '/a', 6);
    const visitor = await testBed.visit(`/projects/demo/data/${name}`, options);
    const { page } = visitor;
    await buttonOf(page, 'Show changes').click();
    const dialog = page.getByRole('dialog', { name: 'Changes' });
    const lines = dialog.getByRole('list', { name: 'Changes' }).locator(':scope > li');
    await expect.poll(() => lines.count()).toBe(2);
    await lines.nth(0).getByText('Deleted').waitFor();
    await lines.nth(1).getByText('Written /a').waitFor();
    await visitor.expectAccessible();
    await lines.nth(1).getByRole('button', { name: 'Later writes' }).click();
    await lines.nth(1).getByText('an administrator').waitFor();
    await lines.nth(0).getByRole('button', { name: 'Later writes' }).click();
    await lines.nth(0).getByText('No later writes here.').waitFor();
    await lines.nth(0).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => get(name)).toEqual({ a: 6, b: 2 });
    await lines.getByText('was undone').waitFor();
    await lines.nth(2).getByRole('button', { name: 'Free space' }).click();
    await lines.getByText('space was freed').waitFor();
    expect(await lines.nth(2).getByRole('button').count()).toBe(0);
  },
);

test('[C705] while the size of a change is not measured, the list shows a lower bound', async () => {
  const name = await seed({ a: 'x'.repeat(3_000) });
  await testBed.admin('POST', `/api/databases/${name}/changes`, {
    changes: { '/a': null },
    isUndoable: true,
  });
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await buttonOf(page, 'Show changes').click();
  const list = page.getByRole('dialog').getByRole('list');
  await list.getByText('· 3 kB').waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await page.route('**/changes?*', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replace('"isMeasured":true', '"isMeasured":false') });
  });
  await buttonOf(page, 'Show changes').click();
  await list.getByText('· at least 3 kB').waitFor();
});

test('[C521] the list of changes is accessible from right to left', async () => {
  const name = await seed({ a: 1 });
  await testBed.admin('POST', `/api/databases/${name}/changes`, {
    changes: { '/a': null },
    isUndoable: true,
  });
  const visitor = await testBed.visit(`/projects/demo/data/${name}`, ARABIC);
  const { page } = visitor;
  await buttonOf(page, 'عرض التغييرات').click();
  await page.getByRole('dialog').getByRole('list').getByText('/a').waitFor();
  await visitor.expectAccessible();
});
