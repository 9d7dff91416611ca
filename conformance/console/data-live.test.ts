import { expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();

const { seed, put } = databasesOf(testBed);

test('[C513] the number of children follows writes of others, and a value has no such number', async () => {
  const name = await seed({ rooms: { a: 1, b: 2 }, motd: 'hi' });
  const { page } = await testBed.visit(`/projects/demo/data/${name}/rooms`);
  await page.getByText('2 children').waitFor();
  await put(
    name,
    '/rooms',
    Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, index])),
  );
  await page.getByText('150 children').waitFor();
  await put(name, '/rooms', { a: 1 });
  await page.getByText('1 child', { exact: true }).waitFor();
  const leaf = await testBed.visit(`/projects/demo/data/${name}/motd`);
  await leaf.page.getByRole('heading', { name: 'motd is a string' }).waitFor();
  await leaf.page.waitForLoadState('networkidle').catch(() => {});
  expect(await leaf.page.getByText('0 children').count()).toBe(0);
});

test('[C513] a filter that reaches its limit says that there can be more', async () => {
  const name = await seed(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, index])));
  const { page } = await testBed.visit(`/projects/demo/data/${name}?order=key&limit=50`);
  await page.getByText('50 children shown, the limit of this query. There can be more.').waitFor();
});

test('[C513] the tree does not look live while the server does not respond', async () => {
  const name = await seed({ a: 1 });
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await page.getByText('Live', { exact: true }).waitFor();
  // Like a process that is suspended: connections stay open, and no request is answered.
  await page.route('**/*', () => {});
  const startMs = performance.now();
  await page.getByText('Connection lost').waitFor();
  expect(performance.now() - startMs).toBeLessThan(8_000);
  await page.unroute('**/*');
  await page.getByText('Live', { exact: true }).waitFor();
});

test('[C514] before a deletion, its dialog says how many children are deleted, and whether that can be undone', async () => {
  const name = await seed({ small: { a: 1, b: 2, c: 3, d: 4 }, large: { text: 'x'.repeat(1_100_000) } });
  const visitor = await testBed.visit(`/projects/demo/data/${name}`);
  const { page } = visitor;
  const dialog = page.getByRole('dialog');
  await rowOf(page, 'small').click();
  await page.keyboard.press('Delete');
  await dialog.getByText('4 children, 25 bytes in total.').waitFor();
  await dialog.getByText('You can undo this for 7 days.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // Simulates that the node is larger than all values that the server keeps for undos.
  await page.route('**/size?*', (route) =>
    route.fulfill({ body: '{"kind":"done","entries":5,"bytes":4400000000}\n' }),
  );
  await rowOf(page, 'large').click();
  await page.keyboard.press('Delete');
  await dialog.getByText('This cannot be undone, because it is more than 4.3 GB').waitFor();
  await visitor.expectAccessible();
});

test('[C514] the dialog of an import says for how long it can be undone, and how much data it replaces', async () => {
  const name = await seed({ a: 'x'.repeat(1_990) });
  const visitor = await testBed.visit(`/projects/demo/data/${name}`);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await dialog
    .getByText('You can undo the import for 7 days if the file has at most 10,000 top-level keys')
    .waitFor();
  await dialog.getByLabel('Replace everything').check();
  await dialog.getByText('This replaces all current data at this path: 2 kB.').waitFor();
  await visitor.expectAccessible();
});
