import { expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { pointAtUndo } from '../drivers/console/page.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, type ConsoleVisitor, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();

const { seed, put, get } = databasesOf(testBed);

function open(name: string, rest = '', options = {}): Promise<ConsoleVisitor> {
  return testBed.visit(`/projects/demo/data/${name}${rest}`, options);
}

const grid = ({ page }: ConsoleVisitor) => page.getByRole('treegrid');

const MANY = Object.fromEntries(
  Array.from({ length: 2_000 }, (_, index) => [`k${10_000 + index}`, { name: `user ${index}` }]),
);

test('[C50] the area shows the databases of the project, each with a link to its data', async () => {
  const name = await seed({ a: 1 });
  const visitor = await testBed.visit('/projects/demo/data');
  await visitor.page.getByRole('link', { name }).click();
  await rowOf(visitor.page, 'a').waitFor();
  expect(new URL(visitor.page.url()).pathname).toBe(`/console/projects/demo/data/${name}`);
});

test('[C51][C52] a node opens by keys, and a value is edited by keys alone', async () => {
  const name = await seed({ rooms: { lobby: { topic: 'hi', open: true } } });
  const visitor = await open(name);
  const { page } = visitor;
  await rowOf(visitor.page, 'rooms').waitFor();
  await grid(visitor).focus();
  await page.keyboard.press('ArrowRight');
  await rowOf(visitor.page, 'lobby').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await rowOf(visitor.page, 'topic').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Value of topic' }).waitFor();
  await page.keyboard.type('hello');
  await page.keyboard.press('Enter');
  await rowOf(visitor.page, 'topic').getByText('"hello"').waitFor();
  expect(await get(name, '/rooms/lobby/topic')).toBe('hello');
  await expect.poll(() => grid(visitor).evaluate((element) => element === document.activeElement)).toBe(true);
  await visitor.expectAccessible();
});

test('[C53] a value that another user has changed is not overwritten before both values are shown', async () => {
  const name = await seed({ count: 1 });
  const visitor = await open(name);
  const { page } = visitor;
  await rowOf(visitor.page, 'count').dblclick();
  const field = page.getByRole('textbox', { name: 'Value of count' });
  await field.fill('2');
  await put(name, '/count', 7);
  await page.getByText('Changed by another user to 7').waitFor();
  await field.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit conflict' });
  await dialog.getByRole('region', { name: 'Their value' }).getByText('7').waitFor();
  await visitor.expectAccessible();
  expect(await get(name, '/count')).toBe(7);
  await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
  await rowOf(visitor.page, 'count').getByText('2', { exact: true }).waitFor();
  expect(await get(name, '/count')).toBe(2);
});

test('[C54] writes of other users are shown, unless the page is paused', async () => {
  const name = await seed({ a: 1 });
  const visitor = await open(name);
  const { page } = visitor;
  await rowOf(visitor.page, 'a').waitFor();
  await put(name, '/b', 2);
  await rowOf(visitor.page, 'b').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await put(name, '/c', 3);
  await put(name, '/a', 4);
  // Changes arrive with a short delay: if a page opened now shows this one, the paused page would show it too.
  const other = await open(name);
  await rowOf(other.page, 'c').waitFor();
  expect(await rowOf(visitor.page, 'c').count()).toBe(0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await rowOf(visitor.page, 'c').waitFor();
  await rowOf(visitor.page, 'a').getByText('4', { exact: true }).waitFor();
});

test('[C55][C56] the page draws few rows of thousands of children, and finds any child by its key', async () => {
  const name = await seed({ big: MANY });
  const visitor = await open(name, '/big');
  const { page } = visitor;
  await rowOf(visitor.page, 'k10000').waitFor();
  await page.getByText('2,000 children').waitFor();
  await grid(visitor).focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press('End');
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(80);
  await page.getByRole('textbox', { name: 'Jump to key' }).fill('k11990');
  await page.keyboard.press('Enter');
  await rowOf(visitor.page, 'k11990').waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe('k11990');
  await grid(visitor).hover();
  await page.mouse.wheel(0, -300);
  await rowOf(visitor.page, 'k11989').waitFor();
});

test('[C57] a user who follows the end of a node sees new children there', async () => {
  const name = await seed({ big: MANY });
  const visitor = await open(name, '/big?tail=true');
  await rowOf(visitor.page, 'k11999').waitFor();
  await put(name, '/big/z1', 1);
  await rowOf(visitor.page, 'z1').waitFor();
});

test('[C58] a child is added and renamed, and replaces no other', async () => {
  const name = await seed({ a: 1 });
  const visitor = await open(name);
  const { page } = visitor;
  await rowOf(visitor.page, 'a').waitFor();
  await page.keyboard.press('a');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('new');
  await page.getByRole('textbox', { name: 'Value' }).fill('text');
  await visitor.expectAccessible();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await rowOf(visitor.page, 'new').getByText('"text"').waitFor();
  await rowOf(visitor.page, 'new').click({ button: 'right' });
  await visitor.expectAccessible();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'New key' }).fill('a');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByText('the path already has data').waitFor();
  await page.getByRole('textbox', { name: 'New key' }).fill('renamed');
  await page.getByRole('button', { name: 'Rename' }).click();
  await rowOf(visitor.page, 'renamed').waitFor();
  expect(await get(name, '/')).toEqual({ a: 1, renamed: 'text' });
});

test('[C59] deleting shows the amount of data, and can be undone', async () => {
  const name = await seed({ a: 1, gone: { b: 'text' } });
  const visitor = await open(name);
  const { page } = visitor;
  await rowOf(visitor.page, 'gone').click();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByText('in total').waitFor();
  await visitor.expectAccessible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Deleted.').waitFor();
  expect(await get(name, '/')).toEqual({ a: 1 });
  await pointAtUndo(page);
  // The old rows stay until they are read again.
  await rowOf(visitor.page, 'gone').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await rowOf(visitor.page, 'gone').waitFor();
  await expect.poll(() => get(name, '/gone')).toEqual({ b: 'text' });
});

test('[C60] the JSON of a node is edited, and does not overwrite changes of other users', async () => {
  const name = await seed({ node: { long: 9007199254740993n.toString(), a: 1 } });
  const visitor = await open(name, '/node?view=json');
  const { page } = visitor;
  const editor = page.getByRole('textbox', { name: 'JSON of /node' });
  await editor.getByText('"a"').waitFor();
  await visitor.expectAccessible();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('{"a": 5}');
  await put(name, '/node/b', 'theirs');
  await page.getByText('Another user changed this node').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('dialog', { name: 'Edit conflict' }).waitFor();
  await page.getByRole('button', { name: 'Continue editing' }).click();
  expect(await get(name, '/node/b')).toBe('theirs');
});

test('[C71][C72] children that are objects are rows of a table, in which cells are edited, copied and pasted', async () => {
  const name = await seed({ users: { ada: { age: 36, name: 'Ada' }, kurt: { age: 71, name: 'Kurt' } } });
  const visitor = await open(name, '/users?view=table', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = visitor;
  const table = page.getByRole('grid');
  const cell = (text: string) => table.getByRole('gridcell', { name: text, exact: true });
  await cell('36').waitFor();
  await visitor.expectAccessible();
  await table.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Value of age' }).fill('37');
  await page.keyboard.press('Enter');
  await cell('37').waitFor();
  await put(name, '/users/kurt/age', 72);
  await cell('72').waitFor();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('37\n72');
  await page.evaluate(() => navigator.clipboard.writeText('1\tA\n2\tK'));
  await page.keyboard.press('ControlOrMeta+v');
  await cell('K').waitFor();
  expect(await get(name, '/users')).toEqual({ ada: { age: 1, name: 'A' }, kurt: { age: 2, name: 'K' } });
});

test('[C61] a search below a node shows its hits and links to them', async () => {
  const name = await seed({ big: MANY });
  const visitor = await open(name);
  const { page } = visitor;
  await page.getByRole('searchbox', { name: 'Search below this node' }).fill('user 1234');
  await page.keyboard.press('Enter');
  await page.getByText('1 result').waitFor();
  await visitor.expectAccessible();
  await page.getByRole('link', { name: '/big/k11234/name' }).click();
  await page.getByText('name is a string').waitFor();
});

test('[C62][C63] a filter is in the address, follows changes, and can be copied as code', async () => {
  const name = await seed({ users: { ada: { age: 36 }, kurt: { age: 71 }, alan: { age: 41 } } });
  const visitor = await open(name, '/users?order=child&child=age&start=40&limit=2');
  const { page } = visitor;
  const results = page.getByRole('list', { name: 'Matching children' });
  await results.getByRole('link', { name: 'kurt' }).waitFor();
  expect(await results.getByRole('link').allTextContents()).toEqual(['alan', 'kurt']);
  await put(name, '/users/ada/age', 40);
  await results.getByRole('link', { name: 'ada' }).waitFor();
  await page.getByRole('button', { name: 'Copy as code' }).click();
  await page.getByText('orderByChild("age")').waitFor();
  await page.locator('pre', { hasText: '".indexOn"' }).waitFor();
  expect(visitor.complaints.filter((text) => !text.includes('FIREBASE WARNING'))).toEqual([]);
});

test('[C64] hostile keys and values are shown as text, with their invisible characters', async () => {
  const name = await seed({
    '<img src=x onerror=alert(1)>': '\u202eevil',
    'مرحبا-日本語': { 'a%2Fb c?': 1 },
  });
  const visitor = await open(name);
  const { page } = visitor;
  await rowOf(visitor.page, '<img src=x onerror=alert(1)>').getByText('⟨U+202E⟩evil').waitFor();
  await rowOf(visitor.page, 'مرحبا-日本語').locator('bdi.key').dblclick();
  await rowOf(visitor.page, 'a%2Fb c?').waitFor();
  await page.reload();
  await rowOf(visitor.page, 'a%2Fb c?').waitFor();
  await visitor.expectAccessible();
});

test('[C65] an edit that is made while the server cannot be reached is kept, and saved when the server responds', async () => {
  const name = await seed({ count: 1 });
  const visitor = await open(name);
  const { page } = visitor;
  await rowOf(visitor.page, 'count').dblclick();
  const field = page.getByRole('textbox', { name: 'Value of count' });
  await field.fill('2');
  await page.context().setOffline(true);
  await field.press('Enter');
  await page.getByText('Your edit is saved when the server responds').waitFor();
  expect(await field.inputValue()).toBe('2');
  await page.context().setOffline(false);
  await rowOf(visitor.page, 'count').getByText('2', { exact: true }).waitFor();
  expect(await get(name, '/count')).toBe(2);
});

test('[C66] a file is imported without replacing other data', async () => {
  const name = await seed({ a: 1 });
  const visitor = await open(name);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Import' }).click();
  const file = { name: 'more.json', mimeType: 'application/json', buffer: Buffer.from('{"b":{"c":2}}') };
  await page.locator('input[type=file]').setInputFiles(file);
  await visitor.expectAccessible();
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await rowOf(visitor.page, 'b').waitFor();
  expect(await get(name, '/')).toEqual({ a: 1, b: { c: 2 } });
});

test.each([
  ['light', {}],
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
] as const)('[C67] the explorer passes the accessibility rules: %s', async (display, options) => {
  const name = await seed({
    motd: 'Welcome',
    open: true,
    count: 42,
    rooms: { lobby: { topic: 'hi' } },
    big: MANY,
  });
  const visitor = await open(name, '', options);
  await rowOf(visitor.page, 'rooms').waitFor();
  await rowOf(visitor.page, 'big').getByRole('button').first().click();
  await rowOf(visitor.page, 'k10000').waitFor();
  await visitor.expectAccessible();
  await visitor.picture(`data-tree-${display}`);
});
