import { expect, test } from 'vitest';
import {
  enroll,
  makeProject,
  openShop,
  PASSWORD,
  type SignedIn,
  setPassword,
  signUp,
} from './members.fixture.ts';
import { openServing, PUBLIC_URL } from './serving.fixture.ts';
import { openSocket } from './socket.fixture.ts';

const MEMBERS = '/api/projects/shop/members';
const ACCOUNTS = '/v1/projects/shop/accounts';

test("[H392] a session describes the caller, the projects and the caller's role in each", async () => {
  const { serving, owner, make } = await openShop();
  const viewer = await make('viewer');
  const ask = async (token: string) => (await serving.ask('/api/session', { token })).json;
  expect(await ask(viewer.memberToken)).toEqual({
    mode: 'serve',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    user: { uid: viewer.uid, email: viewer.email, name: null },
    projects: [{ id: 'shop', role: 'viewer' }],
    next: null,
  });
  expect(await ask(owner.memberToken)).toMatchObject({ projects: [{ id: 'shop', role: 'owner' }] });
  await makeProject(serving, 'club');
  const projects = ['club', 'shop'].map((id) => ({ id, role: 'owner' }));
  expect(await ask(serving.token)).toMatchObject({ user: null, projects });
});

test('[H393] every caller can learn how to sign in to a project', async () => {
  const { serving, apiKey, owner } = await openShop();
  const ask = (project: string) => serving.ask(`/api/projects/${project}/sign-in`);
  expect((await ask('shop')).json).toEqual({ apiKey: 'console.shop', projectId: 'shop' });
  for (const project of ['none', 'a%2Fb', '%00'])
    expect(await ask(project)).toMatchObject({ status: 404, json: { code: 'project/unknown' } });
  const key = { token: owner.memberToken, method: 'DELETE' };
  await serving.ask(`/api/projects/shop/keys/${apiKey}`, key);
  const wrong = { email: 'nobody@example.com', password: 'password' };
  const rejected = await serving.ask('/v1/accounts:signInWithPassword?key=console.shop', { body: wrong });
  expect(rejected.text).toContain('INVALID_LOGIN_CREDENTIALS');
});

test.each([
  ['/v1/accounts:signUp', 'console.shop'],
  ['/v1/accounts:signInWithCustomToken', 'console.shop'],
  ['/v1/accounts:delete', 'console.shop'],
  ['/v1/accounts:signInWithPassword', 'console.none'],
])('[H525] %s rejects the key %s', async (path, key) => {
  const { serving } = await openShop();
  const { status, text } = await serving.ask(`${path}?key=${key}`, { body: {} });
  expect(status).toBe(400);
  expect(text).toContain('API key not valid');
});

test('[H525] no answer to a request with the name of a project contains an API key', async () => {
  const { serving, apiKey } = await openShop();
  const pages = ['init.json?key=console.shop', 'init.js?key=console.shop', 'init.json?project=shop'];
  for (const path of [
    '/api/projects/shop/sign-in',
    '/shop/.well-known/openid-configuration',
    '/console/?project=shop',
    '/v2/recaptchaConfig?key=console.shop',
    ...pages.map((page) => `/__/firebase/${page}`),
  ])
    expect((await serving.ask(path)).text).not.toContain(apiKey);
});

test('[H394][H395] members are added by the email address of their account, and listed', async () => {
  const { serving, apiKey, owner } = await openShop();
  const token = owner.memberToken;
  const add = (body: unknown) => serving.ask(MEMBERS, { token, body });
  expect(await add({ email: 'ann@example.com', role: 'editor' })).toMatchObject({
    status: 404,
    json: { code: 'member/no-account', error: expect.stringContaining('Create the account first') },
  });
  const ann = await signUp(serving, 'shop', apiKey, 'ann');
  const added = await add({ email: 'Ann@Example.com', role: 'editor' });
  expect(added).toMatchObject({
    status: 200,
    json: { uid: ann.uid, role: 'editor', hasSecondFactor: false },
  });
  expect(await add({ email: ann.email, role: 'viewer' })).toMatchObject({
    status: 409,
    json: { code: 'member/exists' },
  });
  for (const body of [
    {},
    { email: ann.email },
    { email: 7, role: 'owner' },
    { email: ann.email, role: 'king' },
    [],
  ])
    expect((await add(body)).status).toBe(400);
  const listed = [(await serving.ask(MEMBERS, { token })).json['members']].flat();
  expect(listed).toHaveLength(2);
  expect(listed).toContainEqual({
    uid: owner.uid,
    email: owner.email,
    name: null,
    role: 'owner',
    addedAtMs: expect.any(Number),
    hasSecondFactor: true,
  });
  expect(await serving.ask('/api/projects/none/members', { token: serving.token })).toMatchObject({
    status: 404,
  });
});

test('[H401] an account that is not verified cannot become a member', async () => {
  const { serving, apiKey, owner } = await openShop();
  const email = 'ann@example.com';
  await serving.ask(`/v1/accounts:signUp?key=${apiKey}`, { body: { email, password: PASSWORD } });
  const body = { email, role: 'viewer' };
  expect(await serving.ask(MEMBERS, { token: owner.memberToken, body })).toMatchObject({
    status: 409,
    json: { code: 'member/unverified-email' },
  });
});

test('[H400] errors of the admin API have a code next to the sentence', async () => {
  const { serving, owner } = await openShop();
  const token = owner.memberToken;
  const codeOf = async (path: string, request: object = {}) => {
    const { json } = await serving.ask(path, request);
    expect(json['error']).toEqual(expect.any(String));
    return json['code'];
  };
  expect(await codeOf('/api/session')).toBe('auth/admin-only');
  expect(await codeOf('/api/nothing', { token })).toBe('http/not-found');
  expect(await codeOf('/api/session', { token, method: 'PUT', body: {} })).toBe('http/method');
  expect(await codeOf('/api/session?x=1', { token })).toBe('http/parameter');
  expect(await codeOf('/api/databases/shop/children', { token })).toBe('http/not-found');
  expect(await codeOf('/api/projects/shop/keys/x', { token, method: 'DELETE' })).toBe('NOT_FOUND');
  expect((await serving.ask('/.json?ns=shop')).json).toEqual({ error: 'Permission denied' });
});

test('[H396][H397] roles can be changed and members removed, but the last owner can be neither demoted nor removed', async () => {
  const { serving, owner, make } = await openShop();
  const token = owner.memberToken;
  const editor = await make('editor');
  const change = (uid: string, role: string) =>
    serving.ask(`${MEMBERS}/${uid}`, { token, method: 'PATCH', body: { role } });
  const remove = (uid: string, by = token) =>
    serving.ask(`${MEMBERS}/${uid}`, { token: by, method: 'DELETE' });
  const last = { status: 409, json: { code: 'member/last-owner' } };
  expect(await change('nobody', 'viewer')).toMatchObject({ status: 404, json: { code: 'member/not-found' } });
  expect(await remove('nobody')).toMatchObject({ status: 404, json: { code: 'member/not-found' } });
  for (const role of ['editor', 'viewer']) expect(await change(owner.uid, role)).toMatchObject(last);
  expect(await remove(owner.uid)).toMatchObject(last);
  expect(await remove(owner.uid, serving.token)).toMatchObject(last);
  expect(await change(owner.uid, 'owner')).toMatchObject({ status: 200 });
  expect(await change(editor.uid, 'owner')).toMatchObject({ status: 200, json: { role: 'owner' } });
  expect((await remove(owner.uid)).status).toBe(200);
  expect(await serving.ask('/api/session', { token })).toMatchObject({ json: { code: 'member/unknown' } });
  expect(await remove(editor.uid, editor.memberToken)).toMatchObject(last);
});

test('[H398] changes of members and databases are in the audit log with the member who made them', async () => {
  const { serving, owner, make } = await openShop();
  const editor = await make('editor');
  const token = owner.memberToken;
  await serving.ask(`${MEMBERS}/${editor.uid}`, { token, method: 'PATCH', body: { role: 'viewer' } });
  await serving.ask(`${MEMBERS}/${editor.uid}`, { token, method: 'DELETE' });
  await serving.ask('/api/projects/shop/databases', { token, body: { name: 'shop-extra' } });
  await serving.ask('/api/projects/shop/keys', { token, method: 'POST' });
  const { json } = await serving.ask(`/api/projects/shop/audit?actor=${owner.email}`, { token });
  const reported = [json['entries']].flat().map((entry) => {
    const { event, uid, detail } = Object(entry);
    return [event, uid, detail];
  });
  expect(reported).toEqual([
    ['api_key_created', null, null],
    ['database_created', null, 'shop-extra'],
    ['member_changed', editor.uid, 'removed'],
    ['member_changed', editor.uid, 'viewer'],
  ]);
});

test("[H498] a connection that a member ends is in the project's audit log with the address of the member", async () => {
  const { serving, make } = await openShop();
  const editor = await make('editor');
  const token = editor.memberToken;
  const socket = await openSocket(serving, '');
  const { json: listed } = await serving.ask('/api/databases/shop/connections', { token });
  const [id] = [listed['connections']].flat().map((connection) => Object(connection).id);
  const end = () => serving.ask(`/api/databases/shop/connections/${id}`, { token, method: 'DELETE' });
  expect((await end()).status).toBe(200);
  await socket.until(({ a }) => a === 'closed');
  expect((await end()).status).toBe(404);
  const { json } = await serving.ask('/api/projects/shop/audit?event=connection_ended', { token });
  expect(json['entries']).toEqual([
    expect.objectContaining({ actor: editor.email, result: 'ok', detail: `shop, ${id}` }),
  ]);
});

test('[H399][H830] databases of a project are listed, and its owners can create more', async () => {
  const { serving, owner, make } = await openShop();
  await makeProject(serving, 'club');
  const viewer = await make('viewer');
  const databases = '/api/projects/shop/databases';
  const createDatabase = (body: unknown) => serving.ask(databases, { token: owner.memberToken, body });
  expect(await createDatabase({ name: 'shop-extra' })).toMatchObject({
    status: 200,
    json: { name: 'shop-extra' },
  });
  for (const name of ['shop-extra', 'shop'])
    expect(await createDatabase({ name })).toMatchObject({ status: 409, json: { code: 'namespace/taken' } });
  for (const body of [{}, { name: 'A b' }, { name: '' }])
    expect((await createDatabase(body)).status).toBe(400);
  const expectListed = async (...names: readonly string[]): Promise<void> => {
    for (const path of [databases, '/api/databases'])
      expect((await serving.ask(path, { token: viewer.memberToken })).json).toEqual({
        databases: names.map((name) => ({ name })),
        next: null,
      });
  };
  await expectListed('shop-default-rtdb', 'shop-extra');
  const first = await serving.ask(`${databases}?limit=1`, { token: viewer.memberToken });
  expect(first.json).toEqual({ databases: [{ name: 'shop-default-rtdb' }], next: 'shop-default-rtdb' });
  await serving.ask('/a.json?ns=shop', { token: serving.token, method: 'PUT', body: '1' });
  await expectListed('shop', 'shop-default-rtdb', 'shop-extra');
  const page = await serving.ask(`${databases}?after=shop&limit=1`, { token: viewer.memberToken });
  expect(page.json).toEqual({ databases: [{ name: 'shop-default-rtdb' }], next: 'shop-default-rtdb' });
});

test('[I620][I621] a viewer reads data that no rule makes readable, and writes nothing', async () => {
  const { serving, make } = await openShop();
  const { memberToken: token } = await make('viewer');
  await serving.ask('/a.json?ns=shop', { token: serving.token, method: 'PUT', body: '{"b":1}' });
  const { ask, authenticated } = await openSocket(serving, token);
  expect(authenticated).toMatchObject({ s: 'ok', d: { auth: null } });
  expect(await ask('g', { p: '/a' })).toMatchObject({ s: 'ok', d: { b: 1 } });
  expect(await ask('q', { p: '/a', h: '' })).toMatchObject({ s: 'ok' });
  const denied = { s: 'permission_denied' };
  expect(await ask('p', { p: '/a', d: 2 })).toMatchObject(denied);
  expect(await ask('p', { p: '/a', d: 2, h: '' })).toMatchObject(denied);
  expect(await ask('m', { p: '/a', d: { c: 2 } })).toMatchObject(denied);
  expect(await ask('o', { p: '/a', d: 2 })).toMatchObject(denied);
  expect(await ask('om', { p: '/a', d: { c: 2 } })).toMatchObject(denied);
  expect((await serving.ask('/a.json?ns=shop', { token })).json).toEqual({ b: 1 });
  for (const [method, path, body] of [
    ['PUT', '/a.json', '1'],
    ['PUT', '/a.json', JSON.stringify('x'.repeat(300_000))],
    ['POST', '/a.json', '1'],
    ['PATCH', '/a.json', '{"c":1}'],
    ['DELETE', '/a.json', undefined],
    ['PUT', '/.settings/rules.json', '{"rules":{".write":true}}'],
    ['PUT', '/.settings/defaultWriteSizeLimit.json', '"small"'],
    ['PUT', '/.settings/strictTriggerValidation.json', 'true'],
    ['POST', '/.settings/rulesets.json', '{"rules":{}}'],
    ['PUT', '/.settings/ruleset_labels.json', '{}'],
  ] as const)
    for (const credential of [{ path: `${path}?ns=shop`, token }, { path: `${path}?ns=shop&auth=${token}` }])
      expect((await serving.ask(credential.path, { ...credential, method, body })).status).toBeOneOf([
        401, 403,
      ]);
  for (const name of ['rules', 'defaultWriteSizeLimit', 'strictTriggerValidation'])
    expect((await serving.ask(`/.settings/${name}.json?ns=shop`, { token })).status).toBe(200);
  expect((await serving.ask('/.json?ns=shop', { token: serving.token })).json).toEqual({ a: { b: 1 } });
  const denials = await serving.ask('/api/databases/shop/denials', { token });
  expect(denials.json['denials']).toEqual([]);
});

test('[I621] a viewer who impersonates a user with write permission writes nothing', async () => {
  const { serving, make } = await openShop();
  const rules = { rules: { '.read': true, '.write': "auth.uid === 'ann'" } };
  await serving.ask('/.settings/rules.json?ns=shop', { token: serving.token, method: 'PUT', body: rules });
  const path = `/a.json?ns=shop&auth_variable_override=${encodeURIComponent('{"uid":"ann"}')}`;
  const put = async (token: string) => (await serving.ask(path, { token, method: 'PUT', body: '1' })).status;
  expect(await put((await make('viewer')).memberToken)).toBe(403);
  expect(await put((await make('editor')).memberToken)).toBe(200);
});

test('[I622] rules do not apply to the member token of an editor, but they apply to the ID token inside it', async () => {
  const { serving, make } = await openShop();
  const editor = await make('editor');
  const put = async (credential: string) =>
    (await serving.ask(`/a.json?ns=shop&auth=${credential}`, { method: 'PUT', body: '1' })).status;
  expect([await put(editor.memberToken), await put(editor.idToken)]).toEqual([200, 401]);
  const rules = { rules: { '.read': 'auth.uid !== null' } };
  const published = { token: editor.memberToken, method: 'PUT', body: rules };
  expect((await serving.ask('/.settings/rules.json?ns=shop', published)).status).toBe(200);
  const socket = await openSocket(serving, editor.idToken);
  expect(socket.authenticated).toMatchObject({ s: 'ok', d: { auth: { uid: editor.uid } } });
  expect(await socket.ask('p', { p: '/a', d: 2 })).toMatchObject({ s: 'permission_denied' });
});

test('[I623] members may call the methods of the Auth API according to their role, in their own project', async () => {
  const { serving, apiKey, make } = await openShop();
  await makeProject(serving, 'club');
  const [editor, viewer] = [await make('editor'), await make('viewer')];
  const user = await signUp(serving, 'shop', apiKey, 'user');
  const statusOf = async ({ memberToken: token }: SignedIn, path: string, request: object = {}) =>
    (await serving.ask(path, { token, ...request })).status;
  const lookup = { body: { localId: [user.uid] } };
  const config = '/v2/projects/shop/config';
  const update = { body: { localId: user.uid, displayName: 'U' } };
  for (const member of [editor, viewer]) {
    expect(await statusOf(member, `${ACCOUNTS}:lookup`, lookup)).toBe(200);
    expect(await statusOf(member, config)).toBe(200);
    expect(await statusOf(member, '/v1/projects/club/accounts:lookup', lookup)).toBe(403);
  }
  expect(await statusOf(editor, `${ACCOUNTS}:update`, update)).toBe(200);
  expect(await statusOf(viewer, `${ACCOUNTS}:update`, update)).toBe(403);
  const patch = { method: 'PATCH', body: { signIn: { anonymous: { enabled: true } } } };
  expect(await statusOf(editor, `${config}?updateMask=signIn.anonymous`, patch)).toBe(200);
  expect(await statusOf(viewer, `${config}?updateMask=signIn.anonymous`, patch)).toBe(403);
  expect(await statusOf(user, `${ACCOUNTS}:lookup`, lookup)).toBe(403);
  const bad = await serving.ask(`${ACCOUNTS}:lookup`, { token: 'member.a.b.c', ...lookup });
  expect([bad.status, bad.text]).toEqual([401, expect.stringContaining('UNAUTHENTICATED')]);
});

test("[I624] members can have a second factor, whatever the project's settings are", async () => {
  const { serving, apiKey, owner } = await openShop();
  const ann = await signUp(serving, 'shop', apiKey, 'ann');
  const start = (idToken: string) =>
    serving.ask(`/v2/accounts/mfaEnrollment:start?key=${apiKey}`, {
      body: { idToken, totpEnrollmentInfo: {} },
    });
  expect((await start(ann.idToken)).text).toContain('OPERATION_NOT_ALLOWED');
  const body = { email: ann.email, role: 'viewer' };
  await serving.ask(MEMBERS, { token: owner.memberToken, body });
  expect((await start(await setPassword(serving, 'shop', apiKey, ann))).status).toBe(200);
  const signIn = await serving.ask(`/v1/accounts:signInWithPassword?key=${apiKey}`, {
    body: { email: owner.email, password: PASSWORD },
  });
  expect(signIn.json).toMatchObject({ mfaPendingCredential: expect.any(String) });
  expect(signIn.json).not.toHaveProperty('idToken');
});

test('[I625] only owners can change the accounts of members', async () => {
  const { serving, apiKey, owner, make } = await openShop();
  const editor = await make('editor');
  const token = editor.memberToken;
  const sessions = await serving.ask(`${ACCOUNTS}/${owner.uid}/sessions`, { token });
  const [session] = [sessions.json['sessions']].flat();
  const user = { localId: owner.uid, email: owner.email };
  for (const [path, body, method] of [
    ['accounts:update', { localId: owner.uid, password: 'another-horse-battery' }, 'POST'],
    ['accounts:update', { localId: owner.uid, mfa: { enrollments: [] } }, 'POST'],
    ['accounts:delete', { localId: owner.uid }, 'POST'],
    [
      'accounts:sendOobCode',
      { requestType: 'PASSWORD_RESET', email: owner.email, returnOobLink: true },
      'POST',
    ],
    [`accounts/${owner.uid}/sessions/${Object(session).sessionId}`, undefined, 'DELETE'],
  ] as const) {
    const answer = await serving.ask(`/v1/projects/shop/${path}`, { token, body, method });
    expect([path, answer.status, answer.text]).toEqual([
      path,
      403,
      expect.stringContaining('PERMISSION_DENIED'),
    ]);
  }
  const deleted = await serving.ask(`${ACCOUNTS}:batchDelete`, {
    token,
    body: { localIds: [owner.uid], force: true },
  });
  expect(deleted.json['errors']).toMatchObject([
    { localId: owner.uid, message: expect.stringContaining('PERMISSION') },
  ]);
  const imported = await serving.ask(`${ACCOUNTS}:batchCreate`, {
    token,
    body: { users: [user], allowOverwrite: true },
  });
  expect(imported.json['error']).toMatchObject([
    { index: 0, message: expect.stringContaining('Only owners') },
  ]);
  expect((await serving.ask('/api/session', { token: owner.memberToken })).status).toBe(200);
  const rename = { token: owner.memberToken, body: { localId: editor.uid, displayName: 'Ed' } };
  expect((await serving.ask(`${ACCOUNTS}:update`, rename)).status).toBe(200);
  const other = await signUp(serving, 'shop', apiKey, 'other');
  expect((await serving.ask(`${ACCOUNTS}:delete`, { token, body: { localId: other.uid } })).status).toBe(200);
});

test('[I632] only owners can change how mails are sent', async () => {
  const { serving, owner, make } = await openShop();
  const editor = await make('editor');
  const config = '/v2/projects/shop/config?updateMask=';
  const patch = async ({ memberToken: token }: SignedIn, mask: string, body: object) =>
    (await serving.ask(`${config}${mask}`, { token, method: 'PATCH', body })).status;
  const mails = { notification: { sendEmail: { callbackUri: 'https://elsewhere.example/' } } };
  const mask = 'notification.sendEmail.callbackUri';
  expect(await patch(editor, mask, mails)).toBe(403);
  expect(await patch(owner, mask, mails)).toBe(200);
  expect(await patch(editor, '', { signIn: { anonymous: { enabled: true } } })).toBe(403);
});

test('[I626] the account of the last owner can be neither deleted nor disabled', async () => {
  const { serving, apiKey, owner, make } = await openShop();
  const { token } = serving;
  const requestError = { status: 400, text: expect.stringContaining('OPERATION_NOT_ALLOWED') };
  const post = (method: string, body: object) => serving.ask(`${ACCOUNTS}:${method}`, { token, body });
  const disable = () => post('update', { localId: owner.uid, disableUser: true });
  expect(await disable()).toMatchObject(requestError);
  expect(await post('delete', { localId: owner.uid })).toMatchObject(requestError);
  const own = await serving.ask(`/v1/accounts:delete?key=${apiKey}`, { body: { idToken: owner.idToken } });
  expect(own).toMatchObject(requestError);
  const second = await make('owner', 'second');
  // A request that deletes both leaves one of them.
  const both = await post('batchDelete', { localIds: [owner.uid, second.uid], force: true });
  expect(both.json['errors']).toMatchObject([{ index: 1, localId: second.uid }]);
  const third = await make('owner', 'third');
  expect((await post('update', { localId: second.uid, disableUser: true })).status).toBe(200);
  expect((await post('delete', { localId: third.uid })).status).toBe(400);
});

test.each<[string, (testBed: Awaited<ReturnType<typeof openShop>>, member: SignedIn) => Promise<unknown>]>([
  [
    'demoted',
    ({ serving, owner }, { uid }) =>
      serving.ask(`${MEMBERS}/${uid}`, {
        token: owner.memberToken,
        method: 'PATCH',
        body: { role: 'viewer' },
      }),
  ],
  [
    'removed',
    ({ serving, owner }, { uid }) =>
      serving.ask(`${MEMBERS}/${uid}`, { token: owner.memberToken, method: 'DELETE' }),
  ],
  [
    'disabled',
    ({ serving }, { uid }) =>
      serving.ask(`${ACCOUNTS}:update`, { token: serving.token, body: { localId: uid, disableUser: true } }),
  ],
  [
    'deleted',
    ({ serving }, { uid }) =>
      serving.ask(`${ACCOUNTS}:delete`, { token: serving.token, body: { localId: uid } }),
  ],
  [
    'signed out everywhere',
    ({ serving }, { uid }) =>
      serving.ask(`${ACCOUNTS}:update`, { token: serving.token, body: { localId: uid, validSince: '1' } }),
  ],
  [
    'signed out of each session',
    async ({ serving, owner }, { uid }) => {
      const token = owner.memberToken;
      const { json } = await serving.ask(`${ACCOUNTS}/${uid}/sessions`, { token });
      for (const session of [json['sessions']].flat())
        await serving.ask(`${ACCOUNTS}/${uid}/sessions/${Object(session).sessionId}`, {
          token,
          method: 'DELETE',
        });
    },
  ],
])(
  '[I627][I628] the connections of a member who is %s end immediately, and those of other members continue',
  async (what, act) => {
    const testBed = await openShop();
    const { serving, make } = testBed;
    const [editor, other] = [await make('editor'), await make('editor', 'other')];
    const headers = { authorization: `Bearer ${editor.memberToken}`, accept: 'text/event-stream' };
    const override = encodeURIComponent('{"uid":"ann"}');
    await serving.ask('/.settings/rules.json?ns=shop', {
      token: serving.token,
      method: 'PUT',
      body: { rules: { '.read': "auth.uid === 'ann'" } },
    });
    const stream = (path: string) => fetch(`${serving.app.url}${path}`, { headers });
    const streams = await Promise.all([
      stream('/a.json?ns=shop'),
      stream(`/a.json?ns=shop&auth_variable_override=${override}`),
      stream('/.settings/profile.json?ns=shop'),
    ]);
    const socket = await openSocket(serving, editor.memberToken);
    const stays = await openSocket(serving, other.memberToken);
    await act(testBed, editor);
    await socket.until(({ a }) => a === 'closed');
    expect(await socket.until(({ a }) => a === 'ac')).toMatchObject({ b: { s: 'expired_token' } });
    for (const answer of streams) await answer.text();
    expect(await stays.ask('p', { p: '/a', d: 1 })).toMatchObject({ s: 'ok' });
    const answer = await serving.ask('/a.json?ns=shop', {
      token: editor.memberToken,
      method: 'PUT',
      body: '2',
    });
    expect(answer.status).toBe(what === 'removed' ? 403 : 401);
  },
);

test('[I629] the first owner signs in, adds a second factor and can use the console', async () => {
  const serving = await openServing();
  const token = new URL(serving.app.ownerLinkPath ?? '', PUBLIC_URL).searchParams.get('token');
  const body = { token, project: 'shop', email: 'own@example.com', password: PASSWORD };
  await serving.ask('/api/owner', { body });
  const { json: signIn } = await serving.ask('/api/projects/shop/sign-in');
  expect(signIn['apiKey']).toBe('console.shop');
  const { json: signedIn } = await serving.ask(`/v1/accounts:signInWithPassword?key=${signIn['apiKey']}`, {
    body,
  });
  const first = await serving.ask('/api/session', { token: `member.${signedIn['idToken']}` });
  expect(first.json['code']).toBe('member/second-factor');
  const idToken = await enroll(serving, String(signIn['apiKey']), String(signedIn['idToken']));
  expect((await serving.ask('/api/session', { token: `member.${idToken}` })).json).toMatchObject({
    projects: [{ id: 'shop', role: 'owner' }],
  });
});

test('[H403] a version of the rules names the member who published it', async () => {
  const { serving, make } = await openShop();
  const { memberToken: token, uid, email } = await make('editor');
  const rules = '/api/databases/shop/rules';
  const publish = (source: string) => serving.ask(`${rules}/publish`, { token, body: { source } });
  expect(await publish('{"rules":{".read":true}}')).toMatchObject({ status: 200 });
  await publish('{"rules":{".read":false}}');
  await serving.ask(`${rules}/rollback`, { token, body: { to: 1 } });
  const { json } = await serving.ask(`${rules}/versions`, { token });
  const authors = [json['versions']].flat().map((version) => Object(version).author);
  const author = { kind: 'member', uid, email };
  expect(authors).toEqual([author, author, author]);
  expect((await serving.ask(`${rules}/versions/3`, { token })).json['author']).toEqual(author);
});
