import { describe, expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { listMails } from '../codes/mailed-codes.fixture.ts';
import { ANN, type Ann, openAnn } from '../mfa/second-factor.fixture.ts';

test('[I14] signing up without an address or password creates an anonymous account', async () => {
  const client = await AuthClient.open();
  const { status, json } = await client.post('accounts:signUp', {
    returnSecureToken: true,
    displayName: 'Me',
    photoUrl: 'https://x.example/me.png',
  });
  expect(status).toBe(200);
  expect(json).toEqual({
    kind: 'identitytoolkit#SignupNewUserResponse',
    localId: expect.stringMatching(/^[A-Za-z0-9]{28}$/),
    idToken: expect.any(String),
    refreshToken: expect.any(String),
    expiresIn: '3600',
  });
  expect(claimsOf(json['idToken'])).toMatchObject({
    iss: 'https://securetoken.google.com/demo',
    aud: 'demo',
    sub: json['localId'],
    user_id: json['localId'],
    provider_id: 'anonymous',
    firebase: { identities: {}, sign_in_provider: 'anonymous' },
  });
  const user = await client.lookup(json['idToken']);
  expect(Object.keys(user).sort()).toEqual([
    'createdAt',
    'lastLoginAt',
    'lastRefreshAt',
    'localId',
    'mfaInfo',
    'providerUserInfo',
    'validSince',
  ]);
});

test('[I15] signing up with an address and a password creates an account with both', async () => {
  const client = await AuthClient.open();
  const { json } = await client.post('accounts:signUp', {
    email: 'Ann@Example.COM',
    password: 'password',
    displayName: 'Ann',
    photoUrl: 'https://x.example/me.png',
  });
  expect(json).toMatchObject({ email: 'ann@example.com', displayName: 'Ann' });
  expect(claimsOf(json['idToken'])).toMatchObject({
    email: 'ann@example.com',
    email_verified: false,
    name: 'Ann',
    firebase: { identities: { email: ['ann@example.com'] }, sign_in_provider: 'password' },
  });
  const user = await client.lookup(json['idToken']);
  expect(user).toMatchObject({
    email: 'ann@example.com',
    emailVerified: false,
    passwordHash: 'UkVEQUNURUQ=',
    providerUserInfo: [{ providerId: 'password', rawId: 'ann@example.com', federatedId: 'ann@example.com' }],
  });
  expect(user).not.toHaveProperty('photoUrl');
});

test.each([
  [{ email: '', password: '' }, 'INVALID_EMAIL'],
  [{ email: null, password: '' }, 'MISSING_EMAIL'],
  [{ password: 'password' }, 'MISSING_EMAIL'],
  [{ email: 'a@b.co' }, 'MISSING_PASSWORD'],
  [{ email: 'a@b.co', password: '' }, 'MISSING_PASSWORD'],
  [{ email: 'nobody', password: 'password' }, 'INVALID_EMAIL'],
  [{ email: 'a b@c.co', password: 'password' }, 'INVALID_EMAIL'],
  [{ email: 'a@b@c.co', password: 'password' }, 'INVALID_EMAIL'],
  [{ email: 'a\u0000b@c.co', password: 'password' }, 'INVALID_EMAIL'],
  [{ email: 'a\u202eb@c.co', password: 'password' }, 'INVALID_EMAIL'],
  [{ email: 'a\ud800b@c.co', password: 'password' }, 'INVALID_EMAIL'],
  [{ email: `${'a'.repeat(65)}@b.co`, password: 'password' }, 'INVALID_EMAIL'],
  [{ email: `a@${'b'.repeat(300)}.co`, password: 'password' }, 'INVALID_EMAIL'],
  [{ email: 'a@b.co', password: '12345' }, 'WEAK_PASSWORD : Password should be at least 6 characters'],
  [
    { email: 'a@b.co', password: 'x'.repeat(5000) },
    expect.stringMatching(/^PASSWORD_DOES_NOT_MEET_REQUIREMENTS/),
  ],
  [{ localId: 'me' }, 'UNEXPECTED_PARAMETER : User ID'],
  [{ idToken: 'x', email: 'a@b.co', password: 'password' }, 'INVALID_ID_TOKEN'],
])('[I16] signing up with %j is rejected with %s', async (body, error) => {
  const client = await AuthClient.open();
  expect((await client.post('accounts:signUp', body)).error).toEqual(error);
});

test('[I402] a display name that is too long is rejected at sign-up', async () => {
  const client = await AuthClient.open();
  const body = { email: 'a@b.co', password: 'password', displayName: 'x'.repeat(257) };
  expect((await client.post('accounts:signUp', body)).error).toBe(
    'INVALID_ARGUMENT : A display name has at most 256 characters.',
  );
});

test('[I16] an international domain is stored in ASCII', async () => {
  const client = await AuthClient.open();
  const { json } = await client.post('accounts:signUp', {
    email: 'Ann@BÜCHER.example',
    password: 'password',
  });
  expect(json['email']).toBe('ann@xn--bcher-kva.example');
});

describe('an address that is taken', () => {
  test('[I17] is rejected in upper and in lower case', async () => {
    const client = await AuthClient.open();
    await client.signUp('ann@example.com');
    const { error } = await client.post('accounts:signUp', {
      email: 'ANN@example.com',
      password: 'password',
    });
    expect(error).toBe('EMAIL_EXISTS');
  });

  test('[I17] belongs to one account, however many clients sign up at the same time', async () => {
    const client = await AuthClient.open();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        client.post('accounts:signUp', { email: 'ann@example.com', password: 'password' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.flatMap(({ error }) => error ?? []))).toEqual(new Set(['EMAIL_EXISTS']));
  });
});

test('[I18] sign-in methods that the project does not offer are rejected', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({
    ...settings,
    signIn: { ...settings.signIn, isEmailEnabled: false, isAnonymousEnabled: false },
  }));
  expect((await client.post('accounts:signUp')).error).toBe('ADMIN_ONLY_OPERATION');
  const password = { email: 'a@b.co', password: 'password' };
  for (const wrong of [{}, { email: '' }, { email: 'nonsense' }, { password: 'x' }, { localId: 'x' }])
    expect((await client.post('accounts:signUp', { ...password, ...wrong })).error).toBe(
      'OPERATION_NOT_ALLOWED',
    );
  expect((await client.post('accounts:signInWithPassword', password)).error).toBe('PASSWORD_LOGIN_DISABLED');
  await client.settings((settings) => ({
    ...settings,
    isSignUpEnabled: false,
    signIn: { ...settings.signIn, isEmailEnabled: true },
  }));
  expect((await client.post('accounts:signUp', password)).error).toBe('ADMIN_ONLY_OPERATION');
});

describe('a sign-up with an ID token', () => {
  test('[I19] adds an address and a password to an anonymous account, which keeps its uid', async () => {
    const client = await AuthClient.open();
    const { json: anonymous } = await client.post('accounts:signUp');
    client.clock.ms += 3_600_000;
    const { json } = await client.post('accounts:signUp', {
      idToken: anonymous['idToken'],
      email: 'ann@example.com',
      password: 'password',
    });
    expect(json['localId']).toBe(anonymous['localId']);
    const claims = claimsOf(json['idToken']);
    expect(claims).toMatchObject({ email: 'ann@example.com', firebase: { sign_in_provider: 'password' } });
    expect(claims).not.toHaveProperty('provider_id');
    const old = await client.refresh(anonymous['refreshToken']);
    expect(old.error).toBe('TOKEN_EXPIRED');
  });

  test('[I19] replaces the address and the password of an account only after a recent sign-in', async () => {
    const client = await AuthClient.open();
    const { idToken, localId } = await client.signUp('ann@example.com');
    const body = { idToken, email: 'bob@example.com', password: 'password2' };
    client.clock.ms += 301_000;
    expect((await client.post('accounts:signUp', body)).error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
    client.clock.ms -= 301_000;
    expect((await client.post('accounts:signUp', body)).json).toMatchObject({
      localId,
      email: 'bob@example.com',
    });
    const password = (email: string, password: string) =>
      client.post('accounts:signInWithPassword', { email, password });
    expect((await password('bob@example.com', 'password2')).status).toBe(200);
    expect((await password('ann@example.com', 'password')).error).toBe('EMAIL_NOT_FOUND');
  });

  test('[I403][I405] that replaces an address and a password notifies the previous address', async () => {
    const client = await AuthClient.open();
    const { idToken, localId } = await client.signUp('ann@example.com');
    await client.post('accounts:signUp', { idToken, email: 'bob@example.com', password: 'password2' });
    const mails = listMails(client).map(({ to, kind }) => [to, kind]);
    expect(mails.sort()).toEqual([
      ['ann@example.com', 'passwordChanged'],
      ['ann@example.com', 'recoverEmail'],
    ]);
    const { json } = await client.admin('accounts:lookup', { localId });
    expect(json['users']).toMatchObject([{ email: 'bob@example.com', initialEmail: 'ann@example.com' }]);
  });

  test('[I19] replaces the address of an account without a password only after a recent sign-in', async () => {
    const client = await AuthClient.open();
    const { idToken, localId } = await client.signUp('ann@example.com');
    await client.admin('accounts:update', { localId, deleteAttribute: ['PASSWORD'] });
    client.clock.ms += 301_000;
    const { error } = await client.post('accounts:signUp', {
      idToken,
      email: 'bob@example.com',
      password: 'password2',
    });
    expect(error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
  });

  test('[I416] that replaces an address is recorded in the audit log', async () => {
    const client = await AuthClient.open();
    const { idToken } = await client.signUp('ann@example.com');
    const link = async (token: unknown, email: string) =>
      (await client.post('accounts:signUp', { idToken: token, email, password: 'password2' })).json[
        'idToken'
      ];
    const events = () => client.audited.filter(({ event }) => event === 'email_changed').length;
    const next = await link(idToken, 'ann@example.com');
    expect(events()).toBe(0);
    await link(next, 'bob@example.com');
    expect(events()).toBe(1);
  });

  test('[I558] begins a session with a second factor only if the replaced session had one', async () => {
    const factorAfter = async (choose: (ann: Ann) => unknown) => {
      const client = await AuthClient.open();
      const idToken = choose(await openAnn(client));
      const { json } = await client.post('accounts:signUp', { idToken, ...ANN });
      return Object(claimsOf(json['idToken'])['firebase'])['sign_in_second_factor'];
    };
    expect(await factorAfter(({ idToken }) => idToken)).toBe('totp');
    expect(await factorAfter(({ earlier }) => earlier.idToken)).toBeUndefined();
  });

  test('[I407] does not replace an address if that needs a mail to the new address', async () => {
    const client = await AuthClient.open();
    const { idToken } = await openAnn(client);
    const link = async (email: string) =>
      (await client.post('accounts:signUp', { idToken, email, password: 'password2' })).error;
    expect(await link('new@example.com')).toBe('EMAIL_CHANGE_NEEDS_VERIFICATION');
    await client.settings((settings) => ({ ...settings, isEmailPrivate: true }));
    expect(await link('new@example.com')).toBe(
      'OPERATION_NOT_ALLOWED : Please verify the new email before changing email.',
    );
    expect(await link(ANN.email)).toBeUndefined();
  });

  test('[I19] is rejected for an address of another account, and without an address', async () => {
    const client = await AuthClient.open();
    await client.signUp('ann@example.com');
    const { json } = await client.post('accounts:signUp');
    const body = { idToken: json['idToken'], email: 'ann@example.com', password: 'password' };
    expect((await client.post('accounts:signUp', body)).error).toBe('EMAIL_EXISTS');
    expect((await client.post('accounts:signUp', { idToken: json['idToken'] })).error).toBe('MISSING_EMAIL');
  });
});

test.each(['demo1234', 'Shopkeeper!', 'ann.miller@example.com', 'MILLER99', 'example!!'])(
  '[I85] %s is rejected like a common password',
  async (password) => {
    const client = await AuthClient.open();
    await client.settings((settings) => ({
      ...settings,
      mail: { ...settings.mail, appName: 'The Shopkeeper' },
      passwordPolicy: { ...settings.passwordPolicy, rejectsCommon: true },
    }));
    const { error } = await client.post('accounts:signUp', { email: 'ann.miller@example.com', password });
    expect(error).toMatch(/^WEAK_PASSWORD/);
  },
);
