import { expect, test } from 'vitest';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, type ConsoleVisitor, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();
const SETTINGS = '/projects/demo/settings';

async function createAccount(email: string): Promise<void> {
  await testBed.admin('POST', '/v1/projects/demo/accounts', {
    email,
    password: 'secret123',
    emailVerified: true,
  });
}

/** Presses a button with the keyboard alone. */
async function press({ page }: ConsoleVisitor, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
}

test('[C280] a member is added, given another role and removed, by keyboard alone', async () => {
  await createAccount('ann@example.com');
  await createAccount('bob@example.com');
  const visitor = await testBed.visit(`${SETTINGS}/members`);
  const { page } = visitor;
  for (const [email, role] of [
    ['ann@example.com', 'Owner'],
    ['bob@example.com', 'Viewer'],
  ] as const) {
    await press(visitor, 'Add member');
    const dialog = page.getByRole('dialog', { name: 'Add member' });
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('radio', { name: new RegExp(`^${role}:`) }).press('Space');
    await visitor.expectAccessible();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('cell', { name: email, exact: true }).waitFor();
  }
  await visitor.expectAccessible();
  await visitor.picture('project-member-added-light');
  const role = page.getByRole('combobox', { name: 'Role of bob@example.com' });
  await role.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Editor' }).press('Enter');
  await press(visitor, 'Change role');
  await expect.poll(() => role.textContent()).toBe('Editor');
  await press(visitor, 'Remove bob@example.com');
  await press(visitor, 'Remove member');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('cell', { name: 'bob@example.com', exact: true }).waitFor({ state: 'detached' });
  await visitor.expectAccessible();
  await visitor.picture('project-members-light');
});

test('[C376] a note says that the password of a new member was not set through an email, and its button sends an email to set it', async () => {
  await createAccount('eve@example.com');
  const visitor = await testBed.visit(`${SETTINGS}/members`);
  const { page } = visitor;
  await press(visitor, 'Add member');
  await page.getByRole('dialog').getByLabel('Email').fill('eve@example.com');
  await page.keyboard.press('Enter');
  const note = page.getByRole('status').filter({ hasText: 'eve@example.com is now a member.' });
  await note.getByText('the password was not set through an email').waitFor();
  await press(visitor, 'Send reset email');
  await page.getByText('Password reset email queued for eve@example.com.').waitFor();
  const codes = await testBed.admin('GET', '/emulator/v1/projects/demo/oobCodes');
  expect(codes).toMatchObject({
    oobCodes: [{ requestType: 'PASSWORD_RESET', email: 'eve@example.com' }],
  });
  await note.getByRole('button', { name: 'Close' }).press('Enter');
  await note.waitFor({ state: 'detached' });
  await press(visitor, 'Remove eve@example.com');
  await press(visitor, 'Remove member');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('cell', { name: 'eve@example.com', exact: true }).waitFor({ state: 'detached' });
});

test('[C281] the last owner can be neither removed nor given another role', async () => {
  const { page } = await testBed.visit(`${SETTINGS}/members`);
  expect(await page.getByRole('button', { name: 'Remove ann@example.com' }).isDisabled()).toBe(true);
  const role = page.getByRole('combobox', { name: 'Role of ann@example.com' });
  expect(await role.getAttribute('aria-disabled')).toBe('true');
});

test('[C282] a user without an account cannot be made a member: the dialog stays open, and shows an error', async () => {
  const visitor = await testBed.visit(`${SETTINGS}/members`);
  await press(visitor, 'Add member');
  const dialog = visitor.page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('nobody@example.com');
  await visitor.page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.isVisible()).toBe(true);
});

test('[C283] a database is created, measured, and erased only after the user types its name', async () => {
  const visitor = await testBed.visit(`${SETTINGS}/databases`);
  const { page } = visitor;
  await press(visitor, 'New database');
  await page.getByRole('dialog').getByLabel('Name').fill('demo-second');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'demo-second' }).waitFor();
  await testBed.admin('PUT', '/rooms.json?ns=demo-second', { lobby: 'x'.repeat(2_000) });
  await page.reload();
  await page
    .getByRole('row', { name: /demo-second/ })
    .getByText('2 kB')
    .waitFor();
  await visitor.expectAccessible();
  await page.getByRole('tab', { name: 'Danger zone' }).click();
  await press(visitor, 'Erase all data: demo-second');
  const dialog = page.getByRole('dialog');
  const button = dialog.getByRole('button', { name: 'Erase all data' });
  await dialog.getByText('2 kB').waitFor();
  expect(await button.isDisabled()).toBe(true);
  await visitor.expectAccessible();
  await dialog.getByRole('textbox').fill('demo-second');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  expect(await testBed.admin('GET', '/.json?ns=demo-second')).toBe(null);
});

test('[C285][C286] a tenant is created, its account is added and opened, and it is changed and deleted, by keyboard alone', async () => {
  const visitor = await testBed.visit(`${SETTINGS}/tenants`);
  const { page } = visitor;
  await press(visitor, 'New tenant');
  const created = page.getByRole('dialog', { name: 'New tenant' });
  await created.getByLabel('Name').fill('Acme');
  await created.getByRole('checkbox', { name: 'Anonymous' }).press('Space');
  await page.keyboard.press('Enter');
  await created.waitFor({ state: 'hidden' });
  await page.getByRole('cell', { name: 'Password, Anonymous', exact: true }).waitFor();
  await visitor.expectAccessible();
  await visitor.picture('project-tenants-light');
  await page.getByRole('link', { name: 'Accounts of Acme' }).press('Enter');
  await expect.poll(() => page.getByRole('combobox', { name: 'Tenant' }).textContent()).toBe('Acme');
  await press(visitor, 'New account');
  const account = page.getByRole('dialog', { name: 'New account' });
  await account.getByLabel('Email').fill('eve@acme.example');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'eve@acme.example' }).waitFor();
  await page.getByText('account created', { exact: false }).first().waitFor();
  await visitor.expectAccessible();
  const tenant = new URL(page.url()).searchParams.get('tenant') ?? '';
  expect(
    await testBed.admin('POST', '/v1/projects/demo/accounts:lookup', { email: ['eve@acme.example'] }),
  ).toEqual({ kind: 'identitytoolkit#GetAccountInfoResponse' });
  await page.goto(`${testBed.server.url}/console/projects/demo/accounts?tenant=${tenant}`);
  await page.getByRole('link', { name: 'eve@acme.example' }).waitFor();
  await page.getByRole('combobox', { name: 'Tenant' }).press('Enter');
  await page.getByRole('option', { name: 'Without a tenant' }).press('Enter');
  await page.getByRole('link', { name: 'eve@acme.example' }).waitFor({ state: 'detached' });
  await page.goto(`${testBed.server.url}/console${SETTINGS}/tenants`);
  await press(visitor, 'Change Acme');
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /^Disable the tenant/ })
    .press('Space');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'Disabled', exact: true }).waitFor();
  await press(visitor, 'Delete Acme');
  await page.getByRole('dialog').getByRole('textbox').fill(tenant);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No tenants' }).waitFor();
});

test.each([
  ['light', {}],
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
])('[C284] every section about a project passes the accessibility rules, %s', async (display, options) => {
  const visitor = await testBed.visit(`${SETTINGS}/members`, options);
  for (const section of ['members', 'keys', 'service-accounts', 'tenants', 'databases', 'erase']) {
    await visitor.page.goto(`${testBed.server.url}/console${SETTINGS}/${section}`);
    await visitor.page.getByRole('tab', { selected: true }).waitFor();
    await visitor.page.getByRole('progressbar').first().waitFor({ state: 'detached' });
    await visitor.expectAccessible();
    await visitor.picture(`project-${section}-${display}`);
  }
});
