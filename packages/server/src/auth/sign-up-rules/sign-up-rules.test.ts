import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { requestCode } from '../codes/mailed-codes.fixture.ts';
import { enrollApp } from '../mfa/second-factor.fixture.ts';

type Json = Readonly<Record<string, unknown>>;

const OWNER = { authorization: 'Bearer owner' };
const CONFIG = '/v2/projects/demo/config';
const PASSWORD = 'a long password';

async function open(rules: Json) {
  const client = await AuthClient.open();
  const set = (signUp: Json, headers: object = OWNER) =>
    client.request('PATCH', `${CONFIG}?updateMask=hearth.signUp`, JSON.stringify({ hearth: { signUp } }), {
      ...headers,
    });
  expect((await set(rules)).status).toBe(200);
  const signUp = (email: string) => client.post('accounts:signUp', { email, password: PASSWORD });
  const signInByLink = async (email: string) => {
    const oobCode = await requestCode(client, 'EMAIL_SIGNIN', { email });
    return client.post('accounts:signInWithEmailLink', { email, oobCode });
  };
  return { client, set, signUp, signInByLink };
}

test('[I1694] only addresses at allowed domains get an account, by every method', async () => {
  const { client, signUp, signInByLink } = await open({ allowedDomains: ['Example.com'] });
  expect((await signUp('ann@example.com')).status).toBe(200);
  expect((await signInByLink('bob@example.com')).status).toBe(200);
  const rejected = [
    await signUp('eve@evil.example'),
    await signUp('eve@sub.example.com'),
    await signInByLink('eve@evil.example'),
    await client.post('accounts:signUp', {}),
  ];
  for (const { error } of rejected) expect(error).toMatch(/^ADMIN_ONLY_OPERATION : The app allows /);
  expect(rejected[0]?.error).toContain('not at evil.example');
  const { json } = await client.request('GET', '/v1/projects/demo/accounts:batchGet', undefined, OWNER);
  expect(json['users']).toHaveLength(2);
});

test('[I1694] denied domains and other providers are rejected, and existing accounts sign in', async () => {
  const { client, set, signUp } = await open({});
  expect((await signUp('ann@example.org')).status).toBe(200);
  await set({ deniedDomains: ['example.org'], providers: ['password'] });
  expect((await signUp('bob@example.org')).error).toContain('no new accounts with addresses at example.org');
  expect((await client.post('accounts:signUp', {})).error).toContain('no new accounts with anonymous');
  const again = { email: 'ann@example.org', password: PASSWORD };
  expect((await client.post('accounts:signInWithPassword', again)).status).toBe(200);
  expect((await signUp('bob@example.com')).status).toBe(200);
});

test('[I1694] administrators create accounts whatever the rules say', async () => {
  const { client } = await open({ allowedDomains: ['example.com'], providers: ['google.com'] });
  const path = '/v1/projects/demo/accounts';
  const { status } = await client.request('POST', path, JSON.stringify({ email: 'x@evil.example' }), OWNER);
  expect(status).toBe(200);
});

test('[I1695] a session has the claims of the domain if its address is verified', async () => {
  const { set, signUp, signInByLink } = await open({ claims: { 'example.com': { staff: true } } });
  expect(claimsOf((await signUp('ann@example.com')).json['idToken'])).not.toHaveProperty('staff');
  expect(claimsOf((await signInByLink('ann@example.com')).json['idToken'])).toMatchObject({ staff: true });
  const { json } = await signInByLink('eve@evil.example');
  expect(claimsOf(json['idToken'])).not.toHaveProperty('staff');
  await set({});
  expect(claimsOf((await signInByLink('ann@example.com')).json['idToken'])).not.toHaveProperty('staff');
});

/** A signed-in user of a project, and what the project answers when the user changes the account. */
async function openUser(first: 'anonymous' | string, rules: Json) {
  const { client, set, signInByLink } = await open({});
  const account = first === 'anonymous' ? {} : { email: first, password: PASSWORD };
  const { json } = await client.post('accounts:signUp', account);
  await set(rules);
  const idToken = json['idToken'];
  const mailCode = async (requestType: string, fields: Json) =>
    requestCode(client, requestType, { idToken, ...fields });
  return { client, set, signInByLink, idToken, mailCode };
}

type User = Awaited<ReturnType<typeof openUser>>;

const EVIL = 'eve@evil.example';
const LINK_PASSWORD = ({ client, idToken }: User, email: string) =>
  client.post('accounts:signUp', { idToken, email, password: PASSWORD });
const SET_ADDRESS = ({ client, idToken }: User, email: string) =>
  client.post('accounts:update', { idToken, email, password: PASSWORD });
const LINK_BY_MAIL = async ({ client, idToken }: User, email: string) =>
  client.post('accounts:signInWithEmailLink', {
    idToken,
    email,
    oobCode: await requestCode(client, 'EMAIL_SIGNIN', { email }),
  });
const LINK_PROVIDER = ({ client, idToken }: User, email: string) =>
  client.post('accounts:signInWithIdp', {
    idToken,
    requestUri: 'http://localhost',
    postBody: new URLSearchParams({
      providerId: 'google.com',
      id_token: JSON.stringify({ sub: 'g1', email, email_verified: true }),
    }).toString(),
  });

test.each([
  ['a password', LINK_PASSWORD],
  ['an update', SET_ADDRESS],
  ['a link in a mail', LINK_BY_MAIL],
  ['another provider', LINK_PROVIDER],
])(
  '[I1750] an anonymous account becomes permanent by %s only where a new account may exist',
  async (_name, become) => {
    const user = await openUser('anonymous', { allowedDomains: ['example.com'] });
    expect((await become(user, EVIL)).error).toContain(
      'ADMIN_ONLY_OPERATION : The app allows new accounts only',
    );
    await user.set({ providers: ['saml.work'] });
    expect((await become(user, 'ann@example.com')).error).toContain('no new accounts with');
    await user.set({ allowedDomains: ['example.com'] });
    expect((await become(user, 'ann@example.com')).status).toBe(200);
  },
);

test('[I1750] an anonymous account gets a password or a passkey only where a new account may exist', async () => {
  const user = await openUser('anonymous', { allowedDomains: ['example.com'] });
  const { client, idToken } = user;
  const only = 'ADMIN_ONLY_OPERATION : The app allows only new accounts with an email address.';
  expect((await client.post('accounts:update', { idToken, password: PASSWORD })).error).toBe(only);
  const body = JSON.stringify({ idToken });
  const path = '/v2/accounts/passkeyEnrollment:start?key=any';
  expect((await client.request('POST', path, body)).error).toBe(only);
});

test.each([
  ['a password', LINK_PASSWORD],
  ['an update', SET_ADDRESS],
  ['a link in a mail', LINK_BY_MAIL],
])(
  '[I1750] an account gets another address by %s only at a domain that the rules allow',
  async (_name, change) => {
    const user = await openUser('ann@example.com', {
      allowedDomains: ['example.com'],
      providers: ['saml.work'],
    });
    expect((await change(user, EVIL)).error).toBe(
      'ADMIN_ONLY_OPERATION : The app allows only addresses at certain domains, and not at evil.example.',
    );
    expect((await change(user, 'bob@example.com')).status).toBe(200);
  },
);

test('[I1750] neither a request nor a code changes the address to one that the rules do not allow', async () => {
  const user = await openUser('ann@example.com', {});
  const { client, idToken, set } = user;
  const oobCode = await user.mailCode('VERIFY_AND_CHANGE_EMAIL', { newEmail: EVIL });
  await set({ deniedDomains: ['evil.example'] });
  const error = 'ADMIN_ONLY_OPERATION : The app allows no addresses at evil.example.';
  expect((await client.post('accounts:update', { oobCode })).error).toBe(error);
  const request = { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail: EVIL };
  expect((await client.post('accounts:sendOobCode', request)).error).toBe(error);
  const { json } = await client.post('accounts:lookup', { idToken });
  expect(json['users']).toMatchObject([{ email: 'ann@example.com' }]);
});

test('[I1695] the claims of a domain end with the address, in every session', async () => {
  const { client, signInByLink } = await open({ claims: { 'example.com': { staff: true } } });
  const { json } = await signInByLink('ann@example.com');
  expect(claimsOf(json['idToken'])).toMatchObject({ staff: true });
  const changed = await client.post('accounts:update', { idToken: json['idToken'], email: EVIL });
  expect(claimsOf(changed.json['idToken'])).not.toHaveProperty('staff');
});

test('[I1695] a session that starts with a new second factor has the claims that the domain has now', async () => {
  const { client, set, signInByLink } = await open({ claims: { 'example.com': { staff: true } } });
  const { json } = await signInByLink('ann@example.com');
  const first = await enrollApp(client, json['idToken']);
  expect(claimsOf(first.answer.json['idToken'])).toMatchObject({ staff: true });
  await set({ claims: { 'example.com': { team: 'blue' } } });
  const { json: next } = await client.refresh(first.answer.json['refreshToken']);
  expect(claimsOf(next['id_token'])).toMatchObject({ team: 'blue' });
  expect(claimsOf(next['id_token'])).not.toHaveProperty('staff');
});

test('[I1695] a session has the claims of the domain as soon as its address is verified', async () => {
  const { client, signUp } = await open({ claims: { 'example.com': { staff: true } } });
  const { json } = await signUp('ann@example.com');
  const oobCode = await requestCode(client, 'VERIFY_EMAIL', { idToken: json['idToken'] });
  await client.post('accounts:update', { oobCode });
  const { json: next } = await client.refresh(json['refreshToken']);
  expect(claimsOf(next['id_token'])).toMatchObject({ staff: true });
});

test.each<[Json, string]>([
  [{ allowedDomains: ['https://example.com'] }, 'hearth.signUp.allowedDomains must be a list'],
  [{ deniedDomains: ['ann@example.com'] }, 'hearth.signUp.deniedDomains must be a list'],
  [{ deniedDomains: 'example.com' }, 'hearth.signUp.deniedDomains must be a list'],
  [{ providers: ['Google'] }, 'hearth.signUp.providers must be a list'],
  [{ claims: { 'example.com': { sub: 'x' } } }, 'without the reserved claim sub'],
  [{ claims: { 'example.com': 'x' } }, 'hearth.signUp.claims.example.com must be an object'],
  [{ claims: { 'example.com': { a: 'x'.repeat(1_000) } } }, 'at most 1000 characters'],
  [{ domains: [] }, 'hearth.signUp must be an object with allowedDomains'],
])('[I1694] the rules %j are rejected', async (rules, sentence) => {
  const { set, client } = await open({ allowedDomains: ['example.com'] });
  expect((await set(rules)).error).toContain(sentence);
  const { json } = await client.request('GET', CONFIG, undefined, OWNER);
  expect(json['hearth']).toMatchObject({ signUp: { allowedDomains: ['example.com'] } });
});
