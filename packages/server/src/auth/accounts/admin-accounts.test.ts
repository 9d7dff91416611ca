import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { listSessions, saveSession } from '../sign-in/session-store.ts';
import { projectScope } from '../tenants/scope.ts';
import { accountRecords, findAccount, saveAccount } from './account-store.ts';

type Body = Readonly<Record<string, unknown>>;

const ACCOUNTS = 'projects/demo/accounts';
const FACTOR = { mfaEnrollmentId: 'f1', phoneInfo: '+15555550111', displayName: 'work' };

/** Creates the account `ann` with a verified email address and a password. */
async function makeAnn(client: AuthClient, more: Body = {}): Promise<void> {
  const ann = { localId: 'ann', email: 'ann@example.com', emailVerified: true, password: 'password' };
  expect((await client.admin(ACCOUNTS, { ...ann, ...more })).status).toBe(200);
}

async function find(client: AuthClient, localId = 'ann'): Promise<Body> {
  const { json } = await client.admin('accounts:lookup', { localId: [localId] });
  return Object(json['users'])[0] ?? {};
}

function update(client: AuthClient, change: Body, localId: unknown = 'ann') {
  return client.admin(`${ACCOUNTS}:update`, { localId, ...change });
}

function signIn(client: AuthClient, email = 'ann@example.com', password = 'password') {
  return client.post('accounts:signInWithPassword', { email, password });
}

test('[I260] an administrator creates an account with chosen values, and gets no tokens', async () => {
  const client = await AuthClient.open();
  const chosen = {
    localId: 'ann',
    email: 'Ann@Example.com',
    emailVerified: true,
    phoneNumber: '+15555550100',
    displayName: 'Ann',
    photoUrl: 'https://example.com/ann.png',
    disabled: true,
  };
  const { json } = await client.admin(ACCOUNTS, { ...chosen, password: 'password' });
  expect(json).toEqual({
    kind: 'identitytoolkit#SignupNewUserResponse',
    localId: 'ann',
    email: 'ann@example.com',
    displayName: 'Ann',
  });
  expect(await find(client)).toMatchObject({ ...chosen, email: 'ann@example.com' });
  expect(await find(client)).not.toHaveProperty('lastLoginAt');
  expect((await signIn(client)).error).toBe('USER_DISABLED');
});

test('[I260] an account can be created without any values, and gets a new uid', async () => {
  const client = await AuthClient.open();
  const { json } = await client.admin('accounts:signUp');
  expect(json).toEqual({
    kind: 'identitytoolkit#SignupNewUserResponse',
    localId: expect.stringMatching(/^[A-Za-z0-9]{28}$/),
  });
});

test.each<readonly [string, Body, string]>([
  ['taken uid', { localId: 'ann' }, 'DUPLICATE_LOCAL_ID'],
  ['taken address', { email: 'ANN@example.com' }, 'EMAIL_EXISTS'],
  ['taken phone number', { phoneNumber: '+15555550100' }, 'PHONE_NUMBER_EXISTS'],
  ['invalid phone number', { phoneNumber: '5555550100' }, 'INVALID_PHONE_NUMBER : Invalid format.'],
  ['invalid address', { email: 'ann' }, 'INVALID_EMAIL'],
  ['short password', { password: '12345' }, 'WEAK_PASSWORD : Password should be at least 6 characters'],
  ['uid with a slash', { localId: 'a/b' }, 'INVALID_ARGUMENT'],
  ['long uid', { localId: 'a'.repeat(129) }, 'INVALID_ARGUMENT'],
  ['ID token', { idToken: 'x', localId: 'bob' }, 'UNEXPECTED_PARAMETER : User ID'],
])('[I261] creating an account is rejected because of its %s', async (_what, body, error) => {
  const client = await AuthClient.open();
  await makeAnn(client, { phoneNumber: '+15555550100' });
  const answer = await client.admin(ACCOUNTS, body);
  expect(answer.status).toBe(400);
  expect(answer.error?.startsWith(error)).toBe(true);
});

test('[I261] an app cannot choose the uid of an account', async () => {
  const client = await AuthClient.open();
  expect((await client.post('accounts:signUp', { localId: 'ann' })).error).toBe(
    'UNEXPECTED_PARAMETER : User ID',
  );
});

test('[I262] of simultaneous requests to create one account, one succeeds', async () => {
  const client = await AuthClient.open();
  for (const body of [{ localId: 'ann' }, { email: 'ann@example.com' }]) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.admin(ACCOUNTS, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ error }) => error)).size).toBe(2);
  }
});

test('[I263] second factors given at creation get new IDs, and duplicates count once', async () => {
  const client = await AuthClient.open();
  await makeAnn(client, {
    mfaInfo: [FACTOR, { phoneInfo: FACTOR.phoneInfo }, { phoneInfo: '+15555550122' }],
  });
  const { mfaInfo } = await find(client);
  expect(mfaInfo).toEqual([
    expect.objectContaining({ phoneInfo: FACTOR.phoneInfo, displayName: 'work' }),
    expect.objectContaining({ phoneInfo: '+15555550122' }),
  ]);
  const ids = [mfaInfo].flat().map((factor) => Object(factor)['mfaEnrollmentId']);
  expect(new Set(ids).size).toBe(2);
  expect(ids).not.toContain('f1');
  for (const [body, error] of [
    [{ mfaInfo: [{ phoneInfo: '5' }] }, 'INVALID_MFA_PHONE_NUMBER : Invalid format.'],
    [
      { email: 'bob@example.com', mfaInfo: [FACTOR] },
      'UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.',
    ],
  ] as const)
    expect((await client.admin(ACCOUNTS, body)).error).toBe(error);
});

test('[I264] changes and deletions need the uid of an existing account', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp('bob@example.com');
  for (const method of ['update', 'delete']) {
    expect((await client.admin(`${ACCOUNTS}:${method}`)).error).toBe('MISSING_LOCAL_ID');
    const withToken = await client.admin(`accounts:${method}`, { idToken, displayName: 'A' });
    expect(withToken.error).toBe('MISSING_LOCAL_ID');
    expect((await client.admin(`${ACCOUNTS}:${method}`, { localId: 'no' })).error).toBe('USER_NOT_FOUND');
  }
  await makeAnn(client, { disabled: true });
  expect((await update(client, { displayName: 'Ann' })).json).toMatchObject({ displayName: 'Ann' });
  expect((await client.admin(`${ACCOUNTS}:delete`, { localId: 'ann' })).status).toBe(200);
});

test('[I265] an administrator changes the identifiers, the profile and the times of an account', async () => {
  const client = await AuthClient.open();
  await makeAnn(client);
  const change = {
    email: 'Anna@example.com',
    phoneNumber: '+15555550100',
    displayName: 'Anna',
    photoUrl: 'https://example.com/anna.png',
    createdAt: '1000',
    lastLoginAt: '2000',
  };
  const { json } = await update(client, { ...change, password: 'different' });
  expect(json).toMatchObject({ localId: 'ann', email: 'anna@example.com', newEmail: 'anna@example.com' });
  expect(await find(client)).toMatchObject({
    ...change,
    email: 'anna@example.com',
    emailVerified: false,
    initialEmail: 'ann@example.com',
  });
  expect((await signIn(client, 'anna@example.com', 'different')).status).toBe(200);
  await update(client, { phoneNumber: '+15555550100', emailVerified: true });
  expect(await find(client)).toMatchObject({ phoneNumber: '+15555550100', emailVerified: true });
});

test.each<readonly [Body, string]>([
  [{ email: 'bob@example.com' }, 'EMAIL_EXISTS'],
  [{ phoneNumber: '+15555550199' }, 'PHONE_NUMBER_EXISTS'],
  [{ phoneNumber: 'x' }, 'INVALID_PHONE_NUMBER : Invalid format.'],
  [{ password: '1' }, 'WEAK_PASSWORD : Password should be at least 6 characters'],
])('[I265] a change to %j is rejected', async (change, error) => {
  const client = await AuthClient.open();
  await makeAnn(client);
  await client.admin(ACCOUNTS, { email: 'bob@example.com', phoneNumber: '+15555550199' });
  const before = await find(client);
  expect((await update(client, { displayName: 'No', ...change })).error).toBe(error);
  expect(await find(client)).toEqual(before);
});

test('[I266] custom claims are in the tokens until they are removed', async () => {
  const client = await AuthClient.open();
  await makeAnn(client);
  await update(client, { customAttributes: '{"role":"editor"}' });
  expect(await find(client)).toMatchObject({ customAttributes: '{"role":"editor"}' });
  const { json } = await signIn(client);
  expect(claimsOf(json['idToken'])).toMatchObject({ role: 'editor' });
  await update(client, { customAttributes: '{}' });
  expect(await find(client)).toMatchObject({ customAttributes: '{}' });
  expect(claimsOf((await signIn(client)).json['idToken'])).not.toHaveProperty('role');
  await update(client, { customAttributes: '' });
  expect(await find(client)).not.toHaveProperty('customAttributes');
  for (const [text, error] of [
    [`{"a":"${'x'.repeat(1_000)}"}`, 'CLAIMS_TOO_LARGE'],
    ['[1]', 'INVALID_CLAIMS'],
    ['{', 'INVALID_CLAIMS'],
    ['{"sub":"x"}', 'FORBIDDEN_CLAIM : sub'],
  ] as const)
    expect((await update(client, { customAttributes: text })).error).toBe(error);
});

test.each<readonly [Body, boolean]>([
  [{ password: 'different' }, false],
  [{ email: 'anna@example.com' }, false],
  [{ validSince: '1' }, false],
  [{ disableUser: true }, false],
  [{ displayName: 'Anna' }, true],
  [{ customAttributes: '{"a":1}' }, true],
  [{ email: 'ann@example.com', emailVerified: false }, true],
])('[I267] after the change %j, sessions continue: %s', async (change, continues) => {
  const client = await AuthClient.open();
  await makeAnn(client);
  const { json } = await signIn(client);
  client.clock.ms += 1_000;
  await update(client, change);
  expect((await client.refresh(json['refreshToken'])).status).toBe(continues ? 200 : 400);
});

test('[I267] setting validSince revokes earlier ID tokens', async () => {
  const client = await AuthClient.open();
  await makeAnn(client);
  const { json } = await signIn(client);
  const { idToken } = json;
  const nowSec = Math.floor(client.clock.ms / 1_000);
  await update(client, { validSince: String(nowSec) });
  expect(await find(client)).toMatchObject({ validSince: String(nowSec + 1) });
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
});

test('[I268] second factors are replaced, renamed and removed', async () => {
  const client = await AuthClient.open();
  await makeAnn(client);
  const second = { mfaEnrollmentId: 'f2', phoneInfo: '+15555550122' };
  const twin = { ...FACTOR, mfaEnrollmentId: 'f3' };
  for (const [enrollments, expected] of [
    [[FACTOR], [FACTOR]],
    [
      [FACTOR, second, twin],
      [FACTOR, second],
    ],
    [
      [{ phoneInfo: '+15555550144' }],
      [{ mfaEnrollmentId: expect.stringMatching(/^\w{28}$/), phoneInfo: '+15555550144' }],
    ],
    [[{ ...second, phoneInfo: '+15555550133' }], [{ ...second, phoneInfo: '+15555550133' }]],
    [[], []],
    [[{ ...FACTOR, enrolledAt: '2020-01-02T03:04:05.000Z' }], [{ enrolledAt: '2020-01-02T03:04:05.000Z' }]],
    [null, []],
  ] as const) {
    expect((await update(client, { mfa: { enrollments } })).status).toBe(200);
    const { mfaInfo } = await find(client);
    expect(mfaInfo).toEqual(expected.map((factor) => expect.objectContaining(factor)));
  }
});

test.each<readonly [unknown, string]>([
  [[FACTOR, { ...FACTOR, phoneInfo: '+15555550122' }], 'DUPLICATE_MFA_ENROLLMENT_ID'],
  [[{ ...FACTOR, phoneInfo: '5' }], 'INVALID_MFA_PHONE_NUMBER : Invalid format.'],
  ['none', 'INVALID_ARGUMENT : "enrollments" must be a list of objects.'],
  [
    [1, 2, 3, 4, 5, 6].map((n) => ({ mfaEnrollmentId: `f${n}`, phoneInfo: `+1555555010${n}` })),
    'SECOND_FACTOR_LIMIT_EXCEEDED',
  ],
  [[{ mfaEnrollmentId: 'app', totpInfo: {} }], 'UNSUPPORTED_SECOND_FACTOR'],
])('[I268][I269] the second factors %j are rejected', async (enrollments, error) => {
  const client = await AuthClient.open();
  await makeAnn(client);
  expect((await update(client, { mfa: { enrollments } })).error).toBe(error);
  expect((await update(client, { mfa: { enrollments } }, 'nobody')).error).toBe('USER_NOT_FOUND');
});

test('[I269] an administrator can keep an authenticator app, or remove the app and the sessions that used it', async () => {
  const client = await AuthClient.open();
  await makeAnn(client);
  const { json } = await signIn(client);
  const records = accountRecords(projectScope('demo'));
  await client.services.recordStore.change((transaction) => {
    const [account] = [findAccount(transaction.records(records), 'ann')].filter(
      (found) => found !== undefined,
    );
    const [session] = listSessions(transaction.records(records), 'ann');
    if (account === undefined || session === undefined)
      throw new Error('The account or its session is missing.');
    const app = {
      kind: 'totp',
      enrollmentId: 'app',
      displayName: 'app',
      enrolledAtMs: 1,
      sealedSecret: 's',
      lastStep: 7,
    } as const;
    saveAccount(transaction.records(records), account, { ...account, factors: [app], recoveryCodes: ['c'] });
    const secondFactor = { kind: 'totp', enrollmentId: 'app' };
    saveSession(transaction.records(records), { ...session, secondFactor });
  });
  const stored = () => client.services.recordStore.read((view) => findAccount(view.records(records), 'ann'));
  await update(client, { mfa: { enrollments: [FACTOR, { mfaEnrollmentId: 'app', totpInfo: {} }] } });
  expect(stored()).toMatchObject({
    factors: [{ kind: 'phone' }, { kind: 'totp', sealedSecret: 's', lastStep: 7, displayName: 'app' }],
    recoveryCodes: ['c'],
  });
  expect((await client.refresh(json['refreshToken'])).status).toBe(200);
  await update(client, { mfa: {} });
  expect(stored()).toMatchObject({ factors: [], recoveryCodes: [] });
  expect((await client.refresh(json['refreshToken'])).status).toBe(400);
});

test('[I268] two accounts may have factors with the same ID', async () => {
  const client = await AuthClient.open();
  await makeAnn(client);
  await client.admin(ACCOUNTS, { localId: 'bob', email: 'bob@example.com', emailVerified: true });
  for (const localId of ['ann', 'bob'])
    expect((await update(client, { mfa: { enrollments: [FACTOR] } }, localId)).status).toBe(200);
});

test('[I270] an identity of another provider belongs to only one account', async () => {
  const client = await AuthClient.open();
  await makeAnn(client);
  await client.admin(ACCOUNTS, { localId: 'bob' });
  const link = (localId: string, linkProviderUserInfo: Body) =>
    update(client, { linkProviderUserInfo }, localId);
  expect((await link('ann', { providerId: 'google.com', rawId: 'g1', email: 'a@g.com' })).json).toMatchObject(
    {
      providerUserInfo: [
        { providerId: 'password' },
        { providerId: 'google.com', rawId: 'g1', federatedId: 'g1', email: 'a@g.com' },
      ],
    },
  );
  expect((await link('bob', { providerId: 'google.com', rawId: 'g1' })).error).toBe(
    'FEDERATED_USER_ID_ALREADY_LINKED',
  );
  expect((await link('bob', { rawId: 'g1' })).error).toBe('MISSING_PROVIDER_ID');
  expect((await link('bob', { providerId: 'google.com' })).error).toBe('MISSING_RAW_ID');
  await link('ann', { providerId: 'google.com', rawId: 'g2' });
  expect((await link('bob', { providerId: 'google.com', rawId: 'g1' })).status).toBe(200);
  await link('bob', { providerId: 'phone', phoneNumber: '+15555550100' });
  expect(await find(client, 'bob')).toMatchObject({ phoneNumber: '+15555550100' });
});

test.each<readonly [Body, readonly string[]]>([
  [{ deleteProvider: ['password'] }, ['email', 'passwordHash']],
  [{ deleteProvider: ['phone'] }, ['phoneNumber']],
  [{ deleteAttribute: ['DISPLAY_NAME', 'PHOTO_URL'] }, ['displayName', 'photoUrl']],
  [{ deleteAttribute: ['EMAIL'] }, ['email']],
  [{ deleteAttribute: [5] }, ['passwordHash']],
])('[I271] the change %j removes the fields that it names', async (change, gone) => {
  const client = await AuthClient.open();
  const profile = { phoneNumber: '+15555550100', displayName: 'Ann', photoUrl: 'https://example.com/a.png' };
  await makeAnn(client, profile);
  const before = await find(client);
  await update(client, change);
  const after = await find(client);
  for (const name of gone) {
    expect(before).toHaveProperty(name);
    expect(after).not.toHaveProperty(name);
  }
});

test('[I271] after an identity is unlinked, another account can have it', async () => {
  const client = await AuthClient.open();
  await makeAnn(client, {});
  const info = { linkProviderUserInfo: { providerId: 'github.com', rawId: '1' } };
  await update(client, info);
  await update(client, { deleteProvider: ['github.com'] });
  await client.admin(ACCOUNTS, { localId: 'bob' });
  expect((await update(client, info, 'bob')).status).toBe(200);
});

test('[I272] deleting an account removes its sessions and frees its identifiers', async () => {
  const client = await AuthClient.open();
  await makeAnn(client, { phoneNumber: '+15555550100' });
  await update(client, { linkProviderUserInfo: { providerId: 'github.com', rawId: '1' } });
  const { json } = await signIn(client);
  expect((await client.admin(`${ACCOUNTS}:delete`, { localId: 'ann' })).json).toEqual({
    kind: 'identitytoolkit#DeleteAccountResponse',
  });
  expect(await find(client)).toEqual({});
  expect((await client.refresh(json['refreshToken'])).status).toBe(400);
  await makeAnn(client, { localId: 'other', phoneNumber: '+15555550100' });
  const { json: found } = await client.admin('accounts:lookup', {
    federatedUserId: [{ providerId: 'github.com', rawId: '1' }],
  });
  expect(found).not.toHaveProperty('users');
});

test('[I306] the audit log records who changed which fields of an account', async () => {
  const client = await AuthClient.open();
  await makeAnn(client);
  await update(client, { disableUser: true, password: 'different' });
  await client.admin(`${ACCOUNTS}:delete`, { localId: 'ann' });
  const reported = client.audited.map(({ event, actor, uid, detail }) => ({ event, actor, uid, detail }));
  const owner = { actor: 'owner', uid: 'ann' };
  expect(reported).toEqual([
    { ...owner, event: 'account_created', detail: null },
    { ...owner, event: 'account_updated', detail: 'password, disableUser' },
    { ...owner, event: 'account_deleted', detail: null },
  ]);
});

test('[I310] an administrator lists the sessions of an account and ends one', async () => {
  const client = await AuthClient.open();
  await makeAnn(client);
  const first = await signIn(client);
  client.clock.ms += 1_000;
  const second = await signIn(client);
  const owner = { authorization: 'Bearer owner' };
  const url = `/v1/${ACCOUNTS}/ann/sessions`;
  const { json } = await client.request('GET', url, undefined, owner);
  expect(json['sessions']).toEqual([
    expect.objectContaining({ createdAt: String(client.clock.ms), signInProvider: 'password' }),
    expect.objectContaining({ createdAt: String(client.clock.ms - 1_000), network: '127.0.0.0/24' }),
  ]);
  const id = String(Object(json['sessions'])[0].sessionId);
  expect(
    (await client.request('DELETE', `/v1/${ACCOUNTS}/bob/sessions/${id}`, undefined, owner)).status,
  ).toBe(404);
  expect((await client.request('DELETE', `${url}/${id}`, undefined, owner)).json).toEqual({});
  expect((await client.refresh(second.json['refreshToken'])).status).toBe(400);
  expect((await client.refresh(first.json['refreshToken'])).status).toBe(200);
  expect((await client.request('DELETE', `${url}/${id}`, undefined, owner)).status).toBe(404);
});

test.each(['', 'x'.repeat(100_000)])(
  '[I578] an ID that no account can have matches no account: "%.5s"',
  async (name) => {
    const client = await AuthClient.open();
    await makeAnn(client);
    const none = { kind: 'identitytoolkit#GetAccountInfoResponse' };
    for (const who of [
      { localId: [name] },
      { email: [name] },
      { phoneNumber: [name] },
      { federatedUserId: [{ providerId: 'p', rawId: name }] },
      { federatedUserId: [{ providerId: name, rawId: 'r' }] },
    ])
      expect((await client.admin('accounts:lookup', who)).json).toEqual(none);
    for (const expression of [
      { email: name },
      { phoneNumber: name },
      { userId: name },
      { emailPrefix: name },
    ])
      expect((await client.admin(`${ACCOUNTS}:query`, { expression: [expression] })).json).toEqual({
        recordsCount: '0',
        userInfo: [],
      });
    const error = name === '' ? 'MISSING_LOCAL_ID' : 'USER_NOT_FOUND';
    expect((await update(client, {}, name)).error).toBe(error);
    expect((await client.admin(`${ACCOUNTS}:delete`, { localId: name })).error).toBe(error);
    expect((await client.admin(`${ACCOUNTS}:batchDelete`, { localIds: [name] })).json).toEqual({});
  },
);

test.each<readonly [Body, string]>([
  [{ providerId: 'p', rawId: 'x'.repeat(256) }, 'INVALID_ARGUMENT : A raw ID has at most 255 characters.'],
  [{ providerId: 'p'.repeat(129), rawId: 'r' }, 'INVALID_PROVIDER_ID'],
  [{ providerId: '', rawId: 'r' }, 'MISSING_PROVIDER_ID'],
  [{ providerId: 'p', rawId: '' }, 'MISSING_RAW_ID'],
  [{ providerId: 'phone', rawId: '' }, 'INVALID_PHONE_NUMBER : Invalid format.'],
  [{ providerId: 'p', rawId: 'r', photoUrl: 'javascript:x' }, 'INVALID_ARGUMENT : A photo URL begins'],
])('[I578] an identity that no account can have is rejected: %.60j', async (linkProviderUserInfo, error) => {
  const client = await AuthClient.open();
  await makeAnn(client);
  expect((await update(client, { linkProviderUserInfo })).error).toContain(error);
});
