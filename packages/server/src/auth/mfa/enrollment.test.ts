import { describe, expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { DEVELOPMENT_SETTINGS } from '../projects/project.ts';
import {
  ANN,
  CodeApp,
  change,
  enrollApp,
  factorsOf,
  finish,
  openAnn,
  openVerified,
  pendingOf,
  signIn,
  startAppEnrollment,
} from './second-factor.fixture.ts';

const PHONES = [1, 2, 3, 4, 5].map((n) => ({ mfaEnrollmentId: `phone${n}`, phoneInfo: `+1555010000${n}` }));
const TOTP = { totpEnrollmentInfo: {} };

describe('enrolling an authenticator app', () => {
  test('[I220] begins with a secret for the app and ten minutes to finish', async () => {
    const client = await AuthClient.open();
    const { idToken } = await openVerified(client);
    const { status, json } = await client.post('/v2/accounts/mfaEnrollment:start', { idToken, ...TOTP });
    expect(status).toBe(200);
    expect(json).toEqual({
      totpSessionInfo: {
        sharedSecretKey: expect.stringMatching(/^[A-Z2-7]{32}$/),
        verificationCodeLength: 6,
        hashingAlgorithm: 'SHA1',
        periodSec: 30,
        sessionInfo: expect.any(String),
        finalizeEnrollmentTime: new Date(client.clock.ms + 600_000).toISOString(),
      },
    });
    expect(factorsOf(await client.lookup(idToken))).toEqual([]);
  });

  test('[I221] ends with the first right code, and the tokens name the factor', async () => {
    const client = await AuthClient.open();
    const { idToken, refreshToken } = await openVerified(client);
    const { answer } = await enrollApp(client, idToken, { displayName: 'phone app' });
    const factors = factorsOf(await client.lookup(idToken));
    expect(factors).toEqual([
      {
        mfaEnrollmentId: expect.stringMatching(/^\w{28}$/),
        displayName: 'phone app',
        enrolledAt: new Date(client.clock.ms).toISOString(),
        totpInfo: {},
      },
    ]);
    expect(answer.json).toEqual({
      idToken: expect.any(String),
      refreshToken: expect.any(String),
      totpAuthInfo: {},
    });
    expect(claimsOf(answer.json['idToken'])['firebase']).toMatchObject({
      sign_in_provider: 'password',
      sign_in_second_factor: 'totp',
      second_factor_identifier: factors[0]?.['mfaEnrollmentId'],
    });
    const before = await client.refresh(refreshToken);
    expect(claimsOf(before.json['id_token'])['firebase']).not.toHaveProperty('sign_in_second_factor');
  });

  test('[I222] needs a recent sign-in by a supported method, a verified address, no app yet and fewer than five factors', async () => {
    const client = await AuthClient.open();
    const start = async (idToken: unknown) =>
      (await client.post('/v2/accounts/mfaEnrollment:start', { idToken, ...TOTP })).error;
    const anonymous = (await client.post('accounts:signUp')).json;
    const custom = await client.post('accounts:signInWithCustomToken', { token: '{"uid":"carl"}' });
    const unsupported = 'UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor.';
    expect(await start(anonymous['idToken'])).toBe(unsupported);
    expect(await start(custom.json['idToken'])).toBe(unsupported);
    const unverified = await client.signUp('bob@example.com');
    expect(await start(unverified['idToken'])).toBe(
      'UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.',
    );
    const { uid, idToken } = await openVerified(client);
    await change(client, uid, { mfa: { enrollments: PHONES } });
    expect(await start(idToken)).toBe('SECOND_FACTOR_LIMIT_EXCEEDED');
    await change(client, uid, { mfa: {} });
    await enrollApp(client, idToken);
    expect(await start(idToken)).toBe(
      'SECOND_FACTOR_EXISTS : TOTP already enrolled as second factor for this account.',
    );
    client.clock.ms += 301_000;
    expect(await start(idToken)).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
  });

  test('[I222] succeeds for one of two concurrent enrollments', async () => {
    const client = await AuthClient.open();
    const { idToken } = await openVerified(client);
    const answers = await Promise.all([enrollApp(client, idToken), enrollApp(client, idToken)]);
    expect(answers.map(({ answer }) => answer.status).sort()).toEqual([200, 400]);
    expect(factorsOf(await client.lookup(idToken))).toHaveLength(1);
  });

  test.each([
    [{}, 'MISSING_ID_TOKEN'],
    [{ idToken: 'garbage' }, 'INVALID_ID_TOKEN'],
  ])('[I222] is rejected for %j with %s', async (body, error) => {
    const client = await AuthClient.open();
    const totpVerificationInfo = { sessionInfo: 'x', verificationCode: '123456' };
    expect((await client.post('/v2/accounts/mfaEnrollment:start', { ...body, ...TOTP })).error).toBe(error);
    expect(
      (await client.post('/v2/accounts/mfaEnrollment:finalize', { ...body, totpVerificationInfo })).error,
    ).toBe(error);
    expect((await client.post('/v2/accounts/mfaEnrollment:withdraw', body)).error).toBe(error);
  });

  test('[I223] has a separate error for each missing, wrong or late input', async () => {
    const client = await AuthClient.open();
    const { idToken } = await openVerified(client);
    const other = await openVerified(client, 'bob@example.com');
    const { sessionInfo, sharedSecretKey } = await startAppEnrollment(client, idToken);
    const app = new CodeApp(client, sharedSecretKey);
    const finalize = async (body: object) =>
      (await client.post('/v2/accounts/mfaEnrollment:finalize', { idToken, ...body })).error;
    const withCode = (info: object, body: object = {}) => finalize({ totpVerificationInfo: info, ...body });
    expect(await finalize({})).toMatch(/^INVALID_ARGUMENT : /);
    expect(await withCode({}, { phoneVerificationInfo: {} })).toMatch(/^INVALID_ARGUMENT : /);
    expect(await finalize({ totpVerificationInfo: 'x' })).toMatch(/^INVALID_ARGUMENT : /);
    expect(await withCode({ verificationCode: app.code() })).toBe('MISSING_SESSION_INFO');
    expect(await withCode({ sessionInfo })).toBe('MISSING_CODE');
    expect(await withCode({ sessionInfo: 'x', verificationCode: app.code() })).toBe('INVALID_SESSION_INFO');
    expect(await withCode({ sessionInfo, verificationCode: app.code() }, { idToken: other.idToken })).toBe(
      'INVALID_SESSION_INFO',
    );
    for (const verificationCode of [app.wrongCode(), 'abcdef', '1234567', app.code(6)])
      expect(await withCode({ sessionInfo, verificationCode })).toBe('INVALID_CODE');
    const long = { displayName: 'x'.repeat(65) };
    expect(await withCode({ sessionInfo, verificationCode: app.code() }, long)).toMatch(
      /^INVALID_ARGUMENT : /,
    );
    client.clock.ms += 600_001;
    const { json } = await client.post('accounts:signInWithPassword', ANN);
    const late = { idToken: json['idToken'] };
    expect(await withCode({ sessionInfo, verificationCode: app.code() }, late)).toBe('SESSION_EXPIRED');
    expect(factorsOf(await client.lookup(json['idToken']))).toEqual([]);
  });

  test('[I223] is rejected if the request names no kind of factor, or several', async () => {
    const client = await AuthClient.open();
    const { idToken } = await openVerified(client);
    for (const body of [{}, { ...TOTP, phoneEnrollmentInfo: {} }])
      expect((await client.post('/v2/accounts/mfaEnrollment:start', { idToken, ...body })).error).toMatch(
        /^INVALID_ARGUMENT : /,
      );
  });

  test('[I224] stores no readable secret, neither in the records nor in the audit log', async () => {
    const client = await AuthClient.open();
    const { idToken, uid } = await openVerified(client);
    const { sharedSecretKey, sessionInfo } = await startAppEnrollment(client, idToken);
    const app = new CodeApp(client, sharedSecretKey);
    await client.post('/v2/accounts/mfaEnrollment:finalize', {
      idToken,
      totpVerificationInfo: { sessionInfo, verificationCode: app.code() },
    });
    const stored = client.services.recordStore.read((view) =>
      view.records('accounts:demo').find(['accounts', uid]),
    );
    expect(JSON.stringify(stored)).toContain('sealedSecret');
    for (const text of [JSON.stringify(stored), JSON.stringify(client.audited)])
      expect(text).not.toContain(sharedSecretKey);
    expect(client.audited).toContainEqual(
      expect.objectContaining({ event: 'second_factor_added', uid, detail: 'totp', result: 'ok' }),
    );
  });
});

describe('removing a factor', () => {
  test('[I235] ends all sessions if the current one used the factor, and returns tokens that do not name it', async () => {
    const client = await AuthClient.open();
    const { uid, idToken, refreshToken, enrollmentId, earlier } = await openAnn(client);
    const { json } = await client.post('/v2/accounts/mfaEnrollment:withdraw', {
      idToken,
      mfaEnrollmentId: enrollmentId,
    });
    expect(factorsOf(await client.lookup(json['idToken']))).toEqual([]);
    expect(claimsOf(json['idToken'])['firebase']).not.toHaveProperty('sign_in_second_factor');
    expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
    expect((await client.refresh(refreshToken)).error).toBe('TOKEN_EXPIRED');
    expect((await client.refresh(earlier.refreshToken)).error).toBe('TOKEN_EXPIRED');
    expect((await client.refresh(json['refreshToken'])).status).toBe(200);
    expect((await signIn(client)).json).toHaveProperty('idToken');
    expect(client.audited).toContainEqual(
      expect.objectContaining({ event: 'second_factor_removed', uid, detail: 'totp' }),
    );
  });

  test('[I235] from a session that did not use it keeps the tokens of that session valid', async () => {
    const client = await AuthClient.open();
    const { enrollmentId, earlier } = await openAnn(client);
    await client.post('/v2/accounts/mfaEnrollment:withdraw', {
      idToken: earlier.idToken,
      mfaEnrollmentId: enrollmentId,
    });
    expect(factorsOf(await client.lookup(earlier.idToken))).toEqual([]);
  });

  test('[I681] does not make an earlier session count as a recent sign-in', async () => {
    const client = await AuthClient.open();
    const { idToken: staleToken, refreshToken } = await client.signUp();
    client.clock.ms += 310_000;
    const update = { idToken: staleToken, password: 'a-thief-has-it' };
    expect((await client.post('accounts:update', update)).error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
    const { json } = await client.post('accounts:signInWithPassword', ANN);
    await client.admin('projects/demo/accounts:update', { localId: json['localId'], emailVerified: true });
    const { answer } = await enrollApp(client, json['idToken']);
    const { idToken } = answer.json;
    const [factor] = factorsOf(await client.lookup(idToken));
    const withdrawal = { idToken, mfaEnrollmentId: factor?.['mfaEnrollmentId'] };
    expect((await client.post('/v2/accounts/mfaEnrollment:withdraw', withdrawal)).status).toBe(200);
    expect((await client.refresh(refreshToken)).error).toBe('TOKEN_EXPIRED');
  });

  test('[I235] within the same second as the enrollment also revokes the tokens of that second', async () => {
    const client = await AuthClient.open();
    const { idToken: before } = await openVerified(client);
    const { idToken } = (await enrollApp(client, before)).answer.json;
    const [factor] = factorsOf(await client.lookup(idToken));
    const { json } = await client.post('/v2/accounts/mfaEnrollment:withdraw', {
      idToken,
      mfaEnrollmentId: factor?.['mfaEnrollmentId'],
    });
    expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
    expect(factorsOf(await client.lookup(json['idToken']))).toEqual([]);
  });

  test('[I236] is rejected without the ID of an existing factor, or without a recent sign-in', async () => {
    const client = await AuthClient.open();
    const { idToken, enrollmentId } = await openAnn(client);
    const withdraw = async (body: object) =>
      (await client.post('/v2/accounts/mfaEnrollment:withdraw', { idToken, ...body })).error;
    expect(await withdraw({})).toBe('MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.');
    expect(await withdraw({ mfaEnrollmentId: 'x' })).toBe('MFA_ENROLLMENT_NOT_FOUND');
    client.clock.ms += 301_000;
    expect(await withdraw({ mfaEnrollmentId: enrollmentId })).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
    expect(factorsOf(await client.lookup(idToken))).toHaveLength(1);
  });
});

test('[I234] kinds of factor that the project does not offer are rejected with an error that names the kind', async () => {
  const client = await AuthClient.open();
  const { app, enrollmentId, idToken } = await openAnn(client);
  const pending = await pendingOf(client);
  const ask = async (path: string, body: object) =>
    (await client.post(`/v2/accounts/${path}`, { idToken, mfaPendingCredential: pending, ...body })).error;
  const sms = 'OPERATION_NOT_ALLOWED : SMS based MFA not enabled.';
  for (const off of [{ state: 'DISABLED' as const }, { isSmsEnabled: false }]) {
    await client.settings((settings) => ({
      ...settings,
      secondFactor: { ...DEVELOPMENT_SETTINGS.secondFactor, ...off },
    }));
    const phoneEnrollmentInfo = { phoneNumber: '+15550100001' };
    expect(await ask('mfaEnrollment:start', { phoneEnrollmentInfo })).toBe(sms);
    expect(await ask('mfaEnrollment:finalize', { phoneVerificationInfo: {} })).toBe(sms);
    expect(await ask('mfaSignIn:finalize', { phoneVerificationInfo: {} })).toBe(sms);
  }
  const totp = 'OPERATION_NOT_ALLOWED : TOTP based MFA not enabled.';
  for (const off of [{ state: 'DISABLED' as const }, { isTotpEnabled: false }]) {
    await client.settings((settings) => ({
      ...settings,
      secondFactor: { ...DEVELOPMENT_SETTINGS.secondFactor, ...off },
    }));
    expect(await ask('mfaEnrollment:start', TOTP)).toBe(totp);
    expect(await ask('mfaEnrollment:finalize', { totpVerificationInfo: {} })).toBe(totp);
    expect((await finish(client, pending, enrollmentId, app.code())).error).toBe(totp);
  }
});

test('[I13][I240] all requests about second factors are rejected while the project is disabled', async () => {
  const client = await AuthClient.open();
  await openAnn(client);
  await client.settings((settings) => ({ ...settings, isDisabled: true }));
  for (const path of [
    'mfaEnrollment:start',
    'mfaEnrollment:finalize',
    'mfaEnrollment:withdraw',
    'mfaSignIn:start',
    'mfaSignIn:finalize',
    'mfaRecoveryCodes:generate',
  ])
    expect((await client.post(`/v2/accounts/${path}`)).error).toBe('PROJECT_DISABLED');
});
