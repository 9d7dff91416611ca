import { expect, test } from 'vitest';
import { buttonOf } from '../drivers/console/page.ts';
import { openSignInSection } from '../drivers/console/sign-in-section.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();

const open = (project: string, section: string) => openSignInSection(testBed, project, section);

test('[C540][C394] by keyboard, challenges for passwords are enforced and get a higher cost', async () => {
  const { visitor, page, keys, save, config } = await open('captcha', 'captcha');
  const passwords = page.getByRole('radiogroup', { name: 'Captcha for passwords' });
  await keys.reach(passwords.getByRole('radio', { name: /^Off/ }));
  await keys.press('ArrowDown');
  const cost = page.getByLabel('Cost of a captcha');
  await keys.fill(cost, '100');
  await page.getByText('Enter a whole number from 2,000 to 200,000').first().waitFor();
  await visitor.expectAccessible();
  await keys.fill(cost, '20000');
  await save();
  expect(await config()).toMatchObject({
    recaptchaConfig: { emailPasswordEnforcementState: 'AUDIT', hearth: { cost: 20_000 } },
  });
});

test('[C541][C394] by keyboard, passkeys get a domain, which the user confirms, and an Android app is added', async () => {
  const { visitor, page, keys, changes, save, config } = await open('passkeys', 'passkeys');
  await keys.fill(page.getByRole('textbox', { name: 'Passkey domain' }), 'example.com');
  await page.getByText('The project has no passkeys yet.').waitFor();
  expect(await buttonOf(changes, 'Save').isDisabled()).toBe(true);
  await visitor.expectAccessible();
  await keys.fill(page.getByLabel('Type example.com to confirm'), 'example.com');
  await keys.fill(page.getByLabel('SHA-256 fingerprints of signing keys'), `${'0F:'.repeat(31)}0F`);
  await save();
  expect(await config()).toMatchObject({
    signIn: {
      hearth: {
        passkeys: {
          rpId: 'example.com',
          androidKeyHashes: ['Dw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8'],
        },
      },
    },
  });
});

test('[C542][C394] by keyboard, a function before sign-ins is set and removed', async () => {
  const { visitor, page, keys, save, config, changes } = await open('functions', 'functions');
  const address = page.getByLabel('Before sign-in: function URL');
  await keys.fill(address, 'https://functions.example.com/before');
  const audience = page.getByLabel('Before sign-in: token audience');
  await keys.fill(audience, 'http://elsewhere.example');
  await keys.enter(buttonOf(changes, 'Save'));
  await page.getByText('beforeSignIn.audience must be an https address.').first().waitFor();
  expect(await audience.getAttribute('aria-invalid')).toBe('true');
  await visitor.expectAccessible();
  await keys.fill(audience, '');
  await save();
  expect(await config()).toMatchObject({
    blockingFunctions: {
      triggers: { beforeSignIn: { functionUri: 'https://functions.example.com/before' } },
    },
  });
  await keys.fill(address, '');
  await save();
  expect(JSON.stringify(await config())).not.toContain('functions.example.com');
});

test('[C543][C394] by keyboard, sign-in by phone gets a country and a fictional number', async () => {
  const { visitor, page, keys, save, config } = await open('phone', 'phone');
  await keys.reach(page.getByRole('radio', { name: 'All countries except these' }));
  await keys.press('ArrowUp');
  await keys.reach(page.getByRole('combobox', { name: 'Countries' }));
  await keys.type('Germ');
  await page.getByRole('option', { name: 'Germany' }).waitFor();
  await keys.press('ArrowDown', 'Enter', 'Escape');
  await keys.fill(page.getByLabel('Numbers with their codes'), '+1 650 555 0100 123456');
  await visitor.expectAccessible();
  await save();
  expect(await config()).toMatchObject({
    signIn: { phoneNumber: { testPhoneNumbers: { '+16505550100': '123456' } } },
    smsRegionConfig: { allowlistOnly: { allowedRegions: ['DE'] } },
  });
});

test('[C544][C545][C394] by keyboard, the text of a message is seen, sent as a test and saved', async () => {
  const { visitor, page, keys, save, config } = await open('texts', 'text-messages?language=fr');
  const preview = page.getByRole('group', { name: 'Preview' });
  await preview.getByText('123456 est votre code de validation pour texts.').waitFor();
  await keys.fill(page.getByLabel('Body'), '%CODE% : bonjour de %APP_NAME% ✓');
  await preview.getByText('123456 : bonjour de texts ✓').waitFor();
  await preview.getByText('Unicode: less text fits into a message').waitFor();
  await visitor.expectAccessible();
  await keys.fill(page.getByLabel('Phone number'), '+1 650 555 0123');
  await keys.press('Enter');
  await page.getByText('The SMS service accepted the message to +1 650 555 0123.').waitFor();
  await save();
  expect(await config()).toMatchObject({
    notification: { sendSms: { hearth: { templates: { fr: '%CODE% : bonjour de %APP_NAME% ✓' } } } },
  });
});

test('[C547][C394] by keyboard, a provider is added, switched off and removed', async () => {
  const { visitor, page, keys } = await open('providers', 'providers');
  await page.getByText(`${testBed.server.url}/__/auth/handler`).waitFor();
  await keys.enter(buttonOf(page, 'Add provider'));
  const dialog = page.getByRole('dialog');
  await keys.enter(dialog.getByRole('combobox', { name: 'Provider' }));
  await keys.choose('GitHub');
  await keys.fill(dialog.getByLabel('Client ID'), 'garden');
  await keys.fill(dialog.getByLabel('Client secret'), 'open sesame');
  await visitor.expectAccessible();
  await keys.enter(buttonOf(dialog, 'Save'));
  const row = page.getByRole('row', { name: /github\.com/ });
  await row.getByText('on', { exact: true }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await keys.enter(buttonOf(page, 'Edit: github.com'));
  await keys.reach(dialog.getByRole('switch'));
  await keys.press('Space');
  await keys.enter(buttonOf(dialog, 'Save'));
  await row.getByText('off', { exact: true }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await keys.enter(buttonOf(page, 'Remove: github.com'));
  await keys.fill(dialog.getByRole('textbox'), 'github.com');
  await keys.press('Enter');
  await page.getByRole('heading', { name: 'No providers' }).waitFor();
});
