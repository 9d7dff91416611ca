import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { Keyboard } from '../drivers/console/keyboard.ts';
import { makeMember } from '../drivers/console/member.ts';
import { buttonOf, rulesEditor } from '../drivers/console/page.ts';
import { openAccountProject, openConsoleTestBed, person } from '../drivers/console/test-bed.ts';
import { totpCode } from '../drivers/credentials.ts';

const PASSWORD = 'correct horse battery';

describe('without sign-in', () => {
  const testBed = openConsoleTestBed();

  async function open(view: string): Promise<{ readonly page: Page; readonly keys: Keyboard }> {
    const { page } = await testBed.visit(view);
    return { page, keys: new Keyboard(page) };
  }

  async function openRules(tab: string): Promise<{ readonly page: Page; readonly keys: Keyboard }> {
    for (const read of ['false', 'true'])
      await testBed.admin('POST', '/api/databases/keys/rules/publish', {
        source: `{"rules": {".read": ${read}}}`,
      });
    return open(`/projects/demo/rules/keys/${tab}`);
  }

  function readConfig(): Promise<unknown> {
    return testBed.admin('GET', '/v2/projects/demo/config');
  }

  test('[C392] by keyboard, rules are edited and published, and an earlier version is published again', async () => {
    const { page, keys } = await openRules('edit');
    await keys.fill(rulesEditor(page), '{"rules": {".read": "auth != null"}}');
    await page.getByText('stored in this browser').waitFor();
    await keys.enter(buttonOf(page, 'Publish'));
    const dialog = page.getByRole('dialog', { name: /^Publish the rules/ });
    await keys.fill(dialog.getByLabel('Message'), 'members only');
    await expect.poll(() => buttonOf(dialog, /^Publish/).isEnabled()).toBe(true);
    await keys.press('Enter');
    await page.getByText('Version 3 published.').waitFor();
    await keys.enter(page.getByRole('tab', { name: 'Versions' }));
    await keys.enter(page.getByRole('link', { name: /Version 1/ }));
    await keys.enter(buttonOf(page, 'Roll back'));
    await page.getByRole('dialog').getByText('1 line added.').waitFor();
    await keys.press('Enter');
    await page.getByRole('link', { name: /Version 4.*rules of version 1/ }).waitFor();
  });

  test('[C392] by keyboard, an operation is simulated, and a test case is written', async () => {
    const { page, keys } = await openRules('simulator');
    await keys.enter(page.getByRole('combobox', { name: 'Operation' }));
    await keys.choose('Read');
    await keys.fill(page.getByLabel('Path'), '/rooms');
    await keys.enter(buttonOf(page, 'Signed-in user'));
    await keys.fill(page.getByLabel('auth', { exact: true }), '{"uid": "ada"}');
    await keys.enter(buttonOf(page, 'Run'));
    await page.getByText('Allowed.').waitFor();
    await keys.enter(page.getByRole('tab', { name: 'Test cases' }));
    await keys.fill(
      rulesEditor(page, 'Test case file'),
      '{"cases": [{"as": "ada", "read": "/", "expect": "allow"}]}',
    );
    await page.getByText('1 case passes').waitFor();
  });

  test('[C393] by keyboard, an account is created, changed, given claims, disabled, enabled and deleted', async () => {
    const { list, find } = await openAccountProject(testBed, 'keys', [person(1)]);
    const { page, keys } = await open(list);
    await page.getByRole('row', { name: 'person1@example.com' }).waitFor();
    await keys.press('n');
    await page.getByRole('dialog', { name: 'New account' }).waitFor();
    await keys.type('ada@example.com');
    await keys.fill(page.getByRole('dialog').getByLabel('User ID'), 'ada');
    await keys.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor();
    const profile = page.getByRole('region', { name: 'Profile' });
    await keys.fill(profile.getByLabel('Name', { exact: true }), 'Ada');
    await keys.enter(buttonOf(profile, 'Save'));
    await expect.poll(() => find('ada')).toMatchObject({ displayName: 'Ada' });
    const claims = page.getByRole('region', { name: 'Custom claims' });
    await keys.fill(claims.getByLabel('Custom claims (JSON)'), '{"role": "editor"}');
    await keys.enter(buttonOf(claims, 'Save'));
    await expect.poll(() => find('ada')).toMatchObject({ customAttributes: '{"role":"editor"}' });
    await keys.enter(buttonOf(page, 'Disable'));
    await page.getByRole('dialog').waitFor();
    await keys.press('Enter');
    await expect.poll(() => find('ada')).toMatchObject({ disabled: true });
    await keys.enter(buttonOf(page, 'Enable'));
    await expect.poll(() => find('ada')).not.toMatchObject({ disabled: true });
    await keys.enter(buttonOf(page, 'Delete'));
    await page.getByRole('dialog').waitFor();
    await keys.type('ada@example.com');
    await keys.press('Enter');
    await page.getByRole('row', { name: 'person1@example.com' }).waitFor();
    expect(await find('ada')).toBe(undefined);
  });

  test('[C393] by keyboard, several accounts are selected and disabled together', async () => {
    const { list, find } = await openAccountProject(testBed, 'many', [person(1), person(2), person(3)]);
    const { page, keys } = await open(list);
    await keys.reach(page.getByRole('row', { name: 'person1@example.com' }));
    await keys.press('Space', 'ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('person2');
    await keys.press('Space');
    await keys.enter(
      buttonOf(page.getByRole('region', { name: 'Actions for selected accounts' }), 'Disable'),
    );
    const dialog = page.getByRole('dialog', { name: 'Disable 2 accounts?' });
    await keys.enter(buttonOf(dialog, 'Disable'));
    await dialog.getByText('2 accounts updated').waitFor();
    await keys.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect(await find('u0002')).toMatchObject({ disabled: true });
    expect(await find('u0003')).not.toMatchObject({ disabled: true });
  });

  test('[C394] by keyboard, a sign-in method is disabled, and the text of a mail is changed', async () => {
    const { page, keys } = await open('/projects/demo/sign-in');
    await keys.reach(page.getByRole('switch', { name: 'Anonymous' }));
    await keys.press('Space');
    const changes = page.getByRole('region', { name: 'Unsaved changes' });
    await keys.enter(buttonOf(changes, 'Save'));
    await changes.waitFor({ state: 'detached' });
    await keys.enter(page.getByRole('tab', { name: 'Templates' }));
    await keys.enter(page.getByRole('combobox', { name: 'Email', exact: true }));
    await keys.choose('Password reset');
    await keys.fill(page.getByLabel('Subject'), 'Back to %APP_NAME%');
    await page.getByText('Back to demo').waitFor();
    await keys.enter(buttonOf(changes, 'Save'));
    await changes.waitFor({ state: 'detached' });
    expect(JSON.stringify(await readConfig())).toContain('Back to %APP_NAME%');
    expect(await readConfig()).toMatchObject({ signIn: { anonymous: { enabled: false } } });
  });

  test('[C395] by keyboard, members are added, given a role and removed, and a database is created and erased', async () => {
    for (const email of ['ann@example.com', 'bob@example.com'])
      await testBed.admin('POST', '/v1/projects/demo/accounts', {
        email,
        password: PASSWORD,
        emailVerified: true,
      });
    await testBed.admin('POST', '/api/projects/demo/members', { email: 'ann@example.com', role: 'owner' });
    const { page, keys } = await open('/projects/demo/settings/members');
    await keys.enter(buttonOf(page, 'Add member'));
    const dialog = page.getByRole('dialog');
    await keys.fill(dialog.getByLabel('Email'), 'bob@example.com');
    await keys.reach(dialog.getByRole('radio', { checked: true }));
    await keys.press('ArrowUp', 'Enter');
    const role = page.getByRole('combobox', { name: 'Role of bob@example.com' });
    await expect.poll(() => role.textContent()).toBe('Editor');
    await dialog.waitFor({ state: 'hidden' });
    await keys.enter(role);
    await keys.choose('Viewer');
    await page.getByRole('dialog', { name: 'Change the role of bob@example.com?' }).waitFor();
    await keys.press('Enter');
    await expect.poll(() => role.textContent()).toBe('Viewer');
    await dialog.waitFor({ state: 'hidden' });
    await keys.enter(buttonOf(page, 'Remove bob@example.com'));
    await keys.enter(buttonOf(dialog, 'Remove member'));
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('cell', { name: 'bob@example.com', exact: true }).waitFor({ state: 'detached' });
    await keys.enter(page.getByRole('tab', { name: 'Databases' }));
    await keys.enter(buttonOf(page, 'New database'));
    await dialog.waitFor();
    await keys.type('gone');
    await keys.press('Enter');
    await page.getByRole('cell', { name: 'demo-gone' }).waitFor();
    await testBed.admin('PUT', '/a.json?ns=demo-gone', 1);
    await keys.enter(page.getByRole('tab', { name: 'Danger zone' }));
    await keys.enter(buttonOf(page, 'Erase all data: demo-gone'));
    await dialog.waitFor();
    await keys.type('demo-gone');
    await keys.press('Enter');
    await page.getByText('All data of demo-gone erased.').waitFor();
    expect(await testBed.admin('GET', '/.json?ns=demo-gone')).toBe(null);
  });
});

describe('with members who sign in', () => {
  const testBed = openConsoleTestBed({ command: 'serve', args: ['--public-url', 'http://127.0.0.1'] });

  test('[C395] by keyboard, a member signs in, creates keys, removes one and signs out', async () => {
    await testBed.admin('POST', '/api/projects', { id: 'hats' });
    const { email, password, secret } = await makeMember(testBed, 'hats', { role: 'owner' });
    const { page } = await testBed.visit('/projects/hats/settings/keys');
    const keys = new Keyboard(page);
    await keys.fill(page.locator('input[autocomplete=username]'), email);
    await keys.fill(page.locator('input[autocomplete=current-password]'), password);
    await keys.press('Enter');
    await keys.fill(page.getByRole('textbox', { name: /^Code/ }), await totpCode(secret ?? ''));
    await keys.press('Enter');
    await keys.enter(buttonOf(page, 'New key'));
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await keys.press('Enter');
    const remove = buttonOf(page, /^Remove key/);
    await expect.poll(() => remove.count()).toBe(2);
    await dialog.waitFor({ state: 'hidden' });
    const name = await remove.last().getAttribute('aria-label');
    await keys.enter(remove.last());
    await dialog.waitFor();
    await keys.type(name?.slice(-6) ?? '');
    await keys.press('Enter');
    await expect.poll(() => remove.count()).toBe(1);
    await dialog.waitFor({ state: 'hidden' });
    await keys.enter(page.getByRole('tab', { name: 'Service accounts' }));
    await keys.enter(buttonOf(page, 'New key'));
    await dialog.waitFor();
    const download = page.waitForEvent('download');
    await keys.enter(buttonOf(dialog, 'Create and save key'));
    expect((await download).suggestedFilename()).toMatch(/^admin@.*\.json$/);
    await dialog.waitFor({ state: 'hidden' });
    await keys.enter(buttonOf(page, `Account: ${email}`));
    // The heading appears before the console is loaded again, and once more after that.
    const loaded = page.waitForEvent('load');
    await keys.choose('Sign out');
    await loaded;
    await page.getByRole('heading', { name: 'Sign in to hats' }).waitFor();
  });
});
