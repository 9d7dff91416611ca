import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { listMails, requireCode } from '../codes/mailed-codes.fixture.ts';
import { openAnn } from '../mfa/second-factor.fixture.ts';
import { encodeJwt } from '../tokens/jwt.ts';

const LATER_MS = 301_000;

/** Returns the token with other claims, which development mode accepts. */
function forge(idToken: unknown, claims: object): string {
  return `${encodeJwt({ alg: 'none', typ: 'JWT' }, { ...claimsOf(idToken), ...claims })}.`;
}

/** Returns an account as an administrator gets it. */
async function find(client: AuthClient, localId: unknown): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await client.admin('projects/demo/accounts:lookup', { localId: [localId] });
  return Object(json['users'])[0] ?? {};
}

test('[I400] an update without a code, an administrator or a token is rejected', async () => {
  const client = await AuthClient.open();
  expect((await client.post('accounts:update', { displayName: 'Ann' })).error).toBe(
    'INVALID_REQ_TYPE : Unsupported request parameters.',
  );
  expect((await client.post('accounts:update', { localId: 'x', displayName: 'Ann' })).error).toBe(
    'INVALID_REQ_TYPE : Unsupported request parameters.',
  );
});

test('[I401] name and photo can be changed without a recent sign-in, and the response shows the account', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  client.clock.ms += LATER_MS;
  const profile = { displayName: 'Ann', photoUrl: 'http://localhost/ann.png' };
  const { status, json } = await client.post('accounts:update', { idToken, ...profile });
  expect(status).toBe(200);
  expect(json).toEqual({
    kind: 'identitytoolkit#SetAccountInfoResponse',
    localId,
    email: 'ann@example.com',
    emailVerified: false,
    ...profile,
    passwordHash: 'UkVEQUNURUQ=',
    providerUserInfo: [
      {
        providerId: 'password',
        email: 'ann@example.com',
        rawId: 'ann@example.com',
        federatedId: 'ann@example.com',
        ...profile,
      },
    ],
  });
  expect(await client.lookup(idToken)).toMatchObject(profile);
});

test.each([
  { displayName: '', photoUrl: '' },
  { deleteAttribute: ['DISPLAY_NAME', 'PHOTO_URL'] },
  { delete_attribute: [2, 4] },
  { displayName: 'Bob', deleteAttribute: ['DISPLAY_NAME', 'PHOTO_URL', 'SHOE_SIZE'] },
])('[I401][I411] %j removes name and photo', async (removal) => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  await client.post('accounts:update', { idToken, displayName: 'Ann', photoUrl: 'photo-url' });
  expect(await client.lookup(idToken)).toMatchObject({ displayName: 'Ann', photoUrl: 'photo-url' });
  client.clock.ms += LATER_MS;
  await client.post('accounts:update', { idToken, ...removal });
  const user = await client.lookup(idToken);
  expect(user['displayName']).toBeUndefined();
  expect(user['photoUrl']).toBeUndefined();
});

test('[I403] a new password ends all sessions and begins one', async () => {
  const client = await AuthClient.open();
  const { idToken, refreshToken } = await client.signUp();
  client.clock.ms += 2_500;
  const { json } = await client.post('accounts:update', { idToken, password: 'another-one' });
  const claims = claimsOf(json['idToken']);
  const user = await client.lookup(json['idToken']);
  expect(json).toMatchObject({ refreshToken: expect.any(String), expiresIn: '3600' });
  expect(claims['auth_time']).toBe(Math.floor(client.clock.ms / 1_000));
  expect(user['validSince']).toBe(String(claims['auth_time']));
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
  expect((await client.refresh(refreshToken)).error).toBe('TOKEN_EXPIRED');
  expect((await client.refresh(json['refreshToken'])).status).toBe(200);
  const ann = { email: 'ann@example.com' };
  expect((await client.post('accounts:signInWithPassword', { ...ann, password: 'password' })).error).toBe(
    'INVALID_PASSWORD',
  );
  expect((await client.post('accounts:signInWithPassword', { ...ann, password: 'another-one' })).status).toBe(
    200,
  );
});

test('[I403] a refresh token is rejected even if the password changed within the same second', async () => {
  const client = await AuthClient.open();
  const { idToken, refreshToken } = await client.signUp();
  await client.post('accounts:update', { idToken, password: 'another-one' });
  expect((await client.refresh(refreshToken)).error).toBe('TOKEN_EXPIRED');
});

test('[I403] several changes within one second return different tokens', async () => {
  const client = await AuthClient.open();
  let { idToken } = await client.signUp();
  const tokens = [idToken];
  for (const password of ['another-1', 'another-2', 'another-3']) {
    const { json } = await client.post('accounts:update', { idToken, password });
    idToken = json['idToken'];
    tokens.push(idToken);
    const { auth_time } = claimsOf(idToken);
    expect(await client.lookup(idToken)).toMatchObject({ validSince: String(auth_time) });
  }
  expect(new Set(tokens).size).toBe(4);
  for (const old of tokens.slice(0, 3))
    expect((await client.post('accounts:lookup', { idToken: old })).error).toBe('TOKEN_EXPIRED');
});

test('[I404] the new session keeps the provider and the claims of the previous one', async () => {
  const client = await AuthClient.open();
  await client.signUp();
  const token = JSON.stringify({ uid: 'carl', claims: { role: 'guest', email: 'is withheld' } });
  const { json: first } = await client.post('accounts:signInWithCustomToken', { token });
  const { json: changed } = await client.post('accounts:update', {
    idToken: first['idToken'],
    email: 'carl@example.com',
  });
  const { json: again } = await client.post('accounts:update', {
    idToken: changed['idToken'],
    password: 'password',
  });
  expect(claimsOf(again['idToken'])).toMatchObject({
    role: 'guest',
    email: 'carl@example.com',
    firebase: { sign_in_provider: 'custom' },
  });
});

test('[I404] the new session does not keep claims that an administrator removed', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp();
  const update = { localId, customAttributes: '{"role":"admin"}' };
  await client.admin('projects/demo/accounts:update', update);
  const { json } = await client.post('accounts:signInWithPassword', {
    email: 'ann@example.com',
    password: 'password',
  });
  expect(claimsOf(json['idToken'])).toMatchObject({ role: 'admin' });
  await client.admin('projects/demo/accounts:update', { ...update, customAttributes: '{}' });
  const { json: changed } = await client.post('accounts:update', {
    idToken: json['idToken'],
    password: 'another-one',
  });
  expect(claimsOf(changed['idToken'])['role']).toBeUndefined();
});

test('[I404] the new session keeps the second factor of the previous one', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  const firebase = {
    sign_in_provider: 'password',
    sign_in_second_factor: 'totp',
    second_factor_identifier: 'factor1',
  };
  const { json } = await client.post('accounts:update', {
    idToken: forge(idToken, { firebase }),
    password: 'another-one',
  });
  expect(claimsOf(json['idToken'])).toMatchObject({ firebase });
});

test('[I404][I405] an anonymous user sets an address, then a password', async () => {
  const client = await AuthClient.open();
  const { json: anonymous } = await client.post('accounts:signUp');
  client.clock.ms += LATER_MS;
  const { json: addressed } = await client.post('accounts:update', {
    idToken: anonymous['idToken'],
    email: 'ann@example.com',
  });
  expect(claimsOf(addressed['idToken'])).toMatchObject({
    sub: anonymous['localId'],
    firebase: { sign_in_provider: 'password' },
  });
  expect(await find(client, anonymous['localId'])).not.toHaveProperty('initialEmail');
  const { json: upgraded } = await client.post('accounts:update', {
    idToken: addressed['idToken'],
    password: 'password',
  });
  expect(upgraded).toMatchObject({ providerUserInfo: [{ providerId: 'password' }] });
  const { json } = await client.post('accounts:signInWithPassword', {
    email: 'ann@example.com',
    password: 'password',
  });
  expect(json['localId']).toBe(anonymous['localId']);
});

test('[I403][I405] a new address is unverified, and the account keeps its first address as `initialEmail`', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp('ann@example.com');
  await client.admin('projects/demo/accounts:update', { localId, emailVerified: true });
  let { idToken } = await signIn('ann@example.com');
  for (const email of ['Ann2@Example.com', 'ann3@example.com']) {
    const { json } = await client.post('accounts:update', { idToken, email });
    expect(json).toMatchObject({ email: email.toLowerCase(), emailVerified: false });
    expect(json['refreshToken']).toEqual(expect.any(String));
    idToken = json['idToken'];
  }
  expect(await find(client, localId)).toMatchObject({
    email: 'ann3@example.com',
    initialEmail: 'ann@example.com',
  });
  expect(await client.lookup(idToken)).not.toHaveProperty('initialEmail');
  const signUp = await client.post('accounts:signUp', { email: 'ann@example.com', password: 'password' });
  expect(signUp.status).toBe(200);

  async function signIn(email: string): Promise<Readonly<Record<string, unknown>>> {
    return (await client.post('accounts:signInWithPassword', { email, password: 'password' })).json;
  }
});

test('[I405] a mail to the previous address has a code to recover the account', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  await client.post('accounts:update', { idToken, email: 'new@example.com' });
  const { json } = await client.request('GET', '/emulator/v1/projects/demo/oobCodes?key=any');
  expect(json).toMatchObject({ oobCodes: [{ requestType: 'RECOVER_EMAIL', email: 'ann@example.com' }] });
  const { oobCode } = Object(json['oobCodes'])[0];
  expect((await client.post('accounts:update', { oobCode })).status).toBe(200);
  expect(await find(client, localId)).toMatchObject({ email: 'ann@example.com' });
});

test('[I405] no mail is sent if the account had no previous address', async () => {
  const client = await AuthClient.open();
  const { json: anonymous } = await client.post('accounts:signUp');
  await client.post('accounts:update', { idToken: anonymous['idToken'], email: 'ann@example.com' });
  const { json } = await client.request('GET', '/emulator/v1/projects/demo/oobCodes?key=any');
  expect(json).toEqual({ oobCodes: [] });
});

test('[I403] the user gets a mail about a new password', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  const before = client.services.outbox.status().waiting;
  await client.post('accounts:update', { idToken, password: 'another-one' });
  expect(client.services.outbox.status().waiting).toBe(before + 1);
});

test.each([
  ['bob@example.com', 'EMAIL_EXISTS'],
  ['BOB@example.com', 'EMAIL_EXISTS'],
  ['bob', 'INVALID_EMAIL'],
])('[I406] the address %s is rejected with %s', async (email, error) => {
  const client = await AuthClient.open();
  await client.signUp('bob@example.com');
  const { idToken } = await client.signUp();
  expect((await client.post('accounts:update', { idToken, email })).error).toBe(error);
  expect(await client.lookup(idToken)).toMatchObject({ email: 'ann@example.com' });
});

test('[I406] setting the current address changes nothing', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  client.clock.ms += LATER_MS;
  const { status, json } = await client.post('accounts:update', { idToken, email: 'ANN@example.com' });
  expect(status).toBe(200);
  expect(json['idToken']).toBeUndefined();
});

test('[I406] of two accounts that request one address at the same time, one gets it', async () => {
  const client = await AuthClient.open();
  const people = await Promise.all(
    ['ann@example.com', 'bob@example.com'].map((email) => client.signUp(email)),
  );
  const answers = await Promise.all(
    people.map(({ idToken }) => client.post('accounts:update', { idToken, email: 'both@example.com' })),
  );
  expect(answers.map(({ error }) => error ?? 'ok').toSorted()).toEqual(['EMAIL_EXISTS', 'ok']);
});

test('[I407] with email enumeration protection, a change of address needs a mail, whether or not the address is taken', async () => {
  const client = await AuthClient.open();
  await client.signUp('bob@example.com');
  const { idToken } = await client.signUp();
  await client.settings((settings) => ({ ...settings, isEmailPrivate: true }));
  for (const email of ['bob@example.com', 'free@example.com'])
    expect((await client.post('accounts:update', { idToken, email })).error).toBe(
      'OPERATION_NOT_ALLOWED : Please verify the new email before changing email.',
    );
});

test('[I407] a change of the address of an account with a second factor needs a mail', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp();
  await client.admin('projects/demo/accounts:update', {
    localId,
    emailVerified: true,
    mfa: { enrollments: [{ mfaEnrollmentId: 'f1', phoneInfo: '+15555550100' }] },
  });
  const idToken = forge((await client.signUp('bob@example.com'))['idToken'], {
    sub: localId,
    user_id: localId,
  });
  expect((await client.post('accounts:update', { idToken, email: 'new@example.com' })).error).toBe(
    'EMAIL_CHANGE_NEEDS_VERIFICATION',
  );
});

test.each([
  { email: 'new@example.com' },
  { password: 'another-one' },
  { deleteProvider: ['password'] },
  { deleteAttribute: ['PASSWORD'] },
  { deleteAttribute: ['EMAIL'] },
  { deleteAttribute: ['PROVIDER'] },
])('[I408] %j needs a recent sign-in', async (change) => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  client.clock.ms += LATER_MS;
  expect((await client.post('accounts:update', { idToken, ...change })).error).toBe(
    'CREDENTIAL_TOO_OLD_LOGIN_AGAIN',
  );
  client.clock.ms -= 1_000;
  expect((await client.post('accounts:update', { idToken, ...change })).status).toBe(200);
});

test('[I409] a weak password is rejected, and every password if the project does not offer sign-in with passwords', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  expect((await client.post('accounts:update', { idToken, password: 'short' })).error).toBe(
    'WEAK_PASSWORD : Password should be at least 6 characters',
  );
  await client.settings((settings) => ({
    ...settings,
    signIn: { ...settings.signIn, isEmailEnabled: false },
  }));
  expect((await client.post('accounts:update', { idToken, password: 'another-one' })).error).toBe(
    'OPERATION_NOT_ALLOWED',
  );
});

const LINKED = { providerId: 'google.com', rawId: '123', email: 'ann@example.com' };
const OTHER = { providerId: 'github.com', rawId: '456', email: 'other@example.com' };

test.each([
  ['password', [], { email: undefined, passwordHash: undefined, providerUserInfo: ['phone'] }],
  [
    'password',
    [OTHER],
    { email: undefined, passwordHash: undefined, providerUserInfo: ['github.com', 'phone'] },
  ],
  [
    'password',
    [LINKED],
    { email: 'ann@example.com', passwordHash: undefined, providerUserInfo: ['google.com', 'phone'] },
  ],
  [
    'phone',
    [LINKED],
    { email: 'ann@example.com', phoneNumber: undefined, providerUserInfo: ['password', 'google.com'] },
  ],
  [
    'google.com',
    [LINKED, OTHER],
    { email: 'ann@example.com', providerUserInfo: ['password', 'github.com', 'phone'] },
  ],
])(
  '[I410] unlinking %s from an account with the identities %j leaves %j',
  async (providerId, linked, expected) => {
    const client = await AuthClient.open();
    const { idToken, localId } = await client.signUp();
    await client.admin('projects/demo/accounts:update', { localId, phoneNumber: '+15555550100' });
    for (const linkProviderUserInfo of linked)
      await client.admin('projects/demo/accounts:update', { localId, linkProviderUserInfo });
    const { status, json } = await client.post('accounts:update', { idToken, deleteProvider: [providerId] });
    expect(status).toBe(200);
    expect(json['idToken']).toBeUndefined();
    const user = await client.lookup(idToken);
    const infos: unknown = user['providerUserInfo'];
    const names = Array.isArray(infos) ? infos.map((info) => info.providerId) : [];
    for (const [name, value] of Object.entries(expected))
      expect(name === 'providerUserInfo' ? names : user[name]).toEqual(value);
  },
);

const REMOVALS = [{ deleteAttribute: ['EMAIL'] }, { deleteProvider: ['password'] }];

test.each(REMOVALS)(
  '[I555] %j sends a mail to the removed address, and the code in the mail restores the address',
  async (removal) => {
    const client = await AuthClient.open();
    const { idToken, localId } = await client.signUp();
    expect((await client.post('accounts:update', { idToken, ...removal })).status).toBe(200);
    const [mail] = listMails(client);
    expect(mail).toMatchObject({ to: 'ann@example.com', kind: 'recoverEmail' });
    const removed = await find(client, localId);
    expect(removed).toMatchObject({ initialEmail: 'ann@example.com' });
    expect(removed).not.toHaveProperty('email');
    expect(client.audited.map(({ event }) => event)).toContain('email_changed');
    const oobCode = await requireCode(client, 'RECOVER_EMAIL');
    const { json } = await client.post('accounts:resetPassword', { oobCode });
    expect(json).toMatchObject({ requestType: 'RECOVER_EMAIL', email: 'ann@example.com' });
    expect(json).not.toHaveProperty('newEmail');
    expect((await client.post('accounts:update', { oobCode })).status).toBe(200);
    expect(await find(client, localId)).toMatchObject({ email: 'ann@example.com', emailVerified: true });
  },
);

test.each(REMOVALS)('[I556] %j ends all sessions except the one of the request', async (removal) => {
  const client = await AuthClient.open();
  const other = await client.signUp();
  client.clock.ms += 1_000;
  const { json } = await client.post('accounts:signInWithPassword', {
    email: 'ann@example.com',
    password: 'password',
  });
  const { idToken, refreshToken } = json;
  await client.post('accounts:update', { idToken, ...removal });
  expect((await client.refresh(refreshToken)).status).toBe(200);
  expect((await client.post('accounts:lookup', { idToken })).status).toBe(200);
  expect((await client.refresh(other['refreshToken'])).error).toBe('TOKEN_EXPIRED');
});

test('[I556] all sessions continue if the address remains', async () => {
  const client = await AuthClient.open();
  const { localId, refreshToken } = await client.signUp();
  client.clock.ms += 1_000;
  const ann = { email: 'ann@example.com', password: 'password' };
  const { idToken } = (await client.post('accounts:signInWithPassword', ann)).json;
  await client.admin('projects/demo/accounts:update', { localId, linkProviderUserInfo: LINKED });
  await client.post('accounts:update', { idToken, deleteProvider: ['password'] });
  expect((await client.refresh(refreshToken)).status).toBe(200);
  expect(listMails(client)).toEqual([]);
});

test.each(REMOVALS)('[I557] %j is rejected while the account has a second factor', async (removal) => {
  const client = await AuthClient.open();
  const { idToken, uid } = await openAnn(client);
  expect((await client.post('accounts:update', { idToken, ...removal })).error).toBe(
    'EMAIL_CHANGE_NEEDS_VERIFICATION',
  );
  expect(await find(client, uid)).toMatchObject({ email: 'ann@example.com' });
});

test.each([
  [{ customAttributes: '{"role":"admin"}' }, 'INSUFFICIENT_PERMISSION'],
  [{ disableUser: true }, 'OPERATION_NOT_ALLOWED'],
])('[I412] %j is rejected with %s', async (change, error) => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  expect((await client.post('accounts:update', { idToken, ...change })).error).toBe(error);
});

test('[I412] fields that only administrators can set have no effect', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  const before = await client.lookup(idToken);
  const { status } = await client.post('accounts:update', {
    idToken,
    emailVerified: true,
    phoneNumber: '+15555550100',
    validSince: '1',
    createdAt: '1',
    lastLoginAt: '1',
    linkProviderUserInfo: LINKED,
    mfa: { enrollments: [] },
    deletePasskey: ['x'],
  });
  expect(status).toBe(200);
  expect(await client.lookup(idToken)).toEqual(before);
});

test('[I413] an update with an invalid token changes nothing', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  const update = (token: unknown) =>
    client.post('accounts:update', { idToken: token, displayName: 'Ann' }).then(({ error }) => error);
  expect(await update('x')).toBe('INVALID_ID_TOKEN');
  expect(await update(forge(idToken, { sub: 'nobody' }))).toBe('USER_NOT_FOUND');
  expect(await update(forge(idToken, { iat: 1 }))).toBe('TOKEN_EXPIRED');
  await client.admin('projects/demo/accounts:update', { localId, disableUser: true });
  expect(await update(idToken)).toBe('USER_DISABLED');
  expect(await find(client, localId)).not.toHaveProperty('displayName');
});

test('[I408][I414] deleting an account removes its sessions and frees its address', async () => {
  const client = await AuthClient.open();
  const { idToken, refreshToken, localId } = await client.signUp();
  client.clock.ms += LATER_MS;
  expect((await client.post('accounts:delete', { idToken })).error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
  client.clock.ms -= 1_000;
  const { status, json } = await client.post('accounts:delete', { idToken });
  expect([status, json]).toEqual([200, { kind: 'identitytoolkit#DeleteAccountResponse' }]);
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('USER_NOT_FOUND');
  expect((await client.refresh(refreshToken)).error).toBe('USER_NOT_FOUND');
  expect((await client.signUp())['localId']).not.toBe(localId);
});

test('[I408][I414] an anonymous user deletes the account without a recent sign-in', async () => {
  const client = await AuthClient.open();
  const { json } = await client.post('accounts:signUp');
  client.clock.ms += LATER_MS;
  expect((await client.post('accounts:delete', { idToken: json['idToken'] })).status).toBe(200);
});

test('[I414] deleting an account frees its linked identities', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  await client.admin('projects/demo/accounts:update', { localId, linkProviderUserInfo: LINKED });
  await client.post('accounts:delete', { idToken });
  const { localId: bob } = await client.signUp('bob@example.com');
  const { status } = await client.admin('projects/demo/accounts:update', {
    localId: bob,
    linkProviderUserInfo: LINKED,
  });
  expect(status).toBe(200);
});

test('[I683] an item that a request names many times is removed and recorded once', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  await client.post('accounts:update', { idToken, displayName: 'Ann' });
  const deleteAttribute = Array(1_000).fill(['DISPLAY_NAME', 2, 'PHOTO_URL']).flat();
  for (let time = 0; time < 2; time++)
    expect((await client.post('accounts:update', { idToken, deleteAttribute })).status).toBe(200);
  expect(await client.lookup(idToken)).not.toHaveProperty('displayName');
  const reported = client.audited.filter(({ uid, event }) => uid === localId && event === 'unlinked');
  expect(reported.map(({ detail }) => detail)).toEqual(['DISPLAY_NAME']);
  const deleteProvider = Array.from({ length: 101 }, (_, index) => `p${index}.example.com`);
  expect((await client.post('accounts:update', { idToken, deleteProvider })).error).toBe(
    'INVALID_ARGUMENT : "deleteProvider" must have at most 100 entries.',
  );
});

test('[I415] an app cannot delete an account by its uid', async () => {
  const client = await AuthClient.open();
  const { localId, idToken } = await client.signUp();
  expect((await client.post('accounts:delete', { localId })).error).toBe('MISSING_ID_TOKEN');
  await client.settings((settings) => ({ ...settings, isDeletionEnabled: false }));
  expect((await client.post('accounts:delete', { idToken })).error).toBe('ADMIN_ONLY_OPERATION');
  expect((await client.admin('projects/demo/accounts:delete', { localId })).status).toBe(200);
});

test('[I416] the audit log records changes to an account', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  const { json } = await client.post('accounts:update', {
    idToken,
    email: 'new@example.com',
    password: 'another-one',
    displayName: 'Ann',
  });
  await client.post('accounts:update', { idToken: json['idToken'], deleteProvider: ['password'] });
  await client.post('accounts:delete', { idToken: json['idToken'] });
  const events = client.audited.filter(({ uid }) => uid === localId);
  expect(events.map(({ event, detail }) => [event, detail])).toEqual(
    expect.arrayContaining([
      ['email_changed', null],
      ['password_changed', null],
      ['unlinked', 'password'],
      ['account_deleted', null],
    ]),
  );
  expect(JSON.stringify(client.audited)).not.toContain('another-one');
});
