import { expect, test } from 'vitest';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();

const SECTIONS = [
  'methods',
  'domains',
  'passwords',
  'second-factor',
  'mail',
  'templates',
  'providers',
  'phone',
  'text-messages',
  'passkeys',
  'captcha',
  'app-check',
  'functions',
  'look',
] as const;

function readConfig(project: string): Promise<unknown> {
  return testBed.admin('GET', `/v2/projects/${project}/config`);
}

function writeConfig(project: string, mask: string, config: object): Promise<unknown> {
  return testBed.admin('PATCH', `/v2/projects/${project}/config?updateMask=${mask}`, config);
}

test('[C220] unsaved changes are listed, and saved together', async () => {
  const visitor = await testBed.visit('/projects/changed/sign-in');
  const { page } = visitor;
  await page.getByRole('switch', { name: 'Anonymous' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('switch', { name: 'Users can sign up' }).click();
  const changes = page.getByRole('region', { name: 'Unsaved changes' });
  await changes.getByText('2 unsaved changes').waitFor();
  await changes.getByText('Anonymous: on → off').waitFor();
  await changes.getByText('Users can sign up: on → off').waitFor();
  await visitor.expectAccessible();
  await changes.getByRole('button', { name: 'Save' }).click();
  await changes.waitFor({ state: 'detached' });
  expect(await readConfig('changed')).toMatchObject({
    signIn: { anonymous: { enabled: false }, email: { enabled: true } },
    client: { permissions: { disabledUserSignup: true } },
  });
});

test('[C220] a change that is reverted is not listed', async () => {
  const { page } = await testBed.visit('/projects/back/sign-in');
  const anonymous = page.getByRole('switch', { name: 'Anonymous' });
  await anonymous.click();
  const changes = page.getByRole('region', { name: 'Unsaved changes' });
  await changes.waitFor();
  await anonymous.click();
  await changes.waitFor({ state: 'detached' });
});

test('[C222] settings that another user has changed are shown, and overwritten only on request', async () => {
  const visitor = await testBed.visit('/projects/conflict/sign-in/mail');
  const { page } = visitor;
  await page.getByLabel('App name').fill('Mine');
  await writeConfig('conflict', 'notification.sendEmail.hearth.appName', {
    notification: { sendEmail: { hearth: { appName: 'Theirs' } } },
  });
  const changes = page.getByRole('region', { name: 'Unsaved changes' });
  await changes.getByRole('button', { name: 'Save' }).click();
  await changes.getByText('App name: Theirs').waitFor();
  await visitor.expectAccessible();
  expect(JSON.stringify(await readConfig('conflict'))).toContain('Theirs');
  await changes.getByRole('button', { name: 'Overwrite with mine' }).click();
  await changes.waitFor({ state: 'detached' });
  expect(JSON.stringify(await readConfig('conflict'))).toContain('Mine');
});

test('[C223] domains are added and removed by keyboard, and an invalid one is reported while the user types', async () => {
  const visitor = await testBed.visit('/projects/domains/sign-in/domains');
  const { page } = visitor;
  const field = page.getByLabel('Domain', { exact: true });
  await field.fill('https://example.com');
  await page.getByText('Remove the part before the domain').waitFor();
  expect(await page.getByRole('button', { name: 'Add' }).isDisabled()).toBe(true);
  await field.fill('App.Example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove 127.0.0.1' }).focus();
  await page.keyboard.press('Enter');
  await visitor.expectAccessible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => readConfig('domains'))
    .toMatchObject({
      authorizedDomains: ['localhost', '::1', 'app.example.com'],
    });
});

test('[C224] a length out of range cannot be saved', async () => {
  const { page } = await testBed.visit('/projects/lengths/sign-in/passwords');
  const least = page.getByLabel('Minimum length', { exact: true });
  await least.fill('5');
  await page.getByText('Enter a whole number from 6 to 30').waitFor();
  const save = page.getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  await least.fill('12');
  await page.getByRole('switch', { name: 'Digit' }).click();
  await save.click();
  await expect
    .poll(() => readConfig('lengths'))
    .toMatchObject({
      passwordPolicyConfig: {
        passwordPolicyVersions: [
          { customStrengthOptions: { minPasswordLength: 12, containsNumericCharacter: true } },
        ],
      },
    });
});

test('[C220] the second factor is disabled', async () => {
  const { page } = await testBed.visit('/projects/factor/sign-in/second-factor');
  await page.getByRole('radio', { name: /^Never/ }).click();
  await page.keyboard.press('Control+s');
  await expect.poll(() => readConfig('factor')).toMatchObject({ mfa: { state: 'DISABLED' } });
});

test('[C516] a mail with an unknown variable is not saved, and a message names the variable', async () => {
  const { page } = await testBed.visit(
    '/projects/variables/sign-in/templates?mail=passwordChanged&language=en',
  );
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.fill('%APP_NAME%: 100% of %LINK% and %UID%');
  await page.getByText('Unknown variables: %LINK%, %UID%.').first().waitFor();
  expect(await subject.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await subject.fill('%APP_NAME%: 100%');
  await expect.poll(() => page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
});

test('[C225][C226][C228] the text of a mail is shown as rendered while the user types, sent as a test, and saved', async () => {
  const visitor = await testBed.visit('/projects/words/sign-in/templates?mail=resetPassword&language=fr');
  const { page } = visitor;
  const emails = page.getByRole('region', { name: 'Preview' });
  await emails
    .getByText('Réinitialiser le mot de passe')
    .or(emails.getByText('Bonjour Ada Lovelace'))
    .first()
    .waitFor();
  await page.getByLabel('Subject').fill('Retour vers %APP_NAME%');
  await emails.getByText('Retour vers words').waitFor();
  await page.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'Custom text' }).click();
  const content = page.getByLabel('Body');
  await content.fill('Sans lien');
  await emails.getByText('body needs %LINK%.').waitFor();
  await content.fill('<b>Voilà</b> %LINK%');
  await emails.getByText('<b>Voilà</b>').waitFor();
  await visitor.expectAccessible();
  const test = page.getByRole('region', { name: 'Send test email' });
  await test.getByLabel('To').fill('ann@example.com');
  await page.keyboard.press('Enter');
  await test.getByText('accepted the email to ann@example.com').waitFor();
  expect(JSON.stringify(await testBed.admin('GET', '/emulator/mail.json'))).toContain('Retour vers words');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => readConfig('words'))
    .toMatchObject({
      notification: {
        sendEmail: {
          hearth: {
            templates: {
              resetPassword: {
                fr: {
                  subject: 'Retour vers %APP_NAME%',
                  body: { kind: 'text', text: '<b>Voilà</b> %LINK%' },
                },
              },
            },
          },
        },
      },
    });
  // The server stores the text before the view knows that it is saved.
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Restore default text' }).click();
  await emails.getByText('Retour vers words').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => JSON.stringify(await readConfig('words'))).not.toContain('Retour');
});

test('[C220] the project’s own mail server is filled in, and errors in its settings are shown', async () => {
  const visitor = await testBed.visit('/projects/smtp/sign-in/mail');
  const { page } = visitor;
  await page.getByRole('radio', { name: 'Custom SMTP server' }).click();
  await page.getByLabel('Host').fill('smtp.example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('"senderEmail" must be one email address.').waitFor();
  await page.getByLabel('Sender address').fill('us@example.com');
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill('open sesame');
  await visitor.expectAccessible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => readConfig('smtp'))
    .toMatchObject({
      notification: { sendEmail: { method: 'CUSTOM_SMTP', smtp: { host: 'smtp.example.com', port: 465 } } },
    });
  await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
});

test('[C205] a user who goes to another section with unsaved changes must confirm', async () => {
  const { page } = await testBed.visit('/projects/guarded/sign-in');
  const anonymous = page.getByRole('switch', { name: 'Anonymous' });
  await anonymous.click();
  await page.getByRole('tab', { name: 'Domains' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await anonymous.isChecked()).toBe(false);
  await page.getByRole('tab', { name: 'Domains' }).click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Authorized domains' }).waitFor();
});

/** Opens the console of a project, with a session that has the given role. */
async function visitAs(project: string, role: 'viewer' | 'editor') {
  const visitor = await testBed.visit(`/projects/${project}`);
  await visitor.page.route('**/api/session', async (route) => {
    const response = await route.fetch();
    const session = Object(await response.json());
    await route.fulfill({ json: { ...session, projects: [{ id: project, role }] } });
  });
  return visitor;
}

test('[C206] a viewer sees the settings, and no control that changes them', async () => {
  const { page } = await visitAs('looked', 'viewer');
  for (const section of SECTIONS) {
    await page.goto(`${testBed.server.url}/console/projects/looked/sign-in/${section}`);
    await page.getByText(/You have read-only access\.|Only owners can change the dimmed settings/).waitFor();
    await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
    const main = page.getByRole('main');
    expect(await main.getByRole('switch', { disabled: false }).count(), section).toBe(0);
    expect(await main.getByRole('radio', { disabled: false }).count(), section).toBe(0);
    expect(await main.getByRole('button', { name: /Add|Remove|Send|Save/ }).count(), section).toBe(0);
  }
});

test('[C229] an editor sees the settings that decide who has access and where mails go, and can change none of them', async () => {
  const smtp = {
    senderEmail: 'hats@example.com',
    host: 'mail.example.com',
    port: 587,
    securityMode: 'START_TLS',
  };
  await writeConfig('edited', 'notification.sendEmail.method,notification.sendEmail.smtp', {
    notification: { sendEmail: { method: 'CUSTOM_SMTP', smtp } },
  });
  const visitor = await visitAs('edited', 'editor');
  const { page } = visitor;
  const main = page.getByRole('main');
  for (const section of ['mail', 'templates', 'domains', 'passwords', 'second-factor']) {
    await page.goto(`${testBed.server.url}/console/projects/edited/sign-in/${section}`);
    await page.getByText('Only owners can change the dimmed settings').waitFor();
    await main.getByRole('progressbar').first().waitFor({ state: 'detached' });
    expect(await main.getByRole('radio', { disabled: false }).count(), section).toBe(0);
    const texts = main.getByRole('textbox');
    for (const text of await texts.all()) expect(await text.isEditable(), section).toBe(false);
    expect(await main.getByRole('switch', { disabled: false }).count(), section).toBe(0);
    await visitor.expectAccessible();
  }
  await page.goto(`${testBed.server.url}/console/projects/edited/sign-in/methods`);
  expect(await main.getByRole('switch', { name: 'Anonymous' }).isEnabled()).toBe(true);
  expect(await main.getByRole('switch', { name: 'Email/Password' }).isEnabled()).toBe(false);
});

test.each([
  ['light', {}],
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
] as const)('[C226] every section passes the accessibility rules (%s)', async (name, context) => {
  const visitor = await testBed.visit('/projects/pictured/sign-in', context);
  const { page } = visitor;
  for (const section of SECTIONS) {
    if (section !== 'methods') await page.locator(`a[role=tab][href$="/sign-in/${section}"]`).click();
    await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
    if (section === 'templates') await page.getByText('noreply@127.0.0.1').waitFor();
    await visitor.expectAccessible();
    await visitor.picture(`sign-in-${section}-${name}`);
  }
});
