import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type AuthAnswer, AuthClient } from '../api/auth-client.fixture.ts';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const APP = 'http://localhost:3000';
const EMAIL = 'ann@example.com';

/** The hosted page of a browser: it sends its origin and its cookie. */
async function openPage() {
  const client = await AuthClient.open();
  const origin = 'http://localhost:9000';
  let cookie = '';
  const post = async (name: string, body: object, headers: object = { origin }): Promise<AuthAnswer> => {
    const all = { 'content-type': 'application/json', host: 'localhost:9000', cookie, ...headers };
    const answer = await client.request('POST', `/__/auth/${name}?key=any`, JSON.stringify(body), all);
    const [set] = [answer.headers['set-cookie']].flat();
    if (typeof set === 'string') cookie = set.split(';', 1).join('');
    return answer;
  };
  const signUp = async () => {
    const { json } = await client.post('accounts:signUp', { email: EMAIL, password: 'secret1' });
    return json['refreshToken'];
  };
  const createCode = async (redirectUrl = `${APP}/page`) => {
    const { json } = await post('session:code', { redirectUrl, challenge: CHALLENGE });
    return json['code'];
  };
  const redeem = (code: unknown, change: object = {}, headers: object = { origin: APP }) =>
    post('redirect-result', { code, verifier: VERIFIER, ...change }, headers);
  return { client, origin, post, signUp, createCode, redeem, cookieOf: () => cookie };
}

test('[I1501][I1503] a sign-in of the page is kept in a cookie, and an app takes it over by a code', async () => {
  const { client, post, signUp, createCode, redeem } = await openPage();
  const opened = await post('session:open', { refreshToken: await signUp() });
  expect(String(opened.headers['set-cookie'])).toMatch(
    /^hearth-session-\d+=\S+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  );
  const { json: user } = await post('session:read', {});
  expect(user).toMatchObject({ email: EMAIL, localId: opened.json['localId'] });
  const { json } = await redeem(await createCode());
  const session = await client.post('accounts:signInWithCustomToken', {
    token: json['customToken'],
  });
  expect(session.json).toMatchObject({ localId: user['localId'] });
  expect((await post('session:read', {})).json).toMatchObject({ email: EMAIL });
});

test('[I1502] methods for the page reject other origins, and requests without one', async () => {
  const { post, signUp, cookieOf } = await openPage();
  await post('session:open', { refreshToken: await signUp() });
  const before = cookieOf();
  for (const name of ['session:open', 'session:read', 'session:close', 'session:code'])
    for (const headers of [{ origin: APP }, { origin: 'null' }, {}])
      expect((await post(name, {}, headers)).error).toMatch(/^INSUFFICIENT_PERMISSION/);
  expect(cookieOf()).toBe(before);
});

test('[I1504] a code works once, with its secret, in its app, and for five minutes', async () => {
  const { client, post, signUp, createCode, redeem } = await openPage();
  await post('session:open', { refreshToken: await signUp() });
  const used = await createCode();
  expect((await redeem(used)).status).toBe(200);
  expect((await redeem(used)).error).toMatch(/^INVALID_CODE/);
  expect((await redeem(await createCode(), { verifier: 'w'.repeat(43) })).error).toMatch(/^INVALID_CODE/);
  expect((await redeem(await createCode(), { verifier: '' })).error).toMatch(/^INVALID_CODE/);
  expect((await redeem(await createCode(), {}, { origin: 'http://localhost:4000' })).error).toMatch(
    /^INVALID_CODE/,
  );
  const late = await createCode();
  client.clock.ms += 300_001;
  expect((await redeem(late)).error).toMatch(/^INVALID_CODE/);
});

test('[I1504] of an account, only the ten latest unused codes work', async () => {
  const { post, signUp, createCode, redeem } = await openPage();
  await post('session:open', { refreshToken: await signUp() });
  const first = await createCode();
  const second = await createCode();
  for (let count = 0; count < 9; count += 1) await createCode();
  expect((await redeem(first)).error).toMatch(/^INVALID_CODE/);
  expect((await redeem(second)).status).toBe(200);
});

test.each([
  'https://evil.example/',
  'http://localhost@evil.example/',
  'javascript:alert(1)',
  '//evil.example',
  '',
])('[I1500] no code is created for the address %j', async (redirectUrl) => {
  const { post, signUp } = await openPage();
  await post('session:open', { refreshToken: await signUp() });
  const { error } = await post('session:code', { redirectUrl, challenge: CHALLENGE });
  expect(error).toMatch(/^UNAUTHORIZED_DOMAIN/);
});

test('[I1505] the session of the page ends when the user signs out, and after a month', async () => {
  const { client, post, signUp, redeem, createCode } = await openPage();
  const refreshToken = await signUp();
  await post('session:open', { refreshToken });
  const code = await createCode();
  const closed = await post('session:close', {});
  expect(String(closed.headers['set-cookie'])).toContain('Max-Age=0');
  expect((await redeem(code)).error).toMatch(/^INVALID_CODE/);
  expect((await post('session:open', { refreshToken })).error).toMatch(/^INVALID_REFRESH_TOKEN/);
  const { json } = await client.post('accounts:signInWithPassword', {
    email: EMAIL,
    password: 'secret1',
  });
  await post('session:open', { refreshToken: json['refreshToken'] });
  client.clock.ms += 2_592_000_001;
  expect((await post('session:read', {})).json).toEqual({});
});
