import { describe, expect, test } from 'vitest';
import { SMS_LIMITS } from '../../sms/budgets.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { NUMBER } from '../phone/phone.fixture.ts';
import { SERVING } from '../throttling/limits.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { enforceCaptcha, solveFor, tokenOf } from './solve-challenge.fixture.ts';

const WEB = { clientType: 'CLIENT_TYPE_WEB', recaptchaVersion: 'RECAPTCHA_ENTERPRISE' };
const BAD = tokenOf({}, {});

describe.each([
  ['signUp', 'signUpPassword', 'captchaResponse', { email: 'new@example.com', password: 'password' }],
  [
    'signInWithPassword',
    'signInWithPassword',
    'captchaResponse',
    { email: 'ann@example.com', password: 'password' },
  ],
  ['sendOobCode', 'getOobCode', 'captchaResp', { requestType: 'PASSWORD_RESET', email: 'ann@example.com' }],
] as const)('accounts:%s', (method, action, field, body) => {
  async function openEnforcing(): Promise<AuthClient> {
    const client = await AuthClient.open();
    await client.signUp();
    await enforceCaptcha(client, { emailPassword: 'ENFORCE' });
    return client;
  }

  async function errorOf(client: AuthClient, more: object, query = ''): Promise<string | undefined> {
    const url = `/v1/accounts:${method}?key=any${query}`;
    return (await client.request('POST', url, JSON.stringify({ ...body, ...more }))).error;
  }

  test('[I880] needs a solved challenge for its own action', async () => {
    const client = await openEnforcing();
    const token = await solveFor(client, action);
    expect(await errorOf(client, { ...WEB, [field]: token })).toBeUndefined();
    expect(await errorOf(client, { ...WEB, [field]: token })).toBe('INVALID_RECAPTCHA_TOKEN');
    const other = await solveFor(client, 'verify');
    expect(await errorOf(client, { ...WEB, [field]: other })).toBe('INVALID_RECAPTCHA_ACTION');
    const foreign = await solveFor(client, action, 'other');
    expect(await errorOf(client, { ...WEB, [field]: foreign })).toBe('INVALID_RECAPTCHA_TOKEN');
    expect(await errorOf(client, { ...WEB, [field]: BAD })).toBe('INVALID_RECAPTCHA_TOKEN');
  });

  test('[I881] without a solution is rejected, and only pages with the script learn that the SDK can repeat it', async () => {
    const client = await openEnforcing();
    const plain = /^CAPTCHA_CHECK_FAILED : .*\/__\/auth\/shim\.js/;
    expect(await errorOf(client, {})).toMatch(plain);
    expect(await errorOf(client, { ...WEB, [field]: 'NO_RECAPTCHA' })).toMatch(plain);
    expect(await errorOf(client, {}, '&hearth=1')).toBe('MISSING_RECAPTCHA_TOKEN');
  });

  test('[I881] with a solution must name its client and version', async () => {
    const client = await openEnforcing();
    const { recaptchaVersion, clientType } = WEB;
    expect(await errorOf(client, { recaptchaVersion, [field]: BAD })).toBe('MISSING_CLIENT_TYPE');
    expect(await errorOf(client, { clientType, [field]: BAD })).toBe('MISSING_RECAPTCHA_VERSION');
    expect(await errorOf(client, { clientType, recaptchaVersion: 'V2', [field]: BAD })).toBe(
      'INVALID_RECAPTCHA_VERSION',
    );
  });

  test('[I882] of a project that only observes is accepted and recorded', async () => {
    const client = await AuthClient.open();
    await client.signUp();
    await enforceCaptcha(client, { emailPassword: 'AUDIT' });
    const recorded = () => client.audited.filter(({ event }) => event === 'captcha_missing');
    expect(await errorOf(client, { ...WEB, [field]: await solveFor(client, action) })).toBeUndefined();
    expect(recorded()).toEqual([]);
    await errorOf(client, { ...WEB, [field]: BAD });
    expect(recorded()).toMatchObject([{ result: 'INVALID_RECAPTCHA_TOKEN', detail: action }]);
  });
});

test('[I880] administrators, anonymous sign-ups and mails to signed-in users need no challenge', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  await enforceCaptcha(client, { emailPassword: 'ENFORCE' });
  const admin = await client.admin('projects/demo/accounts', {
    email: 'new@example.com',
    password: 'password',
  });
  expect(admin.error).toBeUndefined();
  expect((await client.post('accounts:signUp')).error).toBeUndefined();
  const verify = { requestType: 'VERIFY_EMAIL', idToken };
  expect((await client.post('accounts:sendOobCode', verify)).error).toBeUndefined();
});

describe('A text message', () => {
  async function openServing(appProof: 'REQUIRE' | 'THROTTLED', phone?: 'ENFORCE'): Promise<AuthClient> {
    const client = await AuthClient.open(unsignedTokenServices, {
      isDevelopment: false,
      smsLimits: SMS_LIMITS,
    });
    await client.settings((settings) => ({
      ...settings,
      sms: { ...settings.sms, regions: { kind: 'only', countries: ['US'] }, appProof },
    }));
    await enforceCaptcha(client, phone === undefined ? {} : { phone });
    return client;
  }

  async function errorOf(client: AuthClient, more: object, query = ''): Promise<string | undefined> {
    const url = `/v1/accounts:sendVerificationCode?key=any${query}`;
    return (await client.request('POST', url, JSON.stringify({ phoneNumber: NUMBER, ...more }))).error;
  }

  test('[I883] is sent for a token of the older verifier, once', async () => {
    const client = await openServing('REQUIRE');
    const recaptchaToken = await solveFor(client, 'verify');
    const body = { ...WEB, captchaResponse: 'NO_RECAPTCHA', recaptchaToken };
    expect(await errorOf(client, body)).toBeUndefined();
    expect(await errorOf(client, body)).toMatch(/^CAPTCHA_CHECK_FAILED : /);
  });

  test('[I883] is sent for a token of the current verifier, for its own action', async () => {
    const client = await openServing('THROTTLED', 'ENFORCE');
    const captchaResponse = await solveFor(client, 'verify');
    expect(await errorOf(client, { ...WEB, captchaResponse })).toBe('INVALID_RECAPTCHA_ACTION');
    const right = await solveFor(client, 'sendVerificationCode');
    expect(await errorOf(client, { ...WEB, captchaResponse: right })).toBeUndefined();
  });

  test('[I884] without a proof is rejected, in the words that each kind of client expects', async () => {
    const client = await openServing('REQUIRE');
    expect(await errorOf(client, {})).toBe('MISSING_CLIENT_IDENTIFIER');
    expect(await errorOf(client, {}, '&hearth=1')).toBe('MISSING_RECAPTCHA_TOKEN');
    expect(await errorOf(client, { playIntegrityToken: 'x' })).toBe('INVALID_APP_CREDENTIAL');
    expect(await errorOf(client, { recaptchaToken: 'x' })).toMatch(/^CAPTCHA_CHECK_FAILED : /);
  });

  test('[I783][I883] with a solution has the whole budgets where others have a tenth', async () => {
    const client = await openServing('THROTTLED');
    const number = (index: number) => ({ phoneNumber: `+1650555${String(1000 + index * 37)}` });
    const sent = async (withToken: boolean): Promise<number> => {
      let count = 0;
      for (let index = 0; index < 12; index++) {
        const token = withToken ? { recaptchaToken: await solveFor(client, 'verify') } : {};
        if ((await errorOf(client, { ...number(index + (withToken ? 20 : 0)), ...token })) === undefined)
          count += 1;
      }
      return count;
    };
    expect(await sent(false)).toBe(2);
    expect(await sent(true)).toBeGreaterThan(2);
  });

  test('[I1175] is sent for a valid App Check token, unless the project enforces challenges', async () => {
    const client = await openServing('REQUIRE');
    const app = '1:1234:web:abcd';
    const project = client.services.projects.find('demo');
    if (project === undefined) throw new Error('The project is missing.');
    const token = await client.services.appChecks.tokens.issue(project, app, 3_600);
    const send = async (appCheckToken: string) => {
      const headers = { 'x-firebase-appcheck': appCheckToken };
      const body = JSON.stringify({ phoneNumber: '+16505552222' });
      return client.request('POST', '/v1/accounts:sendVerificationCode?key=any', body, headers);
    };
    expect((await send(`${token}x`)).error).toBe('MISSING_CLIENT_IDENTIFIER');
    expect((await send(token)).error).toBeUndefined();
    await enforceCaptcha(client, { phone: 'ENFORCE' });
    expect((await send(token)).error).toBe('MISSING_CLIENT_IDENTIFIER');
  });

  test('[I884] is sent in development mode without a proof, unless the project enforces one', async () => {
    const client = await AuthClient.open();
    expect(await errorOf(client, {})).toBeUndefined();
    await enforceCaptcha(client, { phone: 'ENFORCE' });
    expect(await errorOf(client, {}, '&hearth=1')).toBe('MISSING_RECAPTCHA_TOKEN');
  });
});

test('[I885] pages with the script learn what the project asks for, and the site key names the API key', async () => {
  const client = await AuthClient.open();
  await enforceCaptcha(client, { emailPassword: 'ENFORCE', phone: 'AUDIT' });
  const path = '/v2/recaptchaConfig?key=a%2Fb&clientType=CLIENT_TYPE_WEB&version=RECAPTCHA_ENTERPRISE';
  const marked = await client.request('GET', `${path}&hearth=1`);
  expect(marked.json).toEqual({
    recaptchaKey: 'projects/demo/keys/hearth-pow.a%2Fb',
    recaptchaEnforcementState: [
      { provider: 'EMAIL_PASSWORD_PROVIDER', enforcementState: 'ENFORCE' },
      { provider: 'PHONE_PROVIDER', enforcementState: 'AUDIT' },
    ],
  });
  const plain = await client.request('GET', path);
  expect(JSON.stringify(plain.json)).not.toMatch(/ENFORCE|AUDIT|hearth/);
});

describe('A challenge', () => {
  const ask = (client: AuthClient, body: object, headers: Readonly<Record<string, string>> = {}) =>
    client.request('POST', '/__/auth/challenge', JSON.stringify(body), headers);

  test('[I876] is for one action of one app, and no cache keeps it', async () => {
    const client = await AuthClient.open();
    const answer = await ask(client, { apiKey: 'any', action: 'verify' }, { 'content-type': 'text/plain' });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' });
    expect(JSON.parse(answer.text)).toEqual({
      parameters: {
        algorithm: 'PBKDF2/SHA-256',
        cost: 4_000,
        data: { a: 'verify', i: expect.any(String), k: expect.any(String), t: '' },
        expiresAt: Math.floor(client.clock.ms / 1_000) + 120,
        keyLength: 32,
        keyPrefix: '00',
        nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
        salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('[I876] needs a known action and an API key', async () => {
    const client = await AuthClient.open();
    expect((await ask(client, { apiKey: 'any', action: 'other' })).error).toMatch(
      /^INVALID_RECAPTCHA_ACTION : /,
    );
    expect((await ask(client, { action: 'verify' })).status).toBe(403);
  });

  test('[I877] is issued sixty times a minute to one address; then the answer is 429 and not JSON', async () => {
    const limits = SERVING;
    const client = await AuthClient.open(unsignedTokenServices, { limits });
    const request = { apiKey: 'any', action: 'verify' };
    for (let count = 0; count < 60; count++) expect((await ask(client, request)).status).toBe(200);
    const refused = await ask(client, request);
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'retry-after': '5',
    });
    client.clock.ms += 1_000;
    expect((await ask(client, request)).status).toBe(200);
  });
});
