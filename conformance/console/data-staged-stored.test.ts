import { expect, onTestFinished, test } from 'vitest';
import { openStaged, rowOf, stagedEditsOf, stagedSignOf, typeValue } from '../drivers/console/data-tree.ts';
import { buttonOf, pressWithoutPause } from '../drivers/console/page.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { findReservedPort, openDataDir, startServer } from '../drivers/server-process.ts';

const testBed = openConsoleTestBed();
const { seed } = databasesOf(testBed);

test('[C337] staged edits are kept when the page is loaded again, and a user who leaves the page must confirm', async () => {
  const name = await seed({ a: 1, rooms: { x: 1 } });
  const { page } = await openStaged(testBed, name);
  await typeValue(page, 'a', '2');
  // Navigation within the database keeps the edits, so no dialog opens.
  await rowOf(page, 'rooms').locator('bdi.key').dblclick();
  await rowOf(page, 'x').waitFor();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  await rowOf(page, 'x').waitFor();
  expect(dialogs).toEqual(['beforeunload']);
  await page.keyboard.press('Alt+ArrowUp');
  await stagedSignOf(page, 'a', 'changed').waitFor();
  await page.getByRole('link', { name: 'Rules', exact: true }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leaving.getByText('They stay in this tab').waitFor();
  await leaving.getByRole('button', { name: 'Cancel' }).click();
  await stagedSignOf(page, 'a', 'changed').waitFor();
  // `g r` opens the rules. `r` alone would open the review, so the page must see both keys as one shortcut.
  await pressWithoutPause(page, { key: 'g' }, { key: 'r' });
  await leaving.getByRole('button', { name: 'Leave' }).click();
  // With a single database, its rules are opened directly.
  await page.waitForURL(`**/rules/${name}/**`);
  await page.goBack();
  await stagedSignOf(page, 'a', 'changed').waitFor();
});

test('[C46][C338][C339] staged edits survive a crash of the server, and are removed from the list once the database contains them', async () => {
  const data = await openDataDir();
  onTestFinished(() => data.remove());
  const first = await startServer({ dataDir: data.path, port: await findReservedPort() });
  const admin = { authorization: 'Bearer owner' };
  await fetch(`${first.url}/.json?ns=gone`, { method: 'PUT', headers: admin, body: '{"a":1,"b":1}' });
  const context = await testBed.browser.newContext({ locale: 'en-GB' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${first.url}/console/projects/demo/data/gone`);
  await buttonOf(page, /^Stage edits/).click();
  await typeValue(page, 'a', '2');
  await buttonOf(page, 'Review').click();
  // The request arrives at the server, but its response does not arrive at the page.
  await page.route('**/changes', async (route) => {
    if (route.request().postData()?.includes('"a":2') === true) await route.fetch();
    await route.abort();
  });
  await buttonOf(page, 'Apply 1 edit').click();
  await stagedEditsOf(page).getByText('the edits may or may not be applied').waitFor();
  await first.kill();
  await page.unroute('**/changes');
  await page.getByText('Connection lost').waitFor();
  await page.locator('.row .sign').waitFor();
  // The message is shown for a few seconds only, possibly before `startServer` returns, so start waiting for it now.
  const reported = page
    .getByText('Already in the database, removed from the list: 1.')
    .waitFor({ timeout: 80_000 });
  const second = await startServer({ dataDir: data.path, port: first.port });
  onTestFinished(() => second.stop());
  await reported;
  const now = await fetch(`${second.url}/.json?ns=gone`, { headers: admin });
  expect(await now.json()).toEqual({ a: 2, b: 1 });
});
