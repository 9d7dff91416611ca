import { describe, expect, test } from 'vitest';
import { SMS_LIMITS } from '../../sms/budgets.ts';
import type { OutgoingTextMessage } from '../../sms/text-message.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import type { ProjectSms } from '../projects/sms-settings.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { listSmsCodes, NUMBER, OTHER_NUMBER, useSmsCode } from './phone.fixture.ts';

const PROOF = { recaptchaToken: 'anything' };

/** Opens a client with the policy and the limits of `hearth serve`, and with an SMS service for the US. */
async function openServing(change: Partial<ProjectSms> = {}): Promise<AuthClient> {
  const client = await AuthClient.open(unsignedTokenServices, {
    isDevelopment: false,
    smsLimits: SMS_LIMITS,
  });
  await client.settings((settings) => ({
    ...settings,
    sms: {
      ...settings.sms,
      regions: { kind: 'only', countries: ['US'] },
      appProof: 'THROTTLED',
      ...change,
    },
  }));
  return client;
}

async function send(client: AuthClient, phoneNumber: string = NUMBER, more: object = PROOF) {
  const { error } = await client.post('accounts:sendVerificationCode', { phoneNumber, ...more });
  return error;
}

/** Returns the text messages that wait to be sent, the oldest first. */
function waiting({ services, clock }: AuthClient): readonly OutgoingTextMessage[] {
  const { outbox } = services.phones;
  return outbox.listDue(clock.ms, undefined, 1_000).flatMap(({ id }) => outbox.findOutgoing(id) ?? []);
}

test('[I780] a message waits in the queue, and the response does not show whether an account has the number', async () => {
  const client = await openServing();
  const answer = await client.post('accounts:sendVerificationCode', { phoneNumber: NUMBER, ...PROOF });
  expect(answer.json).toEqual({ sessionInfo: expect.stringMatching(/^[\w-]{43}$/) });
  const [message, ...more] = waiting(client);
  expect(more).toEqual([]);
  expect(message).toMatchObject({ to: NUMBER, kind: 'SIGN_IN_OR_SIGN_UP', project: 'demo' });
  expect(message?.text).toBe(`${message?.code} is your verification code for demo.`);
  const stored = client.services.recordStore.read((view) =>
    JSON.stringify([
      view.records('sms').list(['waiting'], { limit: 10 }),
      view.records('accounts:demo').list(['phoneCodes'], { limit: 10 }),
    ]),
  );
  expect(stored).not.toContain(message?.code);
  expect(stored).not.toContain(answer.json['sessionInfo']);
});

test('[I780] a message is in the language of the client, and its last line lets the page read the code', async () => {
  const client = await AuthClient.open();
  const ask = (headers: Readonly<Record<string, string>>, body: object = {}) =>
    client.request(
      'POST',
      '/v1/accounts:sendVerificationCode?key=any',
      JSON.stringify({ phoneNumber: NUMBER, ...body }),
      headers,
    );
  await ask({ 'x-firebase-locale': 'de', origin: 'http://localhost:5173' });
  client.clock.ms += 1;
  await ask({ origin: 'https://evil.example' }, { autoRetrievalInfo: { appSignatureHash: 'AbCdEfGhIjK' } });
  const [german, android] = waiting(client);
  expect(german?.text).toBe(
    `${german?.code} ist dein Bestätigungscode für demo.\n\n@localhost #${german?.code}`,
  );
  expect(android?.text).toBe(`<#> ${android?.code} is your verification code for demo.\nAbCdEfGhIjK`);
});

describe('[I781] outside development mode', () => {
  test.each([
    ['+15555550100', 'a number that no country assigns'],
    ['+19005551234', 'a premium number'],
    ['+491805123456', 'a number with shared costs'],
  ])('[I781] %s is rejected: %s', async (number) => {
    const client = await openServing({ regions: { kind: 'all-except', countries: [] } });
    expect(await send(client, number)).toBe('INVALID_PHONE_NUMBER : Invalid format.');
  });

  test('[I781] only numbers of the chosen countries get messages', async () => {
    const client = await openServing();
    const region =
      'OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app developer.';
    expect(await send(client, '+4915112345678')).toBe(region);
    // Canada shares +1 with the United States.
    expect(await send(client, '+14165550123')).toBe(region);
    expect(await send(client)).toBeUndefined();
    const others = await openServing({ regions: { kind: 'all-except', countries: ['US'] } });
    expect(await send(others)).toBe(region);
    expect(await send(others, '+4915112345678')).toBeUndefined();
  });

  test('[I782] a project that requires a proof of the app sends nothing without one', async () => {
    const client = await openServing({ appProof: 'REQUIRE' });
    expect(await send(client, NUMBER, { iosReceipt: 'anything' })).toBe('INVALID_APP_CREDENTIAL');
    expect(await send(client)).toMatch(/^CAPTCHA_CHECK_FAILED : /);
    expect(await send(client, NUMBER, {})).toBe('MISSING_CLIENT_IDENTIFIER');
    expect(waiting(client)).toEqual([]);
  });

  test('[I781] a project without an SMS service rejects requests', async () => {
    expect(await send(await openServing({ driver: null }))).toBe('OPERATION_NOT_ALLOWED');
  });

  test('[I784] fictional numbers get their own code and no message, and only while they are listed', async () => {
    const client = await openServing({ appProof: 'REQUIRE', driver: null });
    const fictional = '+15555550100';
    await client.settings((settings) => ({
      ...settings,
      signIn: { ...settings.signIn, testPhoneNumbers: { [fictional]: '123456' } },
    }));
    const { json } = await client.post('accounts:sendVerificationCode', { phoneNumber: fictional });
    expect(waiting(client)).toEqual([]);
    expect(client.audited.at(-1)).toMatchObject({
      event: 'sms_queued',
      detail: 'SIGN_IN_OR_SIGN_UP, fictional',
    });
    const { sessionInfo } = json;
    expect((await useSmsCode(client, { sessionInfo, code: '123456' })).status).toBe(200);
    await client.settings((settings) => ({
      ...settings,
      signIn: { ...settings.signIn, testPhoneNumbers: {} },
    }));
    expect(await send(client, fictional)).toBe('INVALID_PHONE_NUMBER : Invalid format.');
  });

  test('[I784] a fictional number does not sign in to the account of a member', async () => {
    const client = await openServing();
    const { localId } = await client.signUp();
    await client.admin('/v1/projects/demo/accounts:update', { localId, phoneNumber: NUMBER });
    await client.settings((settings) => ({
      ...settings,
      signIn: { ...settings.signIn, testPhoneNumbers: { [NUMBER]: '123456' } },
    }));
    await client.services.recordStore.change((transaction) =>
      transaction
        .records('installation')
        .write(['members', 'demo', String(localId)], { role: 'owner', addedAtMs: 1 }),
    );
    const { json } = await client.post('accounts:sendVerificationCode', { phoneNumber: NUMBER });
    const { error } = await useSmsCode(client, { sessionInfo: json['sessionInfo'], code: '123456' });
    expect(error).toMatch(/^OPERATION_NOT_ALLOWED : A fictional phone number/);
  });

  test('[I783] a number gets a message every 30 seconds, five an hour and ten a day', async () => {
    const client = await openServing({ perDay: 1_000 });
    expect(await send(client)).toBeUndefined();
    client.clock.ms += 29_999;
    expect(await send(client)).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  });

  test('[I783] a network gets two messages an hour if its clients prove nothing', async () => {
    const client = await openServing();
    expect([await send(client), await send(client, OTHER_NUMBER)]).toEqual([undefined, undefined]);
    expect(await send(client, '+12125550103')).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
    client.clock.ms += 3_600_000;
    expect(await send(client, '+12125550103')).toBeUndefined();
  });

  test('[I783] a project that has used its messages of the day sends no more', async () => {
    const client = await openServing({ perDay: 10 });
    const HOUR_MS = 3_600_000;
    client.clock.ms = Math.ceil(client.clock.ms / (24 * HOUR_MS)) * 24 * HOUR_MS;
    for (const number of [NUMBER, OTHER_NUMBER]) {
      expect(await send(client, number)).toBeUndefined();
      client.clock.ms += HOUR_MS;
    }
    expect(await send(client, '+12125550103')).toBe('QUOTA_EXCEEDED : Exceeded quota for sending SMS.');
  });

  test('[I783] the limits of a project replace those of the server', async () => {
    const client = await openServing({ limits: { pauseMs: 1_000, perNumberAndHour: 2 } });
    expect(await send(client)).toBeUndefined();
    client.clock.ms += 1_000;
    expect(await send(client)).toBeUndefined();
    client.clock.ms += 1_000;
    expect(await send(client)).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  });

  test('[I804] a message costs the price of its country for each of its parts', async () => {
    const spending = { perDayMicros: 10_000_000, pricesMicros: { default: 10_000_000, US: 300_000 } };
    const client = await openServing({ spending });
    const DAY_MS = 24 * 3_600_000;
    client.clock.ms = Math.ceil(client.clock.ms / DAY_MS) * DAY_MS;
    expect(await send(client)).toBeUndefined();
    await client.settings((settings) => ({
      ...settings,
      sms: { ...settings.sms, templates: { en: `%CODE% ${'x'.repeat(200)}` } },
    }));
    // Clients that prove nothing may spend at most a tenth of the amount: a message of one part and one of two fit, but no
    // further one.
    client.clock.ms += 3_600_000;
    expect(await send(client, OTHER_NUMBER)).toBeUndefined();
    client.clock.ms += 3_600_000;
    expect(await send(client, '+12125550103')).toBe('QUOTA_EXCEEDED : Exceeded quota for sending SMS.');
  });

  test('[I805] numbers of internet telephony get no messages if the project rejects them', async () => {
    const regions = { kind: 'only', countries: ['GB'] } as const;
    const voip = '+445601234567';
    expect(await send(await openServing({ regions }), voip)).toBeUndefined();
    const client = await openServing({ regions, rejectsVoip: true });
    expect(await send(client, voip)).toBe('INVALID_PHONE_NUMBER : Invalid format.');
    expect(await send(client, '+447400123456')).toBeUndefined();
  });

  test('[I785] requests for many sequential numbers are rejected and recorded', async () => {
    const client = await openServing({ perDay: 10_000 });
    const errors: unknown[] = [];
    for (let index = 0; index < 7; index++) {
      errors.push(await send(client, `+1650555010${index}`));
      client.clock.ms += 60_000;
    }
    expect(errors.at(-1)).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
    const recorded = client.audited.filter(({ detail }) => detail?.startsWith('sequential'));
    expect(recorded).toMatchObject([{ event: 'sms_refused' }, { event: 'sms_refused' }]);
    expect(recorded).toMatchObject([
      { detail: 'sequential numbers, US' },
      { detail: 'sequential numbers, US' },
    ]);
  });
});

test('[I786] development mode lists unused codes, for the project alone', async () => {
  const client = await AuthClient.open();
  expect(await send(client, '+15555550100', {})).toBeUndefined();
  const [code] = await listSmsCodes(client);
  expect(code).toEqual({
    phoneNumber: '+15555550100',
    code: expect.stringMatching(/^\d{6}$/),
    sessionInfo: expect.any(String),
  });
  const other = await client.request('GET', '/emulator/v1/projects/other/verificationCodes');
  expect(other.json).toEqual({ verificationCodes: [] });
  await useSmsCode(client, { ...code });
  expect(await listSmsCodes(client)).toEqual([]);
});
