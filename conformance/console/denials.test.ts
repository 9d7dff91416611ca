import { beforeAll, expect, test } from 'vitest';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const DATABASE = 'demo-denials';
const VIEW = `/projects/demo/rules/${DATABASE}/denials`;

beforeAll(async () => {
  const source = '{"rules":{"rooms":{"$room":{".write":false}},"many":{"$n":{".read":false}}}}';
  await testBed.admin('POST', `/api/databases/${DATABASE}/rules/publish`, { source });
});

async function deny(path: string, method = 'PUT'): Promise<void> {
  const body = method === 'PUT' ? { body: '1' } : {};
  const { status } = await fetch(`${testBed.server.url}${path}.json?ns=${DATABASE}`, { method, ...body });
  expect(status).toBe(401);
}

test('[C375] new denials appear at the top without a reload, unless the list is paused', async () => {
  const visitor = await testBed.visit(VIEW);
  const { page } = visitor;
  const requested: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/denials')) requested.push(request.url());
  });
  await page.getByText('Live: new denials appear at the top').waitFor();
  const rows = page.getByRole('navigation', { name: 'Denials' }).getByRole('link');
  const count = requested.length;
  for (const room of ['a', 'b']) {
    await deny(`/rooms/${room}`);
    await rows.first().getByText(`/rooms/${room}`).waitFor();
  }
  expect(requested).toHaveLength(count);
  await page.keyboard.press('p');
  await page.getByText('Paused: new denials are not shown').waitFor();
  expect(new URL(page.url()).searchParams.get('live')).toBe('paused');
  await deny('/rooms/c');
  // Denials arrive with a short delay: if a page opened now shows this one, the paused page would show it too.
  const other = await testBed.visit(VIEW);
  await other.page.getByRole('link', { name: '/rooms/c' }).waitFor();
  expect(await rows.count()).toBe(2);
  await visitor.expectAccessible();
  await page.keyboard.press('p');
  await rows.first().getByText('/rooms/c').waitFor();
  expect(await rows.count()).toBe(3);
  await visitor.picture('rules-denials-live-light');
});

test('[C375] a filter applies to new denials, and the list says that it is limited', async () => {
  const { page } = await testBed.visit(`${VIEW}?path=/many`);
  await page.getByText('Live: new denials').waitFor();
  await deny('/rooms/d');
  await Promise.all(Array.from({ length: 201 }, (_, index) => deny(`/many/n${index}`, 'GET')));
  await page.getByText('Only the latest 200 denials are shown.').waitFor();
  const rows = page.getByRole('navigation', { name: 'Denials' }).getByRole('link');
  expect(await rows.count()).toBe(200);
  expect(await rows.filter({ hasText: '/rooms' }).count()).toBe(0);
});
