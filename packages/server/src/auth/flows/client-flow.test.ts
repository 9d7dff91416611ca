import { expect, test } from 'vitest';
import { claimsOf } from '../api/auth-client.fixture.ts';
import { configure, openProviderTestBed, reply } from '../providers/fake-provider.fixture.ts';

type Json = Readonly<Record<string, unknown>>;

const ANN = { sub: '7', email: 'ann@example.com', email_verified: true, name: 'Ann' };
const CONTINUE = 'http://localhost:3000/signed-in?from=here';
const REJECTED = /^INVALID_IDP_RESPONSE : The sign-in is unknown/;

/** Opens a client of the API in a project that uses a provider. */
async function openClientFlows() {
  const { client, provider } = await openProviderTestBed();
  // The library that reads the response compares times with the clock of the machine.
  client.clock.ms = Date.now();
  await configure(client, 'oidc.work', { clientSecret: 'secret', responseType: { code: true } });
  const start = (change: Json = {}) =>
    client.post('accounts:createAuthUri', { providerId: 'oidc.work', continueUri: CONTINUE, ...change });
  /** Makes the provider issue an ID token for the next code. */
  function issue(claims: Json) {
    provider.answers.set('https://id.example/token', async () => {
      const nowSec = Math.floor(client.clock.ms / 1_000);
      const idToken = await provider.sign({ iat: nowSec, exp: nowSec + 600, ...claims });
      return reply({ access_token: 'access', token_type: 'bearer', expires_in: 60, id_token: idToken });
    });
  }
  /** Begins a sign-in. Returns the request to the provider and a response of the provider. */
  async function begin(change: Json = {}) {
    const { json } = await start(change);
    const asked = new URL(String(json['authUri'])).searchParams;
    issue({ ...ANN, nonce: asked.get('nonce') });
    const returned = new URL(CONTINUE);
    returned.search = new URLSearchParams({ code: 'c0de', state: asked.get('state') ?? '' }).toString();
    const request = { requestUri: returned.href, sessionId: json['sessionId'], returnSecureToken: true };
    return { json, asked, request };
  }
  const finish = (request: Json) => client.post('accounts:signInWithIdp', request);
  return { client, provider, start, issue, begin, finish };
}

test('[I1320] a client of the API begins a sign-in, and passes on the address to which the provider redirected the user', async () => {
  const { begin, finish } = await openClientFlows();
  const { json, asked, request } = await begin({
    oauthScope: 'calendar contacts',
    customParameter: { login_hint: 'ann', redirect_uri: 'https://evil.example' },
    context: 'cart 7',
  });
  expect(json).toEqual({
    kind: 'identitytoolkit#CreateAuthUriResponse',
    authUri: expect.stringMatching(/^https:\/\/id\.example\/authorize\?/),
    providerId: 'oidc.work',
    sessionId: expect.stringMatching(/^\w{27}$/),
  });
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: 'shop',
    redirect_uri: CONTINUE,
    scope: 'openid email profile calendar contacts',
    code_challenge_method: 'S256',
    login_hint: 'ann',
  });
  const signedIn = await finish(request);
  expect(signedIn.json).toMatchObject({
    providerId: 'oidc.work',
    isNewUser: true,
    oauthAccessToken: 'access',
    oauthExpireIn: 60,
    context: 'cart 7',
  });
  expect(claimsOf(signedIn.json['idToken'])).toMatchObject({ firebase: { sign_in_provider: 'oidc.work' } });
  expect((await finish(request)).error).toMatch(REJECTED);
});

test('[I1320] the response may be in the body, and adds the identity to the account of an ID token', async () => {
  const { client, begin, finish } = await openClientFlows();
  const { idToken, localId } = await client.signUp('ben@example.com');
  const { asked, request } = await begin({ sessionId: 'mine' });
  const postBody = new URLSearchParams({
    providerId: 'oidc.work',
    code: 'c0de',
    state: asked.get('state') ?? '',
  }).toString();
  const linked = await finish({ ...request, requestUri: CONTINUE, postBody, idToken });
  expect(linked.json).toMatchObject({ localId, providerId: 'oidc.work' });
});

test.each<[string, Json]>([
  ['another session', { sessionId: 'guess' }],
  ['no session', { sessionId: null }],
  ['another address', { requestUri: 'http://localhost:3001/signed-in' }],
  ['another provider', { postBody: 'providerId=oidc.other' }],
])('[I1321] a response with %s is rejected, and audited', async (_what, change) => {
  const { client, begin, finish } = await openClientFlows();
  const { request } = await begin();
  const { search } = new URL(request.requestUri);
  const requestUri = `${change['requestUri'] ?? 'http://localhost:3000/signed-in'}${search}`;
  expect((await finish({ ...request, ...change, requestUri })).error).toMatch(REJECTED);
  expect(client.audited.at(-1)).toMatchObject({ event: 'sign_in', result: 'INVALID_IDP_RESPONSE' });
  // The attempt uses up the sign-in.
  expect((await finish(request)).error).toMatch(REJECTED);
});

test('[I1321] a response is rejected after ten minutes, in a tenant, and after the provider was replaced', async () => {
  const { client, begin, finish } = await openClientFlows();
  const { request: late } = await begin();
  client.clock.ms += 600_000;
  expect((await finish(late)).error).toMatch(REJECTED);
  const { json: tenant } = await client.admin('/v2/projects/demo/tenants', { displayName: 'Acme' });
  const tenantId = String(tenant['name']).split('/').at(-1);
  const { request } = await begin();
  expect((await finish({ ...request, tenantId })).error).toMatch(REJECTED);
  const { request: mixedUp } = await begin();
  await client.request(
    'PATCH',
    '/v2/projects/demo/oauthIdpConfigs/oidc.work?updateMask=clientId,clientSecret',
    '{"clientId":"other","clientSecret":"s"}',
    { authorization: 'Bearer owner' },
  );
  expect((await finish(mixedUp)).error).toMatch(/^OPERATION_NOT_ALLOWED/);
});

test('[I1321] a response with another nonce, of another issuer or with an error is rejected, and audited', async () => {
  const { client, begin, finish, issue } = await openClientFlows();
  const attempt = async (claims: Json, more = '') => {
    const { asked, request } = await begin();
    issue({ ...ANN, nonce: asked.get('nonce'), ...claims });
    return (await finish({ ...request, requestUri: `${request.requestUri}${more}` })).error;
  };
  const invalid = 'INVALID_IDP_RESPONSE : The response of the provider is not valid.';
  expect(await attempt({ nonce: 'other' })).toBe(invalid);
  expect(await attempt({ iss: 'https://evil.example' })).toBe(invalid);
  expect(await attempt({}, '&iss=https://evil.example')).toBe(invalid);
  expect(await attempt({}, '&error=server_error')).toBe(invalid);
  expect(client.audited.filter(({ event }) => event === 'provider_flow_failed')).toHaveLength(4);
  expect(await attempt({}, '&error=access_denied')).toBe('USER_CANCELLED');
});

test.each<[string, Json, string]>([
  ['no address', { continueUri: undefined }, 'MISSING_CONTINUE_URI'],
  ['a script', { continueUri: 'javascript:alert(1)' }, 'INVALID_CONTINUE_URI'],
  ['a fragment', { continueUri: 'http://localhost/#part' }, 'INVALID_CONTINUE_URI'],
  ['a relative address', { continueUri: '//evil.example' }, 'INVALID_CONTINUE_URI'],
  ['another domain', { continueUri: 'https://evil.example/' }, 'UNAUTHORIZED_DOMAIN'],
  ['a user name', { continueUri: 'https://localhost@evil.example/' }, 'UNAUTHORIZED_DOMAIN'],
  ['a long context', { context: 'x'.repeat(1_025) }, 'INVALID_ARGUMENT'],
  ['a long session', { sessionId: 'x'.repeat(1_025) }, 'INVALID_ARGUMENT'],
  ['a provider that is off', { providerId: 'google.com' }, 'OPERATION_NOT_ALLOWED'],
])('[I1321] a sign-in with %s does not begin', async (_what, change, error) => {
  const { start } = await openClientFlows();
  expect((await start(change)).error?.split(' : ')[0]).toBe(error);
});

test('[I1321] if a provider does not answer, the audit log contains the reason and the error does not', async () => {
  const { client, provider, start } = await openClientFlows();
  provider.answers.clear();
  expect((await start()).error).toBe('INVALID_IDP_RESPONSE : The response of the provider is not valid.');
  expect(client.audited.at(-1)).toMatchObject({
    event: 'provider_flow_failed',
    detail: expect.stringContaining('oidc.work: id.example cannot be reached'),
  });
});
