import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { AuthOverload } from '../auth/errors.ts';
import { reply } from '../auth/providers/fake-provider.fixture.ts';
import { ProviderFailure } from '../auth/providers/provider-requests.ts';
import { takeRsaKeyPair } from '../auth/tokens/rsa-key-pairs.fixture.ts';
import { ANN, HANDLER, type Json, openFlows, PROVIDER, START } from './sign-in-flow.fixture.ts';

test('[I846] a popup leads to the provider and back, and its result signs in, once', async () => {
  const { start, finish, issue, use, tokenRequests } = await openFlows({ isSecure: true });
  const options = {
    scopes: 'calendar,"bad scope"',
    customParameters: JSON.stringify({
      login_hint: 'ann',
      state: 'mine',
      redirect_uri: 'https://evil.example',
    }),
  };
  const { status, location, asked, setCookie, cookie } = await start(options);
  expect([status, location.origin + location.pathname]).toEqual([303, `${PROVIDER}/authorize`]);
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: 'shop',
    response_type: 'code',
    redirect_uri: `https://auth.example${HANDLER}`,
    scope: 'openid email profile calendar',
    code_challenge_method: 'S256',
    login_hint: 'ann',
  });
  expect(asked.get('state')).not.toBe('mine');
  expect(setCookie).toMatch(/^__Host-authflow=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  issue({ ...ANN, nonce: asked.get('nonce') });
  const { page } = await finish({ code: 'c0de', state: asked.get('state') }, cookie);
  expect(page).toMatchObject({ kind: 'deliver', event: { type: 'signInViaPopup', eventId: '123' } });
  const [request] = tokenRequests;
  const challenge = createHash('sha256')
    .update(request?.get('code_verifier') ?? '')
    .digest('base64url');
  expect(challenge).toBe(asked.get('code_challenge'));
  expect(JSON.stringify(page)).not.toContain('access');
  const signedIn = await use(page);
  expect(signedIn.json).toMatchObject({
    providerId: 'oidc.work',
    isNewUser: true,
    oauthAccessToken: 'access',
  });
  expect((await use(page)).error).toMatch(/^INVALID_IDP_RESPONSE/);
});

test('[I847] a response is accepted once, within ten minutes, in the browser in which the flow began', async () => {
  const { client, start, finish, issue } = await openFlows();
  const { asked, cookie } = await start();
  issue({ ...ANN, nonce: asked.get('nonce') });
  const answer = { code: 'c0de', state: asked.get('state') };
  const other = await start({}, `authflow=${'x'.repeat(43)}`);
  expect((await finish({ code: 'c0de', state: 'unknown' }, cookie)).page.problem).toBe('expired');
  for (const foreign of [undefined, 'authflow=guess']) {
    const { asked: theirs } = await start();
    const { status, page } = await finish({ code: 'c0de', state: theirs.get('state') }, foreign);
    expect([status, page.problem]).toEqual([400, 'otherBrowser']);
  }
  expect(client.audited.filter(({ event }) => event === 'provider_flow_failed')).toHaveLength(2);
  expect((await finish(answer, cookie)).page.kind).toBe('deliver');
  expect((await finish(answer, cookie)).page.problem).toBe('expired');
  client.clock.ms += 600_000;
  expect((await finish({ code: 'c', state: other.asked.get('state') }, other.cookie)).page.problem).toBe(
    'expired',
  );
});

test('[I847] several flows of one browser share its cookie', async () => {
  const { start, finish, issue } = await openFlows();
  const first = await start();
  const second = await start({ eventId: '456' }, first.cookie);
  expect(second.cookie).toBe(first.cookie);
  for (const { asked } of [second, first]) {
    issue({ ...ANN, nonce: asked.get('nonce') });
    const { page } = await finish({ code: 'c0de', state: asked.get('state') }, first.cookie);
    expect(page.kind).toBe('deliver');
  }
});

const foreignKey = takeRsaKeyPair().privateKey;

test.each<[string, Json]>([
  ['another nonce', { nonce: 'other' }],
  ['no nonce', { nonce: undefined }],
  ['another issuer', { iss: 'https://evil.example' }],
  ['another client', { aud: 'other' }],
  ['an expired token', { exp: 1 }],
  ['no user', { sub: undefined }],
])('[I848] a provider that answers with %s is rejected with a page, and audited', async (_what, claims) => {
  const { client, run } = await openFlows();
  const { status, page } = await run({}, claims);
  expect([status, page.kind, page.problem]).toEqual([400, 'problem', 'providerFailed']);
  expect(client.audited.at(-1)).toMatchObject({ event: 'provider_flow_failed', projectId: 'demo' });
});

test('[I848] a token that another provider signed, a missing response and a response of another issuer are rejected', async () => {
  const { client, provider, start, finish, issue } = await openFlows();
  const attempt = async (prepare: (nonce: string) => void, more: Json = {}) => {
    const { asked, cookie } = await start();
    prepare(asked.get('nonce') ?? '');
    const before = client.audited.length;
    const { page } = await finish({ code: 'c0de', state: asked.get('state'), ...more }, cookie);
    expect(client.audited.slice(before)).toMatchObject([
      { event: 'provider_flow_failed', result: 'rejected' },
    ]);
    return page.problem;
  };
  expect(await attempt((nonce) => issue({ ...ANN, nonce }, foreignKey))).toBe('providerFailed');
  const never = () => {
    throw new ProviderFailure('id.example cannot be reached: timeout');
  };
  expect(await attempt(() => provider.answers.set(`${PROVIDER}/token`, never))).toBe('providerFailed');
  expect(
    await attempt(() =>
      provider.answers.set(`${PROVIDER}/token`, () => reply({ error: 'invalid_grant' }, 400)),
    ),
  ).toBe('providerFailed');
  const mixedUp = { iss: 'https://evil.example' };
  expect(await attempt((nonce) => issue({ ...ANN, nonce }), mixedUp)).toBe('providerFailed');
});

test('[I849] if a user cancels at the provider, or the provider is off, the app gets an error of the SDK', async () => {
  const { client, start, finish, get } = await openFlows();
  const { asked, cookie } = await start();
  const { page } = await finish({ error: 'access_denied', state: asked.get('state') }, cookie);
  expect(page.event?.error?.code).toBe('auth/user-cancelled');
  await client.request(
    'PATCH',
    '/v2/projects/demo/oauthIdpConfigs/oidc.work?updateMask=enabled',
    '{"enabled":false}',
    { authorization: 'Bearer owner' },
  );
  for (const providerId of ['oidc.work', 'google.com', 'saml.work']) {
    const { body } = await get({ ...START, providerId });
    expect(body).toContain('auth/operation-not-allowed');
  }
});

test('[I849] no request is sent to the provider for an app on a domain that is not authorized', async () => {
  const { start } = await openFlows();
  const { status, location, setCookie } = await start({ redirectUrl: 'https://evil.example/' });
  expect([status, location.href, setCookie]).toEqual([400, 'none:', '']);
});

test('[I838] a result can be used only by the app that started the flow, with its session, and for its purpose', async () => {
  const { client, run, use } = await openFlows();
  const { idToken } = await client.signUp('ben@example.com');
  const page = async (authType: string) => (await run({ authType })).page;
  const rejected = /^INVALID_IDP_RESPONSE/;
  expect((await use(await page('signInViaPopup'), { sessionId: 'guess' })).error).toMatch(rejected);
  expect((await use(await page('signInViaPopup'), { sessionId: undefined })).error).toMatch(rejected);
  expect((await use(await page('signInViaPopup'), { idToken })).error).toMatch(rejected);
  expect((await use(await page('linkViaPopup'))).error).toMatch(rejected);
  expect((await use(await page('reauthViaPopup'))).error).toBe('EMAIL_NOT_FOUND');
  const late = await page('signInViaPopup');
  client.clock.ms += 300_000;
  expect((await use(late)).error).toMatch(rejected);
});

test('[I838] linking adds the identity to the account, and the identity then signs in', async () => {
  const { client, run, use } = await openFlows();
  const { idToken, localId } = await client.signUp('ben@example.com');
  const linked = await use((await run({ authType: 'linkViaPopup' })).page, { idToken });
  expect(linked.json).toMatchObject({ localId });
  const again = await use((await run({ authType: 'reauthViaRedirect' })).page);
  expect(again.json).toMatchObject({ localId });
});

test('[I839][I1572] a network has at most 50 flows at a time, and a new one replaces its oldest', async () => {
  const { start, finish } = await openFlows();
  const { asked, cookie } = await start();
  for (let index = 0; index < 50; index += 1) expect((await start()).status).toBe(303);
  const { page } = await finish({ code: 'c0de', state: asked.get('state') }, cookie);
  expect(page.problem).toBe('expired');
});

test('[I1311] while too many requests to providers are running, a page asks the user to wait', async () => {
  const { provider, start, finish, client } = await openFlows();
  const { asked, cookie } = await start();
  provider.answers.set(`${PROVIDER}/token`, () => {
    throw new AuthOverload(5);
  });
  const { status, page } = await finish({ code: 'c0de', state: asked.get('state') }, cookie);
  expect([status, page.problem]).toEqual([400, 'tooMany']);
  expect(client.audited.filter(({ event }) => event === 'provider_flow_failed')).toEqual([]);
});

test('[I1512] the hosted page offers the enabled providers, and a flow on this server returns only to that page', async () => {
  const { start, get } = await openFlows();
  const account = { apiKey: 'any', redirectUrl: 'http://localhost:3000/', screen: 'account' };
  const { body } = await get(account, undefined, '/__/auth/sign-in');
  expect(body).toContain('"providers":[{"id":"oidc.work","name":');
  expect(body).not.toContain('google.com');
  const hosted = 'https://auth.example/__/auth/sign-in';
  expect((await start({ redirectUrl: `${hosted}?apiKey=any` })).status).toBe(303);
  for (const redirectUrl of [
    'https://auth.example/other',
    'https://auth.example/__/auth/sign-in/x',
    'http://auth.example/__/auth/sign-in',
    'https://auth.example:444/__/auth/sign-in',
    'https://a@auth.example/__/auth/sign-in',
    'https://evil.example/__/auth/sign-in',
  ])
    expect((await start({ redirectUrl })).status).toBe(400);
});

test('[I1514] with the code of a link, the hosted page needs no challenge and creates no code', async () => {
  const { get } = await openFlows();
  const link = { apiKey: 'any', redirectUrl: 'http://localhost:3000/', mode: 'signIn', oobCode: 'c0de' };
  const { body } = await get(link, undefined, '/__/auth/sign-in');
  expect(body).toContain('"challenge":"","isPopup":false,"linkCode":"c0de"');
  const challenge = 'a'.repeat(43);
  const { body: popup } = await get({ ...link, challenge, display: 'popup' }, undefined, '/__/auth/sign-in');
  expect(popup).toContain('"challenge":"","isPopup":false,"linkCode":"c0de"');
  const { body: other } = await get({ ...link, mode: 'resetPassword' }, undefined, '/__/auth/sign-in');
  expect(other).toContain('"problem":"incomplete"');
  const evil = { ...link, redirectUrl: 'https://evil.example/' };
  expect((await get(evil, undefined, '/__/auth/sign-in')).body).toContain('"problem":"unauthorizedDomain"');
});

test('[I1514] the link of a mail returns to the hosted page of this server, and to no other page of the server', async () => {
  const { get } = await openFlows();
  const hosted = 'https://auth.example/__/auth/sign-in?redirectUrl=x';
  const link = { mode: 'signIn', oobCode: 'c0de', apiKey: 'any', lang: 'fr' };
  const answer = await get({ ...link, continueUrl: hosted }, undefined, '/__/auth/action');
  expect(answer.headers.location).toBe(`${hosted}&mode=signIn&oobCode=c0de&apiKey=any&lang=fr`);
  for (const continueUrl of ['https://auth.example/', 'https://evil.example/__/auth/sign-in'])
    expect((await get({ ...link, continueUrl }, undefined, '/__/auth/action')).status).toBe(400);
});
