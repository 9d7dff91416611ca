import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { BROKEN, BROKEN_TEXT, json, requestError } from '../../api/fake-server.fixture.ts';
import {
  click,
  expectAbsent,
  expectAccessible,
  expectShown,
  fill,
  testReadyViews,
  testViewStates,
} from '../../app/view-states.suite.ts';
import { openView } from '../../app/view-test-bed.fixture.tsx';
import shell from '../../language/messages/en/shell.json';
import texts from '../../language/messages/en/sign-in.json';
import { OUTCOMES, ROUTES, SETTINGS_FIXTURES } from './settings.fixtures.ts';
import { CERTIFICATE, CERTIFICATE_END } from './sign-in/providers/certificates.fixture.ts';

const SIGN_IN = ['heading', texts.title] as const;

/** Types another domain for the passkeys, so that the page counts the passkeys that would stop working. */
async function changeDomain(): Promise<void> {
  await page.getByRole('textbox', { name: texts.setting.passkeyDomain }).fill('id.example.com');
}

testViewStates({
  captcha: {
    fixture: SETTINGS_FIXTURES.captcha,
    around: [SIGN_IN],
    shows: [
      ['radiogroup', texts.setting.captchaPassword],
      ['radiogroup', texts.setting.captchaPhone],
      ['spinbutton', texts.setting.captchaCost],
      ['textbox', texts.recaptcha.field.siteKey],
    ],
  },
  'App Check': {
    fixture: SETTINGS_FIXTURES.appCheck,
    around: [SIGN_IN],
    shows: [
      ['radiogroup', texts.setting.appCheckAccounts],
      ['radiogroup', texts.setting.appCheckDatabase],
      ['textbox', texts.appCheck.ids],
      ['checkbox', 'accounts:signUp'],
    ],
  },
  passkeys: {
    fixture: SETTINGS_FIXTURES.passkeys,
    around: [SIGN_IN],
    shows: [
      ['switch', texts.setting.passkeys],
      ['textbox', texts.setting.passkeyDomain],
      ['radiogroup', texts.setting.passkeyVerification],
      ['textbox', texts.passkeys.hashes],
      ['textbox', texts.passkeys.packages],
      ['textbox', texts.passkeys.appIds],
    ],
  },
  'passkeys that stop working': {
    fixture: SETTINGS_FIXTURES.passkeyCount,
    around: [SIGN_IN],
    open: changeDomain,
    isForEditors: true,
    shows: [fill(texts.passkeys.lost, { number: '10,000+' })],
  },
  'blocking functions': {
    fixture: SETTINGS_FIXTURES.functions,
    around: [SIGN_IN],
    shows: [
      ['heading', texts.functions.beforeCreate],
      ['textbox', texts.setting.beforeCreate],
      ['textbox', texts.setting.beforeSignInAudience],
      ['heading', texts.functions.beforeSendSms],
      `${location.origin}/.well-known/jwks.json`,
    ],
  },
});

testViewStates({
  phone: {
    fixture: SETTINGS_FIXTURES.phone,
    around: [SIGN_IN],
    shows: [
      ['switch', texts.setting.phone],
      ['combobox', texts.phone.countries],
      'Germany',
      ['textbox', texts.phone.field.accountSid],
      ['spinbutton', texts.setting.smsPerDay],
      ['spinbutton', texts.budgets.limit.perNumberAndHour],
      ['spinbutton', texts.budgets.amount.perDay],
      ['radiogroup', texts.setting.smsProof],
      ['textbox', texts.phone.numbers],
    ],
  },
  providers: {
    fixture: SETTINGS_FIXTURES.providers,
    around: [['heading', texts.providers.redirect]],
    shows: [
      ['table', texts.providers.list],
      ['cell', 'google.com'],
      ['cell', 'oidc.okta'],
      ['cell', 'https://idp.example/sso'],
    ],
    offers: [
      ['button', texts.providers.add],
      ['button', `${texts.providers.edit}: google.com`],
      ['button', `${texts.providers.remove}: saml.work`],
    ],
  },
  'texts of text messages': {
    fixture: SETTINGS_FIXTURES.textMessages,
    around: [SIGN_IN],
    shows: [['textbox', texts.templates.content], texts.sms.usual],
    offers: [['button', texts.test.send]],
  },
  'preview of a text message': {
    fixture: SETTINGS_FIXTURES.smsPreview,
    around: [['heading', texts.sms.text]],
    shows: ['123456 is your verification code for Garden.', fill(texts.sms.segments, { number: 1 })],
  },
  'statistics of text messages': {
    fixture: SETTINGS_FIXTURES.smsStatus,
    around: [['heading', texts.sms.sent]],
    shows: [
      ['table', texts.phone.countries],
      ['cell', 'Germany'],
      ['cell', '96 (80%)'],
      ['cell', '12 (1%)'],
      fill(texts.sms.waiting, { number: 2 }),
    ],
    offers: [['button', `${texts.sms.resume}: Latvia`]],
  },
  'text messages that failed': {
    fixture: SETTINGS_FIXTURES.deadSms,
    around: [['heading', texts.sms.queue]],
    shows: [['table', texts.queue.dead], ['cell', '+4915112345678'], 'number: Twilio answered 21211.'],
  },
});

testReadyViews({
  'project without providers': {
    fixture: SETTINGS_FIXTURES.noProviders,
    shows: [['heading', texts.providers.none]],
    offers: [['button', texts.providers.add]],
  },
  'project without text messages': {
    fixture: SETTINGS_FIXTURES.noSms,
    shows: [texts.sms.noneSent, texts.sms.noneDead, fill(texts.sms.blocked, { number: '1,234+' })],
  },
  'project without passkeys': {
    fixture: {
      ...SETTINGS_FIXTURES.passkeyCount,
      responses: {
        ...SETTINGS_FIXTURES.passkeyCount.responses,
        [ROUTES.passkeys]: json({ count: 0, isExact: true }),
      },
    },
    isForEditors: true,
    open: changeDomain,
    shows: [texts.passkeys.noneLost],
  },
});

test('[C540] an amount of work out of range is reported while the user types, and not saved', async () => {
  await openView(SETTINGS_FIXTURES.captcha);
  const cost = page.getByRole('spinbutton', { name: texts.setting.captchaCost });
  const save = page.getByRole('button', { name: texts.changes.save });
  await cost.fill('1999');
  await expectShown([fill(texts.range, { least: '2,000', most: '200,000' })]);
  await expect.element(save).toBeDisabled();
  await expectAccessible();
  await cost.fill('');
  await expect.element(save).toBeDisabled();
  await cost.fill('200000');
  await expect.element(save).toBeEnabled();
});

test('[C820] a line that is not the ID of an app is reported while the user types, and a method is chosen', async () => {
  const server = await openView(SETTINGS_FIXTURES.appCheck);
  const ids = page.getByRole('textbox', { name: texts.appCheck.ids });
  const save = page.getByRole('button', { name: texts.changes.save });
  await ids.fill('1:1234:web:abcd\n\n1:1234 web');
  await expectShown([texts.appCheck.notApps]);
  await expect.element(save).toBeDisabled();
  await expectAccessible();
  await ids.fill('1:1234:web:abcd\n');
  await page.getByRole('checkbox', { name: 'accounts:delete' }).click();
  await expectShown(['accounts:signUp, accounts:delete']);
  const apps = ['1:1234:web:abcd'];
  const appCheckConfig = { accounts: 'ENFORCED', apps, limitedUse: ['accounts:signUp', 'accounts:delete'] };
  for (const route of [ROUTES.config, ROUTES.changeConfig]) server.respond(route, json({ appCheckConfig }));
  await save.click();
  await expectShown([texts.saved]);
});

test('[C821] the use of phones as a second factor is chosen', async () => {
  await openView(SETTINGS_FIXTURES.phone);
  const uses = page.getByRole('radiogroup', { name: texts.setting.smsFactorUse });
  const nameOf = (use: 'ALWAYS' | 'RECOVERY') => `${texts.phone[use]} ${texts.phone.about[use]}`;
  await expect.element(uses.getByRole('radio', { name: nameOf('ALWAYS') })).toBeChecked();
  await uses.getByRole('radio', { name: nameOf('RECOVERY') }).click();
  await expectShown([['region', texts.changes.title]]);
  await expectAccessible();
});

test('[C541] a new domain of passkeys is saved only after the user has typed it', async () => {
  await openView(SETTINGS_FIXTURES.passkeys);
  await changeDomain();
  const save = page.getByRole('button', { name: texts.changes.save });
  await expectShown([fill(texts.passkeys.lost, { number: '1,234' }), texts.passkeys.confirmFirst]);
  await expect.element(save).toBeDisabled();
  await expectAccessible();
  await page
    .getByRole('textbox', { name: fill(texts.passkeys.confirm, { text: 'id.example.com' }) })
    .fill('id.example.com');
  await expect.element(save).toBeEnabled();
  await page.getByRole('textbox', { name: texts.setting.passkeyDomain }).fill('https://example.com');
  await expectShown([texts.passkeys.notHost]);
  await expect.element(save).toBeDisabled();
});

test('[C541] a line that is not the fingerprint of a key is reported while the user types', async () => {
  await openView(SETTINGS_FIXTURES.passkeys);
  const keys = page.getByRole('textbox', { name: texts.passkeys.hashes });
  await keys.fill('A0:B1\n');
  await expectShown([texts.passkeys.notHash]);
  await expect.element(page.getByRole('button', { name: texts.changes.save })).toBeDisabled();
  await keys.fill(`\n${'0f:'.repeat(31)}0f\n`);
  await expect.element(page.getByRole('button', { name: texts.changes.save })).toBeEnabled();
});

test('[C542] if the server rejects the URL of a function, its sentence is shown at the field', async () => {
  const server = await openView(SETTINGS_FIXTURES.functions);
  const field = page.getByRole('textbox', { name: texts.setting.beforeSignIn, exact: true });
  await field.fill('somewhere');
  await expectShown([texts.functions.notAddress]);
  await field.fill('http://functions.example.com');
  const sentence = 'blockingFunctions.triggers.beforeSignIn.functionUri must be an https address.';
  server.respond(
    ROUTES.changeConfig,
    requestError(400, 'INVALID_BLOCKING_FUNCTION', `INVALID_BLOCKING_FUNCTION : ${sentence}`),
  );
  await click(['button', texts.changes.save]);
  await expect.element(field).toHaveAccessibleDescription(sentence);
  await expect.element(field).toBeInvalid();
  await expectAccessible();
});

test('[C543] a fictional number without a code is reported while the user types', async () => {
  await openView(SETTINGS_FIXTURES.phone);
  const numbers = page.getByRole('textbox', { name: texts.phone.numbers });
  await numbers.fill('+1 650 555 0100 123456\n4915112345678');
  await expectShown([texts.phone.notNumbers]);
  await expect.element(numbers).toHaveValue('+1 650 555 0100 123456\n4915112345678');
  await expect.element(page.getByRole('button', { name: texts.changes.save })).toBeDisabled();
});

test('[C543] if the server needs the secret of a new SMS service, it says so at the field', async () => {
  const server = await openView(SETTINGS_FIXTURES.phone);
  await page.getByRole('textbox', { name: texts.phone.field.accountSid }).fill('AC2');
  const sentence = 'notification.sendSms.hearth.driver.secret must be given for a new service or account.';
  server.respond(ROUTES.changeConfig, requestError(400, 'INVALID_CONFIG', `INVALID_CONFIG : ${sentence}`));
  await click(['button', texts.changes.save]);
  await expect.element(page.getByLabelText(texts.phone.field.secret)).toHaveAccessibleDescription(sentence);
  await expectAccessible();
});

test('[C544] a text without its code is reported while the user types, and not saved', async () => {
  await openView(SETTINGS_FIXTURES.textMessages);
  await page.getByRole('textbox', { name: texts.templates.content }).fill('Welcome');
  await expectShown([texts.sms.problem['no-code']]);
  await expect.element(page.getByRole('button', { name: texts.changes.save })).toBeDisabled();
  await expect.element(page.getByRole('button', { name: texts.test.send })).toBeDisabled();
});

test.each([
  ['refused', json(OUTCOMES.refused), [texts.sms.rejected, '535 5.7.8 Authentication failed']],
  ['not possible', BROKEN, [shell.failure.other, BROKEN_TEXT]],
  ['accepted', json(OUTCOMES.accepted), [fill(texts.sms.accepted, { to: '+4915112345678' })]],
] as const)('[C545] if a test message is %s, the page says so', async (_state, response, shows) => {
  const server = await openView(SETTINGS_FIXTURES.textMessages);
  server.respond(ROUTES.testSms, response);
  await page.getByRole('textbox', { name: texts.sms.to }).fill('+4915112345678');
  await click(['button', texts.test.send]);
  await expectShown(shows);
  await expectAccessible();
});

test('[C546] a paused country gets messages again after a confirmation', async () => {
  await openView(SETTINGS_FIXTURES.smsStatus);
  await click(['button', `${texts.sms.resume}: Latvia`]);
  await expectShown([texts.sms.resumeText]);
  await expectAccessible();
  await page.getByRole('dialog').getByRole('button', { name: texts.sms.resume }).click();
  await expectShown([fill(texts.sms.resumed, { country: 'Latvia' })]);
});

test('[C547] missing values of a new provider, and those that the server rejects, are shown at their fields', async () => {
  const server = await openView(SETTINGS_FIXTURES.providers);
  await click(['button', texts.providers.add]);
  const dialog = page.getByRole('dialog', { name: texts.providers.add });
  await dialog.getByRole('combobox', { name: texts.providers.provider }).click();
  await expectAbsent([['option', 'Google']]);
  await page.getByRole('option', { name: 'OpenID Connect' }).click();
  await dialog.getByRole('textbox', { name: texts.providers.id }).fill('oidc.garden');
  const issuer = dialog.getByRole('textbox', { name: texts.providers.field.issuer });
  const save = dialog.getByRole('button', { name: texts.changes.save });
  await save.click();
  await expectShown([texts.providers.incomplete, texts.providers.problem.missing]);
  await expect.element(issuer).toHaveAccessibleDescription(texts.providers.problem.notIssuer);
  await expectAccessible();
  await issuer.fill('https://id.example.com?tenant');
  await dialog.getByRole('textbox', { name: texts.providers.field.clientId }).fill('garden');
  const sentence = 'issuer must be a URL without query and fragment.';
  server.respond(ROUTES.addOidcProvider, requestError(400, 'INVALID_CONFIG', `INVALID_CONFIG : ${sentence}`));
  await save.click();
  await expect.element(issuer).toHaveAccessibleDescription(sentence);
  server.respond(ROUTES.addOidcProvider, json({}));
  await save.click();
  await expectShown([texts.saved]);
});

test('[C743] the metadata of a SAML provider fill the form, which says until when its certificates are valid', async () => {
  const server = await openView(SETTINGS_FIXTURES.providers);
  await click(['button', texts.providers.add]);
  const dialog = page.getByRole('dialog', { name: texts.providers.add });
  await dialog.getByRole('combobox', { name: texts.providers.provider }).click();
  await page.getByRole('option', { name: 'SAML' }).click();
  const save = dialog.getByRole('button', { name: texts.changes.save });
  await save.click();
  const { problem, field, saml } = texts.providers;
  await expectShown([problem.noCertificate, problem.notSsoUrl, problem.empty]);
  await dialog.getByRole('textbox', { name: texts.providers.id }).fill('saml.work');
  const metadata = dialog.getByRole('textbox', { name: saml.metadata });
  const read = dialog.getByRole('button', { name: saml.read });
  await metadata.fill('<a/>');
  await read.click();
  await expectShown(['It is no metadata.']);
  await metadata.fill('x'.repeat(262_145));
  await read.click();
  await expectShown([saml.tooLong]);
  const idpConfig = {
    idpEntityId: 'https://idp.example.com',
    ssoUrl: 'https://idp.example.com/sso',
    signRequest: true,
    idpCertificates: [{ x509Certificate: CERTIFICATE }],
  };
  server.respond(ROUTES.readMetadata, json({ idpConfig }));
  await dialog
    .getByLabelText(saml.file)
    .upload(new File(['<EntityDescriptor/>'], 'metadata.xml', { type: 'text/xml' }));
  const end = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(new Date(CERTIFICATE_END));
  await expectShown([
    saml.filled,
    fill(saml.validUntil, { date: end }),
    `${location.origin}/__/auth/handler`,
    ['button', fill(saml.copy, { name: saml.acs })],
  ]);
  await expect
    .element(dialog.getByRole('textbox', { name: field.ssoUrl }))
    .toHaveValue('https://idp.example.com/sso');
  await expect.element(dialog.getByRole('switch', { name: saml.sign })).toBeChecked();
  await expectAccessible();
  await save.click();
  await expectShown([texts.saved]);
});

test('[C548] a provider is tested, and the page shows what is wrong with it', async () => {
  const server = await openView(SETTINGS_FIXTURES.providers);
  await click(['button', `${texts.providers.test.run}: google.com`]);
  await expectShown([
    texts.providers.test.name.redirect,
    texts.providers.test.state.failed,
    'accounts.google.com rejects the sign-in.',
  ]);
  await expectAccessible();
  server.respond(ROUTES.testProvider, json({ tests: [{ name: 'discovery', state: 'ok' }] }));
  await click(['button', `${texts.providers.test.run}: google.com`]);
  await expectAbsent([['text', 'accounts.google.com rejects the sign-in.']]);
  server.respond(ROUTES.testProvider, BROKEN);
  await click(['button', `${texts.providers.test.run}: google.com`]);
  await expectShown([shell.failure.other]);
});

test('[C547] a provider is removed after the user has typed its ID', async () => {
  await openView(SETTINGS_FIXTURES.providers);
  await click(['button', `${texts.providers.remove}: google.com`]);
  const dialog = page.getByRole('dialog', { name: fill(texts.providers.removeOf, { id: 'google.com' }) });
  const remove = dialog.getByRole('button', { name: texts.providers.remove });
  await expect.element(remove).toBeDisabled();
  await expectAccessible();
  await dialog.getByRole('textbox').fill('google.com');
  await remove.click();
  await expectShown([texts.saved]);
});
