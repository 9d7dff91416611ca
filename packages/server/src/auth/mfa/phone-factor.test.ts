import { describe, expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { enforceCaptcha, solveFor } from '../captcha/solve-challenge.fixture.ts';
import { listMails } from '../codes/mailed-codes.fixture.ts';
import {
  listSmsCodes,
  NUMBER,
  OTHER_NUMBER,
  otherThan,
  requestSmsCode,
  requireSmsCode,
} from '../phone/phone.fixture.ts';
import { ANN, change, enrollApp, factorsOf, openVerified, signIn } from './second-factor.fixture.ts';

async function startEnrollment(client: AuthClient, idToken: unknown, phoneNumber = NUMBER) {
  const { json, error } = await client.post('/v2/accounts/mfaEnrollment:start', {
    idToken,
    phoneEnrollmentInfo: { phoneNumber },
  });
  return { error, sessionInfo: Object(json['phoneSessionInfo'])['sessionInfo'] };
}

function finishEnrollment(client: AuthClient, idToken: unknown, phoneVerificationInfo: object) {
  return client.post('/v2/accounts/mfaEnrollment:finalize', {
    idToken,
    displayName: 'mine',
    phoneVerificationInfo,
  });
}

async function enroll(client: AuthClient, idToken: unknown, phoneNumber = NUMBER) {
  const { sessionInfo } = await startEnrollment(client, idToken, phoneNumber);
  return finishEnrollment(client, idToken, await requireSmsCode(client, sessionInfo));
}

/** Creates Ann's account with her phone as second factor. */
async function openPhoneAnn(client: AuthClient) {
  const { uid, idToken } = await openVerified(client);
  const { json } = await enroll(client, idToken);
  return { uid, idToken: json['idToken'] };
}

async function challenge(client: AuthClient) {
  const { json } = await signIn(client);
  const [factor] = factorsOf(json);
  return {
    mfaPendingCredential: json['mfaPendingCredential'],
    mfaEnrollmentId: factor?.['mfaEnrollmentId'],
    factor,
  };
}

async function askForCode(client: AuthClient, pending: Awaited<ReturnType<typeof challenge>>) {
  const { factor: _factor, ...body } = pending;
  const { json, error } = await client.post('/v2/accounts/mfaSignIn:start', {
    ...body,
    phoneSignInInfo: { recaptchaToken: 'x' },
  });
  return { error, sessionInfo: Object(json['phoneResponseInfo'])['sessionInfo'] };
}

/** Finishes as the official SDK does, which does not name the factor. */
function finish(client: AuthClient, mfaPendingCredential: unknown, phoneVerificationInfo: object) {
  return client.post('/v2/accounts/mfaSignIn:finalize', { mfaPendingCredential, phoneVerificationInfo });
}

describe('enrolling a phone', () => {
  test('[I770] ends with the code that was sent to it, and with tokens that name it', async () => {
    const client = await AuthClient.open();
    const { idToken } = await openVerified(client);
    const { json } = await enroll(client, idToken);
    expect(json).toMatchObject({ phoneAuthInfo: { phoneNumber: NUMBER } });
    const [factor] = factorsOf(await client.lookup(json['idToken']));
    expect(factor).toMatchObject({ phoneInfo: NUMBER, displayName: 'mine' });
    expect(factor).not.toHaveProperty('totpInfo');
    expect(claimsOf(json['idToken'])['firebase']).toMatchObject({
      sign_in_second_factor: 'phone',
      second_factor_identifier: factor?.['mfaEnrollmentId'],
    });
    expect(listMails(client).map(({ kind }) => kind)).toContain('secondFactorAdded');
  });

  test('[I770] rejects the same number twice, a wrong number and a wrong code', async () => {
    const client = await AuthClient.open();
    const { idToken } = await openPhoneAnn(client);
    expect((await startEnrollment(client, idToken)).error).toBe(
      'SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account.',
    );
    expect((await startEnrollment(client, idToken, 'x')).error).toBe(
      'INVALID_PHONE_NUMBER : Invalid format.',
    );
    const { sessionInfo } = await startEnrollment(client, idToken, OTHER_NUMBER);
    const { code } = await requireSmsCode(client, sessionInfo);
    const wrong = { sessionInfo, code: otherThan(code) };
    for (let count = 0; count < 5; count++)
      expect((await finishEnrollment(client, idToken, wrong)).error).toBe('INVALID_CODE');
    expect((await finishEnrollment(client, idToken, { sessionInfo, code })).error).toBe('SESSION_EXPIRED');
  });

  test('[I771] accepts a code only for the account and the purpose it was sent for', async () => {
    const client = await AuthClient.open();
    const { idToken } = await openVerified(client);
    const other = await openVerified(client, 'eve@example.com');
    const signInCode = await requestSmsCode(client);
    expect((await finishEnrollment(client, idToken, signInCode)).error).toBe('INVALID_SESSION_INFO');
    const { sessionInfo } = await startEnrollment(client, idToken);
    const code = await requireSmsCode(client, sessionInfo);
    expect((await finishEnrollment(client, other.idToken, code)).error).toBe('INVALID_SESSION_INFO');
    const { error } = await client.post('accounts:signInWithPhoneNumber', { ...code });
    expect(error).toBe('INVALID_SESSION_INFO');
    expect((await finishEnrollment(client, idToken, code)).status).toBe(200);
  });

  test('[I222] needs a first factor that is not a phone', async () => {
    const client = await AuthClient.open();
    const { json } = await client.post('accounts:signInWithPhoneNumber', await requestSmsCode(client));
    expect((await startEnrollment(client, json['idToken'], OTHER_NUMBER)).error).toBe(
      'UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor.',
    );
  });
});

describe('signing in with a phone as second factor', () => {
  test('[I772] shows the last four digits, sends a code and completes with it', async () => {
    const client = await AuthClient.open();
    const { uid } = await openPhoneAnn(client);
    const pending = await challenge(client);
    expect(pending.factor).toMatchObject({ phoneInfo: '+*******0101', displayName: 'mine' });
    expect(JSON.stringify(pending.factor)).not.toContain(NUMBER);
    const { sessionInfo } = await askForCode(client, pending);
    const { json } = await finish(
      client,
      pending.mfaPendingCredential,
      await requireSmsCode(client, sessionInfo),
    );
    expect(json).toMatchObject({ phoneAuthInfo: { phoneNumber: NUMBER }, idToken: expect.any(String) });
    expect(claimsOf(json['idToken'])).toMatchObject({
      user_id: uid,
      firebase: { sign_in_provider: 'password', sign_in_second_factor: 'phone' },
    });
    const { json: refreshed } = await client.refresh(json['refreshToken']);
    expect(claimsOf(refreshed['id_token'])['firebase']).toMatchObject({ sign_in_second_factor: 'phone' });
  });

  test('[I772] succeeds once, however many clients send the code at the same time', async () => {
    const client = await AuthClient.open();
    await openPhoneAnn(client);
    const pending = await challenge(client);
    const { sessionInfo } = await askForCode(client, pending);
    const code = await requireSmsCode(client, sessionInfo);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => finish(client, pending.mfaPendingCredential, code)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('[I771] accepts a code only for the sign-in it was sent for', async () => {
    const client = await AuthClient.open();
    await openPhoneAnn(client);
    const [first, second] = [await challenge(client), await challenge(client)];
    const { sessionInfo } = await askForCode(client, first);
    const code = await requireSmsCode(client, sessionInfo);
    expect((await finish(client, second.mfaPendingCredential, code)).error).toBe('INVALID_SESSION_INFO');
    const foreign = await requestSmsCode(client);
    for (let count = 0; count < 4; count++)
      expect((await finish(client, second.mfaPendingCredential, foreign)).error).toBe('INVALID_SESSION_INFO');
    expect((await finish(client, first.mfaPendingCredential, code)).status).toBe(200);
  });

  test('[I772] ends after five wrong codes, and each is recorded', async () => {
    const client = await AuthClient.open();
    await openPhoneAnn(client);
    const pending = await challenge(client);
    const { sessionInfo } = await askForCode(client, pending);
    const { code } = await requireSmsCode(client, sessionInfo);
    for (let count = 0; count < 5; count++)
      expect(
        (await finish(client, pending.mfaPendingCredential, { sessionInfo, code: otherThan(code) })).error,
      ).toBe('INVALID_CODE');
    expect((await finish(client, pending.mfaPendingCredential, { sessionInfo, code })).error).toBe(
      'INVALID_MFA_PENDING_CREDENTIAL',
    );
    expect(client.audited.filter(({ event }) => event === 'second_factor_failed')).toHaveLength(5);
  });

  test('[I772] uses the number that an administrator gave the account', async () => {
    const client = await AuthClient.open();
    const { uid } = await openVerified(client);
    await change(client, uid, { mfa: { enrollments: [{ phoneInfo: OTHER_NUMBER, displayName: 'work' }] } });
    const pending = await challenge(client);
    await askForCode(client, pending);
    expect((await listSmsCodes(client)).map(({ phoneNumber }) => phoneNumber)).toEqual([OTHER_NUMBER]);
  });

  test('[I773] is rejected if the project cannot send messages, unless another factor is enrolled', async () => {
    const client = await AuthClient.open();
    const { uid } = await openPhoneAnn(client);
    await client.settings((settings) => ({ ...settings, sms: { ...settings.sms, driver: null } }));
    const { error, json } = await signIn(client);
    expect(error).toBe('OPERATION_NOT_ALLOWED : SMS based MFA not enabled.');
    expect(json).not.toHaveProperty('idToken');
    await client.settings((settings) => ({ ...settings, sms: { ...settings.sms, driver: { kind: 'log' } } }));
    const pending = await challenge(client);
    const { sessionInfo } = await askForCode(client, pending);
    const signedIn = await finish(
      client,
      pending.mfaPendingCredential,
      await requireSmsCode(client, sessionInfo),
    );
    await enrollApp(client, signedIn.json['idToken']);
    await client.settings((settings) => ({ ...settings, sms: { ...settings.sms, driver: null } }));
    const [factor, ...more] = factorsOf((await client.post('accounts:signInWithPassword', ANN)).json);
    expect([factor, more]).toMatchObject([{ totpInfo: {} }, []]);
    await change(client, uid, { mfa: {} });
    expect((await signIn(client)).json).toHaveProperty('idToken');
  });

  test('[I774] in a project that accepts phones for recovery only, is rejected until no other factor was used for 30 days', async () => {
    const client = await AuthClient.open();
    const { uid, idToken } = await openPhoneAnn(client);
    await client.settings((settings) => ({ ...settings, sms: { ...settings.sms, factorUse: 'RECOVERY' } }));
    const signInByText = async (): Promise<string | undefined> => {
      const pending = await challenge(client);
      const { error, sessionInfo } = await askForCode(client, pending);
      if (error !== undefined) return error;
      const code = await requireSmsCode(client, sessionInfo);
      return (await finish(client, pending.mfaPendingCredential, code)).error;
    };
    // The phone is the only factor.
    expect(await signInByText()).toBeUndefined();
    await enrollApp(client, idToken);
    expect(await signInByText()).toMatch(/^OPERATION_NOT_ALLOWED : .* only for recovery/);
    expect(client.audited.at(-1)).toMatchObject({
      event: 'sms_refused',
      uid,
      result: 'OPERATION_NOT_ALLOWED',
    });
    // A code that was sent before is rejected too.
    const use = (factorUse: 'ALWAYS' | 'RECOVERY') =>
      client.settings((settings) => ({ ...settings, sms: { ...settings.sms, factorUse } }));
    await use('ALWAYS');
    const pending = await challenge(client);
    const code = await requireSmsCode(client, (await askForCode(client, pending)).sessionInfo);
    await use('RECOVERY');
    const late = await finish(client, pending.mfaPendingCredential, code);
    expect(late.error).toMatch(/^OPERATION_NOT_ALLOWED : .* only for recovery/);
    expect(factorsOf((await signIn(client)).json)).toMatchObject([
      { phoneInfo: expect.any(String) },
      { totpInfo: {} },
    ]);
    // An app does not count as another factor if the project does not accept apps.
    await client.settings((settings) => ({
      ...settings,
      secondFactor: { ...settings.secondFactor, isTotpEnabled: false },
    }));
    expect(await signInByText()).toBeUndefined();
    await client.settings((settings) => ({
      ...settings,
      secondFactor: { ...settings.secondFactor, isTotpEnabled: true },
    }));
    expect(await signInByText()).toMatch(/^OPERATION_NOT_ALLOWED/);
    client.clock.ms += 30 * 86_400_000;
    expect(await signInByText()).toBeUndefined();
  });

  test('[I773] is not asked for if the project uses no second factors', async () => {
    const client = await AuthClient.open();
    await openPhoneAnn(client);
    await client.settings((settings) => ({
      ...settings,
      secondFactor: { ...settings.secondFactor, state: 'DISABLED' },
    }));
    expect((await signIn(client)).json).toHaveProperty('idToken');
  });
});

describe('a project that enforces challenges for text messages', () => {
  const WEB = { clientType: 'CLIENT_TYPE_WEB', recaptchaVersion: 'RECAPTCHA_ENTERPRISE' };

  test('[I883] enrolls a phone for a solved challenge', async () => {
    const client = await AuthClient.open();
    const { idToken } = await openVerified(client);
    await enforceCaptcha(client, { phone: 'ENFORCE' });
    expect((await startEnrollment(client, idToken)).error).toBe('MISSING_CLIENT_IDENTIFIER');
    const answer = await client.post('/v2/accounts/mfaEnrollment:start', {
      idToken,
      phoneEnrollmentInfo: {
        phoneNumber: NUMBER,
        ...WEB,
        captchaResponse: await solveFor(client, 'mfaSmsEnrollment'),
      },
    });
    expect(answer.error).toBeUndefined();
  });

  test('[I782] sends the first message of a sign-in without one, and only one, also for several requests at the same time', async () => {
    const client = await AuthClient.open();
    await openPhoneAnn(client);
    await enforceCaptcha(client, { phone: 'ENFORCE' });
    const { factor: _factor, ...pending } = await challenge(client);
    const ask = async (phoneSignInInfo: object): Promise<string | undefined> =>
      (await client.post('/v2/accounts/mfaSignIn:start', { ...pending, phoneSignInInfo })).error;
    const errors = await Promise.all(Array.from({ length: 5 }, () => ask({})));
    expect(errors.filter((error) => error === undefined)).toHaveLength(1);
    expect(new Set(errors)).toEqual(new Set([undefined, 'MISSING_CLIENT_IDENTIFIER']));
    const captchaResponse = await solveFor(client, 'mfaSmsSignIn');
    expect(await ask({ ...WEB, captchaResponse })).toBeUndefined();
    expect(await ask({ ...WEB, captchaResponse })).toBe('INVALID_RECAPTCHA_TOKEN');
  });
});
