import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { json, requestError } from '../../api/fake-server.fixture.ts';
import {
  click,
  expectAccessible,
  expectShown,
  fill,
  testReadyViews,
  testViewStates,
} from '../../app/view-states.suite.ts';
import { openView } from '../../app/view-test-bed.fixture.tsx';
import texts from '../../language/messages/en/sign-in.json';
import { ROUTES, SETTINGS_FIXTURES } from './settings.fixtures.ts';

const SIGN_IN = ['heading', texts.title] as const;

/** Changes the domain of the passkeys, so that the page counts those that stop working. */
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
    ],
  },
});

testReadyViews({
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
