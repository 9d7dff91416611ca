import { expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();

test('[C438] without WebSocket, JSON and filters show the writes of other users over long polling', async () => {
  const put = (path: string, value: unknown) => testBed.admin('PUT', `${path}.json?ns=polled`, value);
  await put('/', { users: { ada: { age: 36 } } });
  const visitor = await testBed.visit('/projects/demo/data/polled');
  const { page } = visitor;
  await rowOf(page, 'users').waitFor();
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebSocket'));
  const polled = page.waitForResponse('**/.lp?*');
  await page.goto(`${testBed.server.url}/console/projects/demo/data/polled/users?view=json`);
  const editor = page.getByRole('textbox', { name: 'JSON of /users' });
  await editor.getByText('36').waitFor();
  await polled;
  await put('/users/ada/age', 37);
  await editor.getByText('37').waitFor();
  await page.goto(`${testBed.server.url}/console/projects/demo/data/polled/users?order=key&limit=2`);
  const found = page.getByRole('list', { name: 'Matching children' });
  await found.getByRole('link', { name: 'ada' }).waitFor();
  await put('/users/bob/age', 5);
  await found.getByRole('link', { name: 'bob' }).waitFor();
  await expect.poll(() => page.frames().some((frame) => frame.url().includes('dframe=t'))).toBe(true);
  await visitor.expectAccessible();
});
