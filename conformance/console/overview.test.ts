import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';
import { openRawSocket } from '../drivers/socket.ts';

const testBed = openConsoleTestBed();
const DATABASE = 'demo-default-rtdb';
const VIEW = '/projects/demo';
/** Longer than the interval at which the overview loads its parts again. */
const REFRESH = { timeout: 60_000 };

function write(path: string, value: unknown): Promise<unknown> {
  return testBed.admin('PUT', `${path}.json?ns=${DATABASE}`, value);
}

beforeAll(() => write('/rooms', { lobby: { topic: 'tea' }, garden: { topic: 'roses' } }));

test('[C39] the overview shows the amount of data, accounts, and the first children, with links', async () => {
  const visitor = await testBed.visit(VIEW);
  const { page } = visitor;
  await page.getByRole('link', { name: /^Data \d+ bytes/ }).waitFor();
  await page.getByRole('link', { name: /^Accounts 0/ }).waitFor();
  const contents = page.getByRole('table', { name: 'First children of the database' });
  await contents.getByRole('row', { name: 'rooms 2 children' }).waitFor();
  await visitor.expectAccessible();
  await contents.getByRole('link', { name: 'rooms' }).press('Enter');
  await page.waitForURL(`**${VIEW}/data/${DATABASE}/rooms`);
});

test('[C39] the busiest paths are listed, with links to their data', async () => {
  for (let index = 0; index < 3; index += 1) await write(`/presence/user${index}`, true);
  const { page } = await testBed.visit(VIEW);
  const writes = page.getByRole('list', { name: 'Writes' });
  await writes.getByRole('link', { name: '/presence/user0' }).waitFor();
});

test('[C464] writes change the chart of operations, whose card links to live activity', async () => {
  const { page } = await testBed.visit(VIEW);
  const chart = page.getByRole('img', { name: /^reads: now / });
  await chart.waitFor();
  const line = chart.locator('path[fill=none]').last();
  const before = await line.getAttribute('d');
  await expect
    .poll(async () => {
      await write('/rooms/lobby/seen', Date.now());
      return line.getAttribute('d');
    }, REFRESH)
    .not.toBe(before);
  await expect
    .poll(async () => {
      await write('/rooms/lobby/seen', Date.now());
      return chart.getAttribute('aria-label');
    }, REFRESH)
    .toMatch(/ writes: now [\d.]*[1-9]/);
  await page.getByRole('link', { name: /^Operations/ }).press('Enter');
  await page.waitForURL(/\/activity\/live\?database=/);
});

test('[C464] the card of connections follows the connected clients', async () => {
  const { page } = await testBed.visit(VIEW);
  const card = page.getByRole('link', { name: /^Connections/ });
  await card.getByText('0', { exact: true }).waitFor();
  const { socket } = await openRawSocket(DATABASE, { url: testBed.server.url });
  onTestFinished(() => socket.close());
  await card.getByText('1', { exact: true }).waitFor();
  await card.press('Enter');
  await page.waitForURL(/\/activity\/connections\?database=/);
});

test('[C465] a query without an index is listed, with a link to its fix', async () => {
  const { page } = await testBed.visit(VIEW);
  const part = page.getByRole('region', { name: 'Needs attention' });
  await part.waitFor();
  await part.getByRole('progressbar').waitFor({ state: 'detached' });
  expect(await part.getByText('no index').count()).toBe(0);
  const app = await openRawSocket(DATABASE, { url: testBed.server.url });
  onTestFinished(() => app.socket.close());
  await app.request('q', { p: '/rooms', q: { i: 'topic', l: 1, vf: 'l' }, t: 1, h: '' });
  const problem = page.getByRole('link', { name: '1 query has no index and scans all children.' });
  await problem.waitFor(REFRESH);
  await problem.press('Enter');
  await page.getByText('".indexOn": "topic"').waitFor();
});

test('[C465] denials of the last hour are listed, with the rule that causes most of them', async () => {
  const rules = { rules: { secret: { '.read': false }, '.write': false } };
  await testBed.admin('PUT', `/.settings/rules.json?ns=${DATABASE}`, rules);
  for (const path of ['/secret', '/secret', '/rooms']) {
    const { status } = await fetch(`${testBed.server.url}${path}.json?ns=${DATABASE}`);
    expect(status).toBe(401);
  }
  const visitor = await testBed.visit(VIEW);
  const problem = visitor.page.getByRole('link', { name: /^3 requests were denied in the last hour/ });
  await problem.waitFor(REFRESH);
  expect(await problem.textContent()).toContain('most often by .read /secret');
  await visitor.expectAccessible();
  await problem.press('Enter');
  await visitor.page.waitForURL(`**/rules/${DATABASE}/denials`);
  const reason = visitor.page.getByRole('navigation', { name: 'Denials' }).getByText('No rule allows this');
  await reason.first().waitFor();
});

test('[C467] published rules and created accounts are listed, with links', async () => {
  const { page } = await testBed.visit(VIEW);
  const changes = page.getByRole('list', { name: 'Recent changes' });
  const source = '{"rules": {".read": true, ".write": true}}';
  const message = 'Open for the party';
  const published = await testBed.admin('POST', `/api/databases/${DATABASE}/rules/publish`, {
    source,
    message,
  });
  const { id } = Object(published);
  const account = { email: 'ann@example.com', password: 'secret123' };
  await testBed.admin('POST', '/v1/projects/demo/accounts', account);
  const row = changes.getByRole('listitem').filter({ hasText: `Rules version ${id} published` });
  await row.filter({ hasText: message }).waitFor(REFRESH);
  await changes
    .getByRole('listitem')
    .filter({ hasText: 'Account created' })
    .getByText('ann@example.com')
    .waitFor(REFRESH);
  await row.getByRole('link').press('Enter');
  await page.waitForURL(`**/rules/${DATABASE}/versions/${id}`);
});

test('[C468] a part that fails shows its error and a retry, and the others stay', async () => {
  const { page } = await testBed.visit('/projects/demo/data');
  await page.route('**/hot-paths?*', (route) =>
    route.fulfill({ status: 500, body: '{"error":"Out of order."}' }),
  );
  await page.goto(`${testBed.server.url}/console${VIEW}`);
  const part = page.getByRole('region', { name: 'Busiest paths' });
  await part.getByText('Out of order.').waitFor();
  await page.getByRole('list', { name: 'Recent changes' }).waitFor();
  await page.unroute('**/hot-paths?*');
  await part.getByRole('button', { name: 'Try again' }).press('Enter');
  await part.getByText('Out of order.').waitFor({ state: 'detached' });
});

test.each([
  ['light', {}],
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
] as const)('[C39][C464] the overview passes the accessibility rules: %s', async (name, display) => {
  const visitor = await testBed.visit(VIEW, display);
  await visitor.page.getByRole('table').waitFor();
  await visitor.page.getByRole('progressbar').first().waitFor({ state: 'detached' });
  await visitor.expectAccessible();
  await visitor.picture(`overview-${name}`);
});
