import { expect, test } from 'vitest';
import { pointAtUndo, replaceText, rulesEditor } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();

const CLOSED = '{"rules": {".read": false}}';
const OPEN = '{"rules": {".read": "auth != null"}}';
const MINE = '{"rules": {".read": "auth.uid === \'me\'"}}';

let databaseCount = 0;

/** Publishes rules in a new database. Returns the name of the database and the path of its rules editor. */
async function seed(): Promise<{ readonly database: string; readonly view: string }> {
  databaseCount += 1;
  const database = `demo-rules-faults-${databaseCount}`;
  await testBed.admin('PUT', `/.json?ns=${database}`, { a: 1 });
  await testBed.admin('POST', `/api/databases/${database}/rules/publish`, { source: CLOSED });
  return { database, view: `/projects/demo/rules/${database}/edit` };
}

test('[C156] two windows work on one draft', async () => {
  const { view } = await seed();
  const { page } = await testBed.visit(view);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await rulesEditor(other).getByText('false').waitFor();
  await replaceText(page, rulesEditor(page), MINE);
  await rulesEditor(other).getByText("'me'").waitFor();
  await other.getByText('Draft', { exact: true }).waitFor();
  await replaceText(other, rulesEditor(other), OPEN);
  await rulesEditor(page).getByText('null').waitFor();
});

test('[C157] restoring a discarded draft does not lose a newer draft', async () => {
  const { view } = await seed();
  const { page } = await testBed.visit(view);
  const editor = rulesEditor(page);
  await replaceText(page, editor, MINE);
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await editor.getByText('false').waitFor();
  await replaceText(page, editor, OPEN);
  await pointAtUndo(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await editor.getByText("'me'").waitFor();
  await pointAtUndo(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await editor.getByText('null').waitFor();
});

test('[C158] while the server publishes, the dialog stays, and text typed in another window remains', async () => {
  const { view } = await seed();
  const { page } = await testBed.visit(view);
  await replaceText(page, rulesEditor(page), OPEN);
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: /^Publish the rules/ });
  let answer: () => void = () => {};
  const mayRespond = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/rules/publish', async (route) => {
    await mayRespond;
    await route.continue();
  });
  await dialog.getByRole('button', { name: /^Publish/ }).click();
  await dialog.getByRole('progressbar').first().waitFor();
  await page.keyboard.press('Escape');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await rulesEditor(other).getByText('null').waitFor();
  await replaceText(other, rulesEditor(other), MINE);
  expect(await dialog.isVisible()).toBe(true);
  answer();
  await page.getByText('Version 2 published.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await rulesEditor(page).getByText("'me'").waitFor();
  await page.getByText('Draft', { exact: true }).waitFor();
});
