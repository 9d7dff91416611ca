import { describe, expect, test } from 'vitest';
import { type AuthAnswer, AuthClient, claimsOf } from '../api/auth-client.fixture.ts';

/** Headers of the SDK for browsers, whose refresh tokens change. */
const WEB: Readonly<Record<string, string>> = {
  'x-client-version': 'Chrome/JsCore/12.19.0/FirebaseCore-web',
  'user-agent': 'Chrome',
};
/** Headers of a native app, whose refresh tokens stay the same. */
const NATIVE: typeof WEB = { 'user-agent': 'FirebaseAuth.iOS/11' };

function refresh(client: AuthClient, refreshToken: unknown, headers = WEB): Promise<AuthAnswer> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: String(refreshToken) });
  return client.request('POST', '/securetoken.googleapis.com/v1/token?key=k', body.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...headers,
  });
}

async function signUp(client: AuthClient, headers = WEB): Promise<Readonly<Record<string, unknown>>> {
  const body = '{"email":"ann@example.com","password":"password"}';
  const { json } = await client.request('POST', '/v1/accounts:signUp?key=k', body, headers);
  return json;
}

/** Returns the sessions of an account as an administrator gets them. */
async function listSessions(client: AuthClient, localId: unknown): Promise<readonly unknown[]> {
  const { json } = await client.request(
    'GET',
    `/v1/projects/demo/accounts/${String(localId)}/sessions`,
    undefined,
    { authorization: 'Bearer owner' },
  );
  return [json['sessions'] ?? []].flat();
}

test('[I23] a refresh token is exchanged for tokens of the same sign-in', async () => {
  const client = await AuthClient.open();
  const account = await signUp(client);
  const signedInSec = Math.floor(client.clock.ms / 1000);
  client.clock.ms += 3_600_000;
  const { status, json } = await refresh(client, account['refreshToken']);
  expect(status).toBe(200);
  expect(json).toEqual({
    access_token: json['id_token'],
    expires_in: '3600',
    token_type: 'Bearer',
    refresh_token: expect.any(String),
    id_token: expect.any(String),
    user_id: account['localId'],
    project_id: expect.stringMatching(/^\d{12}$/),
  });
  expect(claimsOf(json['id_token'])).toMatchObject({ auth_time: signedInSec, iat: signedInSec + 3600 });
  const asJson = await client.post('/v1/token', {
    grantType: 'refresh_token',
    refreshToken: json['refresh_token'],
  });
  expect(asJson.status).toBe(200);
});

test.each([
  [{ refreshToken: 'x' }, 'MISSING_GRANT_TYPE'],
  [{ grantType: 'password', refreshToken: 'x' }, 'INVALID_GRANT_TYPE'],
  [{ grantType: 'refresh_token' }, 'MISSING_REFRESH_TOKEN'],
  [{ grantType: 'refresh_token', refreshToken: 'garbage' }, 'INVALID_REFRESH_TOKEN'],
  [{ grantType: 'refresh_token', refreshToken: 'A'.repeat(78) }, 'PROJECT_NUMBER_MISMATCH'],
])('[I24] %j is rejected with %s', async (body, error) => {
  const client = await AuthClient.open();
  expect((await client.post('/v1/token', body)).error).toBe(error);
});

test('[I24] a token that was never issued is rejected, even if it differs by one character', async () => {
  const client = await AuthClient.open();
  const { refreshToken } = await signUp(client);
  const text = String(refreshToken);
  for (const index of [0, 10, 20, 34, 40, 70]) {
    const other = text[index] === 'A' ? 'B' : 'A';
    const forged = text.slice(0, index) + other + text.slice(index + 1);
    expect((await refresh(client, forged)).error).toMatch(/^(?:TOKEN_EXPIRED|PROJECT_NUMBER_MISMATCH)$/);
  }
  expect((await refresh(client, text)).status).toBe(200);
});

test('[I24] a token of a deleted account is rejected with USER_NOT_FOUND, unless its account part was changed', async () => {
  const client = await AuthClient.open();
  const { refreshToken, localId } = await signUp(client);
  const { json } = await refresh(client, refreshToken);
  await client.admin('projects/demo/accounts:delete', { localId });
  for (const token of [refreshToken, json['refresh_token']])
    expect((await refresh(client, token)).error).toBe('USER_NOT_FOUND');
  const text = String(refreshToken);
  for (const changed of [text.slice(0, 78), text.slice(0, -1), `${text.slice(0, -2)}AA`, `${text}AAAA`])
    expect((await refresh(client, changed)).error).toBe('TOKEN_EXPIRED');
  expect((await refresh(client, text.padEnd(701, 'A'))).error).toBe('INVALID_REFRESH_TOKEN');
});

test('[I23] a token of a user with the longest possible user ID is exchanged', async () => {
  const client = await AuthClient.open();
  const localId = '\u{1f600}'.repeat(32) + '\u3042'.repeat(64);
  await client.admin('projects/demo/accounts', { localId, email: 'a@example.com', password: 'password' });
  const signedIn = await client.post('accounts:signInWithPassword', {
    email: 'a@example.com',
    password: 'password',
  });
  expect((await refresh(client, signedIn.json['refreshToken'])).json['user_id']).toBe(localId);
});

describe('refresh tokens', () => {
  test('[I25] in browsers, the previous token stays valid for two minutes and returns the same successor', async () => {
    const client = await AuthClient.open();
    const { refreshToken } = await signUp(client);
    const [one, two] = await Promise.all([refresh(client, refreshToken), refresh(client, refreshToken)]);
    expect(one.json['refresh_token']).toBe(two.json['refresh_token']);
    expect(one.json['refresh_token']).not.toBe(refreshToken);
    client.clock.ms += 119_000;
    expect((await refresh(client, refreshToken)).json['refresh_token']).toBe(one.json['refresh_token']);
  });

  test('[I25] programs other than browsers keep their token', async () => {
    const client = await AuthClient.open();
    const { refreshToken } = await signUp(client, NATIVE);
    for (const _time of [1, 2, 3])
      expect((await refresh(client, refreshToken, NATIVE)).json['refresh_token']).toBe(refreshToken);
  });

  test('[I26] an old token from the same client is exchanged, unless the project is strict', async () => {
    const client = await AuthClient.open();
    const { refreshToken } = await signUp(client);
    const { json } = await refresh(client, refreshToken);
    client.clock.ms += 121_000;
    const forgiven = await refresh(client, refreshToken);
    expect(forgiven.json['refresh_token']).toBe(json['refresh_token']);
    await client.settings((settings) => ({
      ...settings,
      session: { ...settings.session, isReuseLenient: false },
    }));
    expect((await refresh(client, refreshToken)).error).toBe('TOKEN_EXPIRED');
  });

  test('[I27] an old token from another client ends the session, and is recorded in the audit log', async () => {
    const client = await AuthClient.open();
    const { refreshToken } = await signUp(client);
    const { json } = await refresh(client, refreshToken);
    client.clock.ms += 121_000;
    const stolen = await refresh(client, refreshToken, { ...WEB, 'user-agent': 'Other' });
    expect(stolen.error).toBe('TOKEN_EXPIRED');
    expect((await refresh(client, json['refresh_token'])).error).toBe('TOKEN_EXPIRED');
    expect(client.audited.map(({ event }) => event)).toContain('refresh_reuse');
  });
});

test('[I28] a session ends by age or inactivity if the project sets limits', async () => {
  const client = await AuthClient.open();
  const limits = { idleLimitMs: 1_000_000, absoluteLimitMs: 3_000_000 };
  await client.settings((settings) => ({ ...settings, session: { ...settings.session, ...limits } }));
  const { refreshToken } = await signUp(client);
  let token: unknown = refreshToken;
  for (const _time of [1, 2, 3]) {
    client.clock.ms += 900_000;
    const { status, json } = await refresh(client, token);
    expect(status).toBe(200);
    token = json['refresh_token'];
  }
  client.clock.ms += 900_000;
  expect((await refresh(client, token)).error).toBe('TOKEN_EXPIRED');
});

test('[I32] the last use is stored if it is at least a minute after the stored one', async () => {
  const client = await AuthClient.open();
  const { localId, idToken, refreshToken } = await signUp(client, NATIVE);
  const startMs = client.clock.ms;
  for (const [atMs, recorded] of [
    [59_999, 0],
    [60_000, 60_000],
    [119_999, 60_000],
    [120_000, 120_000],
  ] as const) {
    client.clock.ms = startMs + atMs;
    expect((await refresh(client, refreshToken, NATIVE)).status).toBe(200);
    expect(await listSessions(client, localId)).toMatchObject([{ lastUsedAt: String(startMs + recorded) }]);
    const { lastRefreshAt } = await client.lookup(idToken);
    expect(Date.parse(String(lastRefreshAt))).toBe(startMs + recorded);
  }
});

test('[I32] the time of inactivity is measured from the stored last use', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({
    ...settings,
    session: { ...settings.session, idleLimitMs: 100_000 },
  }));
  const { refreshToken } = await signUp(client, NATIVE);
  client.clock.ms += 59_999;
  expect((await refresh(client, refreshToken, NATIVE)).status).toBe(200);
  client.clock.ms += 40_002;
  expect((await refresh(client, refreshToken, NATIVE)).error).toBe('TOKEN_EXPIRED');
});

test('[I32] an exchange that returns another token is stored immediately', async () => {
  const client = await AuthClient.open();
  const { localId, refreshToken } = await signUp(client);
  client.clock.ms += 1;
  await refresh(client, refreshToken);
  expect(await listSessions(client, localId)).toMatchObject([{ lastUsedAt: String(client.clock.ms) }]);
});
