import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mountPage } from '../shell/mounted-page.fixture.tsx';
import type { Fetch } from './api.ts';
import { ActionPage } from './page.tsx';
import type { ActionLink, ActionMode, ActionPage as Page } from './parameters.ts';
import type { Proofs } from './proofs.ts';
import { fakeServer } from './server.fixture.ts';
import { loadTexts } from './texts.ts';

const EN = await loadTexts('en');

const CHECK = '/v1/accounts:resetPassword';
const UPDATE = '/v1/accounts:update';
const MAIL = '/v1/accounts:sendOobCode';
const POLICY = '/v2/passwordPolicy';

function link(mode: ActionMode): ActionLink {
  const continueUrl = new URL('https://app.example.com/inbox');
  const keys = { oobCode: 'code', apiKey: 'a key', tenantId: undefined };
  return { kind: 'action', mode, ...keys, continueUrl, appCheck: undefined };
}

function show(about: Page, fetch: Fetch): Promise<void> {
  return mountPage(
    'en',
    <ActionPage page={about} language="en" messages={EN} fetch={fetch} proofsOf={() => PROOFS} />,
  );
}

const PROOFS: Proofs = { appCheck: undefined, solveChallenge: async () => 'solution' };

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name });

const ACCOUNT = { email: 'alice@example.com' };
const CONFIRMATIONS = [
  ['verifyEmail', { ...ACCOUNT, requestType: 'VERIFY_EMAIL' }, ['a•••e@example.com']],
  [
    'verifyAndChangeEmail',
    { ...ACCOUNT, newEmail: 'anna@example.org', requestType: 'VERIFY_AND_CHANGE_EMAIL' },
    ['a•••e@example.com', 'a•••a@example.org'],
  ],
  ['recoverEmail', { ...ACCOUNT, requestType: 'RECOVER_EMAIL' }, ['a•••e@example.com']],
  [
    'revertSecondFactorAddition',
    { ...ACCOUNT, mfaInfo: { phoneInfo: '+16505551234' }, requestType: 'REVERT_SECOND_FACTOR_ADDITION' },
    ['a•••e@example.com', 'Phone •••• 1234'],
  ],
] as const;

test.each(CONFIRMATIONS)(
  '[I160][I161][I165] for %s, the page checks the code, shows the change, and uses the code when the user presses the button',
  async (mode, checked, shown) => {
    const { fetch, sent } = fakeServer({ [CHECK]: [checked], [UPDATE]: [{ localId: 'u' }] });
    await show(link(mode), fetch);
    await expect.element(heading(EN.confirm[mode].heading)).toBeVisible();
    for (const text of shown) await expect.element(page.getByText(text)).toBeVisible();
    expect(sent).toEqual([[`${CHECK}?key=a%20key`, { oobCode: 'code' }]]);
    await button(EN.confirm[mode].button).click();
    await expect.element(heading(EN.done[mode].heading)).toBeVisible();
    expect(sent.slice(1)).toEqual([[`${UPDATE}?key=a%20key`, { oobCode: 'code' }]]);
    const onward = page.getByRole('link', { name: 'Continue to app.example.com' });
    await expect.element(onward).toHaveAttribute('href', 'https://app.example.com/inbox');
  },
);

test('[I165] without a continue URL, the page says that it can be closed', async () => {
  const { fetch } = fakeServer({
    [CHECK]: [{ ...ACCOUNT, requestType: 'VERIFY_EMAIL' }],
    [UPDATE]: [{}],
  });
  await show({ ...link('verifyEmail'), continueUrl: undefined }, fetch);
  await button(EN.confirm.verifyEmail.button).click();
  await expect.element(page.getByText(EN.close)).toBeVisible();
  expect(document.querySelector('a')).toBeNull();
});

const RESET = { ...ACCOUNT, requestType: 'PASSWORD_RESET' };
const DIGIT_POLICY = {
  customStrengthOptions: { minPasswordLength: 8, containsNumericCharacter: true },
  enforcementState: 'ENFORCE',
  schemaVersion: 1,
};

test('[I160][I163][I172] a user sets a new password by keyboard; nothing is sent before it meets the policy', async () => {
  const { fetch, sent } = fakeServer({ [CHECK]: [RESET], [POLICY]: [DIGIT_POLICY] });
  await show(link('resetPassword'), fetch);
  await expect.element(heading(EN.newPassword.heading)).toBeVisible();
  const field = page.getByLabelText(EN.newPassword.label, { exact: true });
  await expect.element(page.getByRole('listitem').filter({ hasText: 'at least 8 characters' })).toBeVisible();
  await userEvent.tab();
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('abcdefgh{Enter}');
  await expect.element(page.getByText(EN.newPassword.missing)).toBeVisible();
  await expect.element(field).toHaveFocus();
  await expect
    .element(field)
    .toHaveAccessibleDescription(/at least 8 characters \(met\).*digit.*\(missing\)/);
  expect(sent).toHaveLength(2);
  await userEvent.tab();
  await expect.element(button(EN.newPassword.show)).toHaveFocus();
  await userEvent.keyboard(' ');
  await expect.element(field).toHaveAttribute('type', 'text');
  await userEvent.tab({ shift: true });
  await userEvent.keyboard('{End}1{Enter}');
  await expect.element(heading(EN.done.resetPassword.heading)).toHaveFocus();
  expect(sent.slice(2)).toEqual([[`${CHECK}?key=a%20key`, { oobCode: 'code', newPassword: 'abcdefgh1' }]]);
});

test('[I163] the form contains the complete email address for password managers', async () => {
  const { fetch } = fakeServer({ [CHECK]: [RESET] });
  await show(link('resetPassword'), fetch);
  await expect.element(page.getByRole('listitem').filter({ hasText: 'at least 6 characters' })).toBeVisible();
  expect(document.querySelector('input[autocomplete=username]')).toHaveValue('alice@example.com');
  await expect
    .element(page.getByLabelText(EN.newPassword.label, { exact: true }))
    .toHaveAttribute('autocomplete', 'new-password');
});

test.each([
  ['WEAK_PASSWORD : Password should be at least 6 characters', EN.problems.weakPassword],
  ['PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing…', EN.problems.weakPassword],
  ['TOO_MANY_ATTEMPTS_TRY_LATER', EN.problems.tooManyAttempts],
  ['SOMETHING_ELSE', EN.problems.unexpected],
])('[I163][I167][I172] the error %s is announced, and the form stays', async (code, text) => {
  const { fetch } = fakeServer({ [CHECK]: [RESET, code, RESET] });
  await show(link('resetPassword'), fetch);
  await page.getByLabelText(EN.newPassword.label, { exact: true }).fill('abcdefgh');
  await button(EN.newPassword.save).click();
  const alert = page.getByRole('alert').filter({ hasText: text });
  await expect.element(alert).toBeVisible();
  await page.getByLabelText(EN.newPassword.label, { exact: true }).fill('another one');
  await expect.element(alert).not.toBeInTheDocument();
  await button(EN.newPassword.save).click();
  await expect.element(heading(EN.done.resetPassword.heading)).toHaveFocus();
});

test.each([
  ['INVALID_OOB_CODE', 'invalidCode'],
  ['EXPIRED_OOB_CODE', 'expiredCode'],
  ['USER_DISABLED', 'userDisabled'],
  ['USER_NOT_FOUND', 'userNotFound'],
  ['OPERATION_NOT_ALLOWED : Password sign-in is off.', 'notAllowed'],
  ['EMAIL_EXISTS', 'emailTaken'],
] as const)('[I164] after %s, the page shows the reason and a link to the app', async (code, reason) => {
  const { fetch } = fakeServer({ [CHECK]: [code] });
  await show(link('verifyEmail'), fetch);
  await expect.element(heading(EN.rejected[reason].heading)).toHaveFocus();
  await expect.element(page.getByText(EN.rejected[reason].text)).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Continue to app.example.com' })).toBeVisible();
});

test('[I164] a code that was used up after the check is rejected when the user presses the button', async () => {
  const { fetch } = fakeServer({
    [CHECK]: [{ ...ACCOUNT, requestType: 'VERIFY_EMAIL' }],
    [UPDATE]: ['INVALID_OOB_CODE'],
  });
  await show(link('verifyEmail'), fetch);
  await button(EN.confirm.verifyEmail.button).click();
  await expect.element(heading(EN.rejected.invalidCode.heading)).toHaveFocus();
});

test('[I164] a code whose kind does not match the link is rejected', async () => {
  const { fetch } = fakeServer({ [CHECK]: [RESET] });
  await show(link('verifyEmail'), fetch);
  await expect.element(heading(EN.rejected.invalidCode.heading)).toBeVisible();
});

test('[I164][I172] after an expired reset link, the user requests another email by keyboard', async () => {
  const { fetch, sent } = fakeServer({ [CHECK]: ['EXPIRED_OOB_CODE'], [MAIL]: [ACCOUNT] });
  await show(link('resetPassword'), fetch);
  await expect.element(heading(EN.rejected.expiredCode.heading)).toHaveFocus();
  await userEvent.tab();
  await userEvent.keyboard('alice{Enter}');
  await expect.element(page.getByText(EN.resetMail.invalid)).toBeVisible();
  await userEvent.keyboard('@example.com{Enter}');
  await expect.element(page.getByRole('status').filter({ hasText: EN.resetMail.sent })).toBeVisible();
  const continueUrl = 'https://app.example.com/inbox';
  expect(sent.at(-1)).toEqual([
    `${MAIL}?key=a%20key`,
    { requestType: 'PASSWORD_RESET', email: 'alice@example.com', continueUrl, hearth: '1' },
  ]);
  expect(sent.filter(([address]) => address.startsWith(MAIL))).toHaveLength(1);
});

test('[I164] the page does not reveal whether an email address has an account', async () => {
  const { fetch } = fakeServer({ [CHECK]: ['EXPIRED_OOB_CODE'], [MAIL]: ['EMAIL_NOT_FOUND'] });
  await show(link('resetPassword'), fetch);
  await page.getByLabelText(EN.resetMail.label).fill('bob@example.com');
  await button(EN.resetMail.send).click();
  await expect.element(page.getByText(EN.resetMail.sent)).toBeVisible();
});

test.each([
  ['recoverEmail', { ...ACCOUNT, requestType: 'RECOVER_EMAIL' }],
  ['revertSecondFactorAddition', { ...ACCOUNT, requestType: 'REVERT_SECOND_FACTOR_ADDITION' }],
] as const)('[I166] after %s, the page offers a password reset email', async (mode, checked) => {
  const { fetch, sent } = fakeServer({
    [CHECK]: [checked],
    [UPDATE]: [{}],
    [MAIL]: ['QUOTA_EXCEEDED', {}],
  });
  await show(link(mode), fetch);
  await button(EN.confirm[mode].button).click();
  await expect.element(page.getByText(EN.resetAdvice)).toBeVisible();
  expect(sent).toHaveLength(2);
  await button(EN.resetMail.send).click();
  await expect.element(page.getByText(EN.problems.tooManyAttempts)).toBeVisible();
  await button(EN.resetMail.send).click();
  await expect.element(page.getByText(EN.resetMail.sent)).toBeVisible();
  expect(sent.at(-1)?.[1]).toMatchObject({ requestType: 'PASSWORD_RESET', email: 'alice@example.com' });
});

test('[I167] the retry button sends the request to an unreachable server again', async () => {
  let isDown = true;
  const { fetch } = fakeServer({ [CHECK]: [{ ...ACCOUNT, requestType: 'VERIFY_EMAIL' }] });
  const flaky: Fetch = (...request) =>
    isDown ? Promise.reject(new TypeError('Failed to fetch')) : fetch(...request);
  await show(link('verifyEmail'), flaky);
  await expect.element(heading(EN.failed)).toHaveFocus();
  await expect.element(page.getByText(EN.problems.unreachable)).toBeVisible();
  isDown = false;
  await button(EN.retry).click();
  await expect.element(heading(EN.confirm.verifyEmail.heading)).toBeVisible();
});

test('[I167] an overloaded server is reported as unreachable, and the user can retry', async () => {
  const { fetch } = fakeServer({ [CHECK]: [{ ...ACCOUNT, requestType: 'VERIFY_EMAIL' }] });
  await show(link('verifyEmail'), fetch);
  await button(EN.confirm.verifyEmail.button).click();
  await expect.element(page.getByText(EN.problems.unreachable)).toBeVisible();
  await expect.element(button(EN.confirm.verifyEmail.button)).toBeEnabled();
});

test('[I168][I172] while a request is running, another press sends nothing, and the progress is announced', async () => {
  const { fetch, sent } = fakeServer({
    [CHECK]: [{ ...ACCOUNT, requestType: 'VERIFY_EMAIL' }],
    [UPDATE]: [{}],
  });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const slow: Fetch = async (...request) => {
    const answer = await fetch(...request);
    if (String(request[0]).startsWith(UPDATE)) await released;
    return answer;
  };
  await show(link('verifyEmail'), slow);
  const confirm = button(EN.confirm.verifyEmail.button);
  await confirm.click();
  await expect.element(page.getByRole('status').filter({ hasText: EN.busy })).toBeInTheDocument();
  await confirm.click({ force: true });
  release();
  await expect.element(heading(EN.done.verifyEmail.heading)).toHaveFocus();
  expect(sent).toHaveLength(2);
});

test.each(['incomplete', 'unknownMode', 'noContinueUrl', 'wrongProject'] as const)(
  '[I169] a link that the server rejects as %s is explained, and nothing is sent',
  async (reason) => {
    const { fetch, sent } = fakeServer({});
    await show({ kind: 'rejected', reason }, fetch);
    await expect.element(heading(EN.rejected[reason].heading)).toBeVisible();
    await expect.element(page.getByText(EN.rejected[reason].text)).toBeVisible();
    expect(sent).toEqual([]);
  },
);
