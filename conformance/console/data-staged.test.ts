import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { openConsoleStand } from '../drivers/console-stand.ts';
import { ARABIC, type ConsoleVisitor, DARK, PHONE } from '../drivers/console-visitor.ts';
import { lineOf, stagedEditsOf, stagedSignOf, typeValue } from '../drivers/data-tree.ts';
import { openDataDir, startServer } from '../drivers/server-process.ts';

const stand = openConsoleStand();

/** Puts data into a database of the running test's own, and returns its name. */
async function seed(data: unknown): Promise<string> {
  const name = `staged-${crypto.randomUUID().slice(0, 8)}`;
  await put(name, '/', data);
  return name;
}

const put = (name: string, path: string, data: unknown) =>
  stand.admin('PUT', `${path}.json?ns=${name}`, data);
const get = (name: string, path = '/') => stand.admin('GET', `${path}.json?ns=${name}`);

const grid = (page: Page) => page.getByRole('treegrid');
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

/** Opens a database with edits staged from the beginning. */
async function open(name: string, rest = '', options = {}): Promise<ConsoleVisitor> {
  const visitor = await stand.visit(`/projects/demo/data/${name}${rest}`, options);
  await button(visitor.page, /^Stage edits/).click();
  return visitor;
}

test('[C330][C331][C333][C335] edits of every kind are staged, reviewed, applied at once and taken back, by keys alone', async () => {
  const name = await seed({ a: 1, b: { x: 'old' }, c: 3 });
  const visitor = await stand.visit(`/projects/demo/data/${name}`);
  const { page } = visitor;
  await lineOf(page, 'a').waitFor();
  await page.keyboard.press('e');
  await page.getByText('Edits are staged from now on').waitFor();
  await grid(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Value of a' }).waitFor();
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await stagedSignOf(page, 'a', 'is changed').waitFor();
  await lineOf(page, 'a').locator('s').getByText('1').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Delete');
  await stagedSignOf(page, 'c', 'is deleted').waitFor();
  await page.keyboard.press('a');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('bb');
  await page.getByRole('textbox', { name: 'Value' }).fill('new');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await stagedSignOf(page, 'bb', 'is added').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await get(name)).toEqual({ a: 1, b: { x: 'old' }, c: 3 });
  await page.getByText('Staged edits: 3').waitFor();
  await visitor.expectNoHindrance();
  await visitor.picture('data-staged-light');

  await page.keyboard.press('r');
  await stagedEditsOf(page).waitFor();
  const items = stagedEditsOf(page).getByRole('listitem');
  await items.filter({ hasText: '/a' }).getByText('2').waitFor();
  await expect
    .poll(() => stagedEditsOf(page).evaluate((dialog) => dialog.contains(document.activeElement)))
    .toBe(true);
  await visitor.expectNoHindrance();
  await visitor.picture('data-review-light');
  await page.keyboard.press('ControlOrMeta+Enter');
  await stagedEditsOf(page).waitFor({ state: 'detached' });
  await page.getByText('3 edits are applied.').waitFor();
  expect(await get(name)).toEqual({ a: 2, b: { x: 'old' }, bb: 'new' });
  await lineOf(page, 'c').waitFor({ state: 'detached' });
  expect(await page.getByRole('img', { name: /^Staged/ }).count()).toBe(0);
  await button(page, 'Undo').click();
  await lineOf(page, 'c').waitFor();
  expect(await get(name)).toEqual({ a: 1, b: { x: 'old' }, c: 3 });
});

test('[C331][C333] a move is shown at both ends, can be edited on, and is dropped as one', async () => {
  const name = await seed({ room: { topic: 'hi', open: true }, z: 0 });
  const { page } = await open(name);
  await lineOf(page, 'room').click();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'New key' }).fill('salon');
  await page.getByRole('button', { name: 'Rename' }).click();
  await stagedSignOf(page, 'room', 'is deleted').waitFor();
  await stagedSignOf(page, 'salon', 'is added').waitFor();
  await lineOf(page, 'salon').getByRole('button', { name: 'Open salon' }).click();
  await typeValue(page, 'topic', 'bonjour');
  await lineOf(page, 'topic').getByText('"bonjour"').waitFor();
  await typeValue(page, 'z', '1');
  await button(page, 'Review').click();
  await stagedEditsOf(page)
    .getByRole('listitem')
    .filter({ hasText: '/salon' })
    .getByText('bonjour')
    .waitFor();
  await stagedEditsOf(page)
    .getByRole('button', { name: /^Drop the edit of .*salon/ })
    .click();
  await stagedEditsOf(page).getByText('Staged edits dropped: 2.').waitFor();
  await stagedEditsOf(page).getByRole('button', { name: 'Undo' }).click();
  await stagedEditsOf(page)
    .getByRole('button', { name: /^Drop the edit of .*salon/ })
    .click();
  await stagedEditsOf(page).getByRole('button', { name: 'Close the review' }).click();
  await stagedSignOf(page, 'room', 'is deleted').waitFor({ state: 'detached' });
  expect(await lineOf(page, 'salon').count()).toBe(0);
  await stagedSignOf(page, 'z', 'is changed').waitFor();
  expect(await get(name)).toEqual({ room: { topic: 'hi', open: true }, z: 0 });
});

test('[C331] what is staged in one view is shown and marked in the others, and can be staged there too', async () => {
  const name = await seed({
    users: { ada: { age: 36, city: 'London' }, kurt: { age: 71, city: 'Brno' }, n: 5 },
  });
  const { page } = await open(name, '/users?view=table', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByRole('gridcell', { name: '36' }).click();
  await page.evaluate(() => navigator.clipboard.writeText('37\tParis\n72\t'));
  await page.keyboard.press('ControlOrMeta+v');
  const cell = page.getByRole('gridcell', { name: /37.*36/ });
  await cell.getByRole('img', { name: 'Staged: is changed' }).waitFor();
  await page.getByRole('img', { name: 'Staged: is deleted' }).waitFor();
  await page.getByText('Staged edits: 4').waitFor();
  await page.getByRole('button', { name: 'Show as JSON' }).click();
  const editor = page.getByRole('textbox', { name: 'JSON of /users' });
  await editor.getByText('"Paris"').waitFor();
  await expect.poll(() => page.locator('.cm-stageSigns').textContent()).toMatch(/±±−±/);
  await editor.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('"lena": {"age": 5},');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Staged: users').waitFor();
  await page.getByRole('button', { name: 'Show as a tree' }).click();
  await stagedSignOf(page, 'lena', 'is added').waitFor();
  expect(await get(name, '/users/ada')).toEqual({ age: 36, city: 'London' });
  await page.keyboard.press('r');
  await stagedEditsOf(page).getByText('1 of at most 1,000').waitFor();
  await stagedEditsOf(page).getByRole('button', { name: 'Apply 1 edit' }).click();
  await page.getByText('1 edit is applied.').waitFor();
  expect(await get(name, '/users')).toEqual({
    ada: { age: 37, city: 'Paris' },
    kurt: { age: 72 },
    lena: { age: 5 },
    n: 5,
  });
});

test('[C334] what others have changed since is shown, and overwritten only by whoever decides so', async () => {
  const name = await seed({ a: 1, b: 1, c: 1 });
  const visitor = await open(name);
  const { page } = visitor;
  for (const key of ['a', 'b', 'c']) await typeValue(page, key, '2');
  await put(name, '/a', 'theirs a');
  await put(name, '/b', 'theirs b');
  await page.getByText('Changed by others since: 2.').waitFor();
  await button(page, 'Review').click();
  await expect.poll(() => button(page, 'Apply 3 edits').isDisabled()).toBe(true);
  const itemOf = (path: string) =>
    stagedEditsOf(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: path }) });
  await itemOf('/a').getByRole('note').getByText('theirs a').waitFor();
  await visitor.expectNoHindrance();
  await visitor.picture('data-conflict-light');
  await itemOf('/a').getByRole('button', { name: 'Keep theirs' }).click();
  await itemOf('/b').getByRole('button', { name: 'Overwrite with mine' }).click();
  await button(page, 'Apply 2 edits').click();
  await page.getByText('2 edits are applied.').waitFor();
  expect(await get(name)).toEqual({ a: 'theirs a', b: 2, c: 2 });
});

test('[C334][C335] when somebody is faster at the last moment nothing is applied, and it is said what does not fit', async () => {
  const name = await seed({ a: 1, b: 1 });
  const { page } = await open(name);
  for (const key of ['a', 'b']) await typeValue(page, key, '2');
  await button(page, 'Review').click();
  let isFirst = true;
  await page.route('**/changes', async (route) => {
    const isApplying = route.request().postData()?.includes('"a":2') === true;
    if (isApplying && isFirst) {
      isFirst = false;
      await put(name, '/b', 'theirs');
    }
    await route.continue();
  });
  await button(page, 'Apply 2 edits').click();
  await page.getByText('Nothing was applied').waitFor();
  await stagedEditsOf(page).getByRole('note').getByText('"theirs"').waitFor();
  expect(await get(name)).toEqual({ a: 1, b: 'theirs' });
  await stagedEditsOf(page).getByRole('button', { name: 'Keep theirs' }).click();
  await button(page, 'Apply 1 edit').click();
  await page.getByText('1 edit is applied.').waitFor();
  expect(await get(name)).toEqual({ a: 2, b: 'theirs' });
});

test('[C334][C335] two people stage edits of the same places: the second sees what the first has applied, and decides', async () => {
  const name = await seed({ shared: 1, first: 1, second: 1 });
  const [one, other] = [(await open(name)).page, (await open(name)).page];
  for (const key of ['shared', 'first']) await typeValue(one, key, '2');
  for (const key of ['shared', 'second']) await typeValue(other, key, '3');
  await one.keyboard.press('r');
  await button(one, 'Apply 2 edits').click();
  await one.getByText('2 edits are applied.').waitFor();
  await lineOf(other, 'first').getByText('2').waitFor();
  await other.getByText('Changed by others since: 1.').waitFor();
  await other.keyboard.press('r');
  await stagedEditsOf(other).getByRole('button', { name: 'Keep theirs' }).click();
  await button(other, 'Apply 1 edit').click();
  await other.getByText('1 edit is applied.').waitFor();
  expect(await get(name)).toEqual({ shared: 2, first: 2, second: 3 });
});

test('[C337] staged edits are there after the page is loaded again, and leaving asks first', async () => {
  const name = await seed({ a: 1, rooms: { x: 1 } });
  const { page } = await open(name);
  await typeValue(page, 'a', '2');
  // Within the database nothing is left.
  await lineOf(page, 'rooms').locator('bdi.key').dblclick();
  await lineOf(page, 'x').waitFor();
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  await lineOf(page, 'x').waitFor();
  expect(asked).toEqual(['beforeunload']);
  await page.keyboard.press('Alt+ArrowUp');
  await stagedSignOf(page, 'a', 'is changed').waitFor();
  await page.getByRole('link', { name: 'Rules', exact: true }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leaving.getByText('It is kept in this tab').waitFor();
  await leaving.getByRole('button', { name: 'Cancel' }).click();
  await stagedSignOf(page, 'a', 'is changed').waitFor();
  // The second stroke alone would open the review.
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await leaving.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL('**/rules');
  await page.goBack();
  await stagedSignOf(page, 'a', 'is changed').waitFor();
});

test('[C46][C338][C339] staged edits outlive a server that goes, and leave the list when they turn out to be applied', async () => {
  const data = await openDataDir();
  onTestFinished(() => data.remove());
  const first = await startServer({ dataDir: data.path });
  const admin = { authorization: 'Bearer owner' };
  await fetch(`${first.url}/.json?ns=gone`, { method: 'PUT', headers: admin, body: '{"a":1,"b":1}' });
  const context = await stand.browser.newContext({ locale: 'en-GB' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${first.url}/console/projects/demo/data/gone`);
  await button(page, /^Stage edits/).click();
  await typeValue(page, 'a', '2');
  await button(page, 'Review').click();
  // The request arrives, its answer does not.
  await page.route('**/changes', async (route) => {
    if (route.request().postData()?.includes('"a":2') === true) await route.fetch();
    await route.abort();
  });
  await button(page, 'Apply 1 edit').click();
  await stagedEditsOf(page).getByText('it is not known whether the edits were applied').waitFor();
  await first.kill();
  await page.unroute('**/changes');
  await page.getByText('Connection lost').waitFor();
  await page.locator('.row .sign').waitFor();
  const second = await startServer({ dataDir: data.path, port: first.port });
  onTestFinished(() => second.stop());
  await page.getByText('There already, and no longer listed: 1.').waitFor({ timeout: 30_000 });
  const now = await fetch(`${second.url}/.json?ns=gone`, { headers: admin });
  expect(await now.json()).toEqual({ a: 2, b: 1 });
});

test('[C340] a small file is staged, and a larger one is not', async () => {
  const name = await seed({ a: 1 });
  const { page } = await open(name);
  await lineOf(page, 'a').waitFor();
  await button(page, 'Import').click();
  const choose = (text: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'data.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await choose(JSON.stringify({ big: 'x'.repeat(1_100_000) }));
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await page.getByRole('alert').getByText('more than 1 MB cannot be staged').waitFor();
  await choose('{"a": 2, "n": {"x": 1}}');
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await stagedSignOf(page, 'n', 'is added').waitFor();
  await stagedSignOf(page, 'a', 'is changed').waitFor();
  expect(await get(name)).toEqual({ a: 1 });
});

test('[C341] whoever acts for somebody else writes at once, while staged edits wait', async () => {
  const name = await seed({ a: 1, b: 1 });
  await stand.admin('PUT', `/.settings/rules.json?ns=${name}`, { rules: { '.read': true, '.write': true } });
  const { page } = await open(name);
  await typeValue(page, 'a', '2');
  const address = new URL(page.url());
  address.searchParams.set('as', 'nobody');
  await page.goto(address.href);
  await page.getByText('out of sight, until you act as yourself again: 1.').waitFor();
  expect(await page.locator('.row .sign').count()).toBe(0);
  await typeValue(page, 'b', '2');
  await expect.poll(() => get(name)).toEqual({ a: 1, b: 2 });
  address.searchParams.delete('as');
  await page.goto(address.href);
  await stagedSignOf(page, 'a', 'is changed').waitFor();
});

test('[C342] a row that others remove fades before it is gone', async () => {
  const name = await seed({ a: 1, gone: 'going', z: 1 });
  const { page } = await stand.visit(`/projects/demo/data/${name}`, { reducedMotion: 'no-preference' });
  await lineOf(page, 'gone').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const faded = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const grid = document.querySelector('[role="treegrid"]');
        new MutationObserver(() => {
          const row = document.querySelector('.row.gone');
          if (row !== null) resolve(`${row.textContent} ${getComputedStyle(row).animationName}`);
        }).observe(grid ?? document.body, { childList: true, subtree: true, attributes: true });
      }),
  );
  await stand.admin('DELETE', `/gone.json?ns=${name}`);
  expect(await faded).toContain('gone"going"');
  await page.locator('.row.gone').waitFor({ state: 'detached' });
  expect(await page.getByRole('row').count()).toBe(2);
});

test('[C343] which nodes are open is in the address, and there for whoever opens it', async () => {
  const name = await seed({ rooms: { lobby: { topic: 'hi' } }, z: 1 });
  const { page } = await stand.visit(`/projects/demo/data/${name}`);
  await lineOf(page, 'rooms').getByRole('button', { name: 'Open rooms' }).click();
  await lineOf(page, 'lobby').getByRole('button', { name: 'Open lobby' }).click();
  await lineOf(page, 'topic').waitFor();
  await page.waitForURL((url) => url.searchParams.get('open') === 'rooms.rooms/lobby');
  await page.reload();
  await lineOf(page, 'topic').getByText('"hi"').waitFor();
  await lineOf(page, 'rooms').getByRole('button', { name: 'Close rooms' }).click();
  await page.waitForURL((url) => url.searchParams.get('open') === 'rooms/lobby');
});

test('[C344] children that are values have a column of their own, in which they are edited', async () => {
  const name = await seed({ ada: { age: 36 }, n: 'text' });
  const { page } = await stand.visit(`/projects/demo/data/${name}?view=table`);
  await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toEqual(['Key', 'Value', 'age']);
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'n', exact: true }) });
  expect(await row.getByRole('gridcell').allInnerTexts()).toEqual(['text', '']);
  await row.getByRole('gridcell').first().dblclick();
  await page.getByRole('textbox', { name: 'Value of n' }).fill('other');
  await page.keyboard.press('Enter');
  await row.getByRole('gridcell', { name: 'other' }).waitFor();
  expect(await get(name, '/n')).toBe('other');
});

test('[C345] staged edits hinder no reader in dark colours, on phones and from right to left', async () => {
  for (const [look, options] of Object.entries({ dark: DARK, phone: PHONE, ar: ARABIC })) {
    const name = await seed({ a: 'one', b: { x: 1 }, c: true });
    const visitor = await stand.visit(`/projects/demo/data/${name}`, options);
    const { page } = visitor;
    await lineOf(page, 'a').waitFor();
    await page.keyboard.press('e');
    await lineOf(page, 'c').click();
    await page.keyboard.press('Delete');
    await lineOf(page, 'b').click();
    await page.locator('.row .sign').waitFor();
    await visitor.expectNoHindrance();
    await visitor.picture(`data-staged-${look}`);
    await page.keyboard.press('r');
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await visitor.expectNoHindrance();
    await visitor.picture(`data-review-${look}`);
  }
});
