import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { makeMember, signInMember } from '../drivers/console/member.ts';
import { rulesEditor } from '../drivers/console/page.ts';
import { openAccountProject, openConsoleTestBed, openFirefox, person } from '../drivers/console/test-bed.ts';

const PASSWORD = 'correct horse battery';

/** Replaces the text of an editor, key by key. */
async function rewrite(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text);
}

describe('without sign-in', () => {
  const testBed = openConsoleTestBed({ launch: openFirefox });

  const put = (path: string, value: unknown) => testBed.admin('PUT', `${path}.json?ns=fox`, value);
  const get = (path: string) => testBed.admin('GET', `${path}.json?ns=fox`);

  test('[C397] a new project shows three steps, and then the data that an app writes', async () => {
    const visitor = await testBed.visit('/projects/first');
    const { page } = visitor;
    // With motion, removed rows would stay visible for a moment.
    expect(await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches)).toBe(true);
    await page.getByRole('button', { name: 'Write value' }).press('Enter');
    const children = page.getByRole('list', { name: 'First children of the database' });
    await children.getByText('messages').waitFor();
    await testBed.admin('PUT', '/from-the-app.json?ns=first-default-rtdb', 'hello');
    await children.getByText('from-the-app').waitFor();
    await visitor.expectAccessible();
  });

  test('[C397] the tree shows writes of other users, and a value is edited by keys', async () => {
    await put('/', { rooms: { lobby: 'hi' }, title: 'old' });
    const visitor = await testBed.visit('/projects/demo/data/fox');
    const { page } = visitor;
    await rowOf(page, 'title').waitFor();
    await put('/added', 1);
    await rowOf(page, 'added').waitFor();
    await page.getByRole('treegrid').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Value of title' }).waitFor();
    await page.keyboard.type('new');
    await page.keyboard.press('Enter');
    await rowOf(page, 'title').getByText('"new"').waitFor();
    expect(await get('/title')).toBe('new');
    await visitor.expectAccessible();
  });

  test('[C397] table and JSON of a node are shown and edited', async () => {
    await put('/', { users: { ada: { age: 36 }, kurt: { age: 71 } } });
    const visitor = await testBed.visit('/projects/demo/data/fox/users?view=table');
    const { page } = visitor;
    const table = page.getByRole('grid');
    await table.getByRole('gridcell', { name: '36' }).waitFor();
    await table.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Value of age' }).waitFor();
    await page.keyboard.type('37');
    await page.keyboard.press('Enter');
    // While a cell is edited, its name begins with the typed text, so an exact name finds only the saved cell.
    await table.getByRole('gridcell', { name: '37', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show as JSON' }).press('Enter');
    const editor = page.getByRole('textbox', { name: 'JSON of /users' });
    await editor.getByText('37').waitFor();
    await rewrite(page, editor, '{"ada": {"age": 38}}');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('users saved.').waitFor();
    expect(await get('/users')).toEqual({ ada: { age: 38 } });
    await visitor.expectAccessible();
  });

  test('[C397] rules are edited, checked and published', async () => {
    await testBed.admin('POST', '/api/databases/fox/rules/publish', {
      source: '{"rules": {".read": false}}',
    });
    const visitor = await testBed.visit('/projects/demo/rules/fox/edit');
    const { page } = visitor;
    const editor = rulesEditor(page);
    await rewrite(page, editor, '{"rules": {".read": "ath != null"}}');
    await page.getByRole('button', { name: /Unknown variable 'ath'/ }).waitFor();
    await rewrite(page, editor, '{"rules": {".read": "auth != null"}}');
    await expect.poll(() => page.getByRole('button', { name: 'Publish' }).isEnabled()).toBe(true);
    await page.keyboard.press('ControlOrMeta+s');
    const dialog = page.getByRole('dialog', { name: /^Publish the rules/ });
    await dialog.getByRole('button', { name: /^Publish/ }).click();
    await page.getByText('Version 2 published.').waitFor();
    await visitor.expectAccessible();
  });

  test('[C397] accounts are listed and created', async () => {
    const { list } = await openAccountProject(testBed, 'fox', [person(1)]);
    const visitor = await testBed.visit(list);
    const { page } = visitor;
    await page.getByRole('link', { name: 'person1@example.com' }).waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'New account' });
    await dialog.getByLabel('Email').pressSequentially('ada@example.com');
    await dialog.getByLabel('Password').pressSequentially(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor();
    await visitor.expectAccessible();
  });
});

describe('with members who sign in', () => {
  const testBed = openConsoleTestBed({
    launch: openFirefox,
    command: 'serve',
    args: ['--public-url', 'http://127.0.0.1'],
  });

  test('[C397] a member signs in with a password and a code, and sees the page of the opened address', async () => {
    await testBed.admin('POST', '/api/projects', { id: 'hats' });
    const owner = await makeMember(testBed, 'hats', { role: 'owner' });
    const visitor = await testBed.visit('/projects/hats/settings/members');
    const { page } = visitor;
    await signInMember(page, owner);
    await page.getByRole('cell', { name: owner.email, exact: true }).waitFor();
    await visitor.expectAccessible();
  });
});
