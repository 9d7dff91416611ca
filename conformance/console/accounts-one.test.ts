import { expect, test } from 'vitest';
import { waitForWholePage } from '../drivers/console/page.ts';
import { openAccountProject, openConsoleTestBed, person } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const PASSWORD = 'correct horse battery';

test('[C194] changes that another user has made are shown, and overwritten only on request', async () => {
  const { account, change, find } = await openAccountProject(testBed, 'edited', [
    person(1, { displayName: 'Ada' }),
  ]);
  const { page } = await testBed.visit(account('u0001'));
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Ada Byron');
  await change('u0001', { displayName: 'Augusta', phoneNumber: '+15550001111' });
  const profile = page.getByRole('region', { name: 'Profile' });
  await profile.getByRole('button', { name: 'Save', exact: true }).click();
  await profile.getByText('Name: Augusta').waitFor();
  expect(await find('u0001')).toMatchObject({ displayName: 'Augusta' });
  await profile.getByRole('button', { name: 'Overwrite with mine' }).click();
  await expect
    .poll(() => find('u0001'))
    .toMatchObject({ displayName: 'Ada Byron', phoneNumber: '+15550001111' });
  await expect.poll(() => page.getByLabel('Phone number').inputValue()).toBe('+15550001111');
});

test('[C195] claims are checked while the user types', async () => {
  const { account, find } = await openAccountProject(testBed, 'claims', [person(1)]);
  const { page } = await testBed.visit(account('u0001'));
  const claims = page.getByRole('region', { name: 'Custom claims' });
  const field = claims.getByLabel('Custom claims (JSON)');
  const save = claims.getByRole('button', { name: 'Save' });
  for (const [typed, message] of [
    ['{"role":', 'Not valid JSON'],
    ['{"sub": 1}', '“sub” is a reserved claim'],
    [`{"a": "${'x'.repeat(1_000)}"}`, '1,008 of 1,000 characters'],
  ] as const) {
    await field.fill(typed);
    await claims.getByText(message).waitFor();
    expect(await save.isDisabled()).toBe(true);
  }
  await field.fill('{ "role": "editor" }');
  await save.click();
  await expect.poll(() => find('u0001')).toMatchObject({ customAttributes: '{"role":"editor"}' });
});

test('[C196][C202] sessions are ended one by one and all together, and the history shows that they were revoked', async () => {
  const made = await fetch(`${testBed.server.url}/v1/accounts:signUp?key=any`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ann@example.com', password: PASSWORD }),
  });
  const { localId } = (await made.json()) as { readonly localId: string };
  for (const userAgent of [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'okhttp/4.12',
  ])
    await fetch(`${testBed.server.url}/v1/accounts:signInWithPassword?key=any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({ email: 'ann@example.com', password: PASSWORD }),
    });
  const visitor = await testBed.visit(`/projects/demo/accounts/${localId}`);
  const { page } = visitor;
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('Firefox 140 · Linux').waitFor();
  await visitor.expectAccessible();
  await visitor.picture('accounts-account-light');
  const row = sessions.getByRole('listitem').filter({ hasText: 'okhttp' });
  await row.getByRole('button', { name: 'End' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await row.waitFor({ state: 'detached' });
  await sessions.getByRole('button', { name: 'End all' }).click();
  await page
    .getByRole('dialog', { name: 'End 2 sessions?' })
    .getByRole('button', { name: 'End all' })
    .click();
  await sessions.getByText('No active sessions.').waitFor();
  const history = page.getByRole('region', { name: 'History' }).first();
  await history.getByRole('cell', { name: 'Session revoked' }).first().waitFor();
  await history.getByRole('cell', { name: 'Sign-up' }).waitFor();
});

test('[C645] the page of an account leads to the data as its user sees it, to its denials and connections, and to the audit log', async () => {
  const { localId } = Object(
    await testBed.admin('POST', '/v1/projects/demo/accounts', { email: 'links@example.com' }),
  );
  const visitor = await testBed.visit(`/projects/demo/accounts/${localId}`);
  const links = visitor.page.getByRole('navigation', { name: 'About this user' }).getByRole('link');
  await links.first().waitFor();
  await visitor.expectAccessible();
  const hrefs = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  expect(hrefs).toEqual([
    `/console/projects/demo/data/demo-default-rtdb?as=account%3A${localId}`,
    `/console/projects/demo/rules/demo-default-rtdb/denials?uid=${localId}`,
    `/console/projects/demo/activity/connections?database=demo-default-rtdb&uid=${localId}`,
    `/console/projects/demo/activity/audit?uid=${localId}`,
  ]);
  await links.last().press('Enter');
  await visitor.page.getByRole('cell', { name: /^Account created/ }).waitFor();
});

test('[C198] an account is disabled after a confirmation, and deleted after the user types its email address', async () => {
  const { account, find } = await openAccountProject(testBed, 'single', [person(1)]);
  const { page } = await testBed.visit(account('u0001'));
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect.poll(() => find('u0001')).toMatchObject({ disabled: true });
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('button', { name: 'Disable' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('person1@example.com');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No accounts yet').waitFor();
  expect(await find('u0001')).toBe(undefined);
});

test('[C199] if an account is deleted while its page is open, the page says so', async () => {
  const { account } = await openAccountProject(testBed, 'deleted', [person(1)]);
  const visitor = await testBed.visit(account('u0001'));
  const { page } = visitor;
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await testBed.admin('POST', '/v1/projects/deleted/accounts:delete', { localId: 'u0001' });
  await page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Account not found' }).waitFor();
  await page.getByRole('cell', { name: 'Account deleted' }).waitFor();
  await visitor.expectAccessible();
  await page.getByRole('link', { name: 'Show all accounts' }).click();
  await page.getByText('No accounts yet').waitFor();
});

test('[C203] a second factor is removed', async () => {
  const factor = { mfaEnrollmentId: 'm1', phoneInfo: '+15551234567', displayName: 'Work' };
  const { account, find } = await openAccountProject(testBed, 'factors', [
    person(1, { emailVerified: true, mfaInfo: [factor] }),
  ]);
  const { page } = await testBed.visit(account('u0001'));
  const factors = page.getByRole('region', { name: 'Second factors' });
  await factors.getByText('+15551234567 · Work').waitFor();
  await factors.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await factors.getByText('No second factor').waitFor();
  expect(await find('u0001')).toMatchObject({ mfaInfo: [] });
});

test('[C204] hostile names are shown as text', async () => {
  const displayName = '<img src=x onerror=alert(1)>\u202Eevil';
  const { list, account } = await openAccountProject(testBed, 'hostile', [
    { localId: '../a/b?c#d', displayName },
  ]);
  const visitor = await testBed.visit(list);
  const { page } = visitor;
  await page.getByRole('link', { name: '<img src=x onerror=alert(1)>⟨U+202E⟩evil' }).click();
  await page.getByRole('heading', { level: 1, name: '⟨U+202E⟩evil' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console${account('../a/b?c#d')}`);
  await visitor.expectAccessible();
});

test('[C205] a user who leaves a page with unsaved changes must confirm', async () => {
  const { account } = await openAccountProject(testBed, 'guarded', [person(1)]);
  const visitor = await testBed.visit(account('u0001'));
  const { page } = visitor;
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Ada');
  const areas = page.getByRole('navigation', { name: 'Main navigation' }).first();
  await areas.getByRole('link', { name: 'Rules' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.waitFor();
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await name.inputValue()).toBe('Ada');
  await areas.getByRole('link', { name: 'Rules' }).click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL('**/rules**');
});

test('[C206] a viewer sees accounts, and no button or field that changes them', async () => {
  const { list, account } = await openAccountProject(testBed, 'looked', [person(1, { displayName: 'Ada' })]);
  const visitor = await testBed.visit('/projects/looked');
  const { page } = visitor;
  await page.route('**/api/session', async (route) => {
    const response = await route.fetch();
    const session = Object(await response.json());
    await route.fulfill({ json: { ...session, projects: [{ id: 'looked', role: 'viewer' }] } });
  });
  await page.goto(`${testBed.server.url}/console${list}`);
  await page.getByRole('link', { name: 'person1@example.com' }).waitFor();
  await waitForWholePage(page);
  const main = page.getByRole('main');
  expect(await main.getByRole('checkbox').count()).toBe(0);
  expect(await main.getByRole('button', { name: /New|Import/ }).count()).toBe(0);
  await page.goto(`${testBed.server.url}/console${account('u0001')}`);
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await waitForWholePage(page);
  expect(await page.getByLabel('Name', { exact: true }).isEditable()).toBe(false);
  const changes = /Save|Delete|Disable|Remove|End|Set|Send|Create/;
  expect(await main.getByRole('button', { name: changes }).count()).toBe(0);
});

test('[C207] a link to reset a password is created and shown', async () => {
  const { account } = await openAccountProject(testBed, 'linked', [person(1)]);
  const visitor = await testBed.visit(account('u0001'));
  const { page } = visitor;
  await page.getByRole('button', { name: 'Create reset link' }).click();
  await page.getByRole('dialog', { name: 'Password reset link' }).getByText('mode=resetPassword').waitFor();
  await visitor.expectAccessible();
});
