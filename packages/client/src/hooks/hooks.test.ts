import { beforeAll, describe, expect, test } from 'vitest';
import { type HookOptions, permitHook, rejectHook, verifyHook } from './index.ts';

const AUDIENCE = 'https://functions.example.com/hook';
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

let keys: CryptoKeyPair;
let options: HookOptions;

beforeAll(async () => {
  keys = await crypto.subtle.generateKey(RSA, true, ['sign', 'verify']);
  const jwk = await crypto.subtle.exportKey('jwk', keys.publicKey);
  const jwks = JSON.stringify({ keys: [{ ...jwk, kid: 'first' }] });
  options = {
    jwksUrl: `data:application/json,${encodeURIComponent(jwks)}`,
    projectId: 'shop',
    audience: AUDIENCE,
  };
});

const nowSec = (): number => Math.floor(Date.now() / 1_000);

const claims = (): object => ({
  iss: 'https://securetoken.google.com/shop',
  aud: AUDIENCE,
  iat: nowSec(),
  exp: nowSec() + 300,
  event_type: 'beforeSignIn',
  event_id: 'e1',
  sub: 'ann',
});

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');

/** Returns a token with other claims or another header, signed by a key. */
async function sign(change: object = {}, header: object = {}, key = keys.privateKey): Promise<string> {
  const parts = [
    { alg: 'RS256', kid: 'first', ...header },
    { ...claims(), ...change },
  ];
  const signed = parts.map((part) => base64url(JSON.stringify(part))).join('.');
  const signature = await crypto.subtle.sign(RSA.name, key, new TextEncoder().encode(signed));
  return `${signed}.${base64url(new Uint8Array(signature))}`;
}

test('[I955] verifyHook returns the event of a request and of its body', async () => {
  const body = { data: { jwt: await sign() } };
  const request = new Request(AUDIENCE, { method: 'POST', body: JSON.stringify(body) });
  for (const given of [body, request])
    expect(await verifyHook(given, options)).toMatchObject({ event_type: 'beforeSignIn', sub: 'ann' });
});

describe('[I955] verifyHook rejects', () => {
  test.each<readonly [string, () => Promise<unknown>]>([
    ['no token', async () => ({ data: {} })],
    ['a body that is not JSON', async () => new Request(AUDIENCE, { method: 'POST', body: 'text' })],
    ['no body', async () => undefined],
    ['a text', async () => ({ data: { jwt: 'a.b' } })],
    ['a token of another project', async () => sign({ iss: 'https://securetoken.google.com/other' })],
    ['a token for another function', async () => sign({ aud: 'https://functions.example.com/other' })],
    ['an ID token', async () => sign({ aud: 'shop', event_type: undefined })],
    ['a token with several audiences', async () => sign({ aud: [AUDIENCE, 'shop'] })],
    ['an expired token', async () => sign({ exp: nowSec() - 61 })],
    ['a token of the future', async () => sign({ iat: nowSec() + 61 })],
    ['a token without a time', async () => sign({ exp: undefined })],
    ['a token for another kind of event', async () => sign({ event_type: 'beforeDelete' })],
    ['a token of an unknown key', async () => sign({}, { kid: 'second' })],
    ['a token that names another algorithm', async () => sign({}, { alg: 'HS256' })],
    ['an unsigned token', async () => `${(await sign({}, { alg: 'none' })).replace(/[^.]*$/, '')}`],
    [
      'a token that a stranger signed',
      async () => {
        const stranger = await crypto.subtle.generateKey(RSA, true, ['sign', 'verify']);
        return sign({}, {}, stranger.privateKey);
      },
    ],
    [
      'changed claims',
      async () => {
        const [header, , signature] = (await sign()).split('.');
        return `${header}.${base64url(JSON.stringify({ ...claims(), sub: 'eve' }))}.${signature}`;
      },
    ],
  ])('%s', async (_name, make) => {
    const made = await make();
    const request = typeof made === 'string' ? { data: { jwt: made } } : made;
    await expect(verifyHook(request, options)).rejects.toMatchObject({ name: 'InvalidHook' });
  });
});

test('[I955] verifyHook accepts unsigned events of a development server only if the function allows them', async () => {
  const header = base64url(JSON.stringify({ alg: 'none' }));
  const body = { data: { jwt: `${header}.${base64url(JSON.stringify(claims()))}.` } };
  await expect(verifyHook(body, options)).rejects.toMatchObject({ name: 'InvalidHook' });
  expect(await verifyHook(body, { ...options, isDevelopment: true })).toMatchObject({ sub: 'ann' });
  const other = { ...options, isDevelopment: true, projectId: 'other' };
  await expect(verifyHook(body, other)).rejects.toMatchObject({ name: 'InvalidHook' });
});

test('[I955] if the keys cannot be fetched, the error differs from the error of an invalid token', async () => {
  const body = { data: { jwt: await sign() } };
  const unreachable = { ...options, jwksUrl: 'data:text/plain,no%20JSON' };
  await expect(verifyHook(body, unreachable)).rejects.not.toMatchObject({ name: 'InvalidHook' });
});

test('[I955] permitHook and rejectHook return the responses of a function', async () => {
  expect(await permitHook().json()).toEqual({});
  expect(await permitHook({ displayName: 'Ann', customClaims: { a: 1 } }).json()).toEqual({
    userRecord: { displayName: 'Ann', customClaims: { a: 1 }, updateMask: 'displayName,customClaims' },
  });
  const rejected = rejectHook('Not today.');
  expect([rejected.status, await rejected.json()]).toEqual([
    403,
    { error: { status: 'PERMISSION_DENIED', message: 'Not today.' } },
  ]);
});
