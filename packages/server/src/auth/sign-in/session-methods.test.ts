import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { SERVING } from '../throttling/limits.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';

const ANN = { email: 'ann@example.com', password: 'password' };

/** Signs Ann in on two devices, and Bob on one. */
async function open() {
  const client = await AuthClient.open(unsignedTokenServices, { limits: SERVING });
  const first = await client.signUp(ANN.email, ANN.password);
  client.clock.ms += 1_000;
  const { json: second } = await client.post('accounts:signInWithPassword', ANN);
  const bob = await client.signUp('bob@example.com', 'password');
  const ask = (method: string, body: object) =>
    client.request('POST', `/v2/accounts/sessions:${method}?key=x`, JSON.stringify(body));
  const idsOf = async (idToken: unknown): Promise<readonly string[]> => {
    const { json } = await ask('list', { idToken });
    return Object(json['sessions']).map(({ sessionId }: { readonly sessionId: string }) => sessionId);
  };
  return { client, first, second, bob, ask, idsOf };
}

test('[I639] a user lists only their own sessions, the last used first', async () => {
  const { client, first, ask } = await open();
  const { json } = await ask('list', { idToken: first['idToken'] });
  const common = { signInProvider: 'password', network: '127.0.0.0/24', userAgent: expect.any(String) };
  expect(json['sessions']).toEqual([
    expect.objectContaining({ ...common, createdAt: String(client.clock.ms) }),
    expect.objectContaining({ ...common, createdAt: String(client.clock.ms - 1_000) }),
  ]);
  expect(JSON.stringify(json)).not.toContain('seed');
});

test('[I640] a user ends one of their own sessions, and it cannot be refreshed', async () => {
  const { client, first, second, ask, idsOf } = await open();
  const [latest, oldest] = await idsOf(second['idToken']);
  const { idToken } = second;
  expect((await ask('end', { idToken, sessionId: oldest })).json).toEqual({});
  expect(await idsOf(idToken)).toEqual([latest]);
  expect((await client.refresh(first['refreshToken'])).error).toBe('TOKEN_EXPIRED');
  expect((await client.refresh(second['refreshToken'])).status).toBe(200);
});

test.each<readonly [string, (testBed: Awaited<ReturnType<typeof open>>, id: string) => object, string]>([
  ['without an ID token', (_testBed, sessionId) => ({ sessionId }), 'MISSING_ID_TOKEN'],
  [
    'without its ID',
    ({ second }) => ({ idToken: second['idToken'] }),
    'INVALID_ARGUMENT : Missing "sessionId": name the session to end.',
  ],
  [
    'of another user',
    ({ bob }, sessionId) => ({ idToken: bob['idToken'], sessionId }),
    'NOT_FOUND : The account has no such session.',
  ],
  [
    'without a recent sign-in',
    ({ client, second }, sessionId) => {
      client.clock.ms += 301_000;
      return { idToken: second['idToken'], sessionId };
    },
    'CREDENTIAL_TOO_OLD_LOGIN_AGAIN',
  ],
])('[I640] ending a session %s is rejected', async (_name, bodyOf, error) => {
  const testBed = await open();
  const [, oldest = ''] = await testBed.idsOf(testBed.second['idToken']);
  expect((await testBed.ask('end', bodyOf(testBed, oldest))).error).toBe(error);
  expect((await testBed.client.refresh(testBed.first['refreshToken'])).status).toBe(200);
});

test('[I1509] a user ends all of their own sessions, and every token of the account becomes invalid', async () => {
  const { client, first, second, bob, ask } = await open();
  expect((await ask('endAll', { idToken: second['idToken'] })).json).toEqual({});
  for (const { idToken, refreshToken } of [first, second]) {
    expect((await client.refresh(refreshToken)).error).toBe('TOKEN_EXPIRED');
    expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
  }
  expect((await client.refresh(bob['refreshToken'])).status).toBe(200);
  const ended = client.audited.find(({ event }) => event === 'session_revoked');
  expect(ended).toMatchObject({ uid: second['localId'], detail: 'all' });
  const { status } = await client.post('accounts:signInWithPassword', ANN);
  expect(status).toBe(200);
});

test('[I1509] ending all sessions needs a recent sign-in', async () => {
  const { client, second, ask, idsOf } = await open();
  expect((await ask('endAll', {})).error).toBe('MISSING_ID_TOKEN');
  client.clock.ms += 301_000;
  const { idToken } = second;
  expect((await ask('endAll', { idToken })).error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
  expect(await idsOf(idToken)).toHaveLength(2);
});
