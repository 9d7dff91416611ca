import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { requestCode } from '../codes/mailed-codes.fixture.ts';
import { AuthApiError } from '../errors.ts';
import { ANN, enrollApp } from '../mfa/second-factor.fixture.ts';
import { type AdminVerifier, emulatorAdmins } from '../roles/administrators.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';

const OWNER = { authorization: 'Bearer owner' };

interface Entry {
  readonly event: string;
  readonly uid: string | null;
  readonly actor: string;
  readonly result: string;
  readonly detail: string | null;
  readonly address: string;
  readonly requestId: string | null;
}

/** Returns the audit entries that the console gets, the earliest first. */
async function readAudit(client: AuthClient, url = '/api/projects/demo/audit'): Promise<readonly Entry[]> {
  const { status, text } = await client.request('GET', `${url}?limit=500`, undefined, OWNER);
  expect(status).toBe(200);
  const page: { readonly entries: readonly Entry[] } = JSON.parse(text);
  return page.entries.toReversed();
}

function brief({ event, uid, actor, result, detail }: Entry): readonly unknown[] {
  return [event, uid, actor, result, detail];
}

/** Returns the secrets in a request or a response, which an audit log must not contain. */
function secretsOf(json: Readonly<Record<string, unknown>>): readonly string[] {
  return ['idToken', 'refreshToken', 'oobCode', 'mfaPendingCredential', 'sessionCookie', 'sharedSecretKey']
    .map((name) => json[name])
    .filter((value) => typeof value === 'string');
}

test('[I501][I507][I508] the audit log records each event of an account, without any secret', async () => {
  const client = await AuthClient.open();
  const secrets: string[] = [];
  const post = async (method: string, body: Readonly<Record<string, unknown>>) => {
    const { json } = await client.post(method, body);
    secrets.push(...secretsOf(json), ...secretsOf(body));
    for (const name of ['password', 'newPassword'])
      if (typeof body[name] === 'string') secrets.push(body[name]);
    return json;
  };
  const first = 'first-Secret';
  const { localId, idToken } = await post('accounts:signUp', { email: ANN.email, password: first });
  const uid = String(localId);
  await post('accounts:signUp', { email: ANN.email, password: 'again-Secret' });
  await post('accounts:signInWithPassword', { email: ANN.email, password: 'wrong-Secret' });
  await post('accounts:signInWithPassword', { email: 'bob@example.com', password: 'other-Secret' });
  await post('accounts:signInWithPassword', { password: 'no-address' });
  await post('accounts:update', { idToken, password: 'second-Secret' });
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email: ANN.email });
  await post('accounts:resetPassword', { oobCode, newPassword: 'third-Secret' });
  await post('accounts:resetPassword', { oobCode, newPassword: 'fourth-Secret' });
  const signedIn = await post('accounts:signInWithPassword', { email: ANN.email, password: 'third-Secret' });
  const { app } = await enrollApp(client, signedIn['idToken']);
  secrets.push(app.code());
  client.clock.ms += 30_000;
  const challenged = await post('accounts:signInWithPassword', {
    email: ANN.email,
    password: 'third-Secret',
  });
  const [factor] = Object(challenged['mfaInfo']);
  await post('/v2/accounts/mfaSignIn:finalize', {
    mfaPendingCredential: challenged['mfaPendingCredential'],
    mfaEnrollmentId: factor.mfaEnrollmentId,
    totpVerificationInfo: { verificationCode: app.code() },
  });
  secrets.push(app.code());
  await client.admin('projects/demo/accounts:update', {
    localId: uid,
    disableUser: true,
    password: 'admin-Secret',
  });
  secrets.push('admin-Secret');
  await post('accounts:signInWithPassword', { email: ANN.email, password: 'admin-Secret' });
  await client.admin('projects/demo/accounts:delete', { localId: uid });

  const entries = await readAudit(client);
  expect(entries.map(brief)).toEqual([
    ['sign_up', uid, 'app', 'ok', 'password'],
    ['sign_up', null, 'app', 'EMAIL_EXISTS', null],
    ['sign_in', uid, 'app', 'INVALID_PASSWORD', 'password'],
    ['sign_in', null, 'app', 'EMAIL_NOT_FOUND', 'password'],
    ['password_changed', uid, 'app', 'ok', null],
    ['code_issued', uid, 'app', 'ok', 'PASSWORD_RESET'],
    ['password_reset', uid, 'app', 'ok', null],
    ['password_reset', null, 'app', 'INVALID_OOB_CODE', null],
    ['sign_in', uid, 'app', 'ok', 'password'],
    ['code_issued', uid, 'app', 'ok', 'REVERT_SECOND_FACTOR_ADDITION'],
    ['second_factor_added', uid, 'app', 'ok', 'totp'],
    ['second_factor_asked', uid, 'app', 'ok', null],
    ['sign_in', uid, 'app', 'ok', 'password+totp'],
    ['account_updated', uid, 'owner', 'ok', 'password, disableUser'],
    ['sign_in', uid, 'app', 'USER_DISABLED', 'password'],
    ['account_deleted', uid, 'owner', 'ok', null],
  ]);
  for (const { address } of entries) expect(address).toMatch(/127\.0\.0\.1$/);

  const stored = JSON.stringify(
    client.services.recordStore.read((view) =>
      view.records('audit:demo').list(['entries'], { limit: 1_000 }),
    ),
  );
  expect(secrets.length).toBeGreaterThan(15);
  for (const secret of [...secrets, ANN.email]) expect(stored).not.toContain(secret);
});

test('[I507] the end of an idle session is recorded for its account', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({
    ...settings,
    session: { ...settings.session, idleLimitMs: 1_000 },
  }));
  const { localId, refreshToken } = await client.signUp();
  client.clock.ms += 1_001;
  await client.refresh(refreshToken);
  expect((await readAudit(client)).map(brief).at(-1)).toEqual([
    'session_ended',
    localId,
    'app',
    'TOKEN_EXPIRED',
    null,
  ]);
});

test('[I508] rejected administrators, and administrators of other projects, are recorded in the audit log', async () => {
  const admins: AdminVerifier = {
    async verify(token) {
      if (token === 'guess') throw new AuthApiError('UNAUTHENTICATED');
      return { ...(await emulatorAdmins.verify(token)), name: 'other-admin', projectId: 'other' };
    },
  };
  const client = await AuthClient.open(unsignedTokenServices, { admins });
  for (const [url, token] of [
    ['/v1/projects/demo/accounts:lookup', 'guess'],
    ['/v1/projects/demo/accounts:lookup', 'other-token'],
    ['/v1/accounts:lookup', 'guess'],
  ] as const)
    await client.request('POST', url, '{"localId":["x"]}', { authorization: `Bearer ${token}` });
  expect((await readAudit(client)).map(brief)).toEqual([
    ['admin_refused', null, 'unknown', 'UNAUTHENTICATED', null],
    ['admin_refused', null, 'other-admin', 'PERMISSION_DENIED', null],
  ]);
  expect((await readAudit(client, '/api/audit')).map(brief)).toEqual([
    ['admin_refused', null, 'unknown', 'UNAUTHENTICATED', null],
  ]);
});

test.each([
  ['?event=sign_up', 200, 2],
  ['?event=sign_up&limit=1', 200, 1],
  ['?result=EMAIL_EXISTS', 200, 1],
  ['?actor=owner', 200, 0],
  ['?since=1700000000001', 200, 0],
  ['?until=1700000000000', 200, 0],
  ['?since=yesterday', 400, 0],
  ['?before=7', 400, 0],
  ['?limit=501', 400, 0],
  ['?sort=up', 400, 0],
])(
  '[I506] a request for the audit log with %s is answered with status %i and %i entries',
  async (query, status, count) => {
    const client = await AuthClient.open();
    await client.signUp();
    await client.signUp();
    const answer = await client.request('GET', `/api/projects/demo/audit${query}`, undefined, OWNER);
    expect(answer.status).toBe(status);
    expect(Object(answer.json['entries'] ?? []).length).toBe(count);
  },
);

test('[I506] only administrators read audit logs, and a project ID must be valid', async () => {
  const client = await AuthClient.open();
  expect((await client.request('GET', '/api/projects/demo/audit')).status).toBe(401);
  expect((await client.request('GET', '/api/audit')).status).toBe(401);
  expect((await client.request('GET', '/api/projects/a%2Fb/audit', undefined, OWNER)).status).toBe(400);
  expect((await client.request('GET', '/api/projects/none/audit', undefined, OWNER)).json).toEqual({
    entries: [],
    next: null,
  });
});

test('[I508] changes to projects and their keys are recorded in the audit log, without the keys', async () => {
  const client = await AuthClient.open();
  const ask = async (method: string, url: string, body = '{}') =>
    (await client.request(method, `/api/projects${url}`, body, OWNER)).json;
  await ask('POST', '', '{"id":"shop"}');
  const { apiKey } = await ask('POST', '/shop/keys');
  await ask('DELETE', `/shop/keys/${apiKey}`);
  const keyFile = await ask('POST', '/shop/service-accounts/robot/keys');
  await ask('DELETE', `/shop/service-accounts/robot/keys/${keyFile['private_key_id']}`);
  const entries = await readAudit(client, '/api/projects/shop/audit');
  expect(entries.map(brief)).toEqual([
    ['project_created', null, 'owner', 'ok', null],
    ['api_key_created', null, 'owner', 'ok', null],
    ['api_key_removed', null, 'owner', 'ok', null],
    ['service_account_changed', null, 'owner', 'ok', 'Added a key to robot'],
    ['service_account_changed', null, 'owner', 'ok', 'Removed a key from robot'],
  ]);
  const text = JSON.stringify(entries);
  for (const secret of [apiKey, keyFile['private_key'], keyFile['private_key_id']])
    expect(text).not.toContain(secret);
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test('[I644] the response has the ID of the request in the audit log, and the entry is found by that ID', async () => {
  const client = await AuthClient.open();
  const made = await client.post('accounts:signUp', { email: ANN.email, password: 'password' });
  const wrong = await client.post('accounts:signInWithPassword', { email: ANN.email, password: 'other' });
  const byAdmin = await client.request('POST', '/v1/projects/demo/accounts', '{}', OWNER);
  const names = [made, wrong, byAdmin].map(({ headers }) => String(headers['x-request-id']));
  for (const name of names) expect(name).toMatch(UUID);
  const entries = await readAudit(client);
  expect(entries.map(({ event, requestId }) => [event, requestId])).toEqual([
    ['sign_up', names[0]],
    ['sign_in', names[1]],
    ['account_created', names[2]],
  ]);
  const found = await client.request(
    'GET',
    `/api/projects/demo/audit?requestId=${names[1]}`,
    undefined,
    OWNER,
  );
  expect(found.headers['x-request-id']).toMatch(UUID);
  expect(found.json['entries']).toMatchObject([{ event: 'sign_in', requestId: names[1] }]);
});

test.each([
  ['a lookup', 'POST', '/v1/accounts:lookup', '{"localId":["x"]}'],
  ['an unknown path', 'GET', '/v1/nowhere', undefined],
  ['public data', 'GET', '/v1/sessionCookiePublicKeys', undefined],
])(
  '[I644] the response to a request for %s, which is not recorded, has no request ID',
  async (_name, method, url, body) => {
    const client = await AuthClient.open();
    const { headers } = await client.request(method, url, body, OWNER);
    expect(headers['x-request-id']).toBeUndefined();
  },
);

test.each(['/api/nowhere', '/a.json?orderBy=name'])(
  '[I644] the error response to %s has a request ID',
  async (url) => {
    const client = await AuthClient.open();
    const { headers } = await client.request('GET', url, undefined, OWNER);
    expect(headers['x-request-id']).toMatch(UUID);
  },
);
