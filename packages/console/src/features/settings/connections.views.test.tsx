import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { BROKEN, json, requestError } from '../../api/fake-server.fixture.ts';
import { click, expectAbsent, expectAccessible, expectShown, fill } from '../../app/view-states.suite.ts';
import { openView } from '../../app/view-test-bed.fixture.tsx';
import shell from '../../language/messages/en/shell.json';
import texts from '../../language/messages/en/sign-in.json';
import { ROUTES, SAML_CERTIFICATE, SETTINGS_FIXTURES } from './settings.fixtures.ts';

const { budgets, functions, recaptcha, samlKey } = texts;
const save = () => page.getByRole('button', { name: texts.changes.save });

test('[C793] while the user types an amount, the page says how many messages it allows in each country', async () => {
  await openView(SETTINGS_FIXTURES.phone);
  await expectShown([
    fill(budgets.messages, { country: 'Germany', number: '250' }),
    fill(budgets.messages, { country: budgets.others, number: '200' }),
  ]);
  await page.getByRole('spinbutton', { name: budgets.amount.perDay }).fill('8');
  const prices = page.getByRole('textbox', { name: budgets.prices });
  await prices.fill('DE 0.08\nfr 0,5\n');
  await expectShown([
    fill(budgets.messages, { country: 'Germany', number: '100' }),
    fill(budgets.messages, { country: 'France', number: '16' }),
  ]);
  await expect.element(prices).toHaveValue('DE 0.08\nfr 0,5\n');
  await expect.element(save()).toBeEnabled();
  await prices.fill('Germany');
  await expect.element(prices).toHaveAccessibleDescription(budgets.notPrices);
  await expect.element(save()).toBeDisabled();
  await prices.fill('');
  const usual = page.getByRole('spinbutton', { name: budgets.amount.default });
  await usual.fill('-1');
  await expect.element(usual).toHaveAccessibleDescription(budgets.notAmount);
  await expect.element(save()).toBeDisabled();
  await expectAccessible();
});

test('[C793] without an amount the page warns, and a limit that the server rejects is shown at its field', async () => {
  const server = await openView(SETTINGS_FIXTURES.phone);
  await page.getByRole('switch', { name: budgets.limitSpending }).click();
  await expectShown([budgets.unlimited]);
  await expectAbsent([['spinbutton', budgets.amount.perDay]]);
  const limit = page.getByRole('spinbutton', { name: budgets.limit.pauseSeconds });
  await limit.fill('3601');
  await expectShown([fill(texts.range, { least: '0', most: '3,600' })]);
  await expect.element(save()).toBeDisabled();
  await limit.fill('60');
  const sentence = 'notification.sendSms.hearth.limits.pauseSeconds must be a whole number from 0 to 50.';
  server.respond(ROUTES.changeConfig, requestError(400, 'INVALID_CONFIG', `INVALID_CONFIG : ${sentence}`));
  await save().click();
  await expect.element(limit).toHaveAccessibleDescription(sentence);
  await expectAccessible();
});

test('[C794] a saved function is tested, and the page shows its decision, or what went wrong', async () => {
  const server = await openView(SETTINGS_FIXTURES.functions);
  const name = `${texts.providers.test.run}: ${functions.beforeCreate}`;
  await click(['button', name]);
  await expectShown([fill(functions.outcome.allowed, { number: '12' })]);
  const message = 'The function cannot be reached: connect ECONNREFUSED.';
  server.respond(ROUTES.testFunction, json({ outcome: 'failed', message, durationMs: 7_000 }));
  await click(['button', name]);
  await expectShown([fill(functions.outcome.failed, { number: '7,000' }), message]);
  await expectAccessible();
  server.respond(ROUTES.testFunction, BROKEN);
  await click(['button', name]);
  await expectShown([shell.failure.other]);
  // The server would test the function that is saved, not the one that the user has typed.
  await page
    .getByRole('textbox', { name: texts.setting.beforeCreate, exact: true })
    .fill('https://other.example.com');
  await expectAbsent([['button', name]]);
});

test('[C794] only a function for messages has a setting for what happens if it fails', async () => {
  await openView(SETTINGS_FIXTURES.functions);
  await expectAbsent([['switch', texts.setting.beforeSendSmsOpen]]);
  await page
    .getByRole('textbox', { name: texts.setting.beforeSendSms, exact: true })
    .fill('https://functions.example.com/sms');
  await page.getByRole('switch', { name: texts.setting.beforeSendSmsOpen }).click();
  await save().click();
  await expectShown([texts.saved]);
});

test('[C795] the keys of reCAPTCHA are tested, and problems are shown at their fields', async () => {
  const server = await openView(SETTINGS_FIXTURES.captcha);
  await click(['button', recaptcha.test]);
  await expectShown(['6Lc-score']);
  const message = 'reCAPTCHA rejects the secret.';
  const tests = [{ siteKey: '6Lc-box', state: 'failed', message }];
  server.respond(ROUTES.testRecaptcha, json({ tests }));
  await click(['button', recaptcha.test]);
  await expectShown(['6Lc-box', message]);
  await expectAccessible();
  const score = page.getByRole('spinbutton', { name: recaptcha.field.minScore });
  await score.fill('1.5');
  await expect.element(score).toHaveAccessibleDescription(recaptcha.notScore);
  await expect.element(save()).toBeDisabled();
  await score.fill('0.7');
  await page.getByRole('textbox', { name: recaptcha.field.siteKey }).fill('6Lc-other');
  await expectAbsent([['button', recaptcha.test]]);
  const sentence = 'recaptchaConfig.hearth.recaptcha.secret must be given for a new key.';
  server.respond(ROUTES.changeConfig, requestError(400, 'INVALID_CONFIG', `INVALID_CONFIG : ${sentence}`));
  await save().click();
  await expect.element(page.getByLabelText(recaptcha.field.secret)).toHaveAccessibleDescription(sentence);
});

test('[C796] names of native apps are checked while the user types, and the lists are linked', async () => {
  await openView(SETTINGS_FIXTURES.passkeys);
  await expectShown([
    ['link', '/.well-known/assetlinks.json'],
    ['link', '/.well-known/apple-app-site-association'],
  ]);
  const packages = page.getByRole('textbox', { name: texts.passkeys.packages });
  await packages.fill('example');
  await expect.element(packages).toHaveAccessibleDescription(texts.passkeys.notPackage);
  await expect.element(save()).toBeDisabled();
  await packages.fill('com.example.app\n\ncom.example.two');
  const ids = page.getByRole('textbox', { name: texts.passkeys.appIds });
  await ids.fill('com.example.app');
  await expect.element(ids).toHaveAccessibleDescription(texts.passkeys.notAppId);
  await ids.fill('ABCDE12345.com.example.two');
  await expect.element(save()).toBeEnabled();
  await expectAccessible();
});

test('[C797] the key for SAML is replaced in two steps, with a confirmation', async () => {
  const server = await openView(SETTINGS_FIXTURES.providers);
  await click(['button', samlKey.step.PREPARE]);
  await expectShown([samlKey.text.PREPARE]);
  const next = { ...SAML_CERTIFICATE, x509Certificate: 'certificate of the next key' };
  const answerWith = (...spCertificates: readonly object[]) =>
    server.respond(
      ROUTES.samlProviders,
      json({
        inboundSamlConfigs: [
          { name: 'projects/demo/inboundSamlConfigs/saml.work', spConfig: { spCertificates } },
        ],
      }),
    );
  answerWith(SAML_CERTIFICATE, next);
  await page.getByRole('dialog').getByRole('button', { name: samlKey.step.PREPARE }).click();
  await expectShown([samlKey.done.PREPARE, samlKey.aboutNext, ['button', samlKey.step.CANCEL]]);
  await expectShown([['button', fill(texts.providers.saml.copy, { name: samlKey.next })]]);
  await click(['button', samlKey.step.FINISH]);
  await expectShown([samlKey.text.FINISH]);
  await expectAccessible();
  server.respond(ROUTES.rotateKey, BROKEN);
  await page.getByRole('dialog').getByRole('button', { name: samlKey.step.FINISH }).click();
  await expectShown([shell.failure.other]);
  server.respond(ROUTES.rotateKey, json({}));
  answerWith(next);
  await page.getByRole('dialog').getByRole('button', { name: samlKey.step.FINISH }).click();
  await expectShown([samlKey.done.FINISH, ['button', samlKey.step.PREPARE]]);
});

test('[C798] while the user types, the page says which rule decides about an address', async () => {
  const server = await openView(SETTINGS_FIXTURES.methods);
  const { list, problem, decision } = texts.signUp;
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field(texts.signUp.try).fill('eve@evil.example');
  await expectShown([decision.allowed]);
  await field(list.allowedDomains).fill('example.com\n\nexample.org');
  await expectShown([fill(decision.allowedDomains, { value: 'evil.example' })]);
  await field(list.deniedDomains).fill('evil.example');
  await expectShown([fill(decision.deniedDomains, { value: 'evil.example' })]);
  await field(list.providers).fill('google.com');
  await expectShown([fill(decision.providers, { value: 'password' })]);
  await expectAccessible();
  await field(list.claims).fill('example.com {"staff": true}\nexample.org');
  await expect.element(field(list.claims)).toHaveAccessibleDescription(problem.claims);
  await expect.element(save()).toBeDisabled();
  await field(list.claims).fill('example.com {"staff": true}');
  await field(list.deniedDomains).fill('https://evil.example/');
  await expect.element(field(list.deniedDomains)).toHaveAccessibleDescription(problem.deniedDomains);
  await field(list.deniedDomains).fill('evil.example');
  const sentence = 'hearth.signUp.allowedDomains must be a list of at most 1 domains, such as example.com.';
  server.respond(ROUTES.changeConfig, requestError(400, 'INVALID_CONFIG', `INVALID_CONFIG : ${sentence}`));
  await save().click();
  await expect.element(field(list.allowedDomains)).toHaveAccessibleDescription(sentence);
});
