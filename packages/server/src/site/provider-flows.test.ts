import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { claimsOf } from '../auth/api/auth-client.fixture.ts';
import { configure, reply } from '../auth/providers/fake-provider.fixture.ts';
import { signInWithIdToken } from '../auth/providers/idp.fixture.ts';
import { createTestTenant, OPEN_TENANT } from '../auth/tenants/tenant.fixture.ts';
import { ANN, HANDLER, type Json, openFlows, PROVIDER } from './sign-in-flow.fixture.ts';

const CALLBACK = `https://auth.example${HANDLER}`;
const OWNER = { authorization: 'Bearer owner' };
const APPLE = 'https://appleid.apple.com';

/** Opens the pages in a project that uses Apple. */
async function openApple() {
  const flows = await openFlows({ isSecure: true, issuer: APPLE });
  flows.provider.answers.set(`${APPLE}/.well-known/openid-configuration`, () =>
    reply({
      ...flows.provider.discovery(),
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }),
  );
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateKey = String(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  await configure(flows.client, 'apple.com', {
    appleSignInConfig: { codeFlowConfig: { teamId: 'TEAM', keyId: 'KEY', privateKey } },
  });
  return { ...flows, publicKey: createPublicKey(pair.privateKey) };
}

test('[I1322] Apple sends its response as a form, and gets a client secret signed with the key of the team', async () => {
  const { client, start, finishByForm, issue, use, tokenRequests, publicKey } = await openApple();
  const { location, asked, setCookie, cookie } = await start({ providerId: 'apple.com' });
  expect(location.href.startsWith(`${APPLE}/authorize?`)).toBe(true);
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: 'code',
    response_mode: 'form_post',
    scope: 'name email',
    redirect_uri: CALLBACK,
  });
  expect(setCookie).toMatch(/^__Host-authflow-form=.*SameSite=None; Secure$/);
  issue({ sub: 'a.7', email: 'ann@example.com', email_verified: 'true', nonce: asked.get('nonce') });
  const user = JSON.stringify({
    name: { firstName: 'Ann', lastName: 'Lee' },
    email: 'other@example.com',
  });
  const { page } = await finishByForm({ code: 'c0de', state: asked.get('state'), user }, cookie);
  const signedIn = await use(page);
  expect(signedIn.json).toMatchObject({
    providerId: 'apple.com',
    displayName: 'Ann Lee',
    firstName: 'Ann',
    lastName: 'Lee',
    email: 'ann@example.com',
    emailVerified: true,
  });
  const secret = tokenRequests[0]?.get('client_secret') ?? '';
  const { payload, protectedHeader } = await jwtVerify(secret, publicKey, { audience: APPLE });
  expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: 'KEY' });
  expect(payload).toMatchObject({ iss: 'TEAM', sub: 'shop' });
  expect(Number(payload.exp) - Math.floor(client.clock.ms / 1_000)).toBe(300);
});

test('[I1322] sign-in with Apple is off without a key, and an invalid key is reported in the audit log', async () => {
  const { client, start } = await openFlows({ issuer: APPLE });
  await configure(client, 'apple.com');
  expect((await start({ providerId: 'apple.com' })).body).toContain('auth/operation-not-allowed');
  const change = {
    appleSignInConfig: { codeFlowConfig: { teamId: 'T', keyId: 'K', privateKey: 'secret key' } },
  };
  await client.request(
    'PATCH',
    '/v2/projects/demo/defaultSupportedIdpConfigs/apple.com?updateMask=appleSignInConfig',
    JSON.stringify(change),
    OWNER,
  );
  const { body } = await start({ providerId: 'apple.com' });
  expect(body).toContain('providerFailed');
  expect(client.audited.at(-1)).toMatchObject({
    event: 'provider_flow_failed',
    detail: expect.stringMatching(/^apple\.com: The private key for Apple is not the content of a \.p8 file/),
  });
  expect(client.audited.at(-1)?.detail).not.toContain('secret key');
});

test('[I1323] X signs in by OAuth 2 with PKCE, with an address only if the app may read it', async () => {
  const { client, provider, start, finish, use } = await openFlows();
  await configure(client, 'twitter.com', { clientSecret: 'secret' });
  let scope = 'users.read tweet.read';
  provider.answers.set('https://api.x.com/2/oauth2/token', ({ headers, body }) => {
    expect(headers['authorization']).toBe(`Basic ${Buffer.from('shop:secret').toString('base64')}`);
    verifier = new URLSearchParams(body ?? '').get('code_verifier') ?? '';
    return reply({ access_token: 'x-token', token_type: 'bearer', expires_in: 7_200, scope });
  });
  let verifier = '';
  provider.answers.set('https://api.x.com/2/users/me', ({ headers }, url) => {
    expect(headers['authorization']).toBe('Bearer x-token');
    const mayHaveEmail = url.searchParams.get('user.fields')?.includes('confirmed_email') === true;
    return reply({
      data: {
        id: '12',
        name: 'Ann',
        username: 'ann_x',
        ...(mayHaveEmail ? { confirmed_email: 'ann@example.com' } : {}),
      },
    });
  });
  const signIn = async () => {
    const { location, asked, cookie } = await start({ providerId: 'twitter.com' });
    expect(location.origin + location.pathname).toBe('https://x.com/i/oauth2/authorize');
    const { page } = await finish({ code: 'c0de', state: asked.get('state') }, cookie);
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(asked.get('code_challenge'));
    return (await use(page)).json;
  };
  const first = await signIn();
  expect(first).toMatchObject({
    federatedId: '12',
    screenName: 'ann_x',
    displayName: 'Ann',
    oauthAccessToken: 'x-token',
    oauthExpireIn: 7_200,
  });
  expect(first['email']).toBeUndefined();
  expect(JSON.parse(String(first['rawUserInfo']))).toMatchObject({ id: '12', username: 'ann_x' });
  scope += ' users.email';
  expect(await signIn()).toMatchObject({
    localId: first['localId'],
    email: 'ann@example.com',
    emailVerified: false,
  });
});

test('[I1323] a response of X that is not a profile is rejected, and audited', async () => {
  const { client, provider, start, finish } = await openFlows();
  await configure(client, 'twitter.com', { clientSecret: 'secret' });
  provider.answers.set('https://api.x.com/2/oauth2/token', () =>
    reply({ access_token: 'x-token', token_type: 'bearer' }),
  );
  for (const answer of [reply({ data: null }), reply({ data: {} }), reply({}, 401), reply('<html>')]) {
    provider.answers.set('https://api.x.com/2/users/me', () => answer);
    const { asked, cookie } = await start({ providerId: 'twitter.com' });
    const { page } = await finish({ code: 'c0de', state: asked.get('state') }, cookie);
    expect(page.problem).toBe('providerFailed');
    expect(client.audited.at(-1)).toMatchObject({ event: 'provider_flow_failed' });
  }
});

test('[I1324] a provider that issues an ID token immediately sends its response as a form, and the token must have the nonce', async () => {
  const { client, provider, start, finishByForm, use } = await openFlows({ isSecure: true });
  await client.request(
    'PATCH',
    '/v2/projects/demo/oauthIdpConfigs/oidc.work?updateMask=responseType.idToken',
    '{"responseType":{"idToken":true}}',
    OWNER,
  );
  const attempt = async (claims: Json, form: Json = {}) => {
    const { asked, cookie } = await start();
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'id_token',
      response_mode: 'form_post',
    });
    const nowSec = Math.floor(client.clock.ms / 1_000);
    const times = { iat: nowSec, exp: nowSec + 600 };
    const idToken = await provider.sign({ ...ANN, ...times, nonce: asked.get('nonce'), ...claims });
    return (await finishByForm({ id_token: idToken, state: asked.get('state'), ...form }, cookie)).page;
  };
  expect((await use(await attempt({}))).json).toMatchObject({ providerId: 'oidc.work', isNewUser: true });
  for (const claims of [
    { nonce: undefined },
    { nonce: 'other' },
    { aud: 'other' },
    { iss: 'https://e.example' },
  ])
    expect((await attempt(claims)).problem).toBe('providerFailed');
  expect((await attempt({}, { id_token: '' })).problem).toBe('providerFailed');
  expect((await attempt({}, { error: 'access_denied' })).event?.error?.code).toBe('auth/user-cancelled');
});

test('[I1325] an app limits a sign-in with Microsoft to an organization: only its users may sign in', async () => {
  const host = 'https://login.microsoftonline.com';
  const organization = '11111111-2222-3333-4444-555555555555';
  const { client, provider, start, finish, issue, use } = await openFlows({ issuer: `${host}/common/v2.0` });
  await configure(client, 'microsoft.com', { clientSecret: 'secret' });
  provider.answers.set(`${host}/${organization}/v2.0/.well-known/openid-configuration`, () =>
    reply({ ...provider.discovery(), issuer: `${host}/${organization}/v2.0` }),
  );
  const attempt = async (tid: string) => {
    const options = { customParameters: JSON.stringify({ tenant: organization }) };
    const { asked, cookie } = await start({ providerId: 'microsoft.com', ...options });
    issue({ ...ANN, oid: 'o7', tid, iss: `${host}/${tid}/v2.0`, nonce: asked.get('nonce') });
    return (await finish({ code: 'c0de', state: asked.get('state') }, cookie)).page;
  };
  expect((await use(await attempt(organization))).json).toMatchObject({ federatedId: 'o7' });
  expect((await attempt(organization.replaceAll('1', '9'))).problem).toBe('providerFailed');
});

test.each([
  ['consumers', '9188040d-6c67-4c5b-b112-36a304b66dad', '11111111-2222-3333-4444-555555555555'],
  ['Contoso.onmicrosoft.com', '11111111-2222-3333-4444-555555555555', '9188040d-6c67-4c5b-b112-36a304b66dad'],
  ['organizations', '11111111-2222-3333-4444-555555555555', '9188040d-6c67-4c5b-b112-36a304b66dad'],
])('[I1325] the tenant %s of Microsoft admits its users, and no others', async (tenant, own, other) => {
  const host = 'https://login.microsoftonline.com';
  const { client, provider, start, finish, issue, use } = await openFlows({ issuer: `${host}/common/v2.0` });
  await configure(client, 'microsoft.com', { clientSecret: 'secret' });
  const named = tenant === 'organizations' ? '{tenantid}' : own;
  provider.answers.set(`${host}/${tenant.toLowerCase()}/v2.0/.well-known/openid-configuration`, () =>
    reply({ ...provider.discovery(), issuer: `${host}/${named}/v2.0` }),
  );
  const attempt = async (tid: string) => {
    const customParameters = JSON.stringify({ tenant });
    const { asked, cookie } = await start({ providerId: 'microsoft.com', customParameters });
    issue({ ...ANN, oid: 'o7', tid, iss: `${host}/${tid}/v2.0`, nonce: asked.get('nonce') });
    return (await finish({ code: 'c0de', state: asked.get('state') }, cookie)).page;
  };
  expect((await use(await attempt(own))).json).toMatchObject({ federatedId: 'o7' });
  expect((await attempt(other)).problem).toBe('providerFailed');
});

test.each(['no organization', '../common', 'a/b', '', '..'])(
  '[I1325] a sign-in that is limited to the tenant "%s" does not begin',
  async (tenant) => {
    const { client, start } = await openFlows({ issuer: 'https://login.microsoftonline.com/common/v2.0' });
    await configure(client, 'microsoft.com', { clientSecret: 'secret' });
    const customParameters = JSON.stringify({ tenant });
    const { status, body } = await start({ providerId: 'microsoft.com', customParameters });
    expect([status, body]).toEqual([400, expect.stringContaining('providerFailed')]);
    expect(client.audited.at(-1)).toMatchObject({
      event: 'provider_flow_failed',
      detail: expect.stringContaining('names no organization'),
    });
  },
);

test('[I1326] the ID token at the end of a popup is a credential of the app, without the nonce', async () => {
  const { client, run, use, provider } = await openFlows();
  const { json } = await use((await run()).page);
  const again = await signInWithIdToken(client, String(json['oauthIdToken']), {}, 'oidc.work');
  expect(again.json).toMatchObject({ localId: json['localId'] });
  const nowSec = Math.floor(client.clock.ms / 1_000);
  const nonce = Buffer.alloc(32).toString('base64url');
  const foreign = await provider.sign({ ...ANN, nonce, iat: nowSec, exp: nowSec + 600 });
  expect((await signInWithIdToken(client, foreign, {}, 'oidc.work')).error).toMatch(
    /^MISSING_OR_INVALID_NONCE/,
  );
});

test('[I1327] a popup of a tenant uses the provider of the tenant, and signs in to the tenant alone', async () => {
  const { client, start, finish, issue, use } = await openFlows();
  const [acme, other] = [
    await createTestTenant(client, OPEN_TENANT),
    await createTestTenant(client, OPEN_TENANT),
  ];
  expect((await start({ tid: acme })).body).toContain('auth/operation-not-allowed');
  for (const tenantId of [acme, other]) {
    const body = {
      enabled: true,
      clientId: `client-of-${tenantId}`,
      clientSecret: 'secret',
      issuer: PROVIDER,
      responseType: { code: true },
    };
    const path = `/v2/projects/demo/tenants/${tenantId}/oauthIdpConfigs?oauthIdpConfigId=oidc.work`;
    expect((await client.request('POST', path, JSON.stringify(body), OWNER)).status).toBe(200);
  }
  const run = async (tid: string | undefined) => {
    const { asked, cookie } = await start(tid === undefined ? {} : { tid });
    issue({ ...ANN, aud: asked.get('client_id'), nonce: asked.get('nonce') });
    return (await finish({ code: 'c0de', state: asked.get('state') }, cookie)).page;
  };
  const page = await run(acme);
  expect(page.event).toMatchObject({ type: 'signInViaPopup', tenantId: acme });
  const signedIn = await use(page, { tenantId: acme });
  expect(signedIn.json).toMatchObject({ isNewUser: true, tenantId: acme });
  expect(claimsOf(signedIn.json['idToken'])['firebase']).toMatchObject({ tenant: acme });
  const unknown = /^INVALID_IDP_RESPONSE : The sign-in is unknown/;
  expect((await use(await run(acme))).error).toMatch(unknown);
  expect((await use(await run(acme), { tenantId: other })).error).toMatch(unknown);
  expect((await use(await run(undefined), { tenantId: acme })).error).toMatch(unknown);
  const { json: elsewhere } = await use(await run(other), { tenantId: other });
  expect(elsewhere['localId']).not.toBe(signedIn.json['localId']);
  const { idToken } = signedIn.json;
  const link = { authType: 'linkViaPopup', tid: other };
  const { asked, cookie } = await start(link);
  issue({ ...ANN, sub: '8', aud: asked.get('client_id'), nonce: asked.get('nonce') });
  const { page: linked } = await finish({ code: 'c0de', state: asked.get('state') }, cookie);
  expect((await use(linked, { idToken, tenantId: other })).error).toBe('TENANT_ID_MISMATCH');
});

test('[I1327] a popup of a tenant that does not exist shows a problem, and if the tenant is deleted during the flow, the app gets an error', async () => {
  const { client, start, finish, issue } = await openFlows();
  const { status, body } = await start({ tid: '-' });
  expect([status, body.includes('unknownTenant')]).toEqual([400, true]);
  const tenantId = await createTestTenant(client, OPEN_TENANT);
  await client.request(
    'POST',
    `/v2/projects/demo/tenants/${tenantId}/oauthIdpConfigs?oauthIdpConfigId=oidc.work`,
    JSON.stringify({
      enabled: true,
      clientId: 'shop',
      issuer: PROVIDER,
      clientSecret: 's',
      responseType: { code: true },
    }),
    OWNER,
  );
  const { asked, cookie } = await start({ tid: tenantId });
  issue({ ...ANN, nonce: asked.get('nonce') });
  await client.request('DELETE', `/v2/projects/demo/tenants/${tenantId}`, undefined, OWNER);
  const { page } = await finish({ code: 'c0de', state: asked.get('state') }, cookie);
  expect(page.event?.error?.code).toBe('auth/operation-not-allowed');
});
