import { describe, expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { projectScope } from '../tenants/scope.ts';
import {
  ANN,
  type Ann,
  change,
  factorsOf,
  finish,
  openAnn,
  openVerified,
  pendingOf,
  signIn,
} from './second-factor.fixture.ts';

type Settings = Parameters<Parameters<AuthClient['settings']>[0]>[0]['secondFactor'];

async function setSecondFactor(client: AuthClient, settings: Partial<Settings>): Promise<void> {
  await client.settings((all) => ({ ...all, secondFactor: { ...all.secondFactor, ...settings } }));
}

/** Signs in with the password and the second factor, and returns the tokens. */
async function signInWithBothFactors(client: AuthClient, { app, enrollmentId }: Ann) {
  const { json } = await finish(client, await pendingOf(client), enrollmentId, app.code());
  return json;
}

describe('the primary credential of a sign-in', () => {
  test('[I225] of an account with a second factor gets no tokens, but a pending credential and the list of factors', async () => {
    const client = await AuthClient.open();
    const { uid, enrollmentId, idToken } = await openAnn(client);
    const { lastLoginAt } = await client.lookup(idToken);
    const { status, json } = await signIn(client);
    expect(status).toBe(200);
    expect(json).toEqual({
      kind: 'identitytoolkit#VerifyPasswordResponse',
      localId: uid,
      email: ANN.email,
      displayName: '',
      registered: true,
      mfaPendingCredential: expect.stringMatching(/^[\w-]{59}$/),
      mfaInfo: [{ mfaEnrollmentId: enrollmentId, enrolledAt: expect.any(String), totpInfo: {} }],
    });
    expect(await client.lookup(idToken)).toMatchObject({ lastLoginAt });
  });

  test.each([{ state: 'DISABLED' as const }, { isTotpEnabled: false }])(
    '[I234] is enough if the second factor settings of the project have %j',
    async (settings) => {
      const client = await AuthClient.open();
      await openAnn(client);
      await setSecondFactor(client, settings);
      expect((await signIn(client)).json).toHaveProperty('idToken');
    },
  );

  test('[I234] is enough for an account without a factor even if factors are mandatory, and its tokens name none', async () => {
    const client = await AuthClient.open();
    await setSecondFactor(client, { state: 'MANDATORY' });
    await openVerified(client);
    const { json } = await signIn(client);
    expect(claimsOf(json['idToken'])['firebase']).not.toHaveProperty('sign_in_second_factor');
  });

  test('[I241] is enough if it is a custom token, and the new session names no second factor', async () => {
    const client = await AuthClient.open();
    const { uid } = await openAnn(client);
    const { json } = await client.post('accounts:signInWithCustomToken', { token: JSON.stringify({ uid }) });
    expect(claimsOf(json['idToken'])['firebase']).not.toHaveProperty('sign_in_second_factor');
  });

  test('[I241] is still not enough after a password reset by mail', async () => {
    const client = await AuthClient.open();
    await openAnn(client);
    await client.post('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email: ANN.email });
    const oobCode = client.services.recentCodes?.list(projectScope('demo')).at(-1)?.code;
    const password = 'another one';
    const reset = await client.post('accounts:resetPassword', { oobCode, newPassword: password });
    expect(reset.status).toBe(200);
    const { json } = await client.post('accounts:signInWithPassword', { ...ANN, password });
    expect(json).toHaveProperty('mfaPendingCredential');
    expect(json).not.toHaveProperty('idToken');
  });

  test('[I241] is still not enough after an administrator set the password', async () => {
    const client = await AuthClient.open();
    const { uid } = await openAnn(client);
    await change(client, uid, { password: 'another one' });
    const { json } = await client.post('accounts:signInWithPassword', { ...ANN, password: 'another one' });
    expect(json).toHaveProperty('mfaPendingCredential');
    expect(json).not.toHaveProperty('idToken');
  });
});

describe('the second factor of a sign-in', () => {
  test('[I226] is recorded in the audit log when it is requested and when it is used', async () => {
    const client = await AuthClient.open();
    const ann = await openAnn(client);
    await signInWithBothFactors(client, ann);
    const { uid } = ann;
    expect(client.audited).toContainEqual(expect.objectContaining({ event: 'second_factor_asked', uid }));
    expect(client.audited).toContainEqual(
      expect.objectContaining({ event: 'sign_in', uid, detail: 'password+totp', result: 'ok' }),
    );
  });

  test('[I226] completes the sign-in, and the tokens of the session name the factor, also after a refresh', async () => {
    const client = await AuthClient.open();
    const { uid, app, enrollmentId } = await openAnn(client);
    const { status, json } = await finish(client, await pendingOf(client), enrollmentId, app.code());
    expect(status).toBe(200);
    expect(json).toEqual({ idToken: expect.any(String), refreshToken: expect.any(String) });
    const reported = {
      sign_in_provider: 'password',
      sign_in_second_factor: 'totp',
      second_factor_identifier: enrollmentId,
    };
    expect(claimsOf(json['idToken'])).toMatchObject({ sub: uid, firebase: reported });
    const refreshed = await client.refresh(json['refreshToken']);
    expect(claimsOf(refreshed.json['id_token'])).toMatchObject({ firebase: reported });
    expect(await client.lookup(json['idToken'])).toMatchObject({ lastLoginAt: String(client.clock.ms) });
  });

  test.each([
    [0, 0, 200],
    [0, 1, 400],
    [0, -1, 400],
    [1, 1, 200],
    [1, -1, 200],
    [1, 2, 400],
    [5, 5, 200],
    [5, -5, 200],
    [5, -6, 400],
  ])(
    '[I227] with %d adjacent steps allowed, the code of step %d is answered with status %d',
    async (adjacent, step, status) => {
      const client = await AuthClient.open();
      const { app, enrollmentId } = await openAnn(client);
      await setSecondFactor(client, { totpAdjacentIntervals: adjacent });
      client.clock.ms += 600_000;
      const answer = await finish(client, await pendingOf(client), enrollmentId, app.code(step));
      expect(answer.status).toBe(status);
    },
  );

  test('[I228] works once, and voids all earlier codes including that of the enrollment', async () => {
    const client = await AuthClient.open();
    const { app, enrollmentId } = await openAnn(client);
    const tryStep = async (step: number) =>
      (await finish(client, await pendingOf(client), enrollmentId, app.code(step))).error;
    expect(await tryStep(-1)).toBe('INVALID_CODE');
    expect(await tryStep(1)).toBeUndefined();
    for (const step of [1, 0]) expect(await tryStep(step)).toBe('INVALID_CODE');
    expect(await tryStep(2)).toBeUndefined();
  });

  test('[I228][I231] succeeds for one of many concurrent uses of a code', async () => {
    const client = await AuthClient.open();
    const { app, enrollmentId } = await openAnn(client);
    const pendings = await Promise.all(Array.from({ length: 8 }, () => pendingOf(client)));
    const credentials = [...pendings, pendings[0], pendings[0]];
    const answers = await Promise.all(
      credentials.map((pending) => finish(client, pending, enrollmentId, app.code())),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('[I229] ends the sign-in after five wrong codes', async () => {
    const client = await AuthClient.open();
    const { uid, app, enrollmentId } = await openAnn(client);
    const pending = await pendingOf(client);
    for (let count = 0; count < 5; count++)
      expect((await finish(client, pending, enrollmentId, app.wrongCode())).error).toBe('INVALID_CODE');
    expect((await finish(client, pending, enrollmentId, app.code())).error).toBe(
      'INVALID_MFA_PENDING_CREDENTIAL',
    );
    const reported = { event: 'second_factor_failed', uid, result: 'INVALID_CODE' };
    expect(client.audited.filter(({ event }) => event === reported.event)).toHaveLength(5);
    expect(client.audited).toContainEqual(expect.objectContaining(reported));
    expect((await signInWithBothFactors(client, { app, enrollmentId } as Ann))['idToken']).toBeDefined();
  });

  test('[I229] is verified only five times, however many codes are sent concurrently', async () => {
    const client = await AuthClient.open();
    const { app, enrollmentId } = await openAnn(client);
    const pending = await pendingOf(client);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => finish(client, pending, enrollmentId, app.wrongCode())),
    );
    const errors = answers.map(({ error }) => error);
    expect(errors.filter((error) => error === 'INVALID_CODE')).toHaveLength(5);
    expect(errors.filter((error) => error === 'INVALID_MFA_PENDING_CREDENTIAL')).toHaveLength(15);
  });

  test('[I230] is not verified after 20 wrong codes in a day, until an administrator sets a new password', async () => {
    const client = await AuthClient.open();
    const { uid, app, enrollmentId } = await openAnn(client);
    for (let count = 0; count < 20; count++) {
      const pending = await pendingOf(client);
      await finish(client, pending, enrollmentId, app.wrongCode());
      client.clock.ms += 3_600_000 / 5;
    }
    const tryIt = async () => (await finish(client, await pendingOf(client), enrollmentId, app.code())).error;
    expect(await tryIt()).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
    client.clock.ms += 1_000;
    await change(client, uid, { password: ANN.password });
    expect(await tryIt()).toBeUndefined();
  });

  test('[I230] is not requested again after ten uncompleted sign-ins in an hour', async () => {
    const client = await AuthClient.open();
    const ann = await openAnn(client);
    for (let count = 0; count < 3; count++) {
      expect(await signInWithBothFactors(client, ann)).toHaveProperty('idToken');
      client.clock.ms += 30_000;
    }
    for (let count = 0; count < 10; count++) expect((await signIn(client)).status).toBe(200);
    expect((await signIn(client)).error).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
    client.clock.ms += 3_600_000;
    expect((await signIn(client)).status).toBe(200);
  });

  test('[I231] is accepted within ten minutes, and rejected later', async () => {
    const client = await AuthClient.open();
    const { app, enrollmentId } = await openAnn(client);
    const [first, second] = [await pendingOf(client), await pendingOf(client)];
    client.clock.ms += 600_000;
    expect((await finish(client, first, enrollmentId, app.code())).status).toBe(200);
    client.clock.ms += 1;
    expect((await finish(client, second, enrollmentId, app.code(1))).error).toBe(
      'INVALID_MFA_PENDING_CREDENTIAL',
    );
  });

  test.each([
    ['a new password', { password: 'another one' }, {}],
    ['a revocation of tokens', { validSince: '1700000030' }, {}],
    ['the account was disabled and enabled again', { disableUser: true }, { disableUser: false }],
  ])('[I231] is rejected after %s', async (_what, first, then) => {
    const client = await AuthClient.open();
    const { uid, app, enrollmentId } = await openAnn(client);
    const pending = await pendingOf(client);
    await change(client, uid, first);
    await change(client, uid, then);
    expect((await finish(client, pending, enrollmentId, app.code())).error).toBe(
      'INVALID_MFA_PENDING_CREDENTIAL',
    );
  });

  test('[I231] is rejected for an account that was deleted', async () => {
    const client = await AuthClient.open();
    const { app, enrollmentId, idToken } = await openAnn(client);
    const pending = await pendingOf(client);
    await client.post('accounts:delete', { idToken });
    expect((await finish(client, pending, enrollmentId, app.code())).error).toBe(
      'INVALID_MFA_PENDING_CREDENTIAL',
    );
  });

  test('[I232] has a separate error for each missing or wrong input', async () => {
    const client = await AuthClient.open();
    const { uid, app, enrollmentId } = await openAnn(client);
    const pending = await pendingOf(client);
    const finalize = async (change: object) =>
      (
        await client.post('/v2/accounts/mfaSignIn:finalize', {
          mfaPendingCredential: pending,
          mfaEnrollmentId: enrollmentId,
          totpVerificationInfo: { verificationCode: app.code() },
          ...change,
        })
      ).error;
    expect(await finalize({ mfaPendingCredential: null })).toBe(
      'MISSING_CREDENTIAL : Please set MFA Pending Credential.',
    );
    expect(await finalize({ totpVerificationInfo: null })).toMatch(/^INVALID_ARGUMENT : /);
    expect(await finalize({ totpVerificationInfo: {} })).toBe('MISSING_CODE');
    expect(await finalize({ mfaEnrollmentId: null })).toBe(
      'MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.',
    );
    expect(await finalize({ mfaEnrollmentId: 'x' })).toBe('MFA_ENROLLMENT_NOT_FOUND');
    for (const other of ['x', 'A'.repeat(59), `${String(pending).slice(0, -6)}AAAAAA`])
      expect(await finalize({ mfaPendingCredential: other })).toMatch(
        /^INVALID_MFA_PENDING_CREDENTIAL$|^INVALID_PROJECT_ID/,
      );
    const elsewhere = await client.request(
      'POST',
      '/v2/accounts/mfaSignIn:finalize',
      JSON.stringify({
        targetProjectId: 'other',
        mfaPendingCredential: pending,
        mfaEnrollmentId: enrollmentId,
        totpVerificationInfo: { verificationCode: app.code() },
      }),
      { authorization: 'Bearer owner' },
    );
    expect(elsewhere.error).toBe('INVALID_PROJECT_ID : Project ID does not match MFA pending credential.');
    await givePhone(client, uid);
    expect(await finalize({ mfaEnrollmentId: 'p' })).toBe('MFA_ENROLLMENT_NOT_FOUND');
    expect(await finalize({})).toBeUndefined();
  });

  test('[I232] can be started only for kinds of factor that need a start', async () => {
    const client = await AuthClient.open();
    const { uid, enrollmentId } = await openAnn(client);
    await givePhone(client, uid);
    await setSecondFactor(client, { isSmsEnabled: false });
    const pending = await pendingOf(client);
    const start = async (body: object) =>
      (await client.post('/v2/accounts/mfaSignIn:start', { mfaPendingCredential: pending, ...body })).error;
    expect(await start({ mfaPendingCredential: null })).toBe(
      'MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential.',
    );
    expect(await start({})).toBe('MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.');
    expect(await start({ mfaEnrollmentId: 'x' })).toBe('MFA_ENROLLMENT_NOT_FOUND');
    expect(await start({ mfaEnrollmentId: enrollmentId })).toMatch(/^INVALID_ARGUMENT : /);
    expect(await start({ mfaEnrollmentId: 'p', phoneSignInInfo: {} })).toBe(
      'OPERATION_NOT_ALLOWED : SMS based MFA not enabled.',
    );
    await setSecondFactor(client, { state: 'DISABLED' });
    expect(await start({ mfaEnrollmentId: enrollmentId })).toBe(
      'OPERATION_NOT_ALLOWED : TOTP based MFA not enabled.',
    );
  });

  test('[I233] leaves no records of uncompleted sign-ins for long', async () => {
    const client = await AuthClient.open();
    await openAnn(client);
    const count = () =>
      client.services.recordStore.read(
        (view) => view.records('accounts:demo').list(['pending'], { limit: 100 }).length,
      );
    for (let round = 0; round < 6; round++) {
      for (let each = 0; each < 5; each++) await signIn(client);
      client.clock.ms += 3_600_000;
    }
    await signIn(client);
    expect(count()).toBeLessThanOrEqual(2 * 5 + 1);
  });

  test('[I224] is requested with a pending credential that is stored only as a hash', async () => {
    const client = await AuthClient.open();
    const { uid } = await openAnn(client);
    const pending = await pendingOf(client);
    const stored = client.services.recordStore.read((view) => {
      const records = view.records('accounts:demo');
      return JSON.stringify([records.find(['pending']), records.find(['challenges', uid])]);
    });
    expect(stored).toContain('password');
    expect(stored).not.toContain(pending);
  });
});

/** Adds a phone to the second factors of an account. */
async function givePhone(client: AuthClient, uid: string): Promise<void> {
  const { json } = await client.admin('/v1/projects/demo/accounts:lookup', { localId: [uid] });
  const users: unknown = json['users'];
  const existing = factorsOf(Array.isArray(users) ? users[0] : {});
  const enrollments = [...existing, { mfaEnrollmentId: 'p', phoneInfo: '+15550100001' }];
  await change(client, uid, { mfa: { enrollments } });
}
