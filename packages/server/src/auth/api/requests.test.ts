import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AdminRole } from '@hearth/core/api/service-account.ts';
import { expect, onTestFinished, test } from 'vitest';
import { expectAnswers, OWNER } from '../../app/exchange.fixture.ts';
import { AuthClient } from './auth-client.fixture.ts';

test('[I3] no request can name a record store, and no list shows one', async () => {
  await expectAnswers([
    ['POST', '/v1/accounts:signUp?key=k', '{}', 200, /"localId"/],
    ['PUT', '/a.json?ns=mine', '1', 200, '1'],
    ['GET', '/api/databases', undefined, 200, /^\{"databases":\[\{"name":"mine"\}\],/, OWNER],
    ['GET', '/.inspect/databases.json', undefined, 200, /^\[\{"name":"mine"[^!]*$/, OWNER],
    ['GET', '/.json?ns=!accounts:demo', undefined, 400, /error/, OWNER],
    ['GET', '/.json?ns=%21accounts%3Ademo', undefined, 400, /error/, OWNER],
    ['GET', '/api/databases/!accounts:demo/children', undefined, 400, /error/, OWNER],
  ]);
});

test('[I4] a request needs an API key, in its query or in a header', async () => {
  const client = await AuthClient.open();
  const answer = await client.request('POST', '/v1/accounts:signUp', '{}');
  expect(answer).toMatchObject({ status: 403, error: 'The request is missing a valid API key.' });
  for (const headers of [{ 'x-goog-api-key': 'k' }, { 'X-GOOG-API-KEY': 'k' }])
    expect((await client.request('POST', '/v1/accounts:signUp', '{}', headers)).status).toBe(200);
  expect((await client.request('POST', '/v1/accounts:signUp?key=k', '{}')).status).toBe(200);
});

test.each([
  '/v1/accounts:signUp',
  '/identitytoolkit.googleapis.com/v1/accounts:signUp',
  '/www.googleapis.com/identitytoolkit/v3/relyingparty/signupNewUser',
  '/identitytoolkit/v3/relyingparty/signupNewUser',
])('[I5] %s reaches the method accounts:signUp', async (url) => {
  const client = await AuthClient.open();
  const { status, json } = await client.request('POST', `${url}?key=k`, '{}');
  expect({ status, kind: json['kind'] }).toEqual({
    status: 200,
    kind: 'identitytoolkit#SignupNewUserResponse',
  });
});

test('[I6] an error response has the format that clients parse, and may not be cached', async () => {
  const client = await AuthClient.open();
  const { status, json, headers } = await client.post('accounts:signUp', { email: 'x@example.com' });
  expect({ status, json }).toEqual({
    status: 400,
    json: {
      error: {
        code: 400,
        message: 'MISSING_PASSWORD',
        errors: [{ message: 'MISSING_PASSWORD', domain: 'global', reason: 'invalid' }],
      },
    },
  });
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
});

test.each([
  ['GET', '/v1/accounts:signUp', 405],
  ['POST', '/v1/accounts:nothing', 404],
  ['POST', '/identitytoolkit.googleapis.com/', 404],
])('[I7] %s %s is answered with status %i', async (method, url, status) => {
  const client = await AuthClient.open();
  const answer = await client.request(method, `${url}?key=k`, method === 'GET' ? undefined : '{}');
  expect(answer.status).toBe(status);
  expect(answer.error).toEqual(expect.any(String));
});

test('[I7] a property name that every JavaScript object has is not a method name', async () => {
  const client = await AuthClient.open();
  const path = '/identitytoolkit/v3/relyingparty/constructor';
  expect((await client.post(path)).error).toBe(`No method exists at ${path}.`);
});

test('[I8] pages of every origin may send requests, with any headers and without cookies', async () => {
  const client = await AuthClient.open();
  const preflight = await client.request('OPTIONS', '/v1/accounts:signUp?key=k', undefined, {
    origin: 'https://app.example',
    'access-control-request-headers': 'x-client-version,x-firebase-gmpid',
    'access-control-request-private-network': 'true',
  });
  expect(preflight).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'x-client-version,x-firebase-gmpid',
      'access-control-allow-methods': 'GET,POST,PATCH,DELETE,OPTIONS',
      'access-control-max-age': '7200',
      'access-control-allow-private-network': 'true',
    },
  });
  expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
});

test.each([
  ['{"email":"a@b.co","password":"password","display_name":"Ann"}', { displayName: 'Ann' }],
  ['{"email":"a@b.co","password":12345678,"postBody":null}', { email: 'a@b.co' }],
  ['{"email":"a@b.co","password":"password","unknown":{"x":[1]}}', { email: 'a@b.co' }],
])('[I9] the body %s is read leniently', async (body, expected) => {
  const client = await AuthClient.open();
  const { status, json } = await client.request('POST', '/v1/accounts:signUp?key=k', body);
  expect(status).toBe(200);
  expect(json).toMatchObject(expected);
});

test('[I9][I598] a form and a query have at most 1,000 members', async () => {
  const client = await AuthClient.open();
  const namesOf = (length: number) => Array.from({ length }, (_, index) => index.toString(36)).join('&');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const url = '/v1/accounts:signUp?key=k';
  expect((await client.request('POST', url, `email=a@b.co&${namesOf(999)}`, form)).error).toBe(
    'MISSING_PASSWORD',
  );
  const denied = { status: 400, error: expect.stringContaining('1000 members') };
  expect(await client.request('POST', url, namesOf(1_001), form)).toMatchObject(denied);
  expect(await client.request('POST', `${url}&${namesOf(1_000)}`, '{}')).toMatchObject(denied);
  expect((await client.request('POST', url, 'email=a@b.co&email=c@b.co', form)).status).toBe(400);
});

test.each([
  ['[]', 400],
  ['{"email"', 400],
  ['{"email":5,"email":{}}', 400],
  ['{"email":{},"password":"password"}', 400],
  ['{"email":["a@b.co"],"password":"password"}', 400],
  [`{"email":"${'a'.repeat(262_144)}"}`, 413],
])('[I10] the body %.40s is rejected with status %i', async (body, status) => {
  const client = await AuthClient.open();
  const answer = await client.request('POST', '/v1/accounts:signUp?key=k', body);
  expect(answer.status).toBe(status);
  expect(answer.error).toEqual(expect.any(String));
});

test.each([
  '{"email":"a@b.co","password":"password","email":"c@b.co"}',
  '{"email":"a@b.co","password":"password","\\u0065mail":"c@b.co"}',
  '{"email":"a@b.co","password":"password","x":[{"y":1,"y":1}]}',
])('[I668] the body %s has a member twice, so it is rejected without effect', async (body) => {
  const client = await AuthClient.open();
  const denied = await client.request('POST', '/v1/accounts:signUp?key=k', body);
  expect(denied).toMatchObject({ status: 400, error: 'An object in the body has the same member twice.' });
  const { json } = await client.admin('/v1/projects/demo/accounts:lookup', { email: ['a@b.co', 'c@b.co'] });
  expect(json).not.toHaveProperty('users');
});

const SIGN_UP = '{"email":"a@b.co","password":"password"}';

test.each([
  'application/json',
  'Application/JSON; charset=UTF-8',
  'application/json;charset=utf-8',
  'application/vnd.api+json',
  'text/json',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  '',
])('[I669] a body with the content type "%s" is read', async (type) => {
  const client = await AuthClient.open();
  const { status } = await client.request('POST', '/v1/accounts:signUp?key=k', SIGN_UP, {
    'content-type': type,
  });
  expect(status).toBe(200);
});

test.each([
  'image/png',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/jsonx',
  'x; application/json',
])('[I669] a body with the content type "%s" is rejected', async (type) => {
  const client = await AuthClient.open();
  const post = (contentType: string) =>
    client.request('POST', '/v1/accounts:signUp?key=k', SIGN_UP, { 'content-type': contentType });
  expect(await post(type)).toMatchObject({ status: 400, error: expect.stringContaining('Content-Type') });
  expect((await post('application/json')).status).toBe(200);
});

test('[I10] bytes that are not UTF-8 are rejected', async () => {
  const client = await AuthClient.open();
  const answer = await client.request(
    'POST',
    '/v1/accounts:signUp?key=k',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) as unknown as string,
  );
  expect(answer.status).toBe(400);
});

test('[I11] only an administrator may name the project', async () => {
  const client = await AuthClient.open();
  const lookup = (headers: Readonly<Record<string, string>>, body = '{}') =>
    client.request('POST', '/v1/projects/other/accounts:lookup', body, headers);
  expect((await lookup({})).status).toBe(401);
  expect((await lookup({ authorization: 'Basic owner' })).status).toBe(401);
  for (const authorization of ['Bearer owner', 'bearer owner', 'Bearer ya29.token'])
    expect((await lookup({ authorization }, '{"localId":["x"]}')).status).toBe(200);
  const targeted = await client.post('accounts:lookup', { targetProjectId: 'other', localId: ['x'] });
  expect(targeted.error).toBe(
    'INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.',
  );
});

test('[I12] the path, the body and the token of a request name the same tenant', async () => {
  const client = await AuthClient.open();
  const { json } = await client.post('accounts:signUp', { tenantId: 'one' });
  expect((await client.post('accounts:lookup', { idToken: json['idToken'], tenantId: 'two' })).error).toBe(
    'TENANT_ID_MISMATCH',
  );
  const accounts = '/v1/projects/demo/tenants/one/accounts';
  expect((await client.admin(accounts, { tenantId: 'two' })).error).toBe('TENANT_ID_MISMATCH');
  expect((await client.admin(accounts, { tenantId: 'one' })).status).toBe(200);
});

test('[I13] a disabled project rejects the requests of apps and administrators', async () => {
  const client = await AuthClient.open();
  const { idToken, refreshToken } = await client.signUp();
  await client.settings((settings) => ({ ...settings, isDisabled: true }));
  const answers = await Promise.all([
    client.post('accounts:signUp'),
    client.post('accounts:signInWithPassword', { email: 'ann@example.com', password: 'password' }),
    client.post('accounts:lookup', { idToken }),
    client.post('/v1/token', { grantType: 'refresh_token', refreshToken }),
    client.admin('/v1/projects/demo/accounts:lookup', { localId: ['x'] }),
  ]);
  expect(answers.map(({ error }) => error)).toEqual(Array.from(answers, () => 'PROJECT_DISABLED'));
});

const UNREADABLE = 'x'.repeat(300_000);

test('[I572] a caller without the required role is rejected before the body is read', async () => {
  const ask = async (roles: readonly AdminRole[], headers: Readonly<Record<string, string>>) => {
    const admins = { verify: async () => ({ name: 'ann', projectId: null, roles }) };
    const client = await AuthClient.open(undefined, { admins });
    const url = '/v1/projects/demo/accounts:update';
    const { status, error } = await client.request('POST', url, UNREADABLE, headers);
    return { status, error, audited: client.audited.map(({ event }) => event) };
  };
  const bearer = { authorization: 'Bearer x' };
  expect(await ask([], bearer)).toEqual({
    status: 403,
    error: 'PERMISSION_DENIED',
    audited: ['admin_refused'],
  });
  expect(await ask(['identity.admin'], bearer)).toMatchObject({ status: 413 });
  const client = await AuthClient.open();
  const batch = '/v1/projects/demo/accounts:batchCreate';
  expect((await client.request('POST', batch, UNREADABLE)).status).toBe(401);
  expect((await client.request('POST', batch, UNREADABLE, bearer)).status).toBe(400);
});

test('[I595] an app without an API key is rejected before the body is read', async () => {
  const client = await AuthClient.open();
  const ask = async (query: string) =>
    (await client.request('POST', `/v1/accounts:signUp${query}`, UNREADABLE)).status;
  expect([await ask(''), await ask('?key=k')]).toEqual([403, 413]);
});

/**
 * Starts a request, and sends the first part of a longer body. `ended` resolves to the response text when the server
 * closes the connection.
 */
async function sendPart(client: AuthClient, sent: string): Promise<{ readonly ended: Promise<string> }> {
  const socket = connect(client.port, '127.0.0.1');
  const head =
    'POST /v1/accounts:signUp?key=k HTTP/1.1\r\nhost: localhost:9000\r\ncontent-length: 9000\r\n\r\n';
  await new Promise((resolve) => socket.write(head + sent, resolve));
  onTestFinished(() => void socket.destroy());
  return { ended: text(socket).catch(() => '') };
}

test('[I596] the server closes the connection of a body that does not arrive in time', async () => {
  const client = await AuthClient.open(undefined, {
    bodies: { deadlineMs: 20 },
  });
  const { ended } = await sendPart(client, '{');
  expect(await ended).toBe('');
  expect((await client.post('accounts:signUp')).status).toBe(200);
});

test('[I596] the server closes the connection of a body that would exceed the memory budget, and frees the memory', async () => {
  const client = await AuthClient.open(undefined, { bodies: { totalBytes: 1_000 } });
  const { ended } = await sendPart(client, 'x'.repeat(1_001));
  expect(await ended).toBe('');
  expect((await client.post('accounts:signUp')).status).toBe(200);
});

test('[I596] requests that arrive whole are answered while incomplete bodies fill the memory budget', async () => {
  const client = await AuthClient.open(undefined, { bodies: { totalBytes: 1_000 } });
  await sendPart(client, 'x'.repeat(1_000));
  for (let count = 0; count < 5; count++) expect((await client.post('accounts:signUp')).status).toBe(200);
});

test.each<readonly [string, (depth: number) => string]>([
  ['objects', (depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
  ['lists', (depth) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`],
])('[I573] a body of %s has at most 32 levels', async (_, nest) => {
  const client = await AuthClient.open();
  const status = async (depth: number) =>
    (await client.request('POST', '/v1/accounts:signUp?key=k', nest(depth))).status;
  expect([await status(32), await status(33), await status(5_000)]).toEqual([200, 400, 400]);
  const config = '/v2/projects/demo/config?updateMask=mobileLinksConfig';
  const body = `{"mobileLinksConfig":${nest(5_000)}}`;
  const patch = await client.request('PATCH', config, body, { authorization: 'Bearer owner' });
  expect(patch).toMatchObject({ status: 400, error: expect.stringContaining('32 levels') });
});
