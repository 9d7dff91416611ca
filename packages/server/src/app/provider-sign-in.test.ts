import { expect, test } from 'vitest';
import { claimsOf } from '../auth/api/auth-client.fixture.ts';
import { CALLBACK, OIDC_CLIENT, type OidcServer, openOidcServer } from './oidc-server.fixture.ts';
import { openServing, type Serving, type ServingAnswer } from './serving.fixture.ts';

/** Creates a project with the provider, and returns its API key and a function that signs in to its app. */
async function openShop({ ask, token }: Serving, { issuer }: OidcServer, change: object = {}) {
  const made = await ask('/api/projects', { token, body: { id: 'shop' } });
  const key = String(made.json['apiKey']);
  const configured = await ask('/v2/projects/shop/oauthIdpConfigs?oauthIdpConfigId=oidc.work', {
    token,
    body: { enabled: true, issuer, clientId: OIDC_CLIENT.id, ...change },
  });
  expect(configured.status).toBe(200);
  const signIn = (idToken: string, more: Readonly<Record<string, string>> = {}) =>
    ask(`/v1/accounts:signInWithIdp?key=${key}`, {
      body: {
        requestUri: 'http://localhost',
        postBody: new URLSearchParams({ providerId: 'oidc.work', id_token: idToken, ...more }).toString(),
      },
    });
  return { ask, key, signIn };
}

test('[I972] the ID token of a real OpenID provider signs in', async () => {
  const provider = await openOidcServer();
  const serving = await openServing(undefined, { allowPrivateProviders: true });
  const { signIn } = await openShop(serving, provider, { hearth: { emailAuthority: 'VERIFIED' } });
  const { json } = await signIn(await provider.issueIdToken('ann'));
  expect(json).toMatchObject({ isNewUser: true, email: 'ann@example.com', displayName: 'ann' });
  expect(claimsOf(json['idToken'])).toMatchObject({
    email_verified: true,
    firebase: { sign_in_provider: 'oidc.work', identities: { 'oidc.work': ['ann'] } },
  });
  const bound = await provider.issueIdToken('ann', 'n-1');
  expect((await signIn(bound, { nonce: 'n-1' })).json['localId']).toBe(json['localId']);
  expect((await signIn(bound)).text).toContain('MISSING_OR_INVALID_NONCE');
  const [header, claims, signature = ''] = bound.split('.');
  const flipped = signature.startsWith('A') ? 'B' : 'A';
  const forged = `${header}.${claims}.${flipped}${signature.slice(1)}`;
  expect((await signIn(forged, { nonce: 'n-1' })).text).toContain('INVALID_IDP_RESPONSE');
});

/** Begins a sign-in as a client that calls the API without the SDK. */
async function beginForClient({ ask, token }: Serving, key: string): Promise<ServingAnswer> {
  await ask('/v2/projects/shop/config?updateMask=authorizedDomains', {
    method: 'PATCH',
    token,
    body: { authorizedDomains: ['localhost'] },
  });
  return ask(`/v1/accounts:createAuthUri?key=${key}`, {
    body: { providerId: 'oidc.work', continueUri: CALLBACK },
  });
}

test('[I1321] a real OpenID provider rejects the code of another sign-in, because of PKCE', async () => {
  const provider = await openOidcServer();
  const serving = await openServing(undefined, { allowPrivateProviders: true });
  const { ask, key } = await openShop(serving, provider, {
    clientSecret: OIDC_CLIENT.secret,
    responseType: { code: true },
  });
  const [mine, theirs] = [await beginForClient(serving, key), await beginForClient(serving, key)];
  const returned = await provider.signIn('mallory', String(mine.json['authUri']));
  const stolen = await provider.signIn('ann', String(theirs.json['authUri']));
  returned.searchParams.set('code', stolen.searchParams.get('code') ?? '');
  const { status, text } = await ask(`/v1/accounts:signInWithIdp?key=${key}`, {
    body: { requestUri: returned.href, sessionId: mine.json['sessionId'] },
  });
  expect([status, text.includes('INVALID_IDP_RESPONSE')]).toEqual([400, true]);
  await expect
    .poll(async () => (await ask('/api/projects/shop/audit', { token: serving.token })).text)
    .toContain('provider_flow_failed');
});

test('[I1320] a client that calls the API without the SDK signs a user in with a real OpenID provider', async () => {
  const provider = await openOidcServer();
  const serving = await openServing(undefined, { allowPrivateProviders: true });
  const { ask, key } = await openShop(serving, provider, {
    clientSecret: OIDC_CLIENT.secret,
    responseType: { code: true },
  });
  const begun = await beginForClient(serving, key);
  const returned = await provider.signIn('ann', String(begun.json['authUri']));
  const body = {
    requestUri: returned.href,
    sessionId: begun.json['sessionId'],
    returnSecureToken: true,
    returnIdpCredential: true,
  };
  const { json } = await ask(`/v1/accounts:signInWithIdp?key=${key}`, { body });
  expect(json).toMatchObject({ isNewUser: true, email: 'ann@example.com', providerId: 'oidc.work' });
  // The app may use the ID token of the provider again, as the SDK does.
  const again = await ask(`/v1/accounts:signInWithIdp?key=${key}`, {
    body: {
      requestUri: 'http://localhost',
      postBody: new URLSearchParams({
        providerId: 'oidc.work',
        id_token: String(json['oauthIdToken']),
      }).toString(),
    },
  });
  expect(again.json['localId']).toBe(json['localId']);
});

test('[I972] a provider at a private address is not connected to unless the operator allows it', async () => {
  const provider = await openOidcServer();
  const serving = await openServing();
  const { signIn } = await openShop(serving, provider);
  const { status, text } = await signIn(await provider.issueIdToken('ann'));
  expect([status, text.includes('127.0.0.1')]).toEqual([400, false]);
  const { token, ask } = serving;
  await expect
    .poll(async () => (await ask('/api/projects/shop/audit', { token })).text)
    .toContain('--allow-private-providers');
});
