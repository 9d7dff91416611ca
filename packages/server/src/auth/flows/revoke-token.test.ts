import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { configure, openProviderTestBed, reply } from '../providers/fake-provider.fixture.ts';

type Json = Readonly<Record<string, unknown>>;

const APPLE = 'https://appleid.apple.com';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const APPLE_CONFIG = {
  appleSignInConfig: {
    codeFlowConfig: {
      teamId: 'TEAM',
      keyId: 'KEY',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    },
    bundleIds: ['com.example.one', 'com.example.two'],
  },
};

/** Opens a project that uses Apple, with a signed-in user, and a fake Apple that records the forms that it receives. */
async function openRevocations({ isConfigured = true } = {}) {
  const { client, provider } = await openProviderTestBed(APPLE);
  // The library that reads the responses compares times with the clock of the machine.
  client.clock.ms = Date.now();
  if (isConfigured) await configure(client, 'apple.com', APPLE_CONFIG);
  provider.answers.set(`${APPLE}/.well-known/openid-configuration`, () =>
    reply({
      ...provider.discovery(),
      revocation_endpoint: `${APPLE}/auth/revoke`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }),
  );
  const forms: URLSearchParams[] = [];
  const record = (body: string | null) => forms.push(new URLSearchParams(body ?? ''));
  provider.answers.set(`${APPLE}/auth/revoke`, ({ body }) => {
    record(body);
    return reply('');
  });
  provider.answers.set(`${APPLE}/token`, ({ body }) => {
    record(body);
    return new URLSearchParams(body ?? '').get('client_id') === 'com.example.two'
      ? reply({ access_token: 'access', token_type: 'bearer', expires_in: 60, refresh_token: 'refresh' })
      : reply({ error: 'invalid_grant' }, 400);
  });
  const { idToken, localId } = (
    await client.post('accounts:signUp', { email: 'ann@example.com', password: 'secret 8' })
  ).json;
  const revoke = (change: Json = {}) =>
    client.post('/v2/accounts:revokeToken', {
      providerId: 'apple.com',
      tokenType: 'ACCESS_TOKEN',
      token: 'apple-token',
      idToken,
      ...change,
    });
  return { client, provider, forms, revoke, localId };
}

test('[I1641] an access token of Apple is revoked with the client secret of the project', async () => {
  const { revoke, forms } = await openRevocations();
  const { status, json } = await revoke();
  expect([status, json]).toEqual([200, {}]);
  const [form] = forms;
  expect(Object.fromEntries(form ?? [])).toMatchObject({
    token: 'apple-token',
    token_type_hint: 'access_token',
  });
  expect(forms).toHaveLength(1);
});

test('[I1641] the code of a native app is exchanged by the client that got it, and the refresh token revoked', async () => {
  const { revoke, forms } = await openRevocations();
  expect((await revoke({ tokenType: 'CODE', token: 'c0de' })).status).toBe(200);
  expect(forms.map((form) => form.get('code') ?? form.get('token'))).toEqual(['c0de', 'c0de', 'refresh']);
  const secret = forms.at(-1)?.get('client_secret');
  expect(secret).toEqual(expect.any(String));
  expect(decodeJwt(String(secret))).toMatchObject({ iss: 'TEAM', sub: 'com.example.two', aud: APPLE });
});

test.each<[Json, string]>([
  [{ providerId: 'google.com' }, 'INVALID_PROVIDER_ID'],
  [{ providerId: '' }, 'INVALID_PROVIDER_ID'],
  [{ tokenType: 'ID_TOKEN' }, 'INVALID_REQ_TYPE'],
  [{ tokenType: 'constructor' }, 'INVALID_REQ_TYPE'],
  [{ token: '' }, 'INVALID_ARGUMENT'],
  [{ token: 'x'.repeat(4_097) }, 'INVALID_ARGUMENT'],
  [{ idToken: 'x' }, 'INVALID_ID_TOKEN'],
  [{ idToken: null }, 'MISSING_ID_TOKEN'],
])('[I1641] %j is rejected with %s, and Apple is not asked', async (change, error) => {
  const { revoke, provider } = await openRevocations();
  expect((await revoke(change)).error).toMatch(new RegExp(`^${error}`));
  expect(provider.requested).toEqual([]);
});

test('[I1641] a project without Apple is answered with OPERATION_NOT_ALLOWED', async () => {
  const { revoke } = await openRevocations({ isConfigured: false });
  expect((await revoke()).error).toMatch(/^OPERATION_NOT_ALLOWED/);
});

test('[I1641] the token of a disabled user is not revoked', async () => {
  const { client, revoke, provider, localId } = await openRevocations();
  await client.admin('/v1/projects/demo/accounts:update', { localId, disableUser: true });
  expect((await revoke()).error).toBe('USER_DISABLED');
  expect(provider.requested).toEqual([]);
});

test.each(['CODE', 'ACCESS_TOKEN'])(
  '[I1642] if Apple rejects a %s, the reason is only in the audit log',
  async (tokenType) => {
    const { client, provider, revoke } = await openRevocations();
    for (const name of ['token', 'auth/revoke'])
      provider.answers.set(`${APPLE}/${name}`, () => reply({ error: 'invalid_client' }, 400));
    const { error } = await revoke({ tokenType });
    expect(error).toBe('INVALID_IDP_RESPONSE : Apple did not revoke the token.');
    expect(client.audited.at(-1)).toMatchObject({ event: 'provider_unavailable' });
  },
);

test('[I1642] in development mode the request succeeds without Apple', async () => {
  const client = await AuthClient.open();
  const { idToken } = (await client.post('accounts:signUp')).json;
  const request = { providerId: 'apple.com', tokenType: 'ACCESS_TOKEN', token: 'fake', idToken };
  expect(await client.post('/v2/accounts:revokeToken', request)).toMatchObject({ status: 200, json: {} });
});
