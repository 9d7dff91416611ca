import { expect, test } from 'vitest';
import { lineOf } from '../drivers/console/data-tree.ts';
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

test('[C50] the area shows the databases of the project, and each leads to its data', async () => {
  const name = await seed({ a: 1 });
  const visitor = await testBed.visit('/projects/demo/data');
  await visitor.page.getByRole('link', { name }).click();
  await lineOf(visitor.page, 'a').waitFor();
  expect(new URL(visitor.page.url()).pathname).toBe(`/console/projects/demo/data/${name}`);
});

test('[C51][C52] a node opens by keys, and a value is edited by keys alone', async () => {
  const name = await seed({ rooms: { lobby: { topic: 'hi', open: true } } });
  const visitor = await open(name);
  const { page } = visitor;
  await lineOf(visitor.page, 'rooms').waitFor();
  await grid(visitor).focus();
  await page.keyboard.press('ArrowRight');
  await lineOf(visitor.page, 'lobby').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await lineOf(visitor.page, 'topic').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Value of topic' }).waitFor();
  await page.keyboard.type('hello');
  await page.keyboard.press('Enter');
  await lineOf(visitor.page, 'topic').getByText('"hello"').waitFor();
  expect(await get(name, '/rooms/lobby/topic')).toBe('hello');
  await expect.poll(() => grid(visitor).evaluate((element) => element === document.activeElement)).toBe(true);
  await visitor.expectNoHindrance();
});

test('[C53] a value that somebody else has changed is not overwritten before both were shown', async () => {
  const name = await seed({ count: 1 });
  const visitor = await open(name);
  const { page } = visitor;
  await lineOf(visitor.page, 'count').dblclick();
  const field = page.getByRole('textbox', { name: 'Value of count' });
  await field.fill('2');
  await put(name, '/count', 7);
  await page.getByText('Changed by another user to 7').waitFor();
  await field.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit conflict' });
  await dialog.getByRole('region', { name: 'Their value' }).getByText('7').waitFor();
  await visitor.expectNoHindrance();
  expect(await get(name, '/count')).toBe(7);
  await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
  await lineOf(visitor.page, 'count').getByText('2', { exact: true }).waitFor();
  expect(await get(name, '/count')).toBe(2);
});

test('[C54] what others write is shown, and not while the page is paused', async () => {
  const name = await seed({ a: 1 });
  const visitor = await open(name);
  const { page } = visitor;
  await lineOf(visitor.page, 'a').waitFor();
  await put(name, '/b', 2);
  await lineOf(visitor.page, 'b').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await put(name, '/c', 3);
  await put(name, '/a', 4);
  // Changes are told a little later than they are made: whoever comes now has seen them.
  const other = await open(name);
  await lineOf(other.page, 'c').waitFor();
  expect(await lineOf(visitor.page, 'c').count()).toBe(0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await lineOf(visitor.page, 'c').waitFor();
  await lineOf(visitor.page, 'a').getByText('4', { exact: true }).waitFor();
});

test('[C55][C56] thousands of children have a few lines, and any of them is found by its key', async () => {
  const name = await seed({ big: MANY });
  const visitor = await open(name, '/big');
  const { page } = visitor;
  await lineOf(visitor.page, 'k10000').waitFor();
  await page.getByText('2,000 children').waitFor();
  await grid(visitor).focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press('End');
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(80);
  await page.getByRole('textbox', { name: 'Jump to key' }).fill('k11990');
  await page.keyboard.press('Enter');
  await lineOf(visitor.page, 'k11990').waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe('k11990');
  await grid(visitor).hover();
  await page.mouse.wheel(0, -300);
  await lineOf(visitor.page, 'k11989').waitFor();
});

test('[C57] who follows the end sees what is added there', async () => {
  const name = await seed({ big: MANY });
  const visitor = await open(name, '/big?tail=true');
  await lineOf(visitor.page, 'k11999').waitFor();
  await put(name, '/big/z1', 1);
  await lineOf(visitor.page, 'z1').waitFor();
});

test('[C58] a child is added and renamed, and takes the place of nothing', async () => {
  const name = await seed({ a: 1 });
  const visitor = await open(name);
  const { page } = visitor;
  await lineOf(visitor.page, 'a').waitFor();
  await page.keyboard.press('a');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('new');
  await page.getByRole('textbox', { name: 'Value' }).fill('text');
  await visitor.expectNoHindrance();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await lineOf(visitor.page, 'new').getByText('"text"').waitFor();
  await lineOf(visitor.page, 'new').click({ button: 'right' });
  await visitor.expectNoHindrance();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'New key' }).fill('a');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByText('the path already has data').waitFor();
  await page.getByRole('textbox', { name: 'New key' }).fill('renamed');
  await page.getByRole('button', { name: 'Rename' }).click();
  await lineOf(visitor.page, 'renamed').waitFor();
  expect(await get(name, '/')).toEqual({ a: 1, renamed: 'text' });
});

test('[C59] deleting says how much that is, and can be taken back', async () => {
  const name = await seed({ a: 1, gone: { b: 'text' } });
  const visitor = await open(name);
  const { page } = visitor;
  await lineOf(visitor.page, 'gone').click();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByText('in total').waitFor();
  await visitor.expectNoHindrance();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Deleted.').waitFor();
  expect(await get(name, '/')).toEqual({ a: 1 });
  await pointAtUndo(page);
  // The lines are those from before until they are read again.
  await lineOf(visitor.page, 'gone').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await lineOf(visitor.page, 'gone').waitFor();
  await expect.poll(() => get(name, '/gone')).toEqual({ b: 'text' });
});

test('[C60] the JSON of a node is edited, and is not written over what others have written', async () => {
  const name = await seed({ node: { long: 9007199254740993n.toString(), a: 1 } });
  const visitor = await open(name, '/node?view=json');
  const { page } = visitor;
  const editor = page.getByRole('textbox', { name: 'JSON of /node' });
  await editor.getByText('"a"').waitFor();
  await visitor.expectNoHindrance();
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

test('[C71][C72] members of children are a table, in which cells are edited, copied and pasted', async () => {
  const name = await seed({ users: { ada: { age: 36, name: 'Ada' }, kurt: { age: 71, name: 'Kurt' } } });
  const visitor = await open(name, '/users?view=table', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = visitor;
  const table = page.getByRole('grid');
  const cell = (text: string) => table.getByRole('gridcell', { name: text, exact: true });
  await cell('36').waitFor();
  await visitor.expectNoHindrance();
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

test('[C61] a search below a node tells what it finds and leads there', async () => {
  const name = await seed({ big: MANY });
  const visitor = await open(name);
  const { page } = visitor;
  await page.getByRole('searchbox', { name: 'Search below this node' }).fill('user 1234');
  await page.keyboard.press('Enter');
  await page.getByText('1 result').waitFor();
  await visitor.expectNoHindrance();
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
  await page.getByText('".indexOn"').waitFor();
  expect(visitor.complaints.filter((text) => !text.includes('FIREBASE WARNING'))).toEqual([]);
});

test('[C64] hostile keys and values are text, and are seen as what they are', async () => {
  const name = await seed({
    '<img src=x onerror=alert(1)>': '\u202eevil',
    'مرحبا-日本語': { 'a%2Fb c?': 1 },
  });
  const visitor = await open(name);
  const { page } = visitor;
  await lineOf(visitor.page, '<img src=x onerror=alert(1)>').getByText('⟨U+202E⟩evil').waitFor();
  await lineOf(visitor.page, 'مرحبا-日本語').locator('bdi.key').dblclick();
  await lineOf(visitor.page, 'a%2Fb c?').waitFor();
  await page.reload();
  await lineOf(visitor.page, 'a%2Fb c?').waitFor();
  await visitor.expectNoHindrance();
});

test('[C65] an edit made while the server is away is kept, and saved when it is back', async () => {
  const name = await seed({ count: 1 });
  const visitor = await open(name);
  const { page } = visitor;
  await lineOf(visitor.page, 'count').dblclick();
  const field = page.getByRole('textbox', { name: 'Value of count' });
  await field.fill('2');
  await page.context().setOffline(true);
  await field.press('Enter');
  await page.getByText('Your edit is saved when the server responds').waitFor();
  expect(await field.inputValue()).toBe('2');
  await page.context().setOffline(false);
  await lineOf(visitor.page, 'count').getByText('2', { exact: true }).waitFor();
  expect(await get(name, '/count')).toBe(2);
});

test('[C66] a file is imported beside what is there', async () => {
  const name = await seed({ a: 1 });
  const visitor = await open(name);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Import' }).click();
  const file = { name: 'more.json', mimeType: 'application/json', buffer: Buffer.from('{"b":{"c":2}}') };
  await page.locator('input[type=file]').setInputFiles(file);
  await visitor.expectNoHindrance();
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await lineOf(visitor.page, 'b').waitFor();
  expect(await get(name, '/')).toEqual({ a: 1, b: { c: 2 } });
});

test.each([
  ['light', {}],
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
] as const)('[C67] the explorer hinders nobody: %s', async (display, options) => {
  const name = await seed({
    motd: 'Welcome',
    open: true,
    count: 42,
    rooms: { lobby: { topic: 'hi' } },
    big: MANY,
  });
  const visitor = await open(name, '', options);
  await lineOf(visitor.page, 'rooms').waitFor();
  await lineOf(visitor.page, 'big').getByRole('button').first().click();
  await lineOf(visitor.page, 'k10000').waitFor();
  await visitor.expectNoHindrance();
  await visitor.picture(`data-tree-${display}`);
});
