import { beforeAll, expect, test } from 'vitest';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';
import { unsignedToken } from '../drivers/credentials.ts';

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

async function denyAs(database: string, uid: string, path: string): Promise<void> {
  const token = unsignedToken(uid, Math.floor(Date.now() / 1_000), { email: `${uid}@example.com` });
  const { status } = await fetch(`${testBed.server.url}${path}.json?ns=${database}&auth=${token}`);
  expect(status).toBe(401);
}

test('[C643][C644] denials are counted by rule and by user, and a group leads to its denials', async () => {
  const name = 'demo-denials-counted';
  const source = '{"rules":{"rooms":{"$room":{".read":"auth.uid === $room"}}}}';
  await testBed.admin('POST', `/api/databases/${name}/rules/publish`, { source });
  for (const uid of ['ann', 'ann', 'bob']) await denyAs(name, uid, '/rooms/hall');
  await denyAs(name, 'bob', '/elsewhere');
  const visitor = await testBed.visit(`/projects/demo/rules/${name}/denials`);
  const { page } = visitor;
  await page
    .getByRole('link', { name: /ann@example\.com/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'By rule' }).press('Enter');
  await page.waitForURL(/by=rule/);
  const groups = page.getByRole('list', { name: 'Groups of denials' }).getByRole('listitem');
  const first = groups.first();
  await first.getByText('3 denials').waitFor();
  await first.getByRole('heading', { name: '.read /rooms/$room' }).waitFor();
  await first.getByText('ann@example.com, bob@example.com').waitFor();
  await first.getByText('auth.uid === $room').waitFor();
  await first.getByRole('img', { name: 'Denials over time: 3 in total' }).waitFor();
  await groups.last().getByText('No rule applies').waitFor();
  await groups
    .last()
    .getByText(/needs a rule that allows it, at its path or above it/)
    .waitFor();
  await visitor.expectAccessible();
  await visitor.picture('rules-denials-groups-light');
  await page.getByRole('button', { name: 'By user' }).press('Enter');
  const groupOf = (name: RegExp) => groups.filter({ has: page.getByRole('heading', { name }) });
  await groupOf(/^bob@example\.com.*2 denials$/)
    .getByText(/\.read \/rooms\/\$room.*No rule applies|No rule applies.*\.read \/rooms\/\$room/)
    .waitFor();
  await groupOf(/^ann@example\.com.*2 denials$/)
    .getByRole('link', { name: 'Show denials' })
    .press('Enter');
  await page.waitForURL(/uid=ann/);
  const rows = page.getByRole('navigation', { name: 'Denials' }).getByRole('link');
  await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(2);
  await page.goto(`${testBed.server.url}/console/projects/demo/rules/${name}/denials?by=rule`);
  await groups.last().getByRole('link', { name: 'Show denials' }).press('Enter');
  await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(1);
});

test.each([
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
])('[C643] groups of denials pass the accessibility rules, %s', async (display, options) => {
  const name = 'demo-denials-shown';
  const source = '{"rules":{"rooms":{"$room":{".read":"auth.uid === $room"}}}}';
  await testBed.admin('POST', `/api/databases/${name}/rules/publish`, { source });
  await denyAs(name, 'ann', '/rooms/hall');
  await denyAs(name, 'bob', '/elsewhere');
  const visitor = await testBed.visit(`/projects/demo/rules/${name}/denials?by=rule`, options);
  await visitor.page
    .getByRole('img', { name: /^Denials over time|الرفض عبر الزمن/ })
    .first()
    .waitFor();
  await visitor.expectAccessible();
  await visitor.picture(`rules-denials-groups-${display}`);
});

test('[C512] a denied write without a recorded value is not simulated before the user enters the value', async () => {
  const name = 'demo-denials-simulated';
  const source = `{"rules":{"rooms":{".write":"newData.val() === null || auth.token.email === 'bob@example.com'"}}}`;
  await testBed.admin('POST', `/api/databases/${name}/rules/publish`, { source });
  const token = unsignedToken('carol', Math.floor(Date.now() / 1_000), { email: 'carol@example.com' });
  const { status } = await fetch(`${testBed.server.url}/rooms.json?ns=${name}&auth=${token}`, {
    method: 'PUT',
    body: '"x"',
  });
  expect(status).toBe(401);
  const { page } = await testBed.visit(`/projects/demo/rules/${name}/denials`);
  await page.getByRole('link', { name: '/rooms' }).click();
  await page.getByRole('link', { name: 'Open in simulator' }).click();
  await page.getByText('Value not recorded: enter one.').waitFor();
  expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
  expect(await page.getByText('Allowed.').count()).toBe(0);
  expect(page.url()).not.toContain('carol');
  await page.getByLabel('Value').fill('"x"');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('Denied.').waitFor();
  expect(page.url()).not.toContain('carol');
  await page.reload();
  await page.getByText('Denied.').waitFor();
  // The address alone, as in another window, does not contain the principal.
  const other = await testBed.visit(page.url().slice(page.url().indexOf('/projects')));
  await other.page.getByText('Value not recorded: enter one.').first().waitFor();
  expect(await other.page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
});

test.each([
  ['light', {}],
  ['dark', DARK],
  ['phone', { ...PHONE, viewport: { width: 360, height: 780 } }],
  ['ar', ARABIC],
])('[C900] a fix is suggested for a denial and opens as a draft, %s', async (display, options) => {
  const name = `demo-denials-fix-${display}`;
  const source =
    '{\n  "rules": {\n    "users": {\n      // each person\n      "$uid": { ".read": false }\n    }\n  }\n}\n';
  await testBed.admin('POST', `/api/databases/${name}/rules/publish`, { source });
  await denyAs(name, 'bob', '/users/ann');
  await denyAs(name, 'bob', '/users/bob');
  await denyAs(name, 'ann', '/users/ann');
  const visitor = await testBed.visit(`/projects/demo/rules/${name}/denials`, options);
  const { page } = visitor;
  const rows = page.getByRole('navigation').getByRole('link').filter({ hasText: '/users/ann' });
  await rows.filter({ hasText: 'ann@example.com' }).press('Enter');
  const texts =
    display === 'ar'
      ? { find: 'اقتراح إصلاح', open: 'فتح كمسودة', replayed: /المُعاد تشغيلها: (3|٣)/ }
      : {
          find: 'Suggest a fix',
          open: 'Open as draft',
          replayed: /Replayed operations: 3\. Newly allowed: 1 of this user, 1 of others\./,
        };
  await page.getByRole('button', { name: texts.find }).press('Enter');
  const section = page
    .getByRole('region')
    .filter({ has: page.getByRole('button', { name: texts.open }) })
    .last();
  await section.getByText('auth.uid === $uid', { exact: true }).first().waitFor();
  await section.getByText(texts.replayed).waitFor();
  await visitor.expectAccessible();
  await section.getByRole('button', { name: texts.open }).scrollIntoViewIfNeeded();
  await visitor.picture(`rules-denial-fix-${display}`);
  await section.getByRole('button', { name: texts.open }).press('Enter');
  await page.waitForURL(new RegExp(`${name}/edit$`));
  const editor = page.locator('.cm-content');
  await expect.poll(() => editor.textContent(), { timeout: 30_000 }).toContain('"auth.uid === $uid"');
  expect(await editor.textContent()).toContain('// each person');
  // Opening the draft publishes nothing.
  const published = await testBed.admin('GET', `/api/databases/${name}/rules/versions`);
  expect(published).toMatchObject({ versions: [{ id: 1 }] });
});

test('[C900] for a client that is not signed in, the reason why there is no fix is given', async () => {
  const name = 'demo-denials-no-fix';
  await testBed.admin('POST', `/api/databases/${name}/rules/publish`, { source: '{"rules":{}}' });
  const { status } = await fetch(`${testBed.server.url}/news.json?ns=${name}`);
  expect(status).toBe(401);
  const { page } = await testBed.visit(`/projects/demo/rules/${name}/denials`);
  await page.getByRole('link', { name: '/news' }).press('Enter');
  await page.getByRole('button', { name: 'Suggest a fix' }).press('Enter');
  await page.getByText(/No fix: the client was not signed in/).waitFor();
  expect(await page.getByRole('button', { name: 'Open as draft' }).count()).toBe(0);
});

test('[C901] the copied link to a denial names neither the user nor the path', async () => {
  const name = 'demo-denials-link';
  await testBed.admin('POST', `/api/databases/${name}/rules/publish`, { source: '{"rules":{}}' });
  await denyAs(name, 'carol', '/secret-path');
  const { page } = await testBed.visit(`/projects/demo/rules/${name}/denials?uid=carol&path=/secret-path`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('link', { name: '/secret-path' }).press('Enter');
  await page.getByRole('button', { name: 'Copy link without values' }).press('Enter');
  await page.getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${testBed.server.url}/console/projects/demo/rules/${name}/denials/1`);
  const other = await testBed.visit(new URL(copied).pathname.replace('/console', ''));
  await other.page.getByRole('region', { name: 'Denial 1' }).getByText('/secret-path').first().waitFor();
});

test('[C512] if the current rules allow a denied operation, the simulator says when it was denied', async () => {
  const name = 'demo-denials-since';
  await testBed.admin('POST', `/api/databases/${name}/rules/publish`, {
    source: '{"rules":{"open":{".read":"data.val() === true"}}}',
  });
  const { status } = await fetch(`${testBed.server.url}/open.json?ns=${name}`);
  expect(status).toBe(401);
  await testBed.admin('PUT', `/open.json?ns=${name}`, true);
  const { page } = await testBed.visit(`/projects/demo/rules/${name}/denials`);
  await page.getByRole('link', { name: '/open' }).click();
  await page.getByRole('link', { name: 'Open in simulator' }).click();
  await page.getByText('Allowed.', { exact: true }).waitFor();
  await page.getByText('This request is allowed now').waitFor();
});
