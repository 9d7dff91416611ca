import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { requestCode } from '../codes/mailed-codes.fixture.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { SERVING } from './limits.ts';

const ANN = { email: 'ann@example.com', password: 'password' };
const WAIT =
  'TOO_MANY_ATTEMPTS_TRY_LATER : Too many wrong passwords. Reset the password, or try again later.';

/** Opens a client of a server with the limits of `hearth serve`. */
function openServing(): Promise<AuthClient> {
  return AuthClient.open(unsignedTokenServices, { limits: SERVING });
}

async function guess(client: AuthClient, times: number, email = ANN.email): Promise<void> {
  for (let time = 0; time < times; time++)
    await client.post('accounts:signInWithPassword', { email, password: `wrong-${time}` });
}

test.each(['ann@example.com', 'nobody@example.com'])(
  '[I490][I491] after five wrong passwords for %s, no password is verified for a while',
  async (email) => {
    const client = await openServing();
    await client.signUp(ANN.email, ANN.password);
    await guess(client, 5, email);
    const { status, error } = await client.post('accounts:signInWithPassword', { ...ANN, email });
    expect([status, error]).toEqual([400, WAIT]);
    client.clock.ms += 15_000;
    const later = await client.post('accounts:signInWithPassword', { ...ANN, email });
    expect(later.error).toBe(email === ANN.email ? undefined : 'EMAIL_NOT_FOUND');
  },
);

test('[I490] wrong passwords for one account do not throttle other accounts at the same IP address', async () => {
  const client = await openServing();
  await client.signUp(ANN.email, ANN.password);
  await guess(client, 5, 'bob@example.com');
  expect((await client.post('accounts:signInWithPassword', ANN)).status).toBe(200);
});

test('[I492] of 30 passwords sent at the same time, at most five are verified', async () => {
  const client = await openServing();
  await client.signUp(ANN.email, ANN.password);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      client.post('accounts:signInWithPassword', { ...ANN, password: 'wrong-one' }),
    ),
  );
  expect(answers.filter(({ error }) => error === 'INVALID_PASSWORD').length).toBeLessThanOrEqual(5);
  expect(answers.filter(({ error }) => error === WAIT).length).toBeGreaterThanOrEqual(25);
});

test('[I599] several devices of a known network sign in at the same time', async () => {
  const client = await openServing();
  await client.signUp(ANN.email, ANN.password);
  const signIn = () => client.post('accounts:signInWithPassword', ANN);
  await signIn();
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(signIn));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
});

test('[I494] a password reset unlocks the account immediately', async () => {
  const client = await openServing();
  await client.signUp(ANN.email, ANN.password);
  await guess(client, 5);
  expect((await client.post('accounts:signInWithPassword', ANN)).error).toBe(WAIT);
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email: ANN.email });
  await client.post('accounts:resetPassword', { oobCode, newPassword: 'another-one' });
  const { status } = await client.post('accounts:signInWithPassword', { ...ANN, password: 'another-one' });
  expect(status).toBe(200);
});

test('[I495] one IP address creates at most 100 accounts in an hour', async () => {
  const client = await openServing();
  const answers = await Promise.all(Array.from({ length: 101 }, () => client.post('accounts:signUp')));
  expect(answers.map(({ error }) => error).filter((error) => error !== undefined)).toEqual([
    'TOO_MANY_ATTEMPTS_TRY_LATER : Too many accounts were created from this network. Try again later.',
  ]);
  client.clock.ms += 36_000;
  expect((await client.post('accounts:signUp')).status).toBe(200);
});

test('[I496] in development mode, no client is throttled', async () => {
  const client = await AuthClient.open();
  await client.signUp(ANN.email, ANN.password);
  await guess(client, 20);
  expect((await client.post('accounts:signInWithPassword', ANN)).status).toBe(200);
});

test('[I497] too many lookups and refreshes are answered like a network failure', async () => {
  const limits = { ...SERVING, requests: { burst: 2, perHour: 3_600 } };
  const client = await AuthClient.open(unsignedTokenServices, { limits });
  const { idToken, refreshToken } = await client.signUp(ANN.email, ANN.password);
  const lookup = () => client.post('accounts:lookup', { idToken });
  const refresh = () => client.refresh(refreshToken);
  expect([(await lookup()).status, (await refresh()).status]).toEqual([200, 200]);
  for (const { status, headers, text } of [await lookup(), await refresh()]) {
    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5' });
    expect(text).not.toMatch(/^\{/);
  }
  client.clock.ms += 1_000;
  expect((await lookup()).status).toBe(200);
});

const LATER = 'TOO_MANY_ATTEMPTS_TRY_LATER : Too many passwords were set. Try again later.';

test('[I564] at most 20 passwords of one account are set in an hour, by any methods', async () => {
  const client = await openServing();
  let { idToken } = (await client.post('accounts:signUp')).json;
  const set = async (time: number) => {
    const password = `pass-${time}`;
    const { json, error } =
      time % 2 === 0
        ? await client.post('accounts:signUp', { idToken, email: ANN.email, password })
        : await client.post('accounts:update', { idToken, password });
    idToken = json['idToken'] ?? idToken;
    return error;
  };
  for (let time = 0; time < 20; time++) expect(await set(time)).toBeUndefined();
  expect(await set(20)).toBe(LATER);
  expect(await set(21)).toBe(LATER);
});

test('[I564] rejected attempts also count, so that a client can test at most 20 addresses', async () => {
  const client = await openServing();
  await client.signUp(ANN.email, ANN.password);
  const { json } = await client.post('accounts:signUp');
  const ask = async (email: string) =>
    (await client.post('accounts:signUp', { idToken: json['idToken'], email, password: 'password' })).error;
  for (let time = 0; time < 20; time++) expect(await ask(ANN.email)).toBe('EMAIL_EXISTS');
  expect(await ask(ANN.email)).toBe(LATER);
  expect(await ask('bob@example.com')).toBe(LATER);
});

test('[I680] a user can change their account 100 times without a pause, and then 600 times an hour', async () => {
  const client = await openServing();
  const { idToken } = await client.signUp(ANN.email, ANN.password);
  const rename = async (time: number) =>
    (await client.post('accounts:update', { idToken, displayName: `Ann ${time}` })).error;
  for (let time = 0; time < 100; time++) expect(await rename(time)).toBeUndefined();
  const tooOften = 'TOO_MANY_ATTEMPTS_TRY_LATER : The account was changed too often. Try again later.';
  expect(await rename(100)).toBe(tooOften);
  client.clock.ms += 6_000;
  expect(await rename(101)).toBeUndefined();
  expect(await rename(102)).toBe(tooOften);
});

test('[I564] one IP address sets a limited number of passwords in an hour', async () => {
  const limits = {
    ...SERVING,
    newPasswords: { ...SERVING.newPasswords, host: { burst: 2, perHour: 2 } },
  };
  const client = await AuthClient.open(unsignedTokenServices, { limits });
  const set = async (email: string) => {
    const { json } = await client.post('accounts:signUp');
    return (await client.post('accounts:signUp', { idToken: json['idToken'], email, password: 'password' }))
      .error;
  };
  expect(await set('a@example.com')).toBeUndefined();
  expect(await set('b@example.com')).toBeUndefined();
  expect(await set('c@example.com')).toBe(LATER);
  client.clock.ms += 1_800_000;
  expect(await set('c@example.com')).toBeUndefined();
});

test.each<[string, number, string, (client: AuthClient) => Promise<string | undefined>]>([
  [
    'accounts are deleted',
    100,
    'deleting accounts',
    async (client) => {
      await client.admin('projects/demo/accounts', { localId: 'ann' });
      return (await client.admin('accounts:delete', { localId: 'ann' })).error;
    },
  ],
  [
    'batches of accounts are deleted',
    10,
    'deleting accounts in batches',
    async (client) =>
      (await client.admin('projects/demo/accounts:batchDelete', { localIds: ['nobody'] })).error,
  ],
  [
    'configuration changes are made',
    100,
    'changing the configuration',
    async (client) => {
      const headers = { authorization: 'Bearer owner' };
      return (await client.request('PATCH', '/v2/projects/demo/config?updateMask=client', '{}', headers))
        .error;
    },
  ],
])('[I638] when too many %s, the project exceeds its quota', async (_name, burst, what, act) => {
  const client = await openServing();
  const errors = [];
  for (let time = 0; time <= burst; time++) errors.push(await act(client));
  const quotaError = `QUOTA_EXCEEDED : Exceeded quota for ${what}. Try again in a second.`;
  expect(errors).toEqual([...Array(burst).fill(undefined), quotaError]);
  client.clock.ms += 1_000;
  expect(await act(client)).toBeUndefined();
});
