import { expect, onTestFinished, test, vi } from 'vitest';
import { DeliveryFailure } from '../../outbox/message.ts';
import { INSTALLATION } from '../../records/store.ts';
import { MAX_WAIT_MS, MAX_WAITING_REQUESTS, SmsOutcomes } from '../../sms/outcomes.ts';
import type { AuthClient } from '../api/auth-client.fixture.ts';
import { listMails } from '../codes/mailed-codes.fixture.ts';
import { ANN, openVerified, signIn } from '../mfa/second-factor.fixture.ts';
import { NUMBER, OTHER_NUMBER } from './phone.fixture.ts';
import { SmsAdministration } from './sms-administration.ts';
import { auditLostSms } from './sms-results.ts';
import { openWithService, type ServiceReply, type TARGETS } from './sms-service.fixture.ts';

function send(client: AuthClient, phoneNumber = NUMBER) {
  return client.post('accounts:sendVerificationCode', { phoneNumber });
}

/** Makes an account an owner of the project. */
async function addOwner(client: AuthClient, email: string): Promise<void> {
  const { localId } = await client.signUp(email, 'password');
  await client.services.recordStore.change((transaction) =>
    transaction
      .records(INSTALLATION)
      .write(['members', 'demo', String(localId)], { role: 'owner', addedAtMs: 1 }),
  );
}

const lost = ({ audited }: AuthClient) => audited.filter(({ event }) => event === 'sms_lost');
const notices = (client: AuthClient) => listMails(client).filter(({ kind }) => kind === 'ownerNotice');

const INVALID = 'INVALID_PHONE_NUMBER : Invalid format.';
const REGION =
  'OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app developer.';

test.each<readonly [keyof typeof TARGETS, ServiceReply, string]>([
  ['twilio', { status: 400, body: { code: 21_211 } }, INVALID],
  ['twilio', { status: 400, body: { code: 21_614 } }, INVALID],
  ['twilio', { status: 403, body: { code: 21_408 } }, REGION],
  ['vonage', { status: 200, body: { messages: [{ status: '6' }] } }, INVALID],
  ['vonage', { status: 200, body: { messages: [{ status: '7' }] } }, INVALID],
])('[I796] a rejection by %s with %j reaches the client: %s', async (kind, reply, error) => {
  const client = await openWithService(kind, reply);
  expect((await send(client)).error).toBe(error);
});

test.each<readonly [keyof typeof TARGETS, ServiceReply, string]>([
  ['twilio', { status: 400, body: { code: 21_610 } }, 'unsubscribed'],
  ['twilio', { status: 400, body: { code: 21_608 } }, 'trial'],
  ['twilio', { status: 401, body: { code: 20_003 } }, 'credentials'],
  ['vonage', { status: 200, body: { messages: [{ status: '2' }] } }, 'bug'],
  ['vonage', { status: 200, body: { messages: [{ status: '9' }] } }, 'account'],
  ['webhook', { status: 404 }, 'refused'],
  ['webhook', { status: 200, body: { block: 'The SIM card was\nchanged.' } }, 'blocked'],
])('[I796][I791] a rejection by %s with %j is only recorded, as %s', async (kind, reply, code) => {
  const client = await openWithService(kind, reply);
  expect((await send(client)).json).toHaveProperty('sessionInfo');
  await vi.waitFor(() => expect(lost(client)).toMatchObject([{ projectId: 'demo', result: code }]));
  if (code === 'blocked') expect(lost(client)[0]?.detail).toBe('blocked: The SIM card was changed.');
});

test('[I796] a message that the service accepts is answered with a session', async () => {
  const client = await openWithService('twilio', { status: 201, body: { sid: 'SM1' } });
  expect((await send(client)).json).toHaveProperty('sessionInfo');
  expect(lost(client)).toEqual([]);
});

/** Signs in with the password, and requests the message for the second factor. */
async function requestFactorCode(client: AuthClient) {
  const { json } = await signIn(client);
  return client.post('/v2/accounts/mfaSignIn:start', {
    mfaPendingCredential: json['mfaPendingCredential'],
    mfaEnrollmentId: Object(json['mfaInfo'])[0].mfaEnrollmentId,
    phoneSignInInfo: {},
  });
}

test('[I796] a rejected number reaches the client that enrolls a second factor or signs in with it', async () => {
  const client = await openWithService('twilio', { status: 400, body: { code: 21_211 } });
  const { uid, idToken } = await openVerified(client);
  const enrollment = await client.post('/v2/accounts/mfaEnrollment:start', {
    idToken,
    phoneEnrollmentInfo: { phoneNumber: NUMBER },
  });
  expect(enrollment.error).toBe(INVALID);
  await client.admin('/v1/projects/demo/accounts:update', {
    localId: uid,
    mfa: { enrollments: [{ phoneInfo: OTHER_NUMBER }] },
  });
  const challenge = await requestFactorCode(client);
  expect(challenge.error).toBe(INVALID);
});

test('[I797] owners learn once a day by mail that the service rejects the account', async () => {
  const client = await openWithService('twilio', { status: 401, body: { code: 20_003 } });
  await addOwner(client, 'owner@example.com');
  await client.signUp(ANN.email, ANN.password);
  const sendOnce = async () => {
    const before = lost(client).length;
    client.clock.ms += 3_600_000;
    await send(client);
    await vi.waitFor(() => expect(lost(client)).toHaveLength(before + 1));
  };
  await sendOnce();
  await sendOnce();
  expect(notices(client)).toMatchObject([
    { to: 'owner@example.com', subject: 'Text messages of demo are not sent' },
  ]);
  expect(notices(client)[0]?.text).toContain('credentials: Twilio answered 20003.');
  client.clock.ms += 24 * 3_600_000;
  await sendOnce();
  expect(notices(client)).toHaveLength(2);
});

test('[I797] owners learn by mail that 80 % of the messages of a day or to a country are used', async () => {
  const client = await openWithService('twilio', { status: 201 });
  await addOwner(client, 'owner@example.com');
  await client.settings((settings) => ({ ...settings, sms: { ...settings.sms, perDay: 5 } }));
  const HOUR_MS = 3_600_000;
  client.clock.ms = Math.ceil(client.clock.ms / (24 * HOUR_MS)) * 24 * HOUR_MS;
  const { uid } = await openVerified(client);
  await client.admin('/v1/projects/demo/accounts:update', {
    localId: uid,
    mfa: { enrollments: [{ phoneInfo: NUMBER }] },
  });
  for (let count = 0; count < 5; count++) {
    expect(notices(client)).toHaveLength(count < 4 ? 0 : 1);
    // The password proves that a user asks for the message.
    const sent = await requestFactorCode(client);
    expect(sent.error).toBeUndefined();
    client.clock.ms += HOUR_MS;
  }
  expect(notices(client).map(({ subject }) => subject)).toEqual([
    'demo has used 80 % of its text messages for today',
  ]);
});

test('[I797] owners also learn by mail if the message to a former number reaches 80 %', async () => {
  const received: string[] = [];
  const client = await openWithService('twilio', { status: 201 }, received);
  await addOwner(client, 'owner@example.com');
  await client.settings((settings) => ({ ...settings, sms: { ...settings.sms, perDay: 3 } }));
  const signInWith = async (phoneNumber: string, more: object = {}) => {
    const { sessionInfo } = (await send(client, phoneNumber)).json;
    const codes = () =>
      received.map((body) => /\d{6}/.exec(new URLSearchParams(body).get('Body') ?? '')?.[0]);
    await vi.waitFor(() => expect(codes().at(-1)).toBeDefined());
    return client.post('accounts:signInWithPhoneNumber', { sessionInfo, code: codes().at(-1), ...more });
  };
  const { idToken } = (await signInWith(NUMBER)).json;
  received.length = 0;
  client.clock.ms += 60_000;
  const changed = await signInWith(OTHER_NUMBER, { idToken });
  expect(changed.json).toMatchObject({ phoneNumber: OTHER_NUMBER });
  expect(notices(client).map(({ subject }) => subject)).toEqual([
    'demo has used 80 % of its text messages for today',
  ]);
});

test('[I796] a request waits for the service for a limited time, and a limited number of requests wait', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const outcomes = new SmsOutcomes();
  const early = {};
  outcomes.expect(early, 'early');
  expect(await outcomes.outcomeOf(early)).toBe('unknown');
  outcomes.open();
  const requests = Array.from({ length: MAX_WAITING_REQUESTS + 1 }, (_, index) => ({ id: `m${index}` }));
  for (const request of requests) outcomes.expect(request, request.id);
  expect(await outcomes.outcomeOf(requests.at(-1) ?? {})).toBe('unknown');
  outcomes.settle('m0', 'busy');
  outcomes.settle('m0', 'number');
  expect(await outcomes.outcomeOf(requests[0] ?? {})).toBe('number');
  const late = outcomes.outcomeOf(requests[1] ?? {});
  await vi.advanceTimersByTimeAsync(MAX_WAIT_MS);
  expect(await late).toBe('unknown');
  outcomes.settle('m1', 'number');
});

test('[I798] a country whose codes users do not enter is paused until an owner allows it again', async () => {
  const client = await openWithService('twilio', { status: 201, body: { sid: 'SM1' } });
  await addOwner(client, 'owner@example.com');
  const { services, clock } = client;
  const administration = new SmsAdministration(services);
  const count = (accepted: number) =>
    services.recordStore.change((transaction) => {
      const buckets = { [`b${Math.floor(transaction.nowMs / 600_000)}`]: { accepted, used: 0 } };
      const record = { buckets, pausedAtMs: null, resumedAtMs: 0 };
      transaction.records('sms').write(['countries', 'demo', 'US'], record);
    });
  await count(60);
  clock.ms += 1_200_000;
  expect((await send(client)).json).toHaveProperty('sessionInfo');
  await vi.waitFor(() =>
    expect(administration.countries('demo')).toMatchObject([{ country: 'US', accepted: 61 }]),
  );
  expect((await send(client, OTHER_NUMBER)).error).toBe(REGION);
  expect(client.audited.filter(({ event }) => event === 'sms_country_paused')).toMatchObject([
    { projectId: 'demo', detail: 'US' },
  ]);
  expect(notices(client)).toMatchObject([{ subject: 'Text messages of demo to US are paused' }]);
  expect([await administration.resume('demo', 'US'), await administration.resume('demo', 'US')]).toEqual([
    true,
    false,
  ]);
  expect((await send(client, OTHER_NUMBER)).json).toHaveProperty('sessionInfo');
});

test('[I799] a code that a user enters is counted for the country of its number', async () => {
  const received: string[] = [];
  const client = await openWithService('twilio', { status: 201, body: { sid: 'SM1' } }, received);
  const { json } = await send(client);
  const { status } = await client.post('accounts:signInWithPhoneNumber', {
    sessionInfo: json['sessionInfo'],
    code: new URLSearchParams(received[0]).get('Body')?.slice(0, 6),
  });
  expect(status).toBe(200);
  const countries = new SmsAdministration(client.services).countries('demo');
  expect(countries).toEqual([
    { country: 'US', accepted: 1, delivered: 0, failed: 0, used: 1, pausedAtMs: null },
  ]);
});

test('[I796] a message that no service accepts is recorded as failed, and one that expired as expired', async () => {
  const client = await openWithService('webhook', { status: 503 });
  const { services } = client;
  const message = { key: '1', id: '1', project: 'demo', untilMs: 0 };
  auditLostSms(services, message, new DeliveryFailure('permanent', 'No SMS service is set up.'));
  auditLostSms(services, message, undefined);
  expect(lost(client).slice(-2)).toMatchObject([
    { result: 'failed', detail: 'No SMS service is set up.' },
    { result: 'expired', detail: null },
  ]);
});
