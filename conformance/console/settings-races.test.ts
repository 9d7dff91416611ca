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

test('[C431] settings that are changed while others are saved stay, as changes that are not saved', async () => {
  const { page } = await testBed.visit('/projects/typing/sign-in/mail');
  const letGo = await holdRequests(page, '**/config*', isWrite);
  const app = page.getByLabel('App name');
  const reply = page.getByLabel('Reply-to address');
  const changes = page.getByRole('region', { name: 'Unsaved changes' });
  const save = changes.getByRole('button', { name: 'Save' });
  await app.fill('Hat');
  await page.getByLabel('Sender name').fill('Hatter');
  await Promise.all([page.waitForRequest(isWrite), save.click()]);
  await app.fill('Hats');
  await reply.fill('hats@example.com');
  letGo();
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

test('[C431] a setting that is taken back while it is saved is a change, and keys that save do it once', async () => {
  const { page } = await testBed.visit('/projects/taking/sign-in');
  const letGo = await holdRequests(page, '**/config*', isWrite);
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
  letGo();
  await page.getByText('Anonymous: off → on').waitFor();
  await page.getByText('2 unsaved changes').waitFor();
  expect(writes).toHaveLength(1);
  expect(await readConfig('taking')).toMatchObject({ signIn: { anonymous: { enabled: false } } });
});

test('[C432] settings of denials stay until they are saved, and are closed by no older answer', async () => {
  const { page } = await testBed.visit('/projects/demo/rules/demo-denials/denials');
  const letGo = await holdRequests(page, '**/denials/settings', isWrite);
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Denial log settings' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectKept(dialog);
  letGo();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('Settings saved.').waitFor();
});

test('[C432] a new project takes nobody away from what they have opened meanwhile, nor closes it', async () => {
  const { page } = await testBed.visit('/projects/demo');
  const letGo = await holdRequests(page, '**/api/projects', isWrite);
  await page.getByRole('button', { name: 'Project: demo' }).click();
  await page.getByRole('menuitem', { name: 'New project…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New project…' });
  await dialog.getByRole('textbox').fill('slow');
  await dialog.getByRole('textbox').press('Enter');
  await expectKept(dialog);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await palette.waitFor();
  const asked = page.waitForResponse('**/api/session');
  letGo();
  await asked;
  await palette.getByRole('combobox').fill('overview');
  await palette.getByRole('option').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/projects/demo');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Project: demo' }).click();
  await page.getByRole('menuitem', { name: 'slow', exact: true }).waitFor();
});

test('[C434] a name stays as it is typed while another window saves a query, and has the keyboard', async () => {
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

test('[C436] the details of a connection stay as they are while their dialog leaves the screen', async () => {
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

/** Fails unless a dialog that has begun something stays, whatever would close it. */
async function expectKept(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await dialog.page().keyboard.press('Escape');
  await dialog.page().mouse.click(1, 1);
  // It has left the screen by then, if it does.
  await dialog.page().waitForTimeout(500);
  expect(await dialog.isVisible()).toBe(true);
}

/** What a dialog says, in each picture of it from now on until it is gone; what it returns waits for that. */
async function watchUntilRemoved(dialog: Locator): Promise<() => Promise<readonly string[]>> {
  const handle = await dialog.elementHandle();
  if (handle === null) throw new Error('There is no dialog.');
  const seen = await handle.evaluateHandle((element) => {
    const texts: string[] = [];
    const gone = new Promise<readonly string[]>((resolve) => {
      function display(): void {
        if (!element.isConnected) {
          resolve(texts);
          return;
        }
        const isLoading = element.querySelector('[role=progressbar]') !== null;
        texts.push(isLoading ? 'loading' : (element.textContent ?? ''));
        requestAnimationFrame(display);
      }
      display();
    });
    return { gone };
  });
  return () => seen.evaluate(({ gone }) => gone);
}
