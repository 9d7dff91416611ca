import { expect, test } from 'vitest';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();

const { seed } = databasesOf(testBed);

const ROWS = { rows: { a: { n: 2, s: 'x' }, b: { n: 1, s: 'y' } } };

function publish(name: string, indexOn: readonly string[], at = 'rows'): Promise<unknown> {
  const rules = { '.read': true, '.write': true, [at]: { '.indexOn': indexOn } };
  return testBed.admin('POST', `/api/databases/${name}/rules/publish`, { source: JSON.stringify({ rules }) });
}

test.each([
  ['on a desktop', {}],
  ['in dark colors', DARK],
  ['on a phone', PHONE],
] as const)(
  '[C706] %s, a filter without an index shows the line to add to the rules',
  async (_where, options) => {
    const name = await seed(ROWS);
    await publish(name, ['s']);
    const view = `/projects/demo/data/${name}/rows?order=child&child=`;
    const visitor = await testBed.visit(`${view}n`, options);
    const { page } = visitor;
    const notice = page.getByRole('alert').filter({ hasText: 'This order has no index' });
    await notice.getByText('".indexOn": ["s","n"]').waitFor();
    await visitor.expectAccessible();
    await notice.getByRole('link', { name: 'Open rules' }).click();
    await page.waitForURL('**/rules/**');
  },
);

test('[C706] if the rules of a wildcard apply to the path, the line to add belongs to the wildcard', async () => {
  const name = await seed(ROWS);
  await publish(name, [], '$list');
  const { page } = await testBed.visit(`/projects/demo/data/${name}/rows?order=child&child=n`);
  await page.getByRole('alert').getByText('/$list').waitFor();
});

test('[C706] the line disappears when the filter has an index', async () => {
  const name = await seed(ROWS);
  await publish(name, ['s']);
  const { page } = await testBed.visit(`/projects/demo/data/${name}/rows?order=child&child=n`);
  const notice = page.getByText('This order has no index');
  await notice.waitFor();
  await page.getByRole('textbox', { name: 'Path below each child' }).fill('s');
  await page.keyboard.press('Enter');
  await notice.waitFor({ state: 'detached' });
  await page.getByText('2 matching children').waitFor();
});

test('[C706] in Arabic, the line reads from left to right', async () => {
  const name = await seed(ROWS);
  await publish(name, []);
  const { page } = await testBed.visit(`/projects/demo/data/${name}/rows?order=child&child=n`, ARABIC);
  const line = page.getByRole('alert').getByText('".indexOn": ["n"]');
  await line.waitFor();
  expect(await line.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr');
});
