import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const NAME = 'demo-default-rtdb';

/** Answers the next request whose path ends with `word` with these lines, but without the line that ends a response. */
async function cutResponse(page: Page, word: string, ...lines: readonly unknown[]): Promise<void> {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await page.route(`**/${word}?*`, (route) => route.fulfill({ body }), { times: 1 });
}

test('[C404] a search that ends before it is complete keeps its results, and can be started again', async () => {
  await testBed.admin('PUT', `/.json?ns=${NAME}`, { a: 'needle', b: 'needle' });
  const visitor = await testBed.visit(`/projects/demo/data/${NAME}`);
  const { page } = visitor;
  const node = { kind: 'string', value: 'needle', priority: null };
  await cutResponse(page, 'search', { kind: 'hit', path: '/a', matched: 'value', node });
  const field = page.getByRole('searchbox');
  await field.fill('needle');
  await field.press('Enter');
  const failure = page.getByRole('alert').filter({ hasText: 'Incomplete response' });
  await failure.waitFor();
  expect(await page.getByRole('link', { name: /^\/[ab]$/ }).allTextContents()).toEqual(['/a']);
  await visitor.expectAccessible();
  await failure.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('2 results').waitFor();
  expect(await failure.count()).toBe(0);
});

test('[C404] a count that ends before it is complete keeps its result, and can be started again', async () => {
  await testBed.admin('PUT', `/.json?ns=${NAME}`, { a: 1, b: 2 });
  const { page } = await testBed.visit('/projects/demo');
  await cutResponse(page, 'count', { kind: 'progress', count: 1 });
  await page.goto(`${testBed.server.url}/console/projects/demo/data/${NAME}`);
  await page.getByText('≥ 1 child').waitFor();
  await page.getByRole('button', { name: 'Count again' }).click();
  await page.getByText('2 children', { exact: true }).waitFor();
});

test('[C404] a measurement that ends before it is complete says so, and can be started again', async () => {
  await testBed.admin('PUT', `/.json?ns=${NAME}`, { a: 1 });
  // This view measures no database.
  const { page } = await testBed.visit('/projects/demo/settings/members');
  await page.route('**/size', (route) => route.fulfill({ body: '{"kind":"progress","bytes":1}\n' }), {
    times: 1,
  });
  await page.goto(`${testBed.server.url}/console/projects/demo/settings/databases`);
  const row = page.getByRole('row').filter({ hasText: 'Could not be measured' });
  await row.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('7 bytes').or(page.getByText('7 B')).waitFor();
});
