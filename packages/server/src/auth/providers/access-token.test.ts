import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { HttpReply, OutgoingRequest } from '../../platform/network/http-send.ts';
import { type AuthAnswer, type AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { configure, openProviderTestBed, reply } from './fake-provider.fixture.ts';
import { signInWithIdToken } from './idp.fixture.ts';

function signIn(client: AuthClient, providerId: string, accessToken = 'token'): Promise<AuthAnswer> {
  const body = new URLSearchParams({ providerId, access_token: accessToken });
  return signInWithIdToken(client, '', { postBody: body.toString() });
}

const NOT_OURS = 'INVALID_IDP_RESPONSE : The access token was not issued to this app, or has expired.';

test('[I967] an access token of Google signs in if Google issued it to the app', async () => {
  const { client, provider } = await openProviderTestBed();
  await configure(client, 'google.com');
  let check: HttpReply = reply({ aud: 'shop', sub: '7' });
  let profile = { sub: '7', email: 'ann@gmail.com', email_verified: true, name: 'Ann' };
  const asked: (string | null)[] = [];
  provider.answers.set('https://oauth2.googleapis.com/tokeninfo', (_request, url) => {
    asked.push(url.searchParams.get('access_token'));
    return check;
  });
  provider.answers.set('https://openidconnect.googleapis.com/v1/userinfo', ({ headers }) => {
    asked.push(headers['authorization'] ?? null);
    return reply(profile);
  });
  const { json } = await signIn(client, 'google.com');
  expect(json).toMatchObject({ isNewUser: true, email: 'ann@gmail.com', oauthAccessToken: 'token' });
  expect(asked).toEqual(['token', 'Bearer token']);
  profile = { ...profile, sub: '8' };
  expect((await signIn(client, 'google.com')).error).toBe(NOT_OURS);
  for (const answer of [
    reply({ aud: 'other', sub: '7' }),
    reply({ error: 'invalid_token' }, 400),
    reply({}),
  ]) {
    check = answer;
    expect((await signIn(client, 'google.com')).error).toBe(NOT_OURS);
  }
  for (const token of ['a b', 'a\n', 'x'.repeat(4_097)])
    expect((await signIn(client, 'google.com', token)).error).toBe(NOT_OURS);
});

test('[I967] an access token of GitHub signs in if GitHub issued it to the app', async () => {
  const { client, provider } = await openProviderTestBed();
  await configure(client, 'github.com', { clientSecret: 'secret', hearth: { emailAuthority: 'VERIFIED' } });
  let check: HttpReply = reply({ app: { client_id: 'shop' }, user: { id: 7 } });
  const checked: OutgoingRequest[] = [];
  provider.answers.set('https://api.github.com/applications/shop/token', (request) => {
    checked.push(request);
    return check;
  });
  provider.answers.set('https://api.github.com/user', () =>
    reply({
      id: 7,
      login: 'ann',
      name: null,
      avatar_url: 'https://github.example/a',
      email: 'public@example.com',
    }),
  );
  let emails = reply([
    { email: 'other@example.com', primary: false, verified: true },
    { email: 'ann@example.com', primary: true, verified: true },
  ]);
  provider.answers.set('https://api.github.com/user/emails', () => emails);
  const { json } = await signIn(client, 'github.com');
  expect(json).toMatchObject({ federatedId: '7', email: 'ann@example.com', screenName: 'ann' });
  expect(claimsOf(json['idToken'])['email_verified']).toBe(true);
  expect(JSON.parse(String(json['rawUserInfo']))).toMatchObject({ login: 'ann' });
  expect(checked[0]).toMatchObject({
    body: '{"access_token":"token"}',
    headers: { authorization: `Basic ${Buffer.from('shop:secret').toString('base64')}` },
  });
  emails = reply('', 403);
  expect((await signIn(client, 'github.com')).json).toMatchObject({ email: 'public@example.com' });
  for (const answer of [reply('', 404), reply({ app: { client_id: 'other' }, user: { id: 7 } })]) {
    check = answer;
    expect((await signIn(client, 'github.com')).error).toBe(NOT_OURS);
  }
});

test('[I967][I975] an access token of Facebook signs in if Facebook issued it to the app, and proves no address', async () => {
  const { client, provider } = await openProviderTestBed();
  await configure(client, 'facebook.com', { clientSecret: 'secret' });
  let data = { app_id: 'shop', is_valid: true, user_id: '7' };
  provider.answers.set('https://graph.facebook.com/v23.0/debug_token', ({ headers }, url) => {
    expect([headers['authorization'], url.searchParams.get('input_token')]).toEqual([
      'Bearer shop|secret',
      'token',
    ]);
    return reply({ data });
  });
  const proof = createHmac('sha256', 'secret').update('token').digest('hex');
  provider.answers.set('https://graph.facebook.com/v23.0/me', (_request, url) => {
    expect(url.searchParams.get('appsecret_proof')).toBe(proof);
    return reply({
      id: '7',
      name: 'Ann',
      email: 'ann@example.com',
      picture: { data: { url: 'https://f.example/a' } },
    });
  });
  const { json } = await signIn(client, 'facebook.com');
  expect(json).toMatchObject({ photoUrl: 'https://f.example/a', emailVerified: false });
  for (const change of [{ app_id: 'other' }, { is_valid: false }, { user_id: '8' }]) {
    data = { app_id: 'shop', is_valid: true, user_id: '7', ...change };
    expect((await signIn(client, 'facebook.com')).error).toBe(NOT_OURS);
  }
});

test('[I967] an access token alone is rejected where the provider does not say for which app it is', async () => {
  const { client } = await openProviderTestBed();
  for (const id of ['microsoft.com', 'twitter.com', 'oidc.work']) await configure(client, id);
  expect((await signIn(client, 'microsoft.com')).error).toMatch(/does not prove for which app it was issued/);
  expect((await signIn(client, 'twitter.com')).error).toMatch(/does not prove for which app it was issued/);
  expect((await signIn(client, 'oidc.work')).error).toMatch(/has no ID token/);
  await configure(client, 'github.com');
  expect((await signIn(client, 'github.com')).error).toBe(
    'INVALID_IDP_RESPONSE : The provider does not answer.',
  );
  expect(client.audited.at(-2)?.detail).toBe(
    'github.com: The client secret of github.com is not set, so its tokens cannot be checked.',
  );
});
