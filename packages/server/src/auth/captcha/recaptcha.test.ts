import { expect, test } from 'vitest';
import type { AuthClient } from '../api/auth-client.fixture.ts';
import { type FakeProvider, openProviderTestBed, reply } from '../providers/fake-provider.fixture.ts';
import { solveFor } from './solve-challenge.fixture.ts';

type Json = Readonly<Record<string, unknown>>;

const VERIFY = 'https://www.google.com/recaptcha/api/siteverify';
const WEB = { clientType: 'CLIENT_TYPE_WEB', recaptchaVersion: 'RECAPTCHA_ENTERPRISE' };
const KEYS = {
  siteKey: 'score-key',
  secret: 'score secret',
  verifierSiteKey: 'box-key',
  verifierSecret: 'box secret',
};
const CONFIG = '/v2/projects/demo/config';

function configure(client: AuthClient, recaptcha: Json, state = 'ENFORCE') {
  const recaptchaConfig = {
    emailPasswordEnforcementState: state,
    phoneEnforcementState: state,
    hearth: { recaptcha },
  };
  const mask = ['emailPasswordEnforcementState', 'phoneEnforcementState', 'hearth.recaptcha'];
  const url = `${CONFIG}?updateMask=${mask.map((name) => `recaptchaConfig.${name}`).join(',')}`;
  return client.request('PATCH', url, JSON.stringify({ recaptchaConfig }), { authorization: 'Bearer owner' });
}

/** Opens a server outside development mode, whose project sends no text messages. */
async function openServer() {
  const opened = await openProviderTestBed();
  await opened.client.settings((settings) => ({ ...settings, sms: { ...settings.sms, driver: null } }));
  return opened;
}

/** Opens a project that enforces reCAPTCHA, and a fake reCAPTCHA that records the requests to it. */
async function openRecaptcha(answer: Json = { success: true, score: 0.9, action: 'signUpPassword' }) {
  const { client, provider } = await openServer();
  const { status, error } = await configure(client, KEYS);
  expect([status, error]).toEqual([200, undefined]);
  const asked: Json[] = [];
  answerWith(provider, answer, asked);
  const signUp = (more: Json = {}) =>
    client.post('accounts:signUp', { email: 'ann@example.com', password: 'a long password', ...more });
  return { client, provider, asked, signUp };
}

function answerWith(provider: FakeProvider, answer: Json, asked: Json[] = []): void {
  provider.answers.set(VERIFY, ({ body }) => {
    asked.push(Object.fromEntries(new URLSearchParams(body ?? '')));
    return reply(answer);
  });
}

const read = (client: AuthClient) =>
  client.request('GET', CONFIG, undefined, { authorization: 'Bearer owner' });

test('[I1643] the SDK gets the keys of the project on every page, and the secrets are never returned', async () => {
  const { client } = await openRecaptcha();
  const { json } = await client.request('GET', '/v2/recaptchaConfig?key=any');
  expect(json).toEqual({
    recaptchaKey: 'projects/demo/keys/score-key',
    recaptchaEnforcementState: [
      { provider: 'EMAIL_PASSWORD_PROVIDER', enforcementState: 'ENFORCE' },
      { provider: 'PHONE_PROVIDER', enforcementState: 'ENFORCE' },
    ],
  });
  const params = await client.request('GET', '/v1/recaptchaParams?key=any');
  expect(params.json['recaptchaSiteKey']).toBe('box-key');
  const { text, json: config } = await read(client);
  expect(config).toMatchObject({
    recaptchaConfig: {
      hearth: { recaptcha: { siteKey: 'score-key', verifierSiteKey: 'box-key', minScore: 0.5 } },
    },
  });
  expect(text).not.toContain('secret');
});

test('[I1643] a secret is kept while its key stays the same, and a new key needs a new secret', async () => {
  const { client, asked, signUp } = await openRecaptcha();
  expect((await configure(client, { siteKey: 'score-key', minScore: 0.3 })).status).toBe(200);
  expect((await signUp({ ...WEB, captchaResponse: 'token' })).status).toBe(200);
  expect(asked).toEqual([{ secret: 'score secret', response: 'token' }]);
  expect((await configure(client, { siteKey: 'other-key' })).error).toMatch(/^INVALID_CONFIG : .*secret/);
});

test.each<[Json, RegExp]>([
  [{ siteKey: 'a b', secret: 'x' }, /siteKey/],
  [{ secret: 'x' }, /siteKey/],
  [{ ...KEYS, secret: 'x'.repeat(1_001) }, /secret/],
  [{ ...KEYS, secret: 7 }, /secret/],
  [{ ...KEYS, minScore: 1.1 }, /minScore/],
  [{ ...KEYS, minScore: '0.5' }, /minScore/],
  [{ ...KEYS, other: 1 }, /siteKey, secret/],
])('[I1643] the setting %j is rejected', async (recaptcha, error) => {
  const { client } = await openServer();
  const answer = await configure(client, recaptcha);
  expect(answer.error).toMatch(/^INVALID_CONFIG/);
  expect(answer.error).toMatch(error);
});

test('[I1643] an empty object removes the keys, and the challenges of the server count again', async () => {
  const { client, asked, signUp } = await openRecaptcha();
  expect((await configure(client, {})).status).toBe(200);
  const token = await solveFor(client, 'signUpPassword');
  expect((await signUp({ ...WEB, captchaResponse: token })).status).toBe(200);
  expect(asked).toEqual([]);
});

test.each<[string, Json, string]>([
  [
    'that is used or expired',
    { success: false, 'error-codes': ['timeout-or-duplicate'] },
    'INVALID_RECAPTCHA_TOKEN',
  ],
  ['with a low score', { success: true, score: 0.4, action: 'signUpPassword' }, 'INVALID_RECAPTCHA_TOKEN'],
  ['without a score', { success: true, action: 'signUpPassword' }, 'INVALID_RECAPTCHA_TOKEN'],
  ['for another action', { success: true, score: 0.9, action: 'getOobCode' }, 'INVALID_RECAPTCHA_ACTION'],
])('[I1644] a token %s is rejected', async (_what, answer, error) => {
  const { signUp } = await openRecaptcha(answer);
  expect((await signUp({ ...WEB, captchaResponse: 'token' })).error).toBe(error);
});

test('[I1644] a request without a token makes the SDK ask for one', async () => {
  const { signUp, asked } = await openRecaptcha();
  expect((await signUp()).error).toBe('MISSING_RECAPTCHA_TOKEN');
  expect((await signUp({ ...WEB, captchaResponse: 'x'.repeat(16_385) })).error).toBe(
    'INVALID_RECAPTCHA_TOKEN',
  );
  expect(asked).toEqual([]);
});

test('[I1644] a challenge of the server counts only on pages of the server', async () => {
  const { client, signUp } = await openRecaptcha({
    success: false,
    'error-codes': ['invalid-input-response'],
  });
  const body = { email: 'ann@example.com', password: 'a long password', ...WEB };
  const url = '/v1/accounts:signUp?key=any';
  const token = await solveFor(client, 'signUpPassword');
  expect((await signUp({ ...WEB, captchaResponse: token })).error).toBe('INVALID_RECAPTCHA_TOKEN');
  const origin = 'http://localhost:9000';
  const own = await client.request('POST', url, JSON.stringify({ ...body, captchaResponse: token }), {
    origin,
  });
  expect(own.status).toBe(200);
});

test('[I1644] the token of the older verifier is checked with its own key', async () => {
  const { client, asked } = await openRecaptcha({ success: true });
  await client.settings((settings) => ({
    ...settings,
    sms: { ...settings.sms, driver: { kind: 'log' }, regions: { kind: 'only', countries: ['US'] } },
  }));
  const ask = () =>
    client.post('accounts:sendVerificationCode', {
      phoneNumber: '+16505550101',
      recaptchaToken: 'box token',
    });
  expect((await ask()).status).toBe(200);
  expect(asked).toEqual([{ secret: 'box secret', response: 'box token' }]);
  await client.settings(({ captcha: { recaptcha, ...captcha }, ...settings }) => ({
    ...settings,
    captcha: recaptcha === undefined ? captcha : { ...captcha, recaptcha: { ...recaptcha, verifier: null } },
  }));
  expect((await ask()).error).toMatch(/^CAPTCHA_CHECK_FAILED/);
  expect(asked).toHaveLength(1);
});

test.each<[string, (provider: FakeProvider) => void, RegExp]>([
  ['does not answer', ({ answers }) => answers.delete(VERIFY), /cannot be reached/],
  ['fails', ({ answers }) => answers.set(VERIFY, () => reply({}, 500)), /status 500/],
  ['answers with something else', ({ answers }) => answers.set(VERIFY, () => reply('<html>')), /JSON/],
  [
    'rejects the secret',
    (provider) => answerWith(provider, { success: false, 'error-codes': ['invalid-input-secret'] }),
    /rejects the secret/,
  ],
])(
  '[I1645] if reCAPTCHA %s, requests are rejected, and the audit log has the reason',
  async (_what, change, reason) => {
    const { client, provider, signUp } = await openRecaptcha();
    change(provider);
    expect((await signUp({ ...WEB, captchaResponse: 'token' })).error).toMatch(
      /^CAPTCHA_CHECK_FAILED : .*not available/,
    );
    const logged = client.audited.filter(({ event }) => event === 'provider_unavailable');
    expect(logged.map(({ detail }) => detail)).toEqual([expect.stringMatching(reason)]);
    expect(JSON.stringify(logged)).not.toContain('score secret');
  },
);

test('[I1645] where challenges are only recorded, a failure of reCAPTCHA rejects no request', async () => {
  const { client, provider, signUp } = await openRecaptcha();
  await configure(client, KEYS, 'AUDIT');
  provider.answers.delete(VERIFY);
  expect((await signUp({ ...WEB, captchaResponse: 'token' })).status).toBe(200);
});

const TEST = '/v2/projects/demo/recaptcha:test';
const OWNER = { authorization: 'Bearer owner' };

test('[I1691] a test says which secret reCAPTCHA accepts', async () => {
  const { client, provider } = await openRecaptcha();
  provider.answers.set(VERIFY, ({ body }) => {
    const isKnown = new URLSearchParams(body ?? '').get('secret') === KEYS.secret;
    const error = isKnown ? 'invalid-input-response' : 'invalid-input-secret';
    return reply({ success: false, 'error-codes': [error] });
  });
  const { status, json } = await client.request('POST', TEST, '{}', OWNER);
  expect([status, json]).toEqual([
    200,
    {
      tests: [
        { siteKey: 'score-key', state: 'ok', message: null },
        { siteKey: 'box-key', state: 'failed', message: 'reCAPTCHA rejects the secret.' },
      ],
    },
  ]);
  provider.answers.set(VERIFY, () => reply({}, 503));
  const { json: down } = await client.request('POST', TEST, '{}', OWNER);
  const message = 'www.google.com answered with status 503.';
  expect(down['tests']).toEqual([
    expect.objectContaining({ state: 'failed', message }),
    expect.objectContaining({ state: 'failed', message }),
  ]);
});

test('[I1691] only administrators may test the keys of a project, and only if the project has keys', async () => {
  const { client, asked } = await openRecaptcha();
  expect((await client.request('POST', TEST, '{}')).status).toBe(401);
  expect(asked).toEqual([]);
  await configure(client, {});
  expect((await client.request('POST', TEST, '{}', OWNER)).error).toMatch(/^CONFIGURATION_NOT_FOUND/);
});
