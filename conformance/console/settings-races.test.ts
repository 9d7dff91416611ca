import type { Locator, Request } from 'playwright';
import { expect, test } from 'vitest';
import { hasFocus } from '../drivers/console/keyboard.ts';
import { holdRequests } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { openRawSocket } from '../drivers/socket.ts';

const testBed = openConsoleTestBed();
const DATABASE = 'demo-default-rtdb';

function isWrite(request: Request): boolean {
  return request.method() !== 'GET';
}

function readConfig(project: string): Promise<unknown> {
  return testBed.admin('GET', `/v2/projects/${project}/config`);
}

test('[C431] changes that the user makes while settings are being saved stay as unsaved changes', async () => {
  const { page } = await testBed.visit('/projects/typing/sign-in/mail');
  const release = await holdRequests(page, '**/config*', isWrite);
  const app = page.getByLabel('App name');
  const reply = page.getByLabel('Reply-to address');
  const changes = page.getByRole('region', { name: 'Unsaved changes' });
  const save = changes.getByRole('button', { name: 'Save' });
  await app.fill('Hat');
  await page.getByLabel('Sender name').fill('Hatter');
  await Promise.all([page.waitForRequest(isWrite), save.click()]);
  await app.fill('Hats');
  await reply.fill('hats@example.com');
  release();
  await page.getByText('App name: Hat → Hats').waitFor();
  await changes.getByText('2 unsaved changes').waitFor();
  expect(await readConfig('typing')).toMatchObject({
    notification: { sendEmail: { hearth: { appName: 'Hat', senderName: 'Hatter' } } },
  });
  expect([await app.inputValue(), await reply.inputValue()]).toEqual(['Hats', 'hats@example.com']);
  await save.click();
  await changes.waitFor({ state: 'detached' });
  expect(await readConfig('typing')).toMatchObject({
    notification: { sendEmail: { hearth: { appName: 'Hats', replyTo: 'hats@example.com' } } },
  });
});

test('[C431] a change that the user reverts while it is saved counts as unsaved, and the save shortcut saves once', async () => {
  const { page } = await testBed.visit('/projects/taking/sign-in');
  const release = await holdRequests(page, '**/config*', isWrite);
  const writes: Request[] = [];
  page.on('request', (request) => {
    if (isWrite(request)) writes.push(request);
  });
  const anonymous = page.getByRole('switch', { name: 'Anonymous' });
  await anonymous.click();
  await page.keyboard.press('Control+s');
  await expect.poll(() => writes).toHaveLength(1);
  await page.getByRole('switch', { name: 'Users can sign up' }).click();
  await page.keyboard.press('Control+s');
  await anonymous.click();
  release();
  await page.getByText('Anonymous: off → on').waitFor();
  await page.getByText('2 unsaved changes').waitFor();
  expect(writes).toHaveLength(1);
  expect(await readConfig('taking')).toMatchObject({ signIn: { anonymous: { enabled: false } } });
});

test('[C432] the dialog of the denial log settings stays open until the settings are saved', async () => {
  const { page } = await testBed.visit('/projects/demo/rules/demo-denials/denials');
  const release = await holdRequests(page, '**/denials/settings', isWrite);
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Denial log settings' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectStaysOpen(dialog);
  release();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('Settings saved.').waitFor();
});

test('[C432] creating a project neither leaves nor closes a view that the user has opened in the meantime', async () => {
  const { page } = await testBed.visit('/projects/demo');
  const release = await holdRequests(page, '**/api/projects', isWrite);
  await page.getByRole('button', { name: 'Project: demo' }).click();
  await page.getByRole('menuitem', { name: 'New project…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New project…' });
  await dialog.getByRole('textbox').fill('slow');
  await dialog.getByRole('textbox').press('Enter');
  await expectStaysOpen(dialog);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await palette.waitFor();
  const requested = page.waitForResponse('**/api/session');
  release();
  await requested;
  await palette.getByRole('combobox').fill('overview');
  await palette.getByRole('option').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/projects/demo');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Project: demo' }).click();
  await page.getByRole('menuitem', { name: 'slow', exact: true }).waitFor();
});

test('[C434] a name that the user is typing stays, and keeps the focus, while another window saves a query', async () => {
  const { page } = await testBed.visit(`/projects/demo/data/${DATABASE}`);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await page.getByRole('button', { name: 'Saved queries' }).click();
  const dialog = page.getByRole('dialog', { name: 'Saved queries' });
  const field = dialog.getByRole('textbox', { name: 'Name of the current view' });
  await field.fill('min');
  await other.getByRole('button', { name: 'Saved queries' }).click();
  const inOther = other.getByRole('dialog', { name: 'Saved queries' });
  await inOther.getByRole('textbox').fill('theirs');
  await inOther.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('link', { name: 'theirs' }).waitFor();
  expect(await field.inputValue()).toBe('min');
  await page.keyboard.type('e');
  await page.keyboard.press('Enter');
  await dialog.getByRole('link', { name: 'mine' }).waitFor();
  await expect.poll(() => hasFocus(field)).toBe(true);
  expect(await field.inputValue()).not.toBe('mine');
});

test('[C436] the details of a connection stay unchanged while their dialog closes', async () => {
  await testBed.admin('PUT', `/rooms/lobby.json?ns=${DATABASE}`, { topic: 'hello' });
  const app = await openRawSocket(DATABASE, { url: testBed.server.url });
  await app.request('q', { p: '/rooms', h: '' });
  const { page } = await testBed.visit('/projects/demo/activity/connections', {
    reducedMotion: 'no-preference',
  });
  await page.getByRole('button', { name: /^Details:/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Connection \d+$/ });
  await dialog.getByRole('link', { name: '/rooms' }).waitFor();
  const before = await dialog.textContent();
  const watch = await watchUntilRemoved(dialog);
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(new Set(await watch())).toEqual(new Set([before]));
});

/** Fails unless a dialog that has begun to save stays open despite Escape and a click outside. */
async function expectStaysOpen(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await dialog.page().keyboard.press('Escape');
  await dialog.page().mouse.click(1, 1);
  // This time is long enough for a dialog that closes to disappear.
  await dialog.page().waitForTimeout(500);
  expect(await dialog.isVisible()).toBe(true);
}

/**
 * Records the text of a dialog in each frame from now on. The returned function waits until the dialog is gone, and
 * resolves to the texts.
 */
async function watchUntilRemoved(dialog: Locator): Promise<() => Promise<readonly string[]>> {
  const handle = await dialog.elementHandle();
  if (handle === null) throw new Error('The page has no dialog.');
  const seen = await handle.evaluateHandle((element) => {
    const texts: string[] = [];
    const gone = new Promise<readonly string[]>((resolve) => {
      function recordText(): void {
        if (!element.isConnected) {
          resolve(texts);
          return;
        }
        const isLoading = element.querySelector('[role=progressbar]') !== null;
        texts.push(isLoading ? 'loading' : (element.textContent ?? ''));
        requestAnimationFrame(recordText);
      }
      recordText();
    });
    return { gone };
  });
  return () => seen.evaluate(({ gone }) => gone);
}
