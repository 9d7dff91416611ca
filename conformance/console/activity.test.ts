import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';
import { unsignedToken } from '../drivers/credentials.ts';
import type { JsonObject } from '../drivers/json.ts';
import { openRawSocket } from '../drivers/socket.ts';

const testBed = openConsoleTestBed();
const ACTIVITY = '/projects/demo/activity';
const DATABASE = 'demo-default-rtdb';

/** Connects to the database as an app does. With `listen`, also listens, and waits for the response. */
async function connectApp(listen?: JsonObject): Promise<WebSocket> {
  const app = await openRawSocket(DATABASE, { url: testBed.server.url });
  if (listen !== undefined) await app.request('q', listen);
  return app.socket;
}

async function writeRoom(): Promise<void> {
  await testBed.admin('PUT', `/rooms/lobby.json?ns=${DATABASE}`, { topic: 'hello' });
}

test('[C250] live activity shows the number of connections, and can be paused by keyboard', async () => {
  await writeRoom();
  const visitor = await testBed.visit(`${ACTIVITY}/live`);
  const { page } = visitor;
  await connectApp();
  await page.getByText('Connections').last().waitFor();
  const connections = page.locator('dt', { hasText: 'Connections' }).locator('xpath=following-sibling::dd');
  await expect.poll(() => connections.textContent(), { timeout: 20_000 }).toBe('1');
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await visitor.expectAccessible();
});

test('[C251] a connection is shown with its listens, and disappears when it is ended', async () => {
  await writeRoom();
  const socket = await connectApp({ p: '/rooms', h: '' });
  const visitor = await testBed.visit(`${ACTIVITY}/connections`);
  const { page } = visitor;
  await page.getByRole('button', { name: /^Details:/ }).press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Connection \d+$/ });
  await dialog.getByRole('link', { name: '/rooms' }).waitFor();
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'End connection' }).press('Enter');
  const closed = once(socket, 'close');
  await page.getByRole('dialog', { name: /^End connection/ }).waitFor();
  await visitor.expectAccessible();
  await page.getByRole('button', { name: 'End connection' }).last().press('Enter');
  await closed;
  await page.getByText('No connections').waitFor();
});

test('[C252] if a connection has ended when its details are requested, the page says so', async () => {
  await writeRoom();
  const { page } = await testBed.visit(`${ACTIVITY}/connections?connection=999999`);
  await page.getByRole('dialog').getByRole('alert').waitFor();
});

test('[C254] an unindexed query is listed with the `.indexOn` that fixes it', async () => {
  await writeRoom();
  await connectApp({ p: '/rooms', q: { i: 'topic', l: 1, vf: 'l' }, t: 1, h: '' });
  const visitor = await testBed.visit(`${ACTIVITY}/queries`);
  await visitor.page.getByText('".indexOn": "topic"').waitFor();
  expect(await visitor.page.getByRole('link', { name: 'Open rules' }).getAttribute('href')).toContain(
    '/rules/',
  );
  await visitor.expectAccessible();
});

test('[C255] the most frequent paths link to their data', async () => {
  await writeRoom();
  const { page } = await testBed.visit(`${ACTIVITY}/paths`);
  const link = page.getByRole('region', { name: 'Most written' }).getByRole('link', { name: '/rooms/lobby' });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(`/console/projects/demo/data/${DATABASE}/rooms/lobby`);
});

test('[C256] the filters of the audit log are in the address', async () => {
  for (const email of ['audit@example.com', 'another@example.com'])
    await testBed.admin('POST', '/v1/projects/demo/accounts', { email, password: 'secret123' });
  const visitor = await testBed.visit(`${ACTIVITY}/audit?event=account_created`);
  const { page } = visitor;
  const cells = page.getByRole('cell', { name: /^Account created/ });
  await cells.first().waitFor();
  await page.getByLabel('Result').fill('INVALID_PASSWORD');
  await page.getByText('No matching entries').waitFor();
  await page.waitForURL(/result=INVALID_PASSWORD/);
  await visitor.expectAccessible();
  const { entries } = Object(
    await testBed.admin('GET', '/api/projects/demo/audit?event=account_created&limit=1'),
  );
  await page.getByLabel('Result').fill('');
  await expect.poll(() => cells.count()).toBeGreaterThan(1);
  await page.getByLabel('Request ID').fill(entries[0].requestId);
  await expect.poll(() => cells.count()).toBe(1);
  await page.waitForURL(/requestId=/);
});

test('[C640][C641][C642] the audit log says in words what a member did to data, and undoes it', async () => {
  const database = 'audited';
  const at = `ns=${database}`;
  await testBed.admin('PUT', `/.json?${at}`, { rooms: { lobby: { topic: 'hello' }, hall: 1 } });
  await testBed.admin('GET', `/rooms.json?${at}&format=export`);
  await testBed.admin('POST', `/api/databases/${database}/rules/publish`, {
    source: '{"rules":{".read":true,".write":true}}',
  });
  await testBed.admin('POST', `/api/databases/${database}/changes`, {
    changes: { '/rooms/lobby': null },
    isUndoable: true,
  });
  const visitor = await testBed.visit(`${ACTIVITY}/audit?database=${database}&series=administration`);
  const { page } = visitor;
  const row = (name: RegExp) => page.getByRole('row').filter({ has: page.getByRole('cell', { name }) });
  await row(/^Data deleted.*\/rooms\/lobby.*audited/).waitFor();
  await row(/^Data imported.*Replaced.*audited/).waitFor();
  await row(/^Data exported.*\/rooms/).waitFor();
  const version = row(/^Rules published/).getByRole('link', { name: 'Version 1' });
  expect(await version.getAttribute('href')).toContain(`/rules/${database}/versions/1`);
  const link = row(/^Data exported/).getByRole('link', { name: '/rooms' });
  expect(await link.getAttribute('href')).toBe(`/console/projects/demo/data/${database}/rooms`);
  await visitor.expectAccessible();
  await page.getByRole('combobox', { name: 'Period' }).press('Enter');
  await page.getByRole('option', { name: 'Last hour' }).press('Enter');
  await page.waitForURL(/period=1h/);
  await row(/^Data deleted/).waitFor();
  await row(/^Data deleted/)
    .getByRole('button', { name: /^Undo/ })
    .press('Enter');
  await row(/^Change undone/).waitFor();
  expect(await testBed.admin('GET', `/rooms/lobby/topic.json?${at}`)).toBe('hello');
});

test('[C640] the audit log is limited to chosen dates, which are in the address', async () => {
  await testBed.admin('PUT', '/.json?ns=dated', { a: 1 });
  const visitor = await testBed.visit(`${ACTIVITY}/audit?database=dated`);
  const { page } = visitor;
  const imported = page.getByRole('cell', { name: /^Data imported/ });
  await imported.waitFor();
  await page.getByRole('combobox', { name: 'Period' }).press('Enter');
  await page.getByRole('option', { name: 'Choose dates' }).press('Enter');
  await page.getByLabel('Until').fill('2020-01-01T00:00');
  await page.getByText('No matching entries').waitFor();
  await page.waitForURL(/until=\d+/);
  await visitor.expectAccessible();
  await page.getByLabel('Until').fill('2999-01-01T00:00');
  await page.getByLabel('From').fill('2020-01-01T00:00');
  await imported.waitFor();
});

test('[C780] the listener that costs most is found by its path, and by its account', async () => {
  const uid = 'costly';
  await testBed.admin('POST', '/identitytoolkit.googleapis.com/v1/projects/demo/accounts', {
    localId: uid,
    email: 'cost@example.com',
    password: 'a long passphrase',
  });
  const app = await openRawSocket(DATABASE, { url: testBed.server.url });
  await app.request('auth', { cred: unsignedToken(uid) });
  await app.request('q', { p: '/rooms/lobby', q: { i: '.key', l: 2, vf: 'r' }, t: 1, h: '' });
  await testBed.admin('PUT', `/rooms/lobby/long.json?ns=${DATABASE}`, 'x'.repeat(50_000));
  const visitor = await testBed.visit(`${ACTIVITY}/costs?${new URLSearchParams({ database: DATABASE })}`);
  const { page } = visitor;
  // Other tests of this file cause costs too, also in other databases.
  const row = page
    .getByRole('row')
    .filter({ hasText: 'Changes to listeners' })
    .filter({ hasText: 'orderByKey().limitToLast(2)' });
  await row.getByText(/^5\d(\.\d)? kB$/).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Time', exact: true }).press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('ms');
  await page.getByRole('button', { name: 'By account' }).press('Enter');
  const account = page.getByRole('link', { name: 'cost@example.com' });
  await account.waitFor();
  expect(await account.getAttribute('href')).toContain(uid);
  await visitor.expectAccessible();
});

test('[C790][C791] an owner sets a threshold, and the overview names the alert that it raises', async () => {
  const visitor = await testBed.visit(`${ACTIVITY}/alerts`);
  const { page } = visitor;
  const threshold = page.getByRole('spinbutton', { name: 'Disk space used, in percent: Threshold' });
  await threshold.fill('101');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  expect(await threshold.evaluate((field) => (field as HTMLInputElement).validity.valid)).toBe(false);
  // Every disk contains files, so this alert is always raised.
  await threshold.fill('1');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByText('Alerts saved').waitFor();
  await page.getByText('Raised', { exact: true }).waitFor({ timeout: 60_000 });
  await visitor.expectAccessible();
  await page.goto(`${testBed.server.url}/console/projects/demo`);
  const attention = page.getByRole('link', { name: /Alerts: disk space\./ });
  await attention.waitFor({ timeout: 60_000 });
  await attention.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/console${ACTIVITY}/alerts`);
  await page.getByText('Raised', { exact: true }).waitFor();
});

test('[C258] the server’s own figures are shown with their units', async () => {
  const { page } = await testBed.visit(`${ACTIVITY}/server`);
  const textOf = (name: string) =>
    page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd').textContent();
  for (const name of ['Memory', 'Used database space', 'Free disk space'])
    expect(await textOf(name)).toMatch(/^[\d.]+ [kMGT]B$/);
  expect(await textOf('CPU')).toMatch(/^\d+%$/);
  expect(await textOf('Uptime')).toMatch(/^\d+ (second|minute)s?$/);
});

test.each([
  ['light', {}],
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
])('[C257] every section of activity passes the accessibility rules, %s', async (display, options) => {
  await writeRoom();
  await connectApp({ p: '/rooms', h: '' });
  const visitor = await testBed.visit(`${ACTIVITY}/live`, options);
  for (const section of ['live', 'connections', 'costs', 'queries', 'paths', 'server', 'alerts', 'audit']) {
    await visitor.page.goto(`${testBed.server.url}/console${ACTIVITY}/${section}`);
    await visitor.page.getByRole('tab', { selected: true }).waitFor();
    // A progress bar that has no value is a loading indicator; the meter of the disk always has one.
    await visitor.page
      .locator('[role=progressbar]:not([aria-valuenow])')
      .first()
      .waitFor({ state: 'detached' });
    await visitor.expectAccessible();
    await visitor.picture(`activity-${section}-${display}`);
  }
});
