import { expect, test } from 'vitest';
import { SMS_LIMITS } from '../../sms/budgets.ts';
import { type AuthAnswer, AuthClient } from '../api/auth-client.fixture.ts';
import { openVerified } from '../mfa/second-factor.fixture.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { NUMBER, otherThan, requestSmsCode, requireSmsCode, useSmsCode } from './phone.fixture.ts';

const CLIENTS = 50;

/**
 * Sends a request from 50 clients at the same time. Returns how many got each error code; `ok` counts the successes.
 */
async function race(send: (index: number) => Promise<AuthAnswer>): Promise<Readonly<Record<string, number>>> {
  const answers = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => send(index)));
  const counts: Record<string, number> = {};
  for (const { error = 'ok' } of answers) counts[error] = (counts[error] ?? 0) + 1;
  return counts;
}

function startEnrollment(client: AuthClient, idToken: unknown): Promise<AuthAnswer> {
  return client.post('/v2/accounts/mfaEnrollment:start', {
    idToken,
    phoneEnrollmentInfo: { phoneNumber: NUMBER },
  });
}

function finishEnrollment(client: AuthClient, idToken: unknown, code: object): Promise<AuthAnswer> {
  return client.post('/v2/accounts/mfaEnrollment:finalize', { idToken, phoneVerificationInfo: code });
}

test('[I783] if 50 clients request a code for one number at the same time, one gets it', async () => {
  const client = await AuthClient.open(unsignedTokenServices, {
    isDevelopment: false,
    smsLimits: SMS_LIMITS,
  });
  await client.settings((settings) => ({
    ...settings,
    sms: { ...settings.sms, regions: { kind: 'only', countries: ['US'] }, appProof: 'THROTTLED' },
  }));
  const answers = await race(() => client.post('accounts:sendVerificationCode', { phoneNumber: NUMBER }));
  expect(answers).toEqual({ ok: 1, TOO_MANY_ATTEMPTS_TRY_LATER: CLIENTS - 1 });
  expect(client.services.phones.outbox.status().waiting).toBe(1);
});

test('[I761] the right code signs in once, also if wrong codes arrive at the same time', async () => {
  const client = await AuthClient.open();
  const { sessionInfo, code } = await requestSmsCode(client);
  const answers = await race((index) =>
    useSmsCode(client, { sessionInfo, code: index < 4 ? otherThan(code) : code }),
  );
  const { INVALID_CODE: wrong = 0, INVALID_SESSION_INFO: used = 0, ...others } = answers;
  expect(others).toEqual({ ok: 1 });
  expect(wrong + used).toBe(CLIENTS - 1);
  expect(wrong).toBeLessThanOrEqual(4);
});

test('[I762] after the fifth wrong code, the right code signs in from none of 50 clients', async () => {
  const client = await AuthClient.open();
  const { sessionInfo, code } = await requestSmsCode(client);
  for (let count = 0; count < 5; count++) await useSmsCode(client, { sessionInfo, code: otherThan(code) });
  expect(await race(() => useSmsCode(client, { sessionInfo, code }))).toEqual({ SESSION_EXPIRED: CLIENTS });
});

test('[I761] a code that has expired signs in from none of 50 clients', async () => {
  const client = await AuthClient.open();
  const code = await requestSmsCode(client);
  client.clock.ms += 600_000;
  expect(await race(() => useSmsCode(client, code))).toEqual({ SESSION_EXPIRED: CLIENTS });
});

test('[I771] a code for another purpose is accepted from none of 50 clients, and five uses end it', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  const code = await requestSmsCode(client);
  expect(await race(() => finishEnrollment(client, idToken, code))).toEqual({
    INVALID_SESSION_INFO: 5,
    SESSION_EXPIRED: CLIENTS - 5,
  });
  expect((await useSmsCode(client, code)).error).toBe('SESSION_EXPIRED');
});

test('[I771] a code for another account is accepted from none of 50 clients', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  const eve = await openVerified(client, 'eve@example.com');
  const { json } = await startEnrollment(client, idToken);
  const code = await requireSmsCode(client, Object(json['phoneSessionInfo'])['sessionInfo']);
  const answers = await race(() => finishEnrollment(client, eve.idToken, code));
  expect(answers).toEqual({ INVALID_SESSION_INFO: 5, SESSION_EXPIRED: CLIENTS - 5 });
});

test('[I770] 50 clients that finish an enrollment at the same time enroll the phone once', async () => {
  const client = await AuthClient.open();
  const { idToken, uid } = await openVerified(client);
  const { json } = await startEnrollment(client, idToken);
  const code = await requireSmsCode(client, Object(json['phoneSessionInfo'])['sessionInfo']);
  const { ok, ...others } = await race(() => finishEnrollment(client, idToken, code));
  expect(ok).toBe(1);
  expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(CLIENTS - 1);
  const { json: found } = await client.admin('/v1/projects/demo/accounts:lookup', { localId: [uid] });
  expect(Object(found['users'])[0].mfaInfo).toHaveLength(1);
});

test('[I762] two codes for a number sign in once each, and share the count of wrong codes', async () => {
  const client = await AuthClient.open();
  const codes = [await requestSmsCode(client), await requestSmsCode(client)] as const;
  const answers = await race((index) => useSmsCode(client, codes[index % 2 === 0 ? 0 : 1]));
  expect(answers).toEqual({ ok: 2, INVALID_SESSION_INFO: CLIENTS - 2 });
  const more = [await requestSmsCode(client), await requestSmsCode(client)] as const;
  const wrong = await race((index) => {
    const { sessionInfo, code } = more[index % 2 === 0 ? 0 : 1];
    return useSmsCode(client, { sessionInfo, code: otherThan(code) });
  });
  expect(wrong).toEqual({ INVALID_CODE: 5, SESSION_EXPIRED: CLIENTS - 5 });
});

test.each(['used', 'unknown'])(
  '[I761] a session that is %s signs in from none of 50 clients',
  async (kind) => {
    const client = await AuthClient.open();
    const code = await requestSmsCode(client);
    if (kind === 'used') await useSmsCode(client, code);
    const given = kind === 'used' ? code : { ...code, sessionInfo: 'unknown' };
    expect(await race(() => useSmsCode(client, given))).toEqual({ INVALID_SESSION_INFO: CLIENTS });
  },
);

test('[I762] wrong codes for a number count across sessions, also if 50 clients send them at the same time', async () => {
  const client = await AuthClient.open();
  for (let round = 0; round < 2; round++) {
    const { sessionInfo, code } = await requestSmsCode(client);
    const answers = await race(() => useSmsCode(client, { sessionInfo, code: otherThan(code) }));
    expect(answers).toEqual({ INVALID_CODE: 5, SESSION_EXPIRED: CLIENTS - 5 });
  }
  const right = await requestSmsCode(client);
  expect(await race(() => useSmsCode(client, right))).toEqual({ TOO_MANY_ATTEMPTS_TRY_LATER: CLIENTS });
});

test('[I764] a proof for a number of another account signs in once', async () => {
  const client = await AuthClient.open();
  await useSmsCode(client, await requestSmsCode(client));
  const { idToken } = await openVerified(client);
  const { json } = await useSmsCode(client, { ...(await requestSmsCode(client)), idToken });
  const proof = { temporaryProof: json['temporaryProof'], phoneNumber: NUMBER };
  expect(await race(() => useSmsCode(client, proof))).toEqual({
    ok: 1,
    INVALID_TEMPORARY_PROOF: CLIENTS - 1,
  });
});
