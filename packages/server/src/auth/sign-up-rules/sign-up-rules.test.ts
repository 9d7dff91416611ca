import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { requestCode } from '../codes/mailed-codes.fixture.ts';

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
