import { expect, test } from 'vitest';
import { configure, reply } from '../auth/providers/fake-provider.fixture.ts';
import { PRESETS } from '../auth/providers/presets.ts';
import { createTestTenant, OPEN_TENANT } from '../auth/tenants/tenant.fixture.ts';
import { ANN, type Json, openFlows, PROVIDER } from './sign-in-flow.fixture.ts';

const CONTINUE = 'http://localhost:3000/signed-in';
const UNKNOWN = /^INVALID_IDP_RESPONSE : The sign-in is unknown/;
const OWNER = { authorization: 'Bearer owner' };

/** Opens flows in a project with an account of the victim. */
async function openVictim(options: Parameters<typeof openFlows>[0] = {}) {
  const flows = await openFlows(options);
  const { localId } = await flows.client.signUp(ANN.email);
  /** Begins a sign-in as a client that calls the API without the SDK. */
  async function begin(change: Json = {}) {
    const { json } = await flows.client.post('accounts:createAuthUri', {
      providerId: 'oidc.work',
      continueUri: CONTINUE,
      ...change,
    });
    const asked = new URL(String(json['authUri'])).searchParams;
    return { asked, sessionId: json['sessionId'] };
  }
  const countFailures = () =>
    flows.client.audited.filter(({ result }) => result !== 'ok' && result !== undefined).length;
  return { ...flows, victim: localId, begin, countFailures };
}

test('[I1321] a client of the API cannot use a response for a browser, and a browser cannot use one for a client', async () => {
  const { client, start, finish, begin, issue, countFailures } = await openVictim();
  const page = await start();
  issue({ ...ANN, nonce: page.asked.get('nonce') });
  const requestUri = `${CONTINUE}?code=c0de&state=${page.asked.get('state')}`;
  expect((await client.post('accounts:signInWithIdp', { requestUri, sessionId: 'any' })).error).toMatch(
    UNKNOWN,
  );
  expect(countFailures()).toBe(1);
  // The attempt does not end the sign-in in the browser.
  expect((await finish({ code: 'c0de', state: page.asked.get('state') }, page.cookie)).page.kind).toBe(
    'deliver',
  );
  const api = await begin();
  const { page: other } = await finish({ code: 'c0de', state: api.asked.get('state') }, page.cookie);
  expect(other.problem).toBe('expired');
});

test('[I1321] a client that learns a response does not get the session of the user', async () => {
  const { client, begin, issue, countFailures } = await openVictim();
  const { asked } = await begin({ sessionId: 'known to the victim' });
  issue({ ...ANN, nonce: asked.get('nonce') });
  const requestUri = `${CONTINUE}?code=c0de&state=${asked.get('state')}`;
  const mine = await begin({ sessionId: 'mine' });
  expect(mine.asked.get('code_challenge')).not.toBe(asked.get('code_challenge'));
  const stolen = await client.post('accounts:signInWithIdp', { requestUri, sessionId: 'mine' });
  expect(stolen.error).toMatch(UNKNOWN);
  expect(countFailures()).toBe(1);
});

test('[I1321] a code that arrives with the state of another sign-in is sent with the PKCE secret of that sign-in', async () => {
  const { client, begin, issue, tokenRequests } = await openVictim();
  const [first, second] = [await begin({ sessionId: 'one' }), await begin({ sessionId: 'two' })];
  issue({ ...ANN, nonce: first.asked.get('nonce') });
  // The provider of this test does not verify PKCE, and accepts the injected code. The nonce of the ID token is that of the first sign-in.
  const requestUri = `${CONTINUE}?code=code-of-first&state=${second.asked.get('state')}`;
  const { error } = await client.post('accounts:signInWithIdp', { requestUri, sessionId: 'two' });
  expect(error).toMatch(/^INVALID_IDP_RESPONSE/);
  expect(tokenRequests[0]?.get('code')).toBe('code-of-first');
  expect(client.audited.some(({ event }) => event === 'provider_flow_failed')).toBe(true);
});

test('[I1327] a response for a tenant does not sign in to the project or to another tenant', async () => {
  const { client, begin, issue, countFailures } = await openVictim();
  const [acme, other] = [
    await createTestTenant(client, OPEN_TENANT),
    await createTestTenant(client, OPEN_TENANT),
  ];
  const path = `/v2/projects/demo/tenants/${acme}/oauthIdpConfigs?oauthIdpConfigId=oidc.work`;
  const body = {
    enabled: true,
    clientId: 'shop',
    clientSecret: 's',
    issuer: PROVIDER,
    responseType: { code: true },
  };
  await client.request('POST', path, JSON.stringify(body), OWNER);
  const attempt = async (change: Json) => {
    const { asked, sessionId } = await begin({ tenantId: acme });
    issue({ ...ANN, nonce: asked.get('nonce') });
    const requestUri = `${CONTINUE}?code=c0de&state=${asked.get('state')}`;
    return client.post('accounts:signInWithIdp', {
      requestUri,
      sessionId,
      returnIdpCredential: true,
      ...change,
    });
  };
  for (const change of [{}, { tenantId: other }]) expect((await attempt(change)).error).toMatch(UNKNOWN);
  expect(countFailures()).toBe(2);
  const ok = await attempt({ tenantId: acme });
  expect(ok.json).toMatchObject({ tenantId: acme, isNewUser: true });
  // The credential of the provider belongs to the client of the tenant, and not to the session of another tenant.
  const link = await client.post('accounts:signInWithIdp', {
    requestUri: 'http://localhost',
    postBody: new URLSearchParams({
      providerId: 'oidc.work',
      id_token: String(ok.json['oauthIdToken']),
    }).toString(),
    idToken: ok.json['idToken'],
    tenantId: other,
  });
  expect(link.error).toBe('TENANT_ID_MISMATCH');
});

const WITH_ID_TOKENS: readonly [string, string, Json, Json][] = [
  ['an OpenID provider', 'oidc.work', {}, { email_verified: true }],
  [
    'Apple without a proof',
    'apple.com',
    { issuer: 'https://appleid.apple.com' },
    { email_verified: 'false' },
  ],
  [
    'Google for a domain that it does not host',
    'google.com',
    { issuer: 'https://accounts.google.com' },
    { email_verified: true },
  ],
  ['Yahoo', 'yahoo.com', { issuer: 'https://api.login.yahoo.com' }, { email_verified: true }],
  ['LinkedIn', 'linkedin.com', { issuer: 'https://www.linkedin.com/oauth' }, { email_verified: true }],
  [
    'Microsoft without a proof of the domain',
    'microsoft.com',
    { issuer: 'https://login.microsoftonline.com/common/v2.0' },
    { oid: 'o-9', email_verified: true, xms_edov: false },
  ],
];

test.each(WITH_ID_TOKENS)(
  '[I975] a popup with %s does not take over the account of an address',
  async (_who, providerId, options, claims) => {
    const { client, victim, start, finish, finishByForm, issue, use } = await openVictim({
      isSecure: true,
      ...options,
    });
    if (providerId !== 'oidc.work') await configure(client, providerId, { clientSecret: 'secret' });
    const { asked, cookie } = await start({ providerId });
    issue({ ...ANN, ...claims, nonce: asked.get('nonce') });
    const response = { code: 'c0de', state: asked.get('state') };
    const { page } = await (providerId === 'apple.com' ? finishByForm : finish)(response, cookie);
    const { json } = await use(page, { returnIdpCredential: true });
    expect(json).toMatchObject({ needConfirmation: true, email: ANN.email });
    expect(json['idToken'] ?? json['refreshToken']).toBeUndefined();
    expect(client.audited.at(-1)).toMatchObject({ event: 'provider_unconfirmed', uid: victim });
  },
);

const GRAPH = 'https://graph.facebook.com/v23.0';
/** The answers of providers without ID tokens, by their addresses. Each states the address of the victim. */
const WITH_PROFILES: readonly [string, Readonly<Record<string, unknown>>][] = [
  [
    'twitter.com',
    {
      'https://api.x.com/2/oauth2/token': {
        access_token: 'x',
        token_type: 'bearer',
        scope: 'users.read users.email',
      },
      'https://api.x.com/2/users/me': { data: { id: '12', username: 'ann', confirmed_email: ANN.email } },
    },
  ],
  [
    'github.com',
    {
      'https://github.com/login/oauth/access_token': { access_token: 'g', token_type: 'bearer' },
      'https://api.github.com/applications/shop/token': { app: { client_id: 'shop' }, user: { id: 12 } },
      'https://api.github.com/user': { id: 12, login: 'ann', email: ANN.email },
      'https://api.github.com/user/emails': [{ email: ANN.email, primary: true, verified: true }],
    },
  ],
  [
    'facebook.com',
    {
      [`${GRAPH}/oauth/access_token`]: { access_token: 'f', token_type: 'bearer' },
      [`${GRAPH}/debug_token`]: { data: { is_valid: true, app_id: 'shop', user_id: '12' } },
      [`${GRAPH}/me`]: { id: '12', name: 'Ann', email: ANN.email, email_verified: true },
    },
  ],
];

test.each(WITH_PROFILES)(
  '[I975] a popup with %s does not take over the account of an address',
  async (providerId, answers) => {
    const { client, provider, victim, start, finish, use } = await openVictim();
    await configure(client, providerId, { clientSecret: 'secret' });
    for (const [address, answer] of Object.entries(answers))
      provider.answers.set(address, () => reply(answer));
    const { asked, cookie } = await start({ providerId, scopes: 'users.email' });
    const { page } = await finish({ code: 'c0de', state: asked.get('state') }, cookie);
    const { json } = await use(page, { returnIdpCredential: true });
    expect(json).toMatchObject({ needConfirmation: true, email: ANN.email });
    expect(json['idToken'] ?? json['refreshToken']).toBeUndefined();
    expect(client.audited.at(-1)).toMatchObject({ event: 'provider_unconfirmed', uid: victim });
  },
);

test('[I975] the tests of stolen accounts cover every provider', () => {
  const known = [...WITH_ID_TOKENS.map(([, id]) => id), ...WITH_PROFILES.map(([id]) => id)];
  expect(new Set(known)).toEqual(new Set([...Object.keys(PRESETS), 'oidc.work']));
});
