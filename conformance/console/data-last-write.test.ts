import { expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();

const { seed } = databasesOf(testBed);

test.each([
  ['on a desktop', {}],
  ['in dark colors', DARK],
  ['on a phone', PHONE],
] as const)(
  '[C704] %s, the menu of a node shows when and by whom it was written',
  async (_where, options) => {
    const name = await seed({ rooms: { lobby: { topic: 'hi' } } });
    await testBed.admin('POST', `/api/databases/${name}/changes`, {
      changes: { '/rooms/lobby/topic': 'changed', '/other': 1 },
      isUndoable: true,
    });
    const visitor = await testBed.visit(`/projects/demo/data/${name}`, options);
    const { page } = visitor;
    await rowOf(page, 'rooms').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Who wrote this?' }).click();
    const dialog = page.getByRole('dialog', { name: 'Last write' });
    await dialog.getByText('/rooms/lobby/topic').waitFor();
    await dialog.getByText('and 1 more path').waitFor();
    await dialog.locator('time').waitFor();
    await visitor.expectAccessible();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  },
);

test('[C704] a write of a user links to the account, also from the palette', async () => {
  const name = await seed({ a: 1 });
  const auth = encodeURIComponent(JSON.stringify({ uid: 'ann', provider: 'password', token: {} }));
  await testBed.admin('POST', `/api/databases/${name}/changes?as=${auth}`, { changes: { '/a': 2 } });
  const { page } = await testBed.visit(`/projects/demo/data/${name}/a`);
  await page.getByRole('button', { name: 'Show changes' }).waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('Who wrote');
  await page.getByRole('option', { name: 'Who wrote this?' }).click();
  const link = page.getByRole('dialog', { name: 'Last write' }).getByRole('link', { name: 'user ann' });
  await link.waitFor();
  expect(await link.getAttribute('href')).toContain('/ann');
});

test('[C704] in Arabic, the dialog shows the time of the write and what the server keeps', async () => {
  const name = await seed({ a: 1 });
  const { page } = await testBed.visit(`/projects/demo/data/${name}`, ARABIC);
  await rowOf(page, 'a').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'من كتب هذا؟' }).click();
  const dialog = page.getByRole('dialog', { name: 'آخر كتابة' });
  await dialog.locator('time').waitFor();
  await dialog.getByText('20,000').waitFor();
});
