import { createHash, createHmac } from 'node:crypto';
import { ADMIN_ROLES } from '@hearth/core/api/service-account.ts';
import { expect, test } from 'vitest';
import { INSTALLATION } from '../../records/store.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { projectScope } from '../tenants/scope.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { accountRecords, findAccount, saveAccount } from './account-store.ts';

type Body = Readonly<Record<string, unknown>>;

const ACCOUNTS = 'projects/demo/accounts';
const COSTLY_SCRYPT = {
  hashAlgorithm: 'STANDARD_SCRYPT',
  cpuMemCost: 2 ** 17,
  blockSize: 8,
  parallelization: 16,
};
const OWNER = { authorization: 'Bearer owner' };

/** Verifies every token as that of an administrator with all roles except reading password hashes. */
const viewer = {
  verify: async () => ({
    name: 'viewer',
    projectId: null,
    roles: ADMIN_ROLES.filter((role) => role !== 'identity.hashReader'),
  }),
};

async function get(client: AuthClient, query = ''): Promise<Body> {
  const { json } = await client.request('GET', `/v1/${ACCOUNTS}:batchGet${query}`, undefined, OWNER);
  return json;
}

function idsOf(json: Body): readonly unknown[] {
  return [json['users'] ?? []].flat().map((user) => Object(user)['localId']);
}

function create(client: AuthClient, users: unknown, more: Body = {}) {
  return client.admin(`${ACCOUNTS}:batchCreate`, { users, ...more });
}

async function find(client: AuthClient, localId: string): Promise<Body> {
  const { json } = await client.admin('accounts:lookup', { localId: [localId] });
  return Object(json['users'])[0] ?? {};
}

function signIn(client: AuthClient, email: string, password: string) {
  return client.post('accounts:signInWithPassword', { email, password });
}

test('[I275] pages neither repeat nor miss accounts while others are added and deleted', async () => {
  const client = await AuthClient.open();
  expect(await get(client)).toEqual({ kind: 'identitytoolkit#DownloadAccountResponse' });
  await create(
    client,
    [...'abcdef'].map((localId) => ({ localId })),
  );
  expect(idsOf(await get(client))).toEqual([...'abcdef']);
  const first = await get(client, '?maxResults=2');
  expect(idsOf(first)).toEqual(['a', 'b']);
  await client.admin(`${ACCOUNTS}:batchDelete`, { localIds: ['b', 'd'], force: true });
  await create(client, [{ localId: 'aa' }]);
  const second = await get(client, `?maxResults=2&nextPageToken=${first['nextPageToken']}`);
  expect(idsOf(second)).toEqual(['c', 'e']);
  const third = await get(client, `?maxResults=2&nextPageToken=${second['nextPageToken']}`);
  expect(idsOf(third)).toEqual(['f']);
  expect(third).not.toHaveProperty('nextPageToken');
});

test('[I275] a full page has a token for the next page, even if it is the last; the default is 20 accounts and the maximum 1,000', async () => {
  const client = await AuthClient.open();
  await create(
    client,
    Array.from({ length: 700 }, (_, n) => ({ localId: `u${n}` })),
  );
  await create(
    client,
    Array.from({ length: 300 }, (_, n) => ({ localId: `v${n}` })),
  );
  expect(idsOf(await get(client))).toHaveLength(20);
  const all = await get(client, '?maxResults=5000');
  expect(new Set(idsOf(all)).size).toBe(1_000);
  const last = await get(client, `?nextPageToken=${all['nextPageToken']}`);
  expect(last).toEqual({ kind: 'identitytoolkit#DownloadAccountResponse' });
  for (const wrong of ['x'.repeat(129), '%00']) {
    const { error } = Object(await get(client, `?nextPageToken=${wrong}`));
    expect(error.message).toBe('INVALID_PAGE_SELECTION');
  }
});

test('[I275] a page token is the user ID after which the page begins, whether or not an account has it', async () => {
  const client = await AuthClient.open();
  await create(
    client,
    ['a', 'b', 'b/c', 'd'].map((localId) => ({ localId })),
  );
  const first = await get(client, '?maxResults=3');
  expect(first['nextPageToken']).toBe('b/c');
  expect(idsOf(await get(client, '?nextPageToken=b%2Fc'))).toEqual(['d']);
  expect(idsOf(await get(client, '?maxResults=1&nextPageToken=a'))).toEqual(['b']);
  expect(idsOf(await get(client, '?nextPageToken=b%20gone'))).toEqual(['b/c', 'd']);
});

test('[I275] accounts are listed with their second factors', async () => {
  const client = await AuthClient.open();
  const factor = { mfaEnrollmentId: 'f1', phoneInfo: '+15555550111', displayName: 'work' };
  await create(client, [
    { localId: 'a', email: 'a@example.com', emailVerified: true, mfaInfo: [factor] },
    { localId: 'b', mfaInfo: [] },
  ]);
  expect((await get(client))['users']).toMatchObject([{ mfaInfo: [factor] }, { mfaInfo: [] }]);
});

test('[I276] callers who may read hashes get them, and an audit entry is recorded', async () => {
  const client = await AuthClient.open();
  await client.admin(ACCOUNTS, { localId: 'ann', email: 'ann@example.com', password: 'password' });
  const json = await get(client);
  const [user] = [json['users']].flat();
  expect(user).toMatchObject({ version: 1, salt: expect.stringMatching(/^[\w-]{22}==$/) });
  const id = Object(user)['hashParametersId'];
  expect(Object(json['hashParameters'])[id]).toMatchObject({
    hashAlgorithm: 'ARGON2',
    argon2Parameters: { hashType: 'ARGON2_ID', iterations: 1 },
  });
  expect(client.audited.at(-1)).toMatchObject({ event: 'hashes_exported', detail: '1 accounts' });
});

test('[I276] other callers only see that a hash exists', async () => {
  const client = await AuthClient.open(unsignedTokenServices, { admins: viewer });
  await client.admin(ACCOUNTS, { localId: 'ann', email: 'ann@example.com', password: 'password' });
  const json = await get(client);
  expect(json).not.toHaveProperty('hashParameters');
  expect(json['users']).toEqual([expect.objectContaining({ passwordHash: 'UkVEQUNURUQ=' })]);
  expect(JSON.stringify(json)).not.toContain('salt');
});

test('[I277] the method names of the previous API act on the project that the body names', async () => {
  const client = await AuthClient.open();
  const at = '/identitytoolkit/v3/relyingparty';
  const users = [{ localId: 'ann', email: 'ann@example.com' }];
  expect((await client.admin(`${at}/uploadAccount`, { users, targetProjectId: 'demo' })).json).toEqual({
    kind: 'identitytoolkit#UploadAccountResponse',
  });
  const listed = await client.admin(`${at}/downloadAccount`, { targetProjectId: 'demo', maxResults: 1 });
  expect(idsOf(listed.json)).toEqual(['ann']);
  expect(listed.json).toHaveProperty('nextPageToken');
  for (const name of ['uploadAccount', 'downloadAccount'])
    expect((await client.admin(`${at}/${name}`, { users })).error).toMatch(/^INSUFFICIENT_PERMISSION/);
});

test('[I280] an import stores accounts with all given values', async () => {
  const client = await AuthClient.open();
  const identity = { providerId: 'google.com', rawId: 'g1', email: 'ann@gmail.com', displayName: 'Ann G' };
  const factor = { mfaEnrollmentId: 'f1', phoneInfo: '+15555550111', enrolledAt: '2020-01-02T03:04:05.000Z' };
  const user = {
    localId: 'ann/1',
    emailVerified: true,
    displayName: 'Ann',
    photoUrl: 'https://example.com/ann.png',
    phoneNumber: '+15555550100',
    disabled: true,
    createdAt: '1000',
    lastLoginAt: '2000',
    customAttributes: '{"a":1}',
  };
  const answer = await create(client, [
    { ...user, email: 'Ann@Example.com', providerUserInfo: [identity], mfaInfo: [factor] },
    { localId: 'bob' },
  ]);
  expect(answer.json).toEqual({ kind: 'identitytoolkit#UploadAccountResponse' });
  expect(await find(client, 'ann/1')).toMatchObject({
    ...user,
    email: 'ann@example.com',
    mfaInfo: [factor],
    providerUserInfo: [identity, { providerId: 'phone' }],
  });
});

test.each<readonly [string, unknown, Body]>([
  ['MISSING_USER_ACCOUNT', [], {}],
  ['MISSING_USER_ACCOUNT', undefined, {}],
  ['DUPLICATE_LOCAL_ID : a', [{ localId: 'a' }, { localId: 'a' }], {}],
  ['INVALID_HASH_ALGORITHM : ', [{ localId: 'a', passwordHash: 'AAAA' }], { hashAlgorithm: 'ROT13' }],
  ['INVALID_HASH_ALGORITHM : ', [{ localId: 'a', passwordHash: 'AAAA' }], {}],
  [
    'INVALID_HASH_ALGORITHM : ',
    [{ localId: 'a', passwordHash: 'AAAA' }],
    { hashAlgorithm: 'SCRYPT', rounds: 8 },
  ],
  ['INVALID_HASH_ALGORITHM : One password', [{ localId: 'a', passwordHash: 'AAAA' }], COSTLY_SCRYPT],
  ['INVALID_ARGUMENT : ', Array.from({ length: 1_001 }, (_, n) => ({ localId: `u${n}` })), {}],
  [
    'DUPLICATE_EMAIL : x@example.com',
    [
      { localId: 'a', email: 'x@example.com' },
      { localId: 'b', email: 'X@example.com' },
    ],
    { sanityCheck: true },
  ],
  [
    'DUPLICATE_RAW_ID : Provider id(p), Raw id(r)',
    [
      { localId: 'a', providerUserInfo: [{ providerId: 'p', rawId: 'r' }] },
      { localId: 'b', providerUserInfo: [{ providerId: 'p', rawId: 'r' }] },
    ],
    { sanityCheck: true },
  ],
])(
  '[I281][I662] an import is rejected with an error that starts with "%s" (%#)',
  async (error, users, more) => {
    const client = await AuthClient.open();
    const answer = await create(client, users, more);
    expect(answer.status).toBe(400);
    expect(answer.error?.startsWith(error)).toBe(true);
    expect(idsOf(await get(client))).toEqual([]);
  },
);

const VERIFIED = { email: 'v@example.com', emailVerified: true };

test.each<readonly [Body, string]>([
  [{}, 'localId is missing'],
  [{ localId: 'x'.repeat(129) }, 'localId must have at most 128 characters.'],
  ...['a\0b', 'a\nb', 'a\u007fb', 'a\u0085b', 'a\ud800'].map((localId): readonly [Body, string] => [
    { localId },
    'localId must not have control characters or halves of surrogate pairs.',
  ]),
  [{ localId: 'old' }, 'localId belongs to an existing account - can not overwrite.'],
  [{ localId: 'x', email: 'nonsense' }, 'email is invalid'],
  [{ localId: 'x', email: 'Old@example.com' }, 'email exists in other account in database'],
  [{ localId: 'x', phoneNumber: '555' }, 'phone number format is invalid'],
  [{ localId: 'x', phoneNumber: '+15555550100' }, 'phone number exists in other account in database'],
  [
    { localId: 'x', providerUserInfo: [{ providerId: 'p', rawId: 'r' }] },
    'raw id exists in other account in database',
  ],
  [{ localId: 'x', providerUserInfo: [{ rawId: 'r' }] }, 'federatedId or (providerId & rawId) is required'],
  [{ localId: 'x', customAttributes: '[' }, 'Invalid custom claims provided.'],
  [
    { localId: 'x', customAttributes: `{"a":"${'x'.repeat(1_000)}"}` },
    'Custom claims provided are too large.',
  ],
  [{ localId: 'x', customAttributes: '{"sub":1}' }, 'Custom claims provided include a reserved claim.'],
  [
    { localId: 'x', mfaInfo: [{ phoneInfo: '+15555550111' }] },
    'Second factor account requires email to be presented.',
  ],
  [
    { localId: 'x', email: 'v@example.com', mfaInfo: [{ phoneInfo: '+15555550111' }] },
    'Second factor account requires email to be verified.',
  ],
  [{ localId: 'x', ...VERIFIED, mfaInfo: [{ totpInfo: {} }] }, 'Second factor not supported.'],
  [{ localId: 'x', ...VERIFIED, mfaInfo: [{ phoneInfo: '5' }] }, 'Phone number format is invalid'],
  [
    {
      localId: 'x',
      ...VERIFIED,
      mfaInfo: [
        { mfaEnrollmentId: 'f', phoneInfo: '+15555550111' },
        { mfaEnrollmentId: 'f', phoneInfo: '+15555550122' },
      ],
    },
    'Enrollment id already exists.',
  ],
  [{ localId: 'x', tenantId: 't' }, 'Tenant id in userInfo does not match the tenant id in request.'],
  [
    { localId: 'x', language: 'en', screen_name: 'ann', timeZone: '' },
    'Hearth does not store language, screen_name. Leave it out to import the account.',
  ],
  [
    { localId: 'x', providerUserInfo: [{ providerId: 'p', rawId: 'q', phoneNumber: '+15555550111' }] },
    'Hearth does not store providerUserInfo.phoneNumber. Leave it out to import the account.',
  ],
  [
    { localId: 'x', providerUserInfo: [{ federatedId: 'https://example.com/1' }] },
    'federatedId https://example.com/1 names no known provider: give providerId and rawId.',
  ],
  [
    {
      localId: 'x',
      phoneNumber: '+15555550111',
      providerUserInfo: [{ providerId: 'phone', rawId: '+15555550122' }],
    },
    'The phone number of providerUserInfo is not that of the account.',
  ],
  [
    { localId: 'x', providerUserInfo: [{ providerId: 'password', email: 'x@example.com' }] },
    'The email address of providerUserInfo is not that of the account.',
  ],
  [
    { localId: 'x', rawPassword: 'password', passwordHash: 'A'.repeat(43) },
    'passwordHash and rawPassword are both given: give one of them.',
  ],
  [{ localId: 'x', salt: 'AAAA' }, 'salt is given without passwordHash.'],
  [{ localId: 'x', createdAt: '-1' }, 'INVALID_ARGUMENT : "createdAt" must not be negative.'],
  [
    { localId: 'x', validSince: '99999999999' },
    'INVALID_ARGUMENT : "validSince" must be in seconds since 1970, and not in the future.',
  ],
  [{ localId: 'x', lastRefreshAt: 'now' }, 'lastRefreshAt must be a date and time.'],
  [{ localId: 'x', passwordHash: 'AAAA' }, 'The hash must have 32 bytes, like every sha256.'],
  [{ localId: 'x', passwordHash: '*' }, 'passwordHash must be bytes in base64.'],
])(
  '[I282][I666][I687] %j is left out of an import, and the accounts next to it are imported',
  async (user, message) => {
    const client = await AuthClient.open();
    const old = {
      localId: 'old',
      email: 'old@example.com',
      phoneNumber: '+15555550100',
      providerUserInfo: [{ providerId: 'p', rawId: 'r' }],
    };
    await create(client, [old]);
    const more = { hashAlgorithm: 'SHA256', rounds: 1 };
    const { json } = await create(client, [{ localId: 'a' }, user, { localId: 'b' }], more);
    expect(json['error']).toEqual([{ index: 1, message }]);
    expect(idsOf(await get(client))).toEqual(['a', 'b', 'old']);
  },
);

test('[I282] if two accounts of an import have the same email address, only the first is imported', async () => {
  const client = await AuthClient.open();
  const { json } = await create(client, [
    { localId: 'a', email: 'x@example.com' },
    { localId: 'b', email: 'X@example.com' },
  ]);
  expect(json['error']).toEqual([{ index: 1, message: 'email exists in other account in database' }]);
  expect(idsOf(await get(client))).toEqual(['a']);
});

test('[I283] an import may overwrite accounts with the same uid, and their sessions continue', async () => {
  const client = await AuthClient.open();
  await client.admin(ACCOUNTS, { localId: 'ann', email: 'ann@example.com', password: 'password' });
  const { json } = await signIn(client, 'ann@example.com', 'password');
  const users = [{ localId: 'ann', email: 'anna@example.com', displayName: 'Anna' }];
  const refresh = () => client.refresh(json['refreshToken']);
  for (let time = 0; time < 2; time += 1) {
    expect((await create(client, users, { allowOverwrite: true })).json).not.toHaveProperty('error');
    expect(await find(client, 'ann')).toMatchObject({ email: 'anna@example.com', displayName: 'Anna' });
    expect(await find(client, 'ann')).not.toHaveProperty('passwordHash');
  }
  expect((await refresh()).status).toBe(200);
  expect((await create(client, [{ localId: 'bob', email: 'ann@example.com' }])).json).not.toHaveProperty(
    'error',
  );
  await create(client, [{ localId: 'ann', disabled: true }], { allowOverwrite: true });
  expect((await refresh()).status).toBe(400);
});

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const FIREBASE_SCRYPT = {
  hashAlgorithm: 'SCRYPT',
  signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memoryCost: 14,
};
const FIREBASE_HASH =
  'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==';

test.each<readonly [string, Body, string, Buffer | string, string]>([
  ['SCRYPT', FIREBASE_SCRYPT, '42xEC+ixf3L2lw==', FIREBASE_HASH, 'user1password'],
  ['SHA256', { rounds: 1 }, 'c2FsdA==', sha256('saltpassword'), 'password'],
  [
    'SHA256',
    { rounds: 1, passwordHashOrder: 'PASSWORD_AND_SALT' },
    'c2FsdA==',
    sha256('passwordsalt'),
    'password',
  ],
  [
    'HMAC_SHA256',
    { signerKey: 'a2V5' },
    'c2FsdA==',
    createHmac('sha256', 'key').update('passwordsalt').digest(),
    'password',
  ],
  [
    'HMAC_SHA256',
    { signerKey: 'a2V5', passwordHashOrder: 'SALT_AND_PASSWORD' },
    'c2FsdA==',
    createHmac('sha256', 'key').update('saltpassword').digest(),
    'password',
  ],
  ['SHA256', { rounds: 1 }, '73616c74', sha256('saltpassword').toString('hex'), 'password'],
])(
  '[I284][I285] the password of an imported hash works (%#, %s), and sign-in replaces the hash',
  async (name, more, salt, hash, password) => {
    const client = await AuthClient.open();
    const passwordHash = typeof hash === 'string' ? hash : hash.toString('base64');
    const parameters = { hashAlgorithm: name, ...more };
    for (const localId of ['ann', 'bob']) {
      const user = { localId, email: `${localId}@example.com`, passwordHash, salt };
      expect((await create(client, [user], parameters)).json).not.toHaveProperty('error');
    }
    const kept = client.services.recordStore.read((view) =>
      view.records(INSTALLATION).list(['hashParameters'], { limit: 10 }),
    );
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain('jxspr8');
    const versions = async () => [(await get(client))['users']].flat().map((user) => Object(user)['version']);
    expect(await versions()).toEqual([0, 0]);
    expect((await signIn(client, 'ann@example.com', `${password}!`)).status).toBe(400);
    expect(await versions()).toEqual([0, 0]);
    expect((await signIn(client, 'ann@example.com', password)).status).toBe(200);
    expect(await versions()).toEqual([1, 0]);
    expect((await signIn(client, 'ann@example.com', password)).status).toBe(200);
  },
);

test('[I686] an import hashes passwords given in clear text, and stores only the hashes', async () => {
  const client = await AuthClient.open();
  const users = ['ann', 'bob', 'cy', 'dee'].map((localId) => ({
    localId,
    email: `${localId}@example.com`,
    ...(localId === 'dee' ? {} : { rawPassword: localId === 'bob' ? 'short' : `password of ${localId}` }),
  }));
  const at = '/identitytoolkit/v3/relyingparty/uploadAccount';
  const { json } = await client.admin(at, { users, targetProjectId: 'demo' });
  expect(json['error']).toEqual([{ index: 1, message: expect.stringMatching(/^WEAK_PASSWORD : /) }]);
  for (const localId of ['ann', 'cy'])
    expect((await signIn(client, `${localId}@example.com`, `password of ${localId}`)).status).toBe(200);
  expect(await find(client, 'dee')).not.toHaveProperty('passwordHash');
});

test('[I280][I687] an import keeps every field that an export has', async () => {
  const client = await AuthClient.open();
  const since = Math.floor(client.services.clock.nowMs() / 1_000);
  const user = {
    localId: 'ann',
    email: 'ann@example.com',
    initialEmail: 'anna@example.com',
    emailLinkSignin: true,
    customAuth: true,
    createdAt: '1000',
    lastLoginAt: '2000',
    lastRefreshAt: '2020-01-02T03:04:05.000Z',
    validSince: String(since),
  };
  const sent = {
    ...user,
    passwordHash: sha256('password').toString('base64'),
    passwordUpdatedAt: 3000,
    version: 0,
  };
  const parameters = { hashAlgorithm: 'SHA256', rounds: 1 };
  expect((await create(client, [sent], parameters)).json).not.toHaveProperty('error');
  const found = await find(client, 'ann');
  expect(found).toMatchObject({ ...user, passwordUpdatedAt: 3000 });
  const [exported] = [(await get(client))['users']].flat();
  const again = await create(client, [exported], { ...parameters, allowOverwrite: true });
  expect(again.json).not.toHaveProperty('error');
  expect(await find(client, 'ann')).toEqual(found);
});

test('[I687] a later time of revocation ends the sessions of an account that an import overwrites', async () => {
  const client = await AuthClient.open();
  await client.admin(ACCOUNTS, { localId: 'ann', email: 'ann@example.com', password: 'password' });
  const { json } = await signIn(client, 'ann@example.com', 'password');
  const validSince = String(Number((await find(client, 'ann'))['validSince']) + 10);
  await create(client, [{ localId: 'ann', validSince }], { allowOverwrite: true });
  expect(await find(client, 'ann')).toMatchObject({ validSince });
  expect((await client.refresh(json['refreshToken'])).status).toBe(400);
});

test.each([
  [{ federatedId: 'https://accounts.google.com/g1' }, 'google.com', 'g1'],
  [{ federatedId: 'http://www.facebook.com/f1' }, 'facebook.com', 'f1'],
  [{ providerId: 'google.com', federatedId: 'https://accounts.google.com/g1' }, 'google.com', 'g1'],
  [
    { providerId: 'oidc.corp', federatedId: 'https://corp.example/u/1' },
    'oidc.corp',
    'https://corp.example/u/1',
  ],
])('[I688] an import accepts the identity %j', async (info, providerId, rawId) => {
  const client = await AuthClient.open();
  expect((await create(client, [{ localId: 'ann', providerUserInfo: [info] }])).json).not.toHaveProperty(
    'error',
  );
  expect((await find(client, 'ann'))['providerUserInfo']).toMatchObject([{ providerId, rawId }]);
});

test('[I688] an entry of providerUserInfo for a phone number gives the account the number', async () => {
  const client = await AuthClient.open();
  const info = { providerId: 'phone', phoneNumber: '+15555550100', rawId: '+15555550100' };
  await create(client, [{ localId: 'ann', providerUserInfo: [info] }]);
  expect(await find(client, 'ann')).toMatchObject({ phoneNumber: '+15555550100', providerUserInfo: [info] });
});

test('[I691] an import measures how long its hashes take, and the server stores a minimum duration of negative responses', async () => {
  const client = await AuthClient.open();
  const user = { localId: 'ann', passwordHash: sha256('password').toString('base64') };
  const read = () =>
    client.services.recordStore.read((view) => view.records(INSTALLATION).find(['passwordFloor']));
  await create(client, [{ localId: 'bob' }]);
  expect(read()).toBe(undefined);
  client.clock.stepMs = 50;
  await create(client, [user], { hashAlgorithm: 'SHA256', rounds: 1 });
  // The server stores the duration after it has sent the response.
  await expect.poll(read).toBeGreaterThan(0);
});

test('[I286] passwords that an emulator exported are imported in development mode only', async () => {
  const user = { localId: 'ann', email: 'ann@example.com', passwordHash: 'fakeHash:salt=s:password=a:b=c' };
  const client = await AuthClient.open();
  expect((await create(client, [user])).json).not.toHaveProperty('error');
  expect((await signIn(client, 'ann@example.com', 'a:b=c')).status).toBe(200);
  const other = await AuthClient.open(unsignedTokenServices, { isDevelopment: false });
  expect((await create(other, [user])).error).toMatch(/^INVALID_HASH_ALGORITHM/);
});

test('[I287] accounts that one server exports can be imported by another', async () => {
  const [one, other] = [await AuthClient.open(), await AuthClient.open()];
  const imported = {
    localId: 'bob',
    email: 'bob@example.com',
    passwordHash: FIREBASE_HASH,
    salt: '42xEC-ixf3L2lw',
  };
  await create(one, [imported], FIREBASE_SCRYPT);
  await one.admin(ACCOUNTS, { localId: 'ann', email: 'ann@example.com', password: 'password' });
  const json = await get(one);
  for (const user of [json['users']].flat().map(Object)) {
    const parameters = Object(json['hashParameters'])[user.hashParametersId];
    expect((await create(other, [user], parameters)).json).not.toHaveProperty('error');
  }
  expect((await signIn(other, 'ann@example.com', 'password')).status).toBe(200);
  expect((await signIn(other, 'bob@example.com', 'user1password')).status).toBe(200);
});

test('[I288] other requests are answered during an import', async () => {
  const client = await AuthClient.open();
  const users = Array.from({ length: 1_000 }, (_, n) => ({ localId: `u${n}`, email: `u${n}@example.com` }));
  const seen: number[] = [];
  const importing = create(client, users);
  const done = { isDone: false };
  void importing.then(() => {
    done.isDone = true;
  });
  while (!done.isDone) {
    const { json } = await client.admin(`${ACCOUNTS}:query`, { returnUserInfo: false });
    seen.push(Number(json['recordsCount']));
  }
  expect((await importing).json).not.toHaveProperty('error');
  expect(seen.filter((count) => count > 0 && count < 1_000)).not.toEqual([]);
});

test('[I290] a batch deletes only disabled accounts unless it is forced', async () => {
  const client = await AuthClient.open();
  const localIds = ['a', 'b', 'no', 'c', 'a'];
  await create(client, [
    { localId: 'a', disabled: true },
    { localId: 'b' },
    { localId: 'c', disabled: true },
  ]);
  const remove = (body: Body) => client.admin(`${ACCOUNTS}:batchDelete`, body);
  expect((await remove({ localIds })).json).toEqual({
    errors: [
      { index: 1, localId: 'b', message: 'NOT_DISABLED : Disable the account before batch deletion.' },
    ],
  });
  expect(idsOf(await get(client))).toEqual(['b']);
  expect((await remove({ localIds, force: true })).json).toEqual({});
  expect(idsOf(await get(client))).toEqual([]);
  for (const wrong of [[], Array.from({ length: 1_001 }, String)])
    expect((await remove({ localIds: wrong })).error).toBe('LOCAL_ID_LIST_EXCEEDS_LIMIT');
});

const PEOPLE = [
  { localId: 'a', email: 'zoe@example.com', displayName: 'M', createdAt: '3', lastLoginAt: '1' },
  { localId: 'b', email: 'zack@example.com', displayName: 'Z', createdAt: '1', lastLoginAt: '3' },
  { localId: 'c', phoneNumber: '+15555550100', displayName: 'A', createdAt: '2' },
];

test.each<readonly [Body, readonly string[]]>([
  [{}, ['a', 'b', 'c']],
  [{ sortBy: 'USER_ID', order: 'DESC' }, ['c', 'b', 'a']],
  [{ sortBy: 'NAME' }, ['c', 'a', 'b']],
  [{ sortBy: 'CREATED_AT' }, ['b', 'c', 'a']],
  [{ sortBy: 'LAST_LOGIN_AT', order: 'DESC' }, ['b', 'a', 'c']],
  [{ sortBy: 'USER_EMAIL' }, ['c', 'b', 'a']],
  [{ sortBy: 'CREATED_AT', offset: '1', limit: '1' }, ['c']],
  [{ offset: 5 }, []],
  [{ expression: [{ email: 'Zoe@example.com', userId: 'b' }] }, ['a']],
  [{ expression: [{ phoneNumber: '+15555550100' }] }, ['c']],
  [{ expression: [{ userId: 'b' }] }, ['b']],
  [{ expression: [{ userId: 'no' }] }, []],
  [{ expression: [{ emailPrefix: 'Z' }] }, ['b', 'a']],
  [{ expression: [{ emailPrefix: 'z' }], order: 'DESC', limit: 1 }, ['a']],
  [{ expression: [{ emailPrefix: 'z' }], offset: 1 }, ['a']],
  [{ expression: [{ emailPrefix: 'zoe@' }] }, ['a']],
  [{ expression: [{ emailPrefix: 'y' }] }, []],
])('[I295][I296][I297] the query %j finds the accounts %j', async (query, expected) => {
  const client = await AuthClient.open();
  await create(client, PEOPLE);
  const { json } = await client.admin(`${ACCOUNTS}:query`, query);
  expect(json['recordsCount']).toBe(String(expected.length));
  expect([json['userInfo']].flat().map((user) => Object(user)['localId'])).toEqual(expected);
});

test('[I295] a query counts all accounts, or those that match an expression', async () => {
  const client = await AuthClient.open();
  const count = (query: Body = {}) =>
    client.admin('projects/demo:queryAccounts', { returnUserInfo: false, ...query });
  expect((await count()).json).toEqual({ recordsCount: '0' });
  await create(client, PEOPLE);
  expect((await count()).json).toEqual({ recordsCount: '3' });
  expect((await count({ expression: [{ emailPrefix: 'zo' }] })).json).toEqual({ recordsCount: '1' });
});

test('[I296] sorting is correct for more accounts than one step reads', async () => {
  const client = await AuthClient.open();
  const users = Array.from({ length: 900 }, (_, n) => ({
    localId: `u${n}`,
    displayName: `n${(n * 7) % 900}`,
  }));
  await create(client, users);
  const expected = users
    .toSorted((a, b) => (a.displayName < b.displayName ? -1 : 1))
    .map(({ localId }) => localId);
  const { json } = await client.admin(`${ACCOUNTS}:query`, { sortBy: 'NAME', limit: 7, offset: 90 });
  expect([json['userInfo']].flat().map((user) => Object(user)['localId'])).toEqual(expected.slice(90, 97));
  for (const query of [{ limit: 501 }, { offset: 10_001 }, { expression: [{}, {}] }])
    expect((await client.admin(`${ACCOUNTS}:query`, query)).error).toMatch(/^INVALID_ARGUMENT/);
});

test.each([
  'accounts:batchCreate',
  'accounts:batchDelete',
  'accounts:query',
  'accounts:update',
  'accounts:delete',
])('[I317] %s is rejected without an administrator and in a disabled project', async (method) => {
  const client = await AuthClient.open();
  const url = `/v1/projects/demo/${method}`;
  const { status, json } = await client.request('POST', url, '{}');
  expect(status).toBe(401);
  expect(json['error']).toMatchObject({ status: 'UNAUTHENTICATED' });
  await client.settings((settings) => ({ ...settings, isDisabled: true }));
  expect((await client.admin(url, { users: [{ localId: 'a' }] })).error).toBe('PROJECT_DISABLED');
  expect(Object(await get(client))['error']).toMatchObject({ message: 'PROJECT_DISABLED' });
});

const LONG = 'x'.repeat(100_000);

function identity(change: Body): Body {
  return { localId: 'x', providerUserInfo: [{ providerId: 'p', rawId: 'r', ...change }] };
}

test.each<readonly [Body, string]>([
  [{ localId: 'x', displayName: LONG }, 'INVALID_ARGUMENT : A display name has at most 256 characters.'],
  [{ localId: 'x', photoUrl: LONG }, 'INVALID_ARGUMENT : A photo URL has at most 2048 characters.'],
  [
    { localId: 'x', photoUrl: 'javascript:alert(1)' },
    'INVALID_ARGUMENT : A photo URL begins with https:// or http://.',
  ],
  [{ localId: 'x', email: `${LONG}@example.com` }, 'email is invalid'],
  [{ localId: LONG }, 'localId must have at most 128 characters.'],
  [identity({ rawId: LONG }), 'INVALID_ARGUMENT : A raw ID has at most 255 characters.'],
  [identity({ rawId: '\ud800' }), 'INVALID_ARGUMENT : A raw ID has at most 255 characters.'],
  [identity({ providerId: LONG }), 'INVALID_PROVIDER_ID'],
  [identity({ email: LONG }), 'INVALID_EMAIL'],
  [identity({ displayName: LONG }), 'INVALID_ARGUMENT : A display name has at most 256 characters.'],
  [identity({ screenName: LONG }), 'INVALID_ARGUMENT : A display name has at most 256 characters.'],
  [
    identity({ photoUrl: 'javascript:alert(1)' }),
    'INVALID_ARGUMENT : A photo URL begins with https:// or http://.',
  ],
])('[I576] an account with invalid values is left out of an import: %.60j', async (user, message) => {
  const client = await AuthClient.open();
  const { json } = await create(client, [{ localId: 'a' }, user, { localId: 'b' }]);
  expect(json['error']).toEqual([{ index: 1, message }]);
  expect(idsOf(await get(client))).toEqual(['a', 'b']);
});

test('[I576] accounts with the longest allowed IDs are imported and found', async () => {
  const client = await AuthClient.open();
  const localId = '\uffee'.repeat(128);
  const providerId = '%'.repeat(128);
  const rawId = '/'.repeat(255);
  expect(
    (await create(client, [{ localId, providerUserInfo: [{ providerId, rawId }] }])).json,
  ).not.toHaveProperty('error');
  const { json } = await client.admin('accounts:lookup', { federatedUserId: [{ providerId, rawId }] });
  expect(idsOf(json)).toEqual([localId]);
});

test('[I577] an import that overwrites cannot give an account more than five second factors', async () => {
  const client = await AuthClient.open();
  await create(client, [{ localId: 'v', ...VERIFIED }]);
  const totp = {
    kind: 'totp',
    enrollmentId: 'f',
    displayName: null,
    enrolledAtMs: 5,
    sealedSecret: '',
    lastStep: 0,
  } as const;
  await client.services.recordStore.change((transaction) => {
    const records = transaction.records(accountRecords(projectScope('demo')));
    const before = findAccount(records, 'v');
    if (before !== undefined) saveAccount(records, before, { ...before, factors: [totp] });
  });
  const overwrite = (count: number) => {
    const mfaInfo = Array.from({ length: count }, (_, n) => ({ phoneInfo: `+1555555011${n}` }));
    return create(client, [{ localId: 'v', ...VERIFIED, mfaInfo }], { allowOverwrite: true });
  };
  expect((await overwrite(5)).json['error']).toEqual([
    { index: 0, message: 'The account would have more than 5 second factors.' },
  ]);
  expect((await overwrite(4)).json).not.toHaveProperty('error');
  expect((await find(client, 'v'))['mfaInfo']).toHaveLength(5);
});

test('[I579] accounts with many sessions are deleted in several transactions', async () => {
  const client = await AuthClient.open();
  const localIds = Array.from({ length: 40 }, (_, n) => `u${n}`);
  await create(
    client,
    localIds.map((localId) => ({ localId })),
  );
  for (const uid of localIds)
    await client.services.recordStore.change((transaction) => {
      for (let n = 0; n < 150; n += 1)
        transaction
          .records(accountRecords(projectScope('demo')))
          .write(['sessionsOf', uid, `${uid}-${n}`], n);
    });
  const deleting = client.admin(`${ACCOUNTS}:batchDelete`, { localIds, force: true });
  const done = { isDone: false };
  void deleting.then(() => {
    done.isDone = true;
  });
  const seen: number[] = [];
  while (!done.isDone) {
    const { json } = await client.admin(`${ACCOUNTS}:query`, { returnUserInfo: false });
    seen.push(Number(json['recordsCount']));
  }
  expect((await deleting).json).toEqual({});
  expect(seen.filter((count) => count > 0 && count < 40)).not.toEqual([]);
});

test('[I666] user IDs that contain a slash or only dots are imported', async () => {
  const client = await AuthClient.open();
  const uids = ['a/b', '..', '/', 'ü 1'];
  const { json } = await create(
    client,
    uids.map((localId) => ({ localId })),
  );
  expect(json).not.toHaveProperty('error');
  for (const localId of uids) expect(await find(client, localId)).toMatchObject({ localId });
});
