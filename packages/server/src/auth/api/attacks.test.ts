import { expect, test } from 'vitest';
import { SMS_LIMITS } from '../../sms/budgets.ts';
import { enforceCaptcha, solveFor } from '../captcha/solve-challenge.fixture.ts';
import { openFunctions, register } from '../hooks/functions.fixture.ts';
import { HookCaller } from '../hooks/hook-caller.ts';
import {
  ANN,
  change,
  finish,
  openAnn,
  openVerified,
  pendingOf,
  signIn,
} from '../mfa/second-factor.fixture.ts';
import { NUMBER, OTHER_NUMBER, otherThan, requestSmsCode, useSmsCode } from '../phone/phone.fixture.ts';
import type { ProjectSms } from '../projects/sms-settings.ts';
import { SERVING } from '../throttling/limits.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { type AuthAnswer, AuthClient } from './auth-client.fixture.ts';

const WRONG_PENDING = 'INVALID_MFA_PENDING_CREDENTIAL';

/**
 * Expects that an attack fails with an error, gets no tokens, and is in the audit log exactly once, with the code of the
 * error as result.
 */
async function expectRecorded(
  client: AuthClient,
  attack: () => Promise<AuthAnswer>,
  error: string,
  entry: object,
): Promise<void> {
  const before = client.audited.length;
  const answer = await attack();
  expect(answer.error).toBe(error);
  expect(answer.json['idToken'] ?? answer.json['refreshToken']).toBeUndefined();
  const [result] = error.split(' : ');
  expect(client.audited.slice(before)).toMatchObject([{ projectId: 'demo', result, ...entry }]);
}

test('[I228][I1720] a code of an authenticator app that is replayed within its step is rejected and recorded', async () => {
  const client = await AuthClient.open();
  const { uid, app, enrollmentId } = await openAnn(client);
  const code = app.code();
  expect((await finish(client, await pendingOf(client), enrollmentId, code)).error).toBeUndefined();
  const pending = await pendingOf(client);
  const failed = { event: 'second_factor_failed', uid };
  await expectRecorded(client, () => finish(client, pending, enrollmentId, code), 'INVALID_CODE', failed);
});

test('[I229][I1720] each of 50 guesses at the same time is recorded', async () => {
  const client = await AuthClient.open();
  const { uid, app, enrollmentId } = await openAnn(client);
  const pending = await pendingOf(client);
  const before = client.audited.length;
  const guesses = Array.from({ length: 50 }, () => finish(client, pending, enrollmentId, app.wrongCode()));
  const errors = (await Promise.all(guesses)).map(({ error }) => error);
  expect(errors.filter((error) => error === 'INVALID_CODE')).toHaveLength(5);
  expect(errors.filter((error) => error === WRONG_PENDING)).toHaveLength(45);
  const recorded = client.audited.slice(before);
  expect(recorded).toHaveLength(50);
  expect(recorded.filter(({ event }) => event === 'second_factor_failed')).toHaveLength(5);
  expect(recorded.filter((entry) => entry.uid === uid && entry.result === 'INVALID_CODE')).toHaveLength(5);
  expect(
    recorded.filter(({ event, result }) => event === 'sign_in' && result === WRONG_PENDING),
  ).toHaveLength(45);
});

test('[I766][I1720] an attacker cannot use a phone in place of an authenticator app, nor in place of both factors', async () => {
  const client = await AuthClient.open();
  const { uid } = await openAnn(client);
  const mfaPendingCredential = await pendingOf(client);
  const phoneVerificationInfo = await requestSmsCode(client);
  const body = { mfaPendingCredential, phoneVerificationInfo };
  const finalize = () => client.post('/v2/accounts/mfaSignIn:finalize', body);
  const signInEvent = { event: 'sign_in', detail: 'second factor' };
  await expectRecorded(client, finalize, 'MFA_ENROLLMENT_NOT_FOUND', signInEvent);
  // An administrator adds the number, so that without the check it would select the account.
  await change(client, uid, { phoneNumber: OTHER_NUMBER });
  const code = await requestSmsCode(client, OTHER_NUMBER);
  await expectRecorded(
    client,
    () => useSmsCode(client, code),
    'UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an SMS based MFA user.',
    { event: 'sign_in', detail: 'phone', uid },
  );
});

test('[I231][I1720] a stolen pending credential is of no use without the factor, after a new password, and in another project', async () => {
  const client = await AuthClient.open();
  const { uid, app, enrollmentId } = await openAnn(client);
  const stolen = await pendingOf(client);
  const wrong = () => finish(client, stolen, enrollmentId, app.wrongCode());
  await expectRecorded(client, wrong, 'INVALID_CODE', { event: 'second_factor_failed', uid });
  const foreign = () =>
    client.request(
      'POST',
      '/v2/accounts/mfaSignIn:finalize?key=any',
      JSON.stringify({
        mfaPendingCredential: `AAAAAAAA${String(stolen).slice(8)}`,
        mfaEnrollmentId: enrollmentId,
        totpVerificationInfo: { verificationCode: app.code() },
      }),
    );
  await expectRecorded(
    client,
    foreign,
    'INVALID_PROJECT_ID : Project ID does not match MFA pending credential.',
    { event: 'sign_in' },
  );
  await change(client, uid, { password: 'another password' });
  const late = () => finish(client, stolen, enrollmentId, app.code());
  await expectRecorded(client, late, WRONG_PENDING, { event: 'sign_in', detail: 'second factor' });
  const message = () =>
    client.post('/v2/accounts/mfaSignIn:start', {
      mfaPendingCredential: stolen,
      mfaEnrollmentId: enrollmentId,
      phoneSignInInfo: {},
    });
  await expectRecorded(client, message, WRONG_PENDING, { event: 'sms_refused' });
});

test('[I761][I762][I1720] wrong, repeated and foreign codes of text messages are recorded', async () => {
  const client = await AuthClient.open();
  const { sessionInfo, code } = await requestSmsCode(client);
  const event = { event: 'sign_in', detail: 'phone' };
  const guess = () => useSmsCode(client, { sessionInfo, code: otherThan(code) });
  await expectRecorded(client, guess, 'INVALID_CODE', event);
  expect((await useSmsCode(client, { sessionInfo, code })).error).toBeUndefined();
  const replay = () => useSmsCode(client, { sessionInfo, code });
  await expectRecorded(client, replay, 'INVALID_SESSION_INFO', event);
  const { idToken } = await openVerified(client);
  const enroll = () =>
    client.post('/v2/accounts/mfaEnrollment:finalize', {
      idToken,
      phoneVerificationInfo: { sessionInfo, code },
    });
  await expectRecorded(client, enroll, 'INVALID_SESSION_INFO', { event: 'second_factor_added' });
});

const WEB = { clientType: 'CLIENT_TYPE_WEB', recaptchaVersion: 'RECAPTCHA_ENTERPRISE' };

/** The methods that ask for a challenge, with the entries that record a rejection. */
const WITH_CHALLENGES = [
  ['accounts:signInWithPassword', 'signInWithPassword', 'captchaResponse', ANN, 'sign_in'],
  ['accounts:signUp', 'signUpPassword', 'captchaResponse', { ...ANN, email: 'new@example.com' }, 'sign_up'],
  [
    'accounts:sendOobCode',
    'getOobCode',
    'captchaResp',
    { requestType: 'PASSWORD_RESET', email: ANN.email },
    'code_issued',
  ],
  [
    'accounts:sendVerificationCode',
    'sendVerificationCode',
    'captchaResponse',
    { phoneNumber: NUMBER },
    'sms_refused',
  ],
] as const;

test.each(WITH_CHALLENGES)(
  '[I880][I883][I1720] %s records a challenge that is replayed, hoarded or solved for another action',
  async (method, action, field, body, event) => {
    const client = await AuthClient.open();
    await client.signUp(ANN.email, ANN.password);
    await enforceCaptcha(client, { emailPassword: 'ENFORCE', phone: 'ENFORCE' });
    const use = (token: string) => () => client.post(method, { ...body, ...WEB, [field]: token });
    const token = await solveFor(client, action);
    expect((await use(token)()).error).toBeUndefined();
    await expectRecorded(client, use(token), 'INVALID_RECAPTCHA_TOKEN', { event });
    const other = await solveFor(client, 'appCheck');
    await expectRecorded(client, use(other), 'INVALID_RECAPTCHA_ACTION', { event });
    const hoarded = await solveFor(client, action);
    client.clock.ms += 120_001;
    await expectRecorded(client, use(hoarded), 'INVALID_RECAPTCHA_TOKEN', { event });
  },
);

test('[I877][I1721] a network that collects challenges is rejected and recorded', async () => {
  const client = await AuthClient.open(unsignedTokenServices, { limits: SERVING });
  const ask = () =>
    client.request('POST', '/__/auth/challenge', '{"apiKey":"any","action":"signInWithPassword"}');
  for (let count = 0; count < 60; count++) expect((await ask()).status).toBe(200);
  expect(client.audited).toEqual([]);
  expect((await ask()).status).toBe(429);
  expect(client.audited).toMatchObject([{ event: 'challenges_limited', detail: 'signInWithPassword' }]);
});

const QUOTA = 'QUOTA_EXCEEDED : Exceeded quota for sending SMS.';
const OFTEN = 'TOO_MANY_ATTEMPTS_TRY_LATER';
const PROOFLESS: Partial<ProjectSms> = {
  regions: { kind: 'only', countries: ['US'] },
  appProof: 'THROTTLED',
};
const AREAS = ['212', '650', '415', '305', '617'];
/** Returns one of 100 numbers of one country, of which no six in a row are sequential. */
const number = (index: number): string => `+1${AREAS[index % AREAS.length]}5550${100 + index}`;

/** The budgets of text messages: settings under which the third or a later message exceeds one, and the error. */
const BUDGETS: readonly (readonly [string, Partial<ProjectSms>, string, (index: number) => string])[] = [
  ['project', { perDay: 10, limits: { perAddressAndHour: 1_000 } }, QUOTA, number],
  ['country', { perDay: 1_000, limits: { perCountryAndHour: 20, perAddressAndHour: 1_000 } }, QUOTA, number],
  ['number', { perDay: 1_000, limits: { perAddressAndHour: 1_000 } }, OFTEN, () => NUMBER],
  ['address', { perDay: 1_000 }, OFTEN, number],
  [
    'spending',
    {
      perDay: 1_000,
      limits: { perAddressAndHour: 1_000 },
      spending: { perDayMicros: 10_000_000, pricesMicros: { default: 500_000 } },
    },
    QUOTA,
    number,
  ],
];

test.each(BUDGETS)(
  '[I783][I804][I1720] text messages beyond the budget of the %s are rejected and recorded',
  async (budget, sms, error, numberOf) => {
    const client = await AuthClient.open(unsignedTokenServices, {
      isDevelopment: false,
      smsLimits: SMS_LIMITS,
    });
    await client.settings((settings) => ({ ...settings, sms: { ...settings.sms, ...PROOFLESS, ...sms } }));
    // Messages of one clock hour and one day.
    client.clock.ms = Math.ceil(client.clock.ms / 86_400_000) * 86_400_000;
    const send = (index: number) =>
      client.post('accounts:sendVerificationCode', { phoneNumber: numberOf(index) });
    let sent = 0;
    while (sent < 4 && (await send(sent)).error === undefined) sent += 1;
    expect(sent).toBeLessThan(4);
    await expectRecorded(client, () => send(sent), error, {
      event: 'sms_refused',
      detail: `budget of the ${budget}, US`,
    });
  },
);

test('[I783][I1720] an account gets ten messages a day for its second factor, and further requests are recorded', async () => {
  const smsLimits = { ...SMS_LIMITS, perAddressAndHour: 1_000, perCountryAndHour: 1_000 };
  const client = await AuthClient.open(unsignedTokenServices, { smsLimits });
  const { idToken } = await openVerified(client);
  const start = (index: number) =>
    client.post('/v2/accounts/mfaEnrollment:start', {
      idToken,
      phoneEnrollmentInfo: { phoneNumber: number(index) },
    });
  let sent = 0;
  while (sent < 11 && (await start(sent)).error === undefined) sent += 1;
  expect(sent).toBe(10);
  await expectRecorded(client, () => start(sent), OFTEN, {
    event: 'second_factor_added',
    detail: 'budget of the account, US',
  });
});

test('[I942][I1621][I1720] a function is not called once its name resolves to an internal address, and the failed sign-up is recorded', async () => {
  const { uri, events } = await openFunctions(() => [200, {}]);
  let isPublic = true;
  const client = await AuthClient.open();
  const hooks = new HookCaller({ clock: client.clock, mayReach: () => isPublic, isDevelopment: false });
  Object.assign(client.services, { hooks });
  await register(client, { beforeCreate: { functionUri: uri.replace('127.0.0.1', 'localhost') } });
  expect((await client.post('accounts:signUp', ANN)).error).toBeUndefined();
  expect(events).toHaveLength(1);
  // From now on, the name resolves to an internal address.
  isPublic = false;
  const failed =
    'BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: {"error":{"status":"INTERNAL","message":"The function did not answer in time."}}';
  const signUp = () => client.post('accounts:signUp', { ...ANN, email: 'bob@example.com' });
  await expectRecorded(client, signUp, failed, { event: 'sign_up' });
  expect(events).toHaveLength(1);
});

test('[I24][I1723] the use of a refresh token whose session no longer exists is recorded', async () => {
  const client = await AuthClient.open();
  const { refreshToken } = await client.signUp();
  const { localId } = await client.lookup((await signIn(client)).json['idToken']);
  await client.admin('/v1/projects/demo/accounts:delete', { localId });
  await expectRecorded(client, () => client.refresh(refreshToken), 'USER_NOT_FOUND', {
    event: 'session_ended',
    detail: 'unknown session',
  });
});
