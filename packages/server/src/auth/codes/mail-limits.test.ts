import { expect, test } from 'vitest';
import { NO_REQUEST } from '../../audit/trail.ts';
import { MAILS_PER_HOUR, type MailLimits, UNLIMITED_MAILS } from '../../mail/limits.ts';
import { mailQueue } from '../../mail/queue.ts';
import { MAX_WAITING, Outbox } from '../../outbox/outbox.ts';
import { randomBytes } from '../../platform/random.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { createTestAuth } from '../create-test-auth.fixture.ts';
import { Fields, type JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { signUp } from '../sign-in/sign-up.ts';
import { projectScope } from '../tenants/scope.ts';
import { DEVELOPMENT, type ThrottleLimits } from '../throttling/limits.ts';
import { sendOobCode } from './request.ts';

const EMAIL = 'ann@example.com';
const HOUR_MS = 3_600_000;

/** Opens a project with the mail limits of `hearth serve`, or with the given limits, and creates an account. */
async function openLimited(
  isEmailPrivate: boolean,
  limits: MailLimits = MAILS_PER_HOUR,
  throttling: ThrottleLimits = DEVELOPMENT,
) {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const testBed = createTestAuth({ clock, recordStore, limits: throttling });
  const outbox = new Outbox({
    recordStore,
    box: testBed.services.secretBox,
    randomBytes,
    policy: mailQueue(limits),
  });
  const services = { ...testBed.services, outbox };
  const project = await services.projects.change('demo', (settings) => ({ ...settings, isEmailPrivate }));
  const callOf = (fields: JsonObject): AuthRequest => ({
    project,
    caller: { kind: 'app', apiKey: 'key' },
    client: { ...NO_REQUEST, address: '192.0.2.1', network: '', locale: '', origin: null, isWeb: false },
    fields: new Fields(fields),
    segments: {},
    origin: 'https://hearth.example',
  });
  await signUp(callOf({ email: EMAIL, password: 'password' }), services);
  return {
    clock,
    recordStore,
    outbox,
    send: (fields: JsonObject) => sendOobCode(callOf(fields), services),
    codes: () => services.recentCodes?.list(projectScope('demo')).map(({ code }) => code) ?? [],
  };
}

test.each([
  ['PASSWORD_RESET', MAILS_PER_HOUR.resetPassword, 'RESET_PASSWORD_EXCEED_LIMIT'],
  [
    'EMAIL_SIGNIN',
    MAILS_PER_HOUR.emailSignIn,
    'TOO_MANY_ATTEMPTS_TRY_LATER : Too many emails of this kind. Try again later.',
  ],
])(
  '[I358] %s: after %d mails to an address in an hour, further requests are rejected and issue no code',
  async (requestType, limit, error) => {
    const { send, outbox, clock, codes } = await openLimited(false);
    for (let i = 0; i < limit; i += 1) await send({ requestType, email: EMAIL });
    await expect(send({ requestType, email: EMAIL })).rejects.toThrow(error);
    expect(outbox.status().waiting).toBe(limit);
    expect(codes()).toHaveLength(limit);
    clock.ms += HOUR_MS;
    await send({ requestType, email: EMAIL });
    expect(outbox.status().waiting).toBe(limit + 1);
  },
);

test('[I358] with email enumeration protection, exceeding the limit returns no error', async () => {
  const { send, outbox } = await openLimited(true, { ...MAILS_PER_HOUR, resetPassword: 1 });
  const body = { requestType: 'PASSWORD_RESET', email: EMAIL };
  const answers = [await send(body), await send(body)];
  expect(answers).toEqual([answers[0], answers[0]]);
  expect(outbox.status().waiting).toBe(1);
});

test('[I375] one network can request a limited number of mails in an hour, for all recipients together', async () => {
  const limits = { ...DEVELOPMENT, mails: { host: { burst: 2, perHour: 2 }, site: DEVELOPMENT.mails.site } };
  const { send, clock } = await openLimited(true, UNLIMITED_MAILS, limits);
  const ask = (name: string) => send({ requestType: 'PASSWORD_RESET', email: `${name}@example.com` });
  await ask('ann');
  await ask('bob');
  await expect(ask('ann')).rejects.toThrow(/^TOO_MANY_ATTEMPTS_TRY_LATER : /);
  await expect(ask('eve')).rejects.toThrow(/^TOO_MANY_ATTEMPTS_TRY_LATER : /);
  clock.ms += HOUR_MS;
  await ask('eve');
});

test('[I359] when the mail queue is full, every request for a mail is rejected', async () => {
  const { send, recordStore } = await openLimited(true);
  await recordStore.change((transaction) =>
    transaction.records('mail').write(['state', 'waiting'], MAX_WAITING),
  );
  for (const email of [EMAIL, 'bob@example.com'])
    await expect(send({ requestType: 'PASSWORD_RESET', email })).rejects.toThrow(/^QUOTA_EXCEEDED : /);
});
