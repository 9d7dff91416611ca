import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleMember, makeMember } from '../drivers/console/member.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';
import { totpCode, wrongTotpCode } from '../drivers/credentials.ts';

const PROJECT = 'hats';
const SETTINGS = `/projects/${PROJECT}/settings`;
const testBed = openConsoleTestBed({ command: 'serve', args: ['--public-url', 'http://127.0.0.1'] });

beforeAll(async () => {
  await testBed.admin('POST', '/api/projects', { id: PROJECT });
});

/** Enters the email address and the password, the password by keyboard alone. */
async function enterPassword(page: Page, { email, password }: ConsoleMember): Promise<void> {
  // A dialog of the view behind may also have a field for an address.
  await page.locator('input[autocomplete=username]').fill(email);
  await page.keyboard.press('Tab');
  await page.keyboard.insertText(password);
  await page.keyboard.press('Enter');
}

async function enterCode(page: Page, code: string): Promise<void> {
  const field = page.getByRole('textbox', { name: /^Code/ });
  await field.fill(code);
  await field.press('Enter');
}

async function signIn(page: Page, member: ConsoleMember): Promise<void> {
  await enterPassword(page, member);
  await page.getByText('Six digits').waitFor();
  await enterCode(page, await totpCode(member.secret ?? ''));
}

/** Simulates that the user returns to the window, which makes the console request what has changed. */
async function returnToWindow(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
}

async function waitForProject(page: Page): Promise<void> {
  await page.getByRole('heading', { name: `Project ${PROJECT}` }).waitFor();
}

function alertOf(page: Page): Promise<string | null> {
  return page.getByRole('alert').textContent();
}

test('[C17] a user requests an email to choose a password, and the page does not show whether the address has an account', async () => {
  const visitor = await testBed.visit(`${SETTINGS}/members`);
  const { page } = visitor;
  const forgot = page.getByRole('button', { name: 'Forgot password' });
  await forgot.press('Enter');
  const { email } = await makeMember(testBed, PROJECT, { role: 'viewer' });
  for (const address of [email, 'nobody@example.com']) {
    await page.locator('input[autocomplete=username]').fill(address);
    await forgot.press('Enter');
    await page.getByText(`If ${address} has an account, we sent`).waitFor();
  }
  await visitor.expectAccessible();
});

test('[C10][C11] a member signs in with a password and a code, and sees the page of the opened address', async () => {
  const owner = await makeMember(testBed, PROJECT, { role: 'owner' });
  const visitor = await testBed.visit(`${SETTINGS}/members`);
  const { page } = visitor;
  await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  await visitor.expectAccessible();
  await visitor.picture('sign-in-password-light');
  await enterPassword(page, { ...owner, password: 'another password' });
  await expect.poll(() => alertOf(page)).toContain('Wrong email or password');
  await enterPassword(page, owner);
  await page.getByText('Six digits').waitFor();
  await visitor.expectAccessible();
  await enterCode(page, await wrongTotpCode(owner.secret ?? ''));
  await expect.poll(() => alertOf(page)).toContain('Wrong or already used code');
  await enterCode(page, await totpCode(owner.secret ?? ''));
  await waitForProject(page);
  expect(new URL(page.url()).pathname).toBe(`/console${SETTINGS}/members`);
  await page.getByRole('button', { name: `Account: ${owner.email}` }).click();
  await page.getByRole('menu').getByText('Owner').waitFor();
  // The heading appears before the console is loaded again, and once more after that.
  const loaded = page.waitForEvent('load');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await loaded;
  await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  expect(visitor.complaints).toEqual([]);
});

test('[C12] a member without a second factor adds one, and sees recovery codes once', async () => {
  const editor = await makeMember(testBed, PROJECT, { role: 'editor', hasFactor: false });
  const visitor = await testBed.visit(SETTINGS);
  const { page } = visitor;
  await enterPassword(page, editor);
  await page.getByRole('heading', { name: 'Add a second factor' }).waitFor();
  const link = await page.getByRole('link', { name: 'Open authenticator app' }).getAttribute('href');
  await visitor.expectAccessible();
  await visitor.picture('sign-in-enrol-light');
  const secret = new URL(link ?? '').searchParams.get('secret') ?? '';
  await page.getByLabel('Code from the app').fill(await totpCode(secret));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  expect(await page.getByRole('listitem').count()).toBe(10);
  await visitor.expectAccessible();
  const code = await page.getByRole('listitem').first().textContent();
  await page.getByRole('button', { name: 'I saved the codes' }).press('Enter');
  await waitForProject(page);

  const elsewhere = await testBed.visit(SETTINGS);
  await enterPassword(elsewhere.page, editor);
  await elsewhere.page.getByText('Six digits').waitFor();
  await enterCode(elsewhere.page, code ?? '');
  await waitForProject(elsewhere.page);
});

/** Types into the element with the focus, and presses Enter. */
async function typeAndEnter(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('[C371] a member signs in with a password and a code by keyboard alone', async () => {
  const owner = await makeMember(testBed, PROJECT, { role: 'owner' });
  const { page } = await testBed.visit(SETTINGS);
  await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  await page.keyboard.type(owner.email);
  await page.keyboard.press('Tab');
  await typeAndEnter(page, owner.password);
  await page.getByText('Six digits').waitFor();
  await typeAndEnter(page, await totpCode(owner.secret ?? ''));
  await waitForProject(page);
});

test('[C370][C371] a member adds a second factor with a QR code, and signs in with a recovery code, by keyboard alone', async () => {
  const viewer = await makeMember(testBed, PROJECT, { role: 'viewer', hasFactor: false });
  const visitor = await testBed.visit(SETTINGS, DARK);
  const { page } = visitor;
  await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  await page.keyboard.type(viewer.email);
  await page.keyboard.press('Tab');
  await typeAndEnter(page, viewer.password);
  await page.getByRole('heading', { name: 'Add a second factor' }).waitFor();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const link = await page.getByRole('link', { name: 'Open authenticator app' }).getAttribute('href');
  await visitor.expectAccessible();
  await visitor.picture('sign-in-enrol-dark');
  const secret = new URL(link ?? '').searchParams.get('secret') ?? '';
  await typeAndEnter(page, await totpCode(secret));
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  const recoveryCode = (await page.getByRole('listitem').first().textContent()) ?? '';
  const done = page.getByRole('button', { name: 'I saved the codes' });
  while (!(await done.evaluate((button) => button === document.activeElement)))
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForProject(page);

  const elsewhere = (await testBed.visit(SETTINGS)).page;
  await elsewhere.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  await elsewhere.keyboard.type(viewer.email);
  await elsewhere.keyboard.press('Tab');
  await typeAndEnter(elsewhere, viewer.password);
  await elsewhere.getByText('Six digits').waitFor();
  await typeAndEnter(elsewhere, recoveryCode);
  await waitForProject(elsewhere);
});

test('[C13] a user who is not a member, or who enters an unknown project, sees a message that says what to do', async () => {
  const stranger = await makeMember(testBed, PROJECT, {});
  const visitor = await testBed.visit('/?project=no-such-project');
  const { page } = visitor;
  await expect.poll(() => alertOf(page)).toContain('This server has no project “no-such-project”');
  await visitor.expectAccessible();
  await page.getByLabel('Project ID').fill(PROJECT);
  await page.keyboard.press('Enter');
  await enterPassword(page, stranger);
  await page.getByRole('heading', { name: 'You are not a member' }).waitFor();
  await visitor.expectAccessible();
  const loaded = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await loaded;
  await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
});

test('[C14] when the session ends, the member signs in again over the view, which stays as it is', async () => {
  const owner = await makeMember(testBed, PROJECT, { role: 'owner' });
  const { page } = await testBed.visit(`${SETTINGS}/members`);
  await signIn(page, owner);
  await waitForProject(page);
  await page.getByRole('button', { name: 'Add member' }).click();
  await page.getByRole('dialog').getByRole('textbox').first().fill('somebody@example.com');
  const validSince = String(Math.floor(Date.now() / 1_000) + 1);
  await testBed.admin('POST', `/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:update`, {
    localId: owner.uid,
    validSince,
  });
  await returnToWindow(page);
  await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  await enterPassword(page, owner);
  await page.getByText('Six digits').waitFor();
  await enterCode(page, await totpCode(owner.secret ?? '', 1));
  await expect
    .poll(() => page.getByRole('dialog').getByRole('textbox').first().inputValue())
    .toBe('somebody@example.com');
});

test('[C15] a removed member loses access, and a member who becomes a viewer loses the buttons for changes', async () => {
  const member = await makeMember(testBed, PROJECT, { role: 'owner' });
  const { page } = await testBed.visit(`${SETTINGS}/members`);
  await signIn(page, member);
  await page.getByRole('button', { name: 'Add member' }).waitFor();
  const path = `/api/projects/${PROJECT}/members/${member.uid}`;
  await testBed.admin('PATCH', path, { role: 'viewer' });
  await returnToWindow(page);
  await page.getByRole('button', { name: 'Add member' }).waitFor({ state: 'detached' });
  await testBed.admin('DELETE', path);
  await returnToWindow(page);
  await page.getByRole('heading', { name: 'You are not a member' }).waitFor();
});

test.each([
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
] as const)('[C10] the sign-in passes the accessibility rules: %s', async (name, display) => {
  const visitor = await testBed.visit(`/projects/${PROJECT}`, display);
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  await visitor.expectAccessible();
  await visitor.picture(`sign-in-password-${name}`);
});
