import { createHmac, sign } from 'node:crypto';
import type { AppCheckMode } from '@hearth/core/api/app-check.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { enforceCaptcha, solveFor } from '../captcha/solve-challenge.fixture.ts';
import { consoleKeyOf } from '../projects/projects.ts';
import { encodeJwt } from '../tokens/jwt.ts';
import { takeRsaKeyPair } from '../tokens/rsa-key-pairs.fixture.ts';
import { AppChecks } from './app-checks.ts';

const APP = '1:1234:web:abcd';
const AUDIENCE = 'https://firebaseappcheck.googleapis.com/google.firebase.appcheck.v1.TokenExchangeService';
const HOUR_MS = 3_600_000;
const DENIED = 'Firebase App Check token is invalid.';
const DEBUG_TOKEN = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

let client: AuthClient;

beforeEach(async () => {
  client = await AuthClient.open();
});

async function issue(appId = APP): Promise<string> {
  return client.services.appChecks.tokens.issue(await project(), appId, 3_600);
}

async function project(id = 'demo') {
  const found = client.services.projects.find(id);
  if (found === undefined) throw new Error('The project is missing.');
  return found;
}

function setMode(accounts: AppCheckMode): Promise<void> {
  return client.settings((settings) => ({ ...settings, appCheck: { ...settings.appCheck, accounts } }));
}

/** Sends the request of an app with a token; without a header for `undefined`. */
async function send(method: string, token?: string, body: object = {}, key = 'any') {
  const headers: Record<string, string> = token === undefined ? {} : { 'x-firebase-appcheck': token };
  return client.request('POST', `/v1/${method}?key=${key}`, JSON.stringify(body), headers);
}

/** Returns a token with other claims or another header, signed by `signer`. */
function forge(change: object, header: object, signer: (text: string) => Buffer, token: string): string {
  const signed = encodeJwt({ alg: 'RS256', ...header }, { ...claimsOf(token), ...change });
  return `${signed}.${signer(signed).toString('base64url')}`;
}

test('[I1160] a token has the claims that the Admin SDK verifies, and its key is published', async () => {
  const token = await issue();
  const { number } = await project();
  const nowSec = Math.floor(client.clock.nowMs() / 1_000);
  expect(claimsOf(token)).toEqual({
    sub: APP,
    aud: [`projects/${number}`, 'projects/demo'],
    iss: `https://firebaseappcheck.googleapis.com/${number}`,
    iat: nowSec,
    exp: nowSec + 3_600,
    jti: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
  for (const path of ['/v1/jwks', '/.well-known/appcheck-jwks.json']) {
    const { json } = await client.request('GET', path);
    expect(json['keys']).toEqual([expect.objectContaining({ kid, alg: 'RS256', kty: 'RSA' })]);
  }
  const idKeys = await client.request('GET', '/.well-known/jwks.json');
  expect(idKeys.text).not.toContain(kid);
});

describe('[I1161] no other token is accepted', () => {
  const strange = takeRsaKeyPair().privateKey;
  const byStranger = (text: string): Buffer => sign('sha256', Buffer.from(text), strange);

  test.each<readonly [string, (token: string) => string | Promise<string>]>([
    [
      'an unsigned one',
      (token) => forge({}, { alg: 'none', kid: 'development' }, () => Buffer.alloc(0), token),
    ],
    ['one without a signature', (token) => token.slice(0, token.lastIndexOf('.') + 1)],
    ['one of a strange key', (token) => forge({}, { kid: 'development' }, byStranger, token)],
    ['one of an unknown key', (token) => forge({}, { kid: 'other' }, byStranger, token)],
    [
      'one that is signed with the public key as a secret',
      async (token) => {
        const [key] = client.services.appCheckKeys.published();
        const pem = key?.publicKey.export({ type: 'spki', format: 'pem' }) ?? '';
        const mac = (text: string): Buffer => createHmac('sha256', pem).update(text).digest();
        return forge({}, { alg: 'HS256', kid: 'development' }, mac, token);
      },
    ],
    [
      'one with changed claims',
      (token) => {
        const [header, , signature] = token.split('.');
        const claims = Buffer.from(JSON.stringify({ ...claimsOf(token), sub: 'other' })).toString(
          'base64url',
        );
        return `${header}.${claims}.${signature}`;
      },
    ],
    [
      'one of another project',
      async () => client.services.appChecks.tokens.issue({ id: 'other', number: '1' }, APP, 3_600),
    ],
    ['an ID token', async () => String((await client.signUp())['idToken'])],
    ['a long text', () => 'a'.repeat(5_000)],
    ['another text', () => 'eyJlcnJvciI6IlVOS05PV05fRVJST1IifQ=='],
  ])('%s', async (_name, change) => {
    const token = await issue();
    const { appChecks } = client.services;
    expect(appChecks.check(await project(), token).kind).toBe('valid');
    expect(appChecks.check(await project(), await change(token)).kind).toBe('invalid');
  });

  test('an expired one', async () => {
    const token = await issue();
    client.clock.ms += HOUR_MS;
    expect(client.services.appChecks.check(await project(), token).kind).toBe('invalid');
  });

  test('outside development mode, one of an app that the project does not have', async () => {
    const { appCheckKeys: keys, clock, randomBytes } = client.services;
    const checks = new AppChecks({ keys, clock, randomBytes, isDevelopment: false });
    const token = await issue();
    expect(checks.check(await project(), token).kind).toBe('invalid');
    await client.settings((settings) => ({ ...settings, appCheck: { ...settings.appCheck, apps: [APP] } }));
    expect(checks.check(await project(), token).kind).toBe('valid');
  });
});

test('[I1162] an App Check token is no ID token', async () => {
  expect((await client.post('accounts:lookup', { idToken: await issue() })).error).toBe('INVALID_ID_TOKEN');
});

describe('[I1163] a custom token that a backend signed is exchanged', () => {
  const signed = (claims: object): string =>
    `${encodeJwt({ alg: 'RS256' }, { aud: AUDIENCE, app_id: APP, ...claims })}.AAAA`;
  const exchange = (app: string, customToken: string, more: object = {}) =>
    client.admin(`/v1/projects/demo/apps/${app}:exchangeCustomToken`, { customToken, ...more });

  test.each([
    [{}, {}, '3600s'],
    [{ ttl: '1800s' }, {}, '1800s'],
    [{ ttl: '604800s' }, {}, '604800s'],
    [{}, { limitedUse: true }, '300s'],
  ])('%j %j', async (claims, more, ttl) => {
    const { json } = await exchange(APP, signed(claims), more);
    expect(json).toEqual({ token: expect.any(String), ttl });
    const { exp, iat } = claimsOf(json['token']);
    expect(`${Number(exp) - Number(iat)}s`).toBe(ttl);
  });

  test.each([
    ['another app', '1:1:web:b', {}, /^PERMISSION_DENIED/],
    ['another audience', APP, { aud: 'https://oauth2.googleapis.com/token' }, /^INVALID_CUSTOM_TOKEN/],
    ['a lifetime that is too long', APP, { ttl: '604801s' }, /^INVALID_CUSTOM_TOKEN/],
    ['a lifetime that is too short', APP, { ttl: '60s' }, /^INVALID_CUSTOM_TOKEN/],
    ['no app', APP, { app_id: 7 }, /^INVALID_CUSTOM_TOKEN/],
  ])('but not %s', async (_name, app, claims, error) => {
    expect((await exchange(app, signed(claims))).error).toMatch(error);
  });

  test('but not for another project than that of the API key', async () => {
    const url = `/v1/projects/other/apps/${APP}:exchangeCustomToken?key=any`;
    const answer = await client.request('POST', url, JSON.stringify({ customToken: signed({}) }));
    expect(answer.error).toBe('PERMISSION_DENIED');
  });
});

test('[I1164] a token can be consumed once, also if two requests consume it at the same time', async () => {
  const use = async (token: string) =>
    (await client.admin('/v1beta/projects/demo:verifyAppCheckToken', { app_check_token: token })).json;
  const token = await issue();
  const answers = await Promise.all([use(token), use(token), use(token)]);
  expect(answers.filter(({ alreadyConsumed }) => alreadyConsumed === false)).toHaveLength(1);
  expect(await use(token)).toEqual({ alreadyConsumed: true });
  expect(await use(await issue())).toEqual({ alreadyConsumed: false });
  expect(client.audited).toContainEqual(
    expect.objectContaining({ event: 'app_check_rejected', result: 'used', detail: APP }),
  );
  client.clock.ms += HOUR_MS;
  expect(
    (await client.admin('/v1beta/projects/demo:verifyAppCheckToken', { app_check_token: token })).error,
  ).toMatch(/^PERMISSION_DENIED/);
});

test('[I1165] a solved challenge is exchanged once, and only one for App Check', async () => {
  await client.settings((settings) => ({ ...settings, captcha: { ...settings.captcha, cost: 1 } }));
  const exchange = (token: string) =>
    client.request('POST', '/__/app-check/exchange', JSON.stringify({ apiKey: 'any', appId: APP, token }));
  const solved = await solveFor(client, 'appCheck');
  const { json } = await exchange(solved);
  expect(json).toEqual({ token: expect.any(String), ttl: '3600s' });
  expect(claimsOf(json['token'])).toMatchObject({ sub: APP });
  expect((await exchange(solved)).status).toBe(403);
  expect((await exchange(await solveFor(client, 'signUpPassword'))).status).toBe(403);
  const url = `/v1/projects/demo/apps/${APP}:exchangeRecaptchaV3Token?key=any`;
  const body = { recaptcha_v3_token: await solveFor(client, 'appCheck') };
  expect((await client.request('POST', url, JSON.stringify(body))).json).toMatchObject({ ttl: '3600s' });
  const rejected = client.audited.filter(({ event }) => event === 'app_check_rejected');
  expect(rejected.map(({ detail }) => detail)).toEqual(['challenge: invalid', 'challenge: other-action']);
});

test('[I1166] a debug token is exchanged from when it is added until it is removed', async () => {
  const tokens = `/v1/projects/demo/apps/${APP}/debugTokens`;
  const exchange = (token: string, app = APP) =>
    client.request(
      'POST',
      `/v1/projects/demo/apps/${app}:exchangeDebugToken?key=any`,
      JSON.stringify({ debug_token: token }),
    );
  expect((await exchange(DEBUG_TOKEN)).status).toBe(403);
  expect((await client.admin(tokens, { displayName: 'CI', token: 'guess' })).error).toMatch(
    /^INVALID_ARGUMENT/,
  );
  const { json } = await client.admin(tokens, { displayName: 'CI', token: DEBUG_TOKEN });
  expect(json).toMatchObject({ displayName: 'CI' });
  expect(JSON.stringify(json)).not.toContain(DEBUG_TOKEN);
  expect((await exchange(DEBUG_TOKEN.toUpperCase())).json).toMatchObject({ ttl: '3600s' });
  expect((await exchange(DEBUG_TOKEN, '1:1:web:b')).status).toBe(403);
  expect((await exchange(DEBUG_TOKEN.replace(/^3/, '4'))).status).toBe(403);
  const owner = { authorization: 'Bearer owner' };
  expect((await client.request('GET', tokens, undefined, owner)).json).toEqual({ debugTokens: [json] });
  const id = String(json['name']).split('/').at(-1);
  expect((await client.request('DELETE', `${tokens}/${id}`, undefined, owner)).status).toBe(200);
  expect((await exchange(DEBUG_TOKEN)).status).toBe(403);
});

describe('accounts', () => {
  const USER = { email: 'ann@example.com', password: 'password' };

  test('[I1167] a project that requires a token rejects requests of apps without a valid one', async () => {
    const { idToken, refreshToken } = await client.signUp();
    await setMode('ENFORCED');
    for (const token of [undefined, '', 'other']) {
      const answer = await send('accounts:signInWithPassword', token, USER);
      expect([answer.status, answer.error]).toEqual([401, DENIED]);
    }
    for (const method of [
      'accounts:signUp',
      'accounts:sendOobCode',
      'accounts:signInWithCustomToken',
      'accounts:signInWithIdp',
      'accounts:createAuthUri',
      'accounts:update',
      'accounts:delete',
    ])
      expect((await send(method, undefined, {})).error).toBe(DENIED);
    // The clients would sign the user out after an error in JSON.
    for (const [method, body] of [
      ['token', { grantType: 'refresh_token', refreshToken }],
      ['accounts:lookup', { idToken }],
    ] as const) {
      const answer = await send(method, undefined, body);
      expect([answer.status, answer.headers['content-type']]).toEqual([401, 'text/plain; charset=utf-8']);
    }
    expect((await send('accounts:signInWithPassword', await issue(), USER)).status).toBe(200);
    expect(client.audited).toContainEqual(
      expect.objectContaining({
        event: 'app_check_rejected',
        result: 'missing',
        detail: '/v1/accounts:signUp',
      }),
    );
  });

  test('[I1168] administrators, requests for settings and codes from emails need no token', async () => {
    await setMode('ENFORCED');
    expect((await client.admin('/v1/projects/demo/accounts', USER)).status).toBe(200);
    expect((await client.request('GET', '/v1/projects?key=any')).status).toBe(200);
    expect((await send('accounts:resetPassword', undefined, { oobCode: 'x' })).error).toBe(
      'INVALID_OOB_CODE',
    );
  });

  test('[I1169] a sign-in with the key of the console succeeds only for members', async () => {
    await client.settings((settings) => settings);
    await client.signUp();
    const key = consoleKeyOf('demo');
    expect((await send('accounts:signInWithPassword', undefined, USER, key)).status).toBe(200);
    await setMode('ENFORCED');
    expect((await send('accounts:signInWithPassword', undefined, USER, key)).error).toBe(DENIED);
  });

  test('[I1170] a project that only observes rejects nothing, and the counts are kept for each app', async () => {
    await client.signUp();
    await setMode('UNENFORCED');
    for (const token of [undefined, 'other', await issue(), await issue()])
      expect((await send('accounts:signInWithPassword', token, USER)).status).toBe(200);
    const url = '/v1/projects/demo/appCheckRequests';
    const { json } = await client.request('GET', url, undefined, { authorization: 'Bearer owner' });
    const lastTime = new Date(client.clock.nowMs()).toISOString();
    const common = { service: 'accounts', lastTime };
    expect(json['requests']).toEqual([
      { ...common, kind: 'invalid', app: '', count: 1 },
      { ...common, kind: 'missing', app: '', count: 1 },
      { ...common, kind: 'valid', app: APP, count: 2 },
    ]);
  });
});

test('[I1171] modes and apps are members of the configuration', async () => {
  const url = '/v2/projects/demo/config';
  const owner = { authorization: 'Bearer owner' };
  const patch = (appCheckConfig: object) =>
    client.request('PATCH', `${url}?updateMask=appCheckConfig`, JSON.stringify({ appCheckConfig }), owner);
  const changed = { accounts: 'UNENFORCED', database: 'ENFORCED', apps: [APP] };
  expect((await patch(changed)).json).toMatchObject({ appCheckConfig: changed });
  for (const wrong of [{ accounts: 'ON' }, { apps: 'a' }, { apps: ['a/b'] }, { apps: Array(101).fill(APP) }])
    expect((await patch(wrong)).error).toMatch(/^INVALID_CONFIG : appCheckConfig/);
});

describe('[I1513] the hosted pages get tokens of their own', () => {
  const PAGE = {
    host: 'localhost:9000',
    origin: 'http://localhost:9000',
    'content-type': 'application/json',
  };

  async function exchange(headers: Record<string, string> = PAGE) {
    const token = await solveFor(client, 'appCheck');
    const body = JSON.stringify({ apiKey: 'any', appId: '.pages', token });
    return client.request('POST', '/__/app-check/exchange', body, headers);
  }

  const signUp = (token: unknown, headers: Record<string, string>) =>
    client.request('POST', '/v1/accounts:signUp?key=any', '{}', {
      ...headers,
      'x-firebase-appcheck': String(token),
    });

  test('for a solved challenge, which are valid for accounts from pages of this origin alone', async () => {
    await setMode('ENFORCED');
    await enforceCaptcha(client, {});
    const { json, status } = await exchange();
    expect([status, json['ttl']]).toEqual([200, '3600s']);
    expect((await signUp(json['token'], PAGE)).status).toBe(200);
    for (const origin of ['http://localhost:3000', 'http://localhost', 'null'])
      expect((await signUp(json['token'], { ...PAGE, origin })).status).toBe(401);
    const { origin: _origin, ...program } = PAGE;
    expect((await signUp(json['token'], program)).status).toBe(401);
    const known = await project();
    expect(client.services.appChecks.check(known, String(json['token'])).kind).toBe('invalid');
    client.clock.ms += HOUR_MS;
    expect((await signUp(json['token'], PAGE)).status).toBe(401);
  });

  test('but not from other origins, and not for a challenge that was used', async () => {
    await setMode('ENFORCED');
    await enforceCaptcha(client, {});
    expect((await exchange({ ...PAGE, origin: 'https://evil.example' })).status).not.toBe(200);
    const token = await solveFor(client, 'appCheck');
    const body = JSON.stringify({ apiKey: 'any', appId: '.pages', token });
    expect((await client.request('POST', '/__/app-check/exchange', body, PAGE)).status).toBe(200);
    expect((await client.request('POST', '/__/app-check/exchange', body, PAGE)).status).not.toBe(200);
  });

  test('and no project can have an app with their ID', async () => {
    expect(client.services.appChecks.isAppOf('.pages', await project())).toBe(false);
    const { status } = await client.request(
      'PATCH',
      '/v2/projects/demo/config?updateMask=appCheckConfig.apps',
      JSON.stringify({ appCheckConfig: { apps: ['.pages'] } }),
      { authorization: 'Bearer owner' },
    );
    expect(status).toBe(400);
  });
});

describe('[I1693] a method that accepts each token only once', () => {
  const SIGN_UP = 'accounts:signUp';
  const USER = { email: 'ann@example.com', password: 'a long password' };

  const issueLimited = async (appId = APP): Promise<string> =>
    client.services.appChecks.tokens.issue(await project(), appId, 300);

  async function setLimited(accounts: AppCheckMode = 'ENFORCED'): Promise<void> {
    const body = JSON.stringify({ appCheckConfig: { accounts, limitedUse: [SIGN_UP] } });
    const path = '/v2/projects/demo/config?updateMask=appCheckConfig.accounts,appCheckConfig.limitedUse';
    const { status } = await client.request('PATCH', path, body, { authorization: 'Bearer owner' });
    expect(status).toBe(200);
  }

  test('rejects a token that was used before, also if several requests use it at the same time', async () => {
    await setLimited();
    const token = await issueLimited();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send(SIGN_UP, token, { ...USER, email: `ann${index}@example.com` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
    expect((await send(SIGN_UP, await issueLimited(), USER)).status).toBe(200);
  });

  test('rejects a token that is not for limited use, which other methods accept', async () => {
    await setLimited();
    const token = await issue();
    expect((await send(SIGN_UP, token, USER)).status).toBe(401);
    expect(client.audited.at(-1)).toMatchObject({ event: 'app_check_rejected', result: 'not limited use' });
    expect((await send(SIGN_UP, await issueLimited(), USER)).status).toBe(200);
    for (let count = 0; count < 2; count += 1)
      expect((await send('accounts:signInWithPassword', token, USER)).status).toBe(200);
  });

  test('rejects nothing while the project only counts tokens, and can only be one of the listed methods', async () => {
    await setLimited('UNENFORCED');
    expect((await send(SIGN_UP, await issue(), USER)).status).toBe(200);
    const body = JSON.stringify({ appCheckConfig: { limitedUse: ['accounts:other'] } });
    const path = '/v2/projects/demo/config?updateMask=appCheckConfig.limitedUse';
    const { error } = await client.request('PATCH', path, body, { authorization: 'Bearer owner' });
    expect(error).toMatch(/^INVALID_CONFIG : appCheckConfig.limitedUse must be a list of accounts:signUp/);
  });
});
