import { expect, test } from 'vitest';
import { expectAnswers, OWNER } from '../exchange.fixture.ts';
import { IdentityClient } from './identity-client.fixture.ts';

test('[I3] no request names a book, and no list shows one', async () => {
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

test('[I4] a request without an API key, and in serving mode one with an unknown key, is refused', async () => {
  const client = await IdentityClient.open();
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
])('[I5] %s is the same method', async (url) => {
  const client = await IdentityClient.open();
  const { status, json } = await client.request('POST', `${url}?key=k`, '{}');
  expect({ status, kind: json['kind'] }).toEqual({
    status: 200,
    kind: 'identitytoolkit#SignupNewUserResponse',
  });
});

test('[I6] an answer that refuses has the shape in which clients look for the reason', async () => {
  const client = await IdentityClient.open();
  const { status, json, headers } = await client.post('accounts:signUp', { email: 'x' });
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
])('[I7] %s %s is answered with %i', async (method, url, status) => {
  const client = await IdentityClient.open();
  const answer = await client.request(method, `${url}?key=k`, method === 'GET' ? undefined : '{}');
  expect(answer.status).toBe(status);
  expect(answer.error).toEqual(expect.any(String));
});

test('[I7] a name that objects have anyway is no method', async () => {
  const client = await IdentityClient.open();
  const path = '/identitytoolkit/v3/relyingparty/constructor';
  expect((await client.post(path)).error).toBe(`There is nothing at ${path}.`);
});

test('[I8] pages of every origin may ask, with the headers that they name', async () => {
  const client = await IdentityClient.open();
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
])('[I9] %s is read as it is meant', async (body, expected) => {
  const client = await IdentityClient.open();
  const { status, json } = await client.request('POST', '/v1/accounts:signUp?key=k', body);
  expect(status).toBe(200);
  expect(json).toMatchObject(expected);
});

test.each([
  ['[]', 400],
  ['{"email"', 400],
  ['{"email":5,"email":{}}', 400],
  ['{"email":{},"password":"password"}', 400],
  ['{"email":["a@b.co"],"password":"password"}', 400],
  [`{"email":"${'a'.repeat(262_144)}"}`, 413],
])('[I10] %.40s is refused with %i and no effect', async (body, status) => {
  const client = await IdentityClient.open();
  const answer = await client.request('POST', '/v1/accounts:signUp?key=k', body);
  expect(answer.status).toBe(status);
  expect(answer.error).toEqual(expect.any(String));
});

test('[I10] bytes that are not UTF-8 are refused', async () => {
  const client = await IdentityClient.open();
  const answer = await client.request(
    'POST',
    '/v1/accounts:signUp?key=k',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) as unknown as string,
  );
  expect(answer.status).toBe(400);
});

test('[I11] an administrator names the project; nobody else may', async () => {
  const client = await IdentityClient.open();
  const signUp = (headers: Readonly<Record<string, string>>, body = '{}') =>
    client.request('POST', '/v1/projects/other/accounts:lookup', body, headers);
  expect((await signUp({})).status).toBe(401);
  expect((await signUp({ authorization: 'Basic owner' })).status).toBe(401);
  for (const authorization of ['Bearer owner', 'bearer owner', 'Bearer ya29.token'])
    expect((await signUp({ authorization }, '{"localId":["x"]}')).status).toBe(200);
  const targeted = await client.post('accounts:lookup', { targetProjectId: 'other', localId: ['x'] });
  expect(targeted.error).toBe(
    'INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.',
  );
});

test('[I12] no project is divided into tenants', async () => {
  const client = await IdentityClient.open();
  expect((await client.post('accounts:signUp', { tenantId: 't' })).error).toBe('INVALID_TENANT_ID');
  expect((await client.admin('/v1/projects/demo/accounts', { tenantId: 't' })).error).toBe(
    'TENANT_NOT_FOUND',
  );
});

test('[I13] while nobody may sign in to a project, every method says so', async () => {
  const client = await IdentityClient.open();
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
