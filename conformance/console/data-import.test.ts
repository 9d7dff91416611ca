import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { buttonOf, pointAtUndo } from '../drivers/console/page.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();

const { seed, put, get } = databasesOf(testBed);

const BEFORE = { ann: { age: 30, city: 'Bonn' }, bob: { age: 40 }, old: true };

async function choose(dialog: Locator, name: string, text: string): Promise<void> {
  const mimeType = name.endsWith('.csv') ? 'text/csv' : 'application/json';
  await dialog.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
}

const MERGE = 'Merge (replace matching keys)';
const DEEP = 'Merge at every level (keep keys that the file lacks)';
const REPLACE = 'Replace everything';

test('[C700][C701] the dialog of an import shows what each mode would change, and writes nothing before it is confirmed', async () => {
  const name = await seed(BEFORE);
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await choose(dialog, 'people.json', '{"ann":{"age":31},"cid":{"age":5}}');
  const expectCounts = async (added: number, changed: number, removed: number): Promise<void> => {
    await dialog.getByText(`Values added: ${added}`).waitFor();
    await dialog.getByText(`Values changed: ${changed}`).waitFor();
    await dialog.getByText(`Values removed: ${removed}`).waitFor();
  };
  const list = dialog.getByRole('list', { name: 'Changes of the import' });
  await dialog.getByLabel(MERGE).check();
  await expectCounts(1, 1, 1);
  await list.getByText('/ann/age').waitFor();
  await list.getByText('30 → 31').waitFor();
  await dialog.getByLabel(REPLACE).check();
  await expectCounts(1, 1, 3);
  await list.getByText('/bob').waitFor();
  await dialog.getByLabel(DEEP).check();
  await expectCounts(1, 1, 0);
  await list.getByText('/cid').waitFor();
  expect(await get(name)).toEqual(BEFORE);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('people.json imported.').waitFor();
  const merged = { ...BEFORE, ann: { age: 31, city: 'Bonn' }, cid: { age: 5 } };
  expect(await get(name)).toEqual(merged);
  await pointAtUndo(page);
  await buttonOf(page, 'Undo').click();
  await page.getByText('Undone.').waitFor();
  expect(await get(name)).toEqual(BEFORE);
});

test.each([
  ['on a desktop', {}],
  ['in dark colors', DARK],
  ['on a phone', PHONE],
] as const)('[C700] %s, the preview passes the accessibility rules', async (_where, options) => {
  const name = await seed(BEFORE);
  const visitor = await testBed.visit(`/projects/demo/data/${name}`, options);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await choose(dialog, 'people.json', '{"ann":{"age":31},"cid":{"age":5}}');
  await dialog.getByRole('list', { name: 'Changes of the import' }).waitFor();
  await visitor.expectAccessible();
});

test('[C700] in Arabic, the counts and the list are in that language, and paths read from left to right', async () => {
  const name = await seed(BEFORE);
  const { page } = await testBed.visit(`/projects/demo/data/${name}`, ARABIC);
  await page.getByRole('button', { name: 'استيراد' }).click();
  const dialog = page.getByRole('dialog');
  await choose(dialog, 'people.json', '{"cid":{"age":5}}');
  await dialog.getByText('قيم مضافة: 1').waitFor();
  const path = dialog.getByRole('list').getByText('/cid');
  await path.waitFor();
  expect(await path.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr');
});

test('[C700] a file that cannot be imported says why in the preview, and another file can be chosen', async () => {
  const name = await seed(BEFORE);
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await choose(dialog, 'bad.json', '{"a":1,}');
  await dialog.getByRole('alert').getByText('line 1, column 8').waitFor();
  await choose(dialog, 'same.json', JSON.stringify({ old: true }));
  await dialog.getByText('The import would change nothing.').waitFor();
  await dialog.getByRole('alert').waitFor({ state: 'detached' });
  expect(await get(name)).toEqual(BEFORE);
});

test('[C701] a staged import merges at every level too', async () => {
  const name = await seed(BEFORE);
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await page.getByRole('button', { name: 'Stage edits' }).click();
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await dialog.getByLabel(DEEP).check();
  await choose(dialog, 'people.json', '{"ann":{"age":31,"none":null}}');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Staged edits: 1.').waitFor();
  expect(await get(name)).toEqual(BEFORE);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Apply 1 edit' }).click();
  await expect.poll(() => get(name, '/ann'), { timeout: 30_000 }).toEqual({ age: 31, city: 'Bonn' });
});

test('[C702] a staged import with a key twice in an object stages nothing', async () => {
  const name = await seed({ a: 1 });
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await page.getByRole('button', { name: 'Stage edits' }).click();
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await choose(dialog, 'twice.json', '{"b":{"x":1,\n"x":2}}');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('Line 2 of the file repeats the key “x” in the same object').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await rowOf(page, 'a').waitFor();
  expect(await rowOf(page, 'b').count()).toBe(0);
});

test('[C702] a CSV file is previewed and imported with types', async () => {
  const name = await seed({ bob: { age: 40 } });
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await choose(dialog, 'people.csv', 'key,age,address/city,zip\nann,30,Bonn,"""05301"""\nbob,,,\n');
  await dialog.getByText('Values added: 3').waitFor();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('people.csv imported.').waitFor();
  expect(await get(name)).toEqual({
    ann: { age: 30, address: { city: 'Bonn' }, zip: '05301' },
    bob: { age: 40 },
  });
});

test('[C702] an invalid CSV file is rejected with its line', async () => {
  const name = await seed({});
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await choose(dialog, 'bad.csv', 'key,a\nx,"open\n');
  await dialog.getByText('The CSV file is invalid at line 2').waitFor();
  expect(await dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
});

test('[C703] the children of a table are exported as CSV, which is imported again without a change', async () => {
  const name = await seed({});
  const rows = { r1: { n: 1, s: '1', t: '=1+1' }, r2: { n: true, deep: { x: 'a,b' } } };
  await put(name, '/rows', rows);
  const { page } = await testBed.visit(`/projects/demo/data/${name}/rows?view=table`);
  await page.getByRole('grid').getByText('r1').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${name}-rows.csv`);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv).toBe('key,deep/x,n,s,t\r\nr1,,1,"""1""","""=1+1"""\r\nr2,"a,b",true,,\r\n');
  await page.goto(page.url().replace('/rows?view=table', '/rows'));
  await rowOf(page, 'r1').waitFor();
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await dialog.getByLabel(REPLACE).check();
  await choose(dialog, 'rows.csv', csv);
  await dialog.getByText('The import would change nothing.').waitFor();
});
