import { createPrivateKey, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signJwt } from '../auth/projects/service-account.fixture.ts';
import { encodeJwt } from '../auth/tokens/jwt.ts';
import { nowMs } from '../platform/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { readOptions } from '../platform/server-options.ts';
import { startApp } from './app.ts';
import { developmentMode } from './development-mode.ts';
import { openServing, PUBLIC_URL, type Serving, temporaryDirectory } from './serving.fixture.ts';

const NEVER = 4_000_000_000;

/** Returns an unsigned token, as the official emulators issue them. */
function unsignedToken(projectId: string): string {
  const claims = {
    iss: `https://securetoken.google.com/${projectId}`,
    aud: projectId,
    sub: 'ann',
    user_id: 'ann',
    auth_time: 0,
    iat: 0,
    exp: NEVER,
    firebase: { sign_in_provider: 'password', identities: {} },
  };
  return `${encodeJwt({ alg: 'none', typ: 'JWT' }, claims)}.`;
}

async function createProject(serving: Serving, id: string): Promise<string> {
  const { json } = await serving.ask('/api/projects', { token: serving.token, body: { id } });
  return String(json['apiKey']);
}

async function accessToken(serving: Serving, project: string, roles?: readonly string[]): Promise<string> {
  const { assertion } = await createAssertion(serving, project, roles);
  const { json } = await serving.ask('/token', {
    body: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
  });
  return String(json['access_token']);
}

async function createAssertion(serving: Serving, project: string, roles?: readonly string[]) {
  const { json } = await serving.ask(`/api/projects/${project}/service-accounts/admin/keys`, {
    token: serving.token,
    body: roles === undefined ? {} : { roles },
  });
  const privateKey = createPrivateKey(String(json['private_key']));
  const nowSec = Math.floor(nowMs() / 1_000);
  const claims = { iss: json['client_email'], aud: json['token_uri'], iat: nowSec, exp: nowSec + 300 };
  return {
    keyFile: json,
    assertion: signJwt(claims, { privateKey, publicKey: createPublicKey(privateKey) }),
  };
}

/** Signs up a user with a password. */
async function signUp(serving: Serving, apiKey: string, email = 'ann@example.com') {
  const { json } = await serving.ask(`/v1/accounts:signUp?key=${apiKey}`, {
    body: { email, password: 'correct-horse-battery' },
  });
  return { uid: String(json['localId']), idToken: String(json['idToken']) };
}

/** Creates a database that no project owns, as development mode does. */
async function writeUnowned(directory: string, name: string): Promise<void> {
  const options = readOptions({ port: '0', data: join(directory, 'data') }, {});
  const app = await startApp(
    options,
    developmentMode(options),
    createLogger('silent', { write: () => undefined }),
  );
  await fetch(`${app.url}/.json?ns=${name}`, { method: 'PUT', body: '1' });
  await app.close();
}

/** Resolves to the response to one request over a WebSocket. */
async function overWebSocket(serving: Serving, action: string, body: unknown): Promise<unknown> {
  const socket = new WebSocket(`${serving.app.url.replace('http', 'ws')}/.ws?v=5&ns=shop`);
  await once(socket, 'message');
  socket.send(JSON.stringify({ t: 'd', d: { r: 1, a: action, b: body } }));
  const [data] = await once(socket, 'message');
  socket.terminate();
  return JSON.parse(String(data)).d.b;
}

test('[I441] no shortcut of the emulators exists', async () => {
  const serving = await openServing();
  const apiKey = await createProject(serving, 'shop');
  const unsigned = unsignedToken('shop');
  const { token } = serving;
  const answers = await Promise.all([
    serving.ask('/.json?ns=shop', { token: 'owner' }),
    serving.ask('/.json?ns=shop&auth=owner'),
    serving.ask('/.json?ns=shop&access_token=owner'),
    serving.ask(`/.json?ns=shop&auth=${unsigned}`),
    serving.ask('/.settings/rules.json?ns=shop', { token: 'owner' }),
    serving.ask('/api/databases', { token: 'owner' }),
    serving.ask('/api/projects', { token: 'owner' }),
    serving.ask('/v1/projects/shop/accounts:lookup', { token: 'owner', body: { localId: ['ann'] } }),
    serving.ask('/v1/accounts:signUp', { token: 'owner', body: {} }),
    serving.ask(`/v1/accounts:lookup?key=${apiKey}`, { body: { idToken: unsigned } }),
    serving.ask(`/v1/accounts:signInWithCustomToken?key=${apiKey}`, { body: { token: '{"uid":"ann"}' } }),
    serving.ask(`/v1/accounts:signInWithCustomToken?key=${apiKey}`, { body: { token: unsigned } }),
    serving.ask('/v1/accounts:signUp?key=any', { body: {} }),
    serving.ask('/.inspect/databases.json?ns=shop', { token }),
    serving.ask('/.inspect/coverage?ns=shop', { token }),
    serving.ask('/.inspect/coverage.json?ns=shop', { token }),
    serving.ask('/.settings/functionTriggers.json?ns=shop', { token, body: {} }),
    serving.ask('/emulator/v1/projects/shop/accounts', { token, method: 'DELETE' }),
    serving.ask('/emulator/v1/projects/shop/config', { token }),
    serving.ask('/emulator/v1/projects/shop/oobCodes', { token }),
    serving.ask('/.json', { token }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([
    ...[401, 401, 401, 401, 401, 401, 401, 401, 401],
    ...[400, 400, 400, 400],
    ...[404, 404, 404, 404, 404, 404, 404, 400],
  ]);
  expect(await overWebSocket(serving, 'auth', { cred: 'owner' })).toMatchObject({ s: 'invalid_token' });
  expect(await overWebSocket(serving, 'auth', { cred: unsigned })).toMatchObject({ s: 'invalid_token' });
  expect(await overWebSocket(serving, 'gauth', { cred: 'owner' })).toMatchObject({ s: 'invalid_token' });
});

test('[I440] an API key selects its project, and nothing else does', async () => {
  const serving = await openServing();
  expect((await serving.ask('/v1/accounts:signUp?key=any', { body: {} })).status).toBe(400);
  const [shop, club] = [await createProject(serving, 'shop'), await createProject(serving, 'club')];
  const ann = await signUp(serving, shop);
  const lookup = { body: { idToken: ann.idToken } };
  expect(await serving.ask(`/v1/accounts:lookup?key=${shop}`, lookup)).toMatchObject({ status: 200 });
  expect((await serving.ask(`/v1/accounts:lookup?key=${club}`, lookup)).text).toContain('INVALID_ID_TOKEN');
  const unknown = '/v1/projects/none/accounts:lookup';
  const admin = { token: serving.token, body: { localId: ['ann'] } };
  expect((await serving.ask(unknown, admin)).text).toContain('PROJECT_NOT_FOUND');
});

test('[I442] new databases are locked, and no caller can use one that belongs to no project', async () => {
  const serving = await openServing();
  await createProject(serving, 'shop');
  const { token } = serving;
  const read = (ns: string, request = {}) => serving.ask(`/.json?ns=${ns}`, request);
  for (const ns of ['shop', 'shop-default-rtdb', 'other']) expect((await read(ns)).status).toBe(401);
  for (const ns of ['shop', 'shop-default-rtdb']) {
    expect(await read(ns, { token, method: 'PUT', body: '1' })).toMatchObject({ status: 200, text: '1' });
    expect((await read(ns, { method: 'PUT', body: '2' })).status).toBe(401);
  }
  expect((await read('other', { token })).status).toBe(401);
  expect((await read('other', { token, method: 'PUT', body: '1' })).status).toBe(401);
});

test('[I443] an ID token is valid in the databases of its project until its account is disabled', async () => {
  const serving = await openServing();
  const [shop] = [await createProject(serving, 'shop'), await createProject(serving, 'club')];
  const { uid, idToken } = await signUp(serving, shop);
  const rules = { rules: { '.read': 'auth.uid !== null' } };
  for (const ns of ['shop', 'club'])
    await serving.ask(`/.settings/rules.json?ns=${ns}`, { token: serving.token, method: 'PUT', body: rules });
  const read = (ns: string) => serving.ask(`/.json?ns=${ns}&auth=${idToken}`);
  expect(await read('shop')).toMatchObject({ status: 200, text: 'null' });
  expect(await overWebSocket(serving, 'auth', { cred: idToken })).toMatchObject({
    s: 'ok',
    d: { auth: { uid, provider: 'password' } },
  });
  expect((await read('club')).json).toEqual({ error: 'Could not parse auth token.' });
  expect((await read('other')).status).toBe(401);
  const body = { localId: uid, disableUser: true };
  await serving.ask('/v1/projects/shop/accounts:update', { token: serving.token, body });
  expect((await read('shop')).json).toEqual({ error: 'Auth token is expired.' });
});

test('[I444] an access token gives the access of an administrator to the databases of its project', async () => {
  const serving = await openServing();
  await createProject(serving, 'shop');
  await createProject(serving, 'club');
  const token = await accessToken(serving, 'shop');
  const [inHeader, inQuery, inAuth, foreign, ofProject] = await Promise.all([
    serving.ask('/.json?ns=shop', { token }),
    serving.ask(`/.json?ns=shop&access_token=${token}`),
    serving.ask(`/.json?ns=shop&auth=${token}`),
    serving.ask('/.json?ns=club', { token }),
    serving.ask('/api/databases', { token }),
  ]);
  const statuses = [inHeader, inQuery, inAuth, foreign, ofProject].map((answer) => answer?.status);
  expect(statuses).toEqual([200, 200, 200, 401, 200]);
  expect(await overWebSocket(serving, 'gauth', { cred: token })).toMatchObject({ s: 'ok' });
  const authOnly = await accessToken(serving, 'club', ['identity.admin']);
  expect((await serving.ask('/.json?ns=club', { token: authOnly })).status).toBe(401);
});

test("[I586][I587] an administrator's connections end when the credential is no longer valid", async () => {
  const serving = await openServing();
  await createProject(serving, 'shop');
  const { assertion, keyFile } = await createAssertion(serving, 'shop', ['database.admin']);
  const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const exchanged = await serving.ask('/token', { body: { grant_type: grant, assertion } });
  const token = String(exchanged.json['access_token']);
  const override = encodeURIComponent('{"uid":"ann"}');
  await serving.ask('/.settings/rules.json?ns=shop', {
    token,
    method: 'PUT',
    body: { rules: { '.read': "auth.uid === 'ann'" } },
  });
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const streams = await Promise.all(
    ['', `&auth_variable_override=${override}`].map((more) =>
      fetch(`${serving.app.url}/.json?ns=shop${more}`, { headers }),
    ),
  );
  const socket = new WebSocket(`${serving.app.url.replace('http', 'ws')}/.ws?v=5&ns=shop`);
  await once(socket, 'message');
  socket.send(JSON.stringify({ t: 'd', d: { r: 1, a: 'gauth', b: { cred: token } } }));
  await once(socket, 'message');
  const listening = once(socket, 'message');
  socket.send(JSON.stringify({ t: 'd', d: { r: 2, a: 'q', b: { p: '/secret', h: '' } } }));
  await listening;
  // The data and the response may arrive in one message of the socket or in two.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const reported = once(socket, 'message');
  const path = `/api/projects/shop/service-accounts/admin/keys/${keyFile['private_key_id']}`;
  expect((await serving.ask(path, { token: serving.token, method: 'DELETE' })).status).toBe(200);
  expect(JSON.parse(String((await reported)[0])).d).toEqual({ a: 'c', b: { p: 'secret' } });
  const denied = once(socket, 'message');
  socket.send(JSON.stringify({ t: 'd', d: { r: 3, a: 'g', b: { p: '/secret', q: {} } } }));
  expect(JSON.parse(String((await denied)[0])).d).toMatchObject({ r: 3, b: { s: 'permission_denied' } });
  for (const stream of streams) expect(await stream.text()).toContain('event: auth_revoked');
  socket.terminate();
});

test('[I446] methods of administrators require roles in the project of the token', async () => {
  const serving = await openServing();
  for (const id of ['shop', 'club', 'bank']) await createProject(serving, id);
  const [usual, viewer] = [
    await accessToken(serving, 'shop'),
    await accessToken(serving, 'club', ['identity.viewer']),
  ];
  const lookup = { body: { localId: ['ann'] } };
  const statusOf = async (path: string, token: string, request: object) =>
    (await serving.ask(path, { token, ...request })).status;
  expect(await statusOf('/v1/projects/shop/accounts:lookup', usual, lookup)).toBe(200);
  expect(await statusOf('/v1/projects/shop/accounts', usual, { body: { localId: 'ann' } })).toBe(200);
  expect(await statusOf('/v2/projects/shop/config', usual, {})).toBe(200);
  expect(await statusOf('/v1/projects/club/accounts:lookup', viewer, lookup)).toBe(200);
  const requestErrors = [
    await serving.ask('/v1/projects/club/accounts', { token: viewer, body: { localId: 'ann' } }),
    await serving.ask('/v2/projects/club/config', { token: viewer, method: 'PATCH', body: {} }),
    await serving.ask('/v1/projects/bank/accounts:lookup', { token: usual, ...lookup }),
  ];
  for (const { status, text: answer } of requestErrors) {
    expect(status).toBe(403);
    expect(answer).toContain('PERMISSION_DENIED');
  }
});

test('[I588] the audit log of a project requires a role for its accounts', async () => {
  const serving = await openServing();
  for (const id of ['shop', 'club', 'bank']) await createProject(serving, id);
  const [ofDatabase, viewer, admin] = [
    await accessToken(serving, 'shop', ['database.admin']),
    await accessToken(serving, 'club', ['identity.viewer']),
    await accessToken(serving, 'bank', ['identity.admin']),
  ];
  const statusOf = async (path: string, token: string) => (await serving.ask(path, { token })).status;
  expect(await statusOf('/api/projects/shop/audit', ofDatabase)).toBe(401);
  expect(await statusOf('/api/projects/club/audit', viewer)).toBe(200);
  expect(await statusOf('/api/projects/bank/audit', admin)).toBe(200);
  for (const token of [ofDatabase, viewer]) {
    expect(await statusOf('/api/projects/bank/audit', token)).toBe(401);
    expect(await statusOf('/api/audit', token)).toBe(401);
  }
  expect(await statusOf('/api/projects/shop/audit', serving.token)).toBe(200);
});

test('[I445] the token endpoint responds and reports errors as RFC 6749 says', async () => {
  const serving = await openServing();
  await createProject(serving, 'shop');
  const { assertion, keyFile } = await createAssertion(serving, 'shop');
  expect(keyFile['token_uri']).toBe(`${PUBLIC_URL}/token`);
  const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const form = new URLSearchParams({ grant_type: grant, assertion }).toString();
  for (const path of ['/token', '/oauth2.googleapis.com/token']) {
    const response = await fetch(`${serving.app.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^hearth-access-1\./),
      expires_in: 3599,
      token_type: 'Bearer',
    });
  }
  const denied = async (body: unknown) => {
    const { status, json } = await serving.ask('/token', { body });
    return [status, json['error']];
  };
  expect(await denied({ grant_type: 'password' })).toEqual([400, 'unsupported_grant_type']);
  expect(await denied({ grant_type: grant })).toEqual([400, 'invalid_grant']);
  expect(await denied({ grant_type: grant, assertion: `${assertion}x` })).toEqual([400, 'invalid_grant']);
  expect(await denied('[')).toEqual([400, 'invalid_request']);
  expect((await serving.ask('/token')).status).toBe(405);
});

/** Resolves to the status of the response to a request that names another host. */
async function askHost({ app }: Serving, host: string, path: string): Promise<number> {
  const outgoing = httpRequest(`${app.url}${path}`, { headers: { host } }).end();
  const [answer] = await once(outgoing, 'response');
  await text(answer);
  return answer.statusCode;
}

test.each([
  ['hearth.example.com', '/healthz', 200],
  ['hearth.example.com:443', '/healthz', 200],
  ['localhost', '/healthz', 200],
  ['evil.example', '/healthz', 403],
  ['www.googleapis.com', '/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com', 200],
  ['oauth2.googleapis.com', '/token', 405],
  ['identitytoolkit.googleapis.com', '/v1/projects/shop/accounts:lookup', 405],
  ['iamcredentials.googleapis.com', '/v1/projects/-/serviceAccounts/x:signBlob', 405],
  ['www.googleapis.com', '/healthz', 403],
  ['www.googleapis.com', '/.json?ns=shop', 403],
  ['storage.googleapis.com', '/v1/token', 403],
])('[I447][H363] a request for the host %s at %s gets %i', async (host, path, status) => {
  expect(await askHost(await openServing(), host, path)).toBe(status);
});

test('[H79][H364][H368] responses announce TLS and contain the public address', async () => {
  const serving = await openServing();
  await createProject(serving, 'shop');
  for (const path of ['/healthz', '/.json?ns=shop', '/v1/projects', '/console/'])
    expect((await serving.ask(path)).headers.get('strict-transport-security')).toBe('max-age=63072000');
  const { json } = await serving.ask('/shop/.well-known/openid-configuration');
  expect(json['jwks_uri']).toBe(`${PUBLIC_URL}/.well-known/jwks.json`);
  const instance = '/v1beta/projects/shop/locations/-/instances/shop';
  expect((await serving.ask(instance, { token: serving.token })).json).toMatchObject({
    databaseUrl: `${PUBLIC_URL}/?ns=shop`,
  });
});

const OWNER = { project: 'shop', email: 'own@example.com', password: 'correct-horse-battery' };

function tokenOf(serving: Serving): string {
  return new URL(serving.app.ownerLinkPath ?? '', PUBLIC_URL).searchParams.get('token') ?? '';
}

test('[I448] a setup link exists until there is a member, and each start replaces it', async () => {
  const directory = temporaryDirectory();
  const first = await openServing(directory);
  const before = tokenOf(first);
  expect(before).toMatch(/^[\w-]{43}$/);
  expect(first.log.join('')).not.toContain(before);
  await first.close();
  const files = readdirSync(join(directory, 'data')).map((name) =>
    readFileSync(join(directory, 'data', name)),
  );
  expect(files.some((content) => content.includes(before))).toBe(false);
  const second = await openServing(directory);
  expect((await second.ask('/api/owner', { body: { ...OWNER, token: before } })).status).toBe(400);
  const token = tokenOf(second);
  expect((await second.ask('/api/owner', { body: { ...OWNER, token } })).status).toBe(200);
  await second.close();
  expect((await openServing(directory)).app.ownerLinkPath).toBeNull();
});

test('[I449] the setup link creates one owner, even if several requests use it at the same time', async () => {
  const serving = await openServing();
  const token = tokenOf(serving);
  expect((await serving.ask('/api/owner', { body: { ...OWNER, token, password: 'short' } })).status).toBe(
    400,
  );
  expect((await serving.ask('/api/owner', { body: { ...OWNER, token: `${token}x` } })).status).toBe(400);
  const bodies = Array.from({ length: 8 }, (_, at) => ({ ...OWNER, token, email: `own${at}@example.com` }));
  const answers = await Promise.all(bodies.map((body) => serving.ask('/api/owner', { body })));
  const [made, ...others] = answers.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  expect(made?.json).toMatchObject({
    projectId: 'shop',
    uid: expect.any(String),
    apiKey: expect.any(String),
  });
  const users = await serving.ask('/v1/projects/shop/accounts:query', { token: serving.token, body: {} });
  expect(users.json['recordsCount']).toBe('1');
  const { email } = { email: made?.json['email'] };
  const signIn = { body: { email, password: OWNER.password } };
  const key = made?.json['apiKey'];
  expect((await serving.ask(`/v1/accounts:signInWithPassword?key=${key}`, signIn)).status).toBe(200);
});

test('[I449][I631] the setup page sends a form to this server, and has no script', async () => {
  const serving = await openServing();
  const path = serving.app.ownerLinkPath ?? '';
  const { status, text: html, headers } = await serving.ask(path);
  expect(status).toBe(200);
  expect(html).toContain(`value="${tokenOf(serving)}"`);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; form-action 'self'");
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect((await serving.ask('/console/setup?token=%22%3E%3Cscript')).status).toBe(400);
  const form = new URLSearchParams({ ...OWNER, token: tokenOf(serving) });
  const answer = await fetch(`${serving.app.url}/api/owner`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/?project=shop']);
});

test('[I450] a project has a valid id that gives it no database of another project', async () => {
  const serving = await openServing();
  const { token } = serving;
  const create = (id: unknown) => serving.ask('/api/projects', { token, body: { id } });
  for (const id of ['', 'Shop', 'a_b', '-a', 'a'.repeat(51), 'a/b', '__proto__'])
    expect((await create(id)).text).toContain('INVALID_PROJECT_ID');
  const made = await create('shop');
  expect(made.json).toMatchObject({ id: 'shop', apiKey: expect.stringMatching(/^A[\w-]{38}$/) });
  for (const id of ['shop', 'shop-default-rtdb'])
    expect((await create(id)).text).toContain('INVALID_PROJECT_ID');
  expect((await create('a'.repeat(50))).status).toBe(200);
  const { json } = await serving.ask('/api/projects', { token });
  expect(json['projects']).toEqual([{ id: 'a'.repeat(50) }, { id: 'shop' }]);
});

test('[I451] API keys can be created, listed and removed', async () => {
  const serving = await openServing();
  const first = await createProject(serving, 'shop');
  const { token } = serving;
  const keys = '/api/projects/shop/keys';
  const second = String((await serving.ask(keys, { token, method: 'POST' })).json['apiKey']);
  const { json } = await serving.ask(keys, { token });
  expect([json['keys']].flat().map((key) => Object(key)['apiKey'])).toEqual([first, second].sort());
  expect((await signUp(serving, first)).uid).toHaveLength(28);
  expect((await serving.ask(`${keys}/${first}`, { token, method: 'DELETE' })).status).toBe(200);
  expect((await serving.ask(`${keys}/${first}`, { token, method: 'DELETE' })).status).toBe(404);
  expect((await serving.ask(`/v1/accounts:signUp?key=${first}`, { body: {} })).text).toContain(
    'API key not valid',
  );
  expect((await signUp(serving, second, 'bob@example.com')).uid).toHaveLength(28);
});

test('[I452] a key file is for a service account with the requested roles', async () => {
  const serving = await openServing();
  await createProject(serving, 'shop');
  const { token } = serving;
  const add = (name: string, body: unknown = {}) =>
    serving.ask(`/api/projects/shop/service-accounts/${name}/keys`, { token, body });
  const { json } = await add('admin');
  expect(json).toMatchObject({ type: 'service_account', project_id: 'shop' });
  await add('backup', { roles: ['identity.hashReader', 'identity.viewer'] });
  for (const [name, body] of [
    ['Admin', {}],
    ['x', { roles: ['owner'] }],
    ['x', { roles: [] }],
  ] as const)
    expect((await add(name, body)).status).toBe(400);
  const listed = (await serving.ask('/api/projects/shop/service-accounts', { token })).json[
    'serviceAccounts'
  ];
  expect(listed).toMatchObject([
    {
      email: 'admin@shop.hearth.internal',
      roles: ['identity.admin', 'identity.viewer', 'identity.configAdmin', 'database.admin'],
      keys: [{ keyId: json['private_key_id'] }],
    },
    { email: 'backup@shop.hearth.internal', roles: ['identity.viewer', 'identity.hashReader'] },
  ]);
  expect(JSON.stringify(listed)).not.toContain('PRIVATE');
});

test("[I453] only the administrator of the server creates projects; a project's owners manage its keys", async () => {
  const serving = await openServing();
  await createProject(serving, 'shop');
  await createProject(serving, 'club');
  const token = await accessToken(serving, 'shop');
  const owner = await accessToken(serving, 'club', ['project.owner']);
  const paths = ['', '/shop/keys', '/shop/service-accounts'].map((target) => `/api/projects${target}`);
  for (const target of paths) {
    expect((await serving.ask(target, { token: owner })).status).toBe(401);
    expect((await serving.ask(target)).status).toBe(401);
    expect((await serving.ask(target, { token })).status).toBe(401);
    expect((await serving.ask(target, { token: 'hearth-local-1.x' })).status).toBe(401);
    expect((await serving.ask(target, { token: serving.token })).status).toBe(200);
  }
  for (const target of ['keys', 'service-accounts'])
    expect((await serving.ask(`/api/projects/club/${target}`, { token: owner })).status).toBe(200);
});

test('[I455] the management service lists and creates the databases of the project', async () => {
  const serving = await openServing();
  await createProject(serving, 'shop');
  await createProject(serving, 'club');
  const token = await accessToken(serving, 'shop');
  const instances = (project: string) => `/v1beta/projects/${project}/locations/-/instances`;
  const make = (project: string, name: string) =>
    serving.ask(`${instances(project)}?databaseId=${name}`, { token, method: 'POST' });
  expect((await make('shop', 'shop-extra')).status).toBe(200);
  expect((await make('shop', 'shop-extra')).status).toBe(409);
  expect((await make('club', 'more')).status).toBe(401);
  const { json } = await serving.ask(instances('shop'), { token });
  const names = [json['instances']]
    .flat()
    .map((instance) => String(Object(instance)['name']).split('/').at(-1));
  expect(names).toEqual(['shop-default-rtdb', 'shop-extra']);
  expect((await serving.ask('/.json?ns=shop-extra', { token })).status).toBe(200);
});

test('[I455] a database that has data and belongs to no project cannot be claimed', async () => {
  const directory = temporaryDirectory();
  await writeUnowned(directory, 'payroll');
  const serving = await openServing(directory);
  await createProject(serving, 'shop');
  const token = await accessToken(serving, 'shop');
  const instances = '/v1beta/projects/shop/locations/-/instances';
  for (const more of ['&validateOnly=true', ''])
    expect(
      await serving.ask(`${instances}?databaseId=payroll${more}`, { token: serving.token, method: 'POST' }),
    ).toMatchObject({ status: 409 });
  expect((await serving.ask('/.json?ns=payroll', { token })).status).toBe(401);
});

test('[H419] a server that is not in development mode shows metrics only to its administrator', async () => {
  const serving = await openServing();
  expect((await serving.ask('/metrics')).status).toBe(401);
  expect((await serving.ask('/metrics', { token: serving.token })).status).toBe(200);
});
