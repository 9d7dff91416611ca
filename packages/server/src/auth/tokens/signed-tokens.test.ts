import { createHmac, sign } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { projectScope } from '../tenants/scope.ts';
import { CUSTOM_TOKEN_AUDIENCE } from './custom-token.ts';
import { type Claims, encodeJwt, parseJwt } from './jwt.ts';
import { testKey, testRing } from './key-ring.fixture.ts';
import type { SigningKey } from './key-ring.ts';
import { tokenServiceContract } from './services.contract.ts';
import { SignedTokens } from './signed-tokens.ts';
import { unsignedTokens } from './unsigned-tokens.ts';

const NOW_SEC = 1_700_000_000;
const CLAIMS = {
  iss: 'https://securetoken.google.com/demo',
  aud: 'demo',
  sub: 'jack',
  user_id: 'jack',
  auth_time: NOW_SEC - 10,
  iat: NOW_SEC,
  exp: NOW_SEC + 3_600,
  firebase: { identities: {}, sign_in_provider: 'password' },
};
const INVALID = expect.objectContaining({ code: 'INVALID_ID_TOKEN' });
const EXPIRED = expect.objectContaining({ code: 'TOKEN_EXPIRED' });

let key: SigningKey;
let cookieKey: SigningKey;
let foreignKey: SigningKey;
let ring: SigningKey[];
let nowMs: number;
let tokens: SignedTokens;
let cookies: SignedTokens;

beforeAll(async () => {
  [key, cookieKey, foreignKey] = await Promise.all([testKey('key1'), testKey('cookie1'), testKey('key1')]);
});

beforeEach(() => {
  nowMs = NOW_SEC * 1_000;
  ring = [key];
  tokens = new SignedTokens(testRing('idToken', ring), () => nowMs);
  cookies = new SignedTokens(testRing('sessionCookie', [cookieKey]), () => nowMs);
});

function signWith(header: Claims, claims: Claims, by = key): string {
  const signed = encodeJwt(header, claims);
  return `${signed}.${sign('sha256', Buffer.from(signed), by.privateKey).toString('base64url')}`;
}

test('[I98] a token is signed by the current key with RS256', async () => {
  expect(parseJwt(await tokens.sign(CLAIMS)).header).toEqual({ alg: 'RS256', kid: 'key1', typ: 'JWT' });
});

tokenServiceContract('signed', () => ({
  tokens,
  nowSec: NOW_SEC,
  signElsewhere: (claims) => unsignedTokens.sign(claims),
}));

const HEADER = { alg: 'RS256', kid: 'key1', typ: 'JWT' };

/** Tokens that must not be accepted as ID tokens of the project `demo`. */
const FORGED: Readonly<Record<string, () => string | Promise<string>>> = {
  'alg none, unsigned': () => unsignedTokens.sign(CLAIMS),
  'alg none with the id of a key': () => `${encodeJwt({ alg: 'none', kid: 'key1' }, CLAIMS)}.`,
  'alg none, signed': () => signWith({ alg: 'none', kid: 'key1' }, CLAIMS),
  'RS256 without signature': () => `${encodeJwt(HEADER, CLAIMS)}.`,
  'HS256 with the public key as secret': () => {
    const signed = encodeJwt({ alg: 'HS256', kid: 'key1' }, CLAIMS);
    const secret = key.publicKey.export({ format: 'pem', type: 'spki' });
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  },
  'another RSA algorithm': () => signWith({ ...HEADER, alg: 'RS512' }, CLAIMS),
  'no algorithm': () => signWith({ kid: 'key1' }, CLAIMS),
  'another key with a known key ID': () => signWith(HEADER, CLAIMS, foreignKey),
  'a key within the token': () =>
    signWith({ ...HEADER, jwk: foreignKey.publicKey.export({ format: 'jwk' }) }, CLAIMS, foreignKey),
  'a key from a URL': () =>
    signWith(
      { ...HEADER, jku: 'https://evil.example/jwks', x5u: 'https://evil.example/x5u' },
      CLAIMS,
      foreignKey,
    ),
  'no key ID': () => signWith({ alg: 'RS256' }, CLAIMS),
  'an unknown key ID': () => signWith({ ...HEADER, kid: 'key2' }, CLAIMS),
  'a key ID that is a path': () => signWith({ ...HEADER, kid: '../../idToken/key1' }, CLAIMS),
  'a key ID that is a property of every object': () => signWith({ ...HEADER, kid: '__proto__' }, CLAIMS),
  'a key ID that is a list': () => signWith({ ...HEADER, kid: ['key1'] }, CLAIMS),
  'an unknown critical header': () => signWith({ ...HEADER, crit: ['x'], x: 1 }, CLAIMS),
  'another audience': () => signWith(HEADER, { ...CLAIMS, aud: 'other' }),
  'a list of audiences': () => signWith(HEADER, { ...CLAIMS, aud: ['demo'] }),
  'no audience': () => signWith(HEADER, { ...CLAIMS, aud: undefined }),
  'another issuer': () => signWith(HEADER, { ...CLAIMS, iss: 'https://accounts.google.com' }),
  'another project': () =>
    signWith(HEADER, { ...CLAIMS, aud: 'other', iss: 'https://securetoken.google.com/other' }),
  'the issuer of another project': () =>
    signWith(HEADER, { ...CLAIMS, iss: 'https://securetoken.google.com/other' }),
  'the issuer of session cookies': () =>
    signWith(HEADER, { ...CLAIMS, iss: 'https://session.firebase.google.com/demo' }),
  'a session cookie': () => cookies.sign({ ...CLAIMS, iss: 'https://session.firebase.google.com/demo' }),
  'claims of an ID token signed with a key for cookies': () => cookies.sign(CLAIMS),
  'a custom token': () =>
    signWith({ alg: 'RS256' }, { iss: 'sa', sub: 'sa', aud: CUSTOM_TOKEN_AUDIENCE, uid: 'jack' }),
  'a custom token signed with a key for ID tokens': () =>
    signWith(HEADER, { ...CLAIMS, iss: 'sa', sub: 'sa', aud: CUSTOM_TOKEN_AUDIENCE, uid: 'jack' }),
  'no expiry': () => signWith(HEADER, { ...CLAIMS, exp: undefined }),
  'an expiry that is not a number': () => signWith(HEADER, { ...CLAIMS, exp: 'tomorrow' }),
  'no time of issue': () => signWith(HEADER, { ...CLAIMS, iat: undefined }),
  'no time of sign-in': () => signWith(HEADER, { ...CLAIMS, auth_time: undefined }),
  'issued in the future': () => signWith(HEADER, { ...CLAIMS, iat: NOW_SEC + 61 }),
  'a sign-in in the future': () => signWith(HEADER, { ...CLAIMS, auth_time: NOW_SEC + 61 }),
  'changed claims': () => {
    const [header, , signature] = signWith(HEADER, CLAIMS).split('.');
    const claims = encodeJwt({}, { ...CLAIMS, sub: 'jill' }).split('.')[1];
    return `${header}.${claims}.${signature}`;
  },
};

test.each(Object.entries(FORGED))('[I97] a token is rejected as an ID token: %s', async (_, forge) => {
  await expect(tokens.verify(await forge(), projectScope('demo'))).rejects.toEqual(INVALID);
});

test('[I97] an ID token is not accepted as a session cookie', async () => {
  await expect(cookies.verify(await tokens.sign(CLAIMS), projectScope('demo'))).rejects.toEqual(INVALID);
});

test('[I97] a token accepted for one project is rejected for another', async () => {
  const token = await tokens.sign(CLAIMS);
  await tokens.verify(token, projectScope('demo'));
  await expect(tokens.verify(token, projectScope('other'))).rejects.toEqual(INVALID);
});

test('[I99] a token is rejected with TOKEN_EXPIRED from one minute after its expiry', async () => {
  const token = await tokens.sign(CLAIMS);
  nowMs = (CLAIMS.exp + 60) * 1_000 - 1;
  await tokens.verify(token, projectScope('demo'));
  nowMs += 1;
  await expect(tokens.verify(token, projectScope('demo'))).rejects.toEqual(EXPIRED);
  const again = new SignedTokens(testRing('idToken', ring), () => nowMs);
  await expect(again.verify(token, projectScope('demo'))).rejects.toEqual(EXPIRED);
});

test('[I99] an expired token of another project is rejected with INVALID_ID_TOKEN', async () => {
  const token = await tokens.sign(CLAIMS);
  nowMs = (CLAIMS.exp + 3_600) * 1_000;
  await expect(tokens.verify(token, projectScope('other'))).rejects.toEqual(INVALID);
});

test('[I100] a cached token is rejected while its key does not exist', async () => {
  const token = await tokens.sign(CLAIMS);
  await tokens.verify(token, projectScope('demo'));
  ring[0] = { ...key, keyId: 'key2' };
  await expect(tokens.verify(token, projectScope('demo'))).rejects.toEqual(INVALID);
  ring[0] = key;
  await tokens.verify(token, projectScope('demo'));
});
