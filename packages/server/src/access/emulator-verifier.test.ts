import { expect, test } from 'vitest';
import { emulatorBearerVerifier, emulatorVerifier, MAX_TOKEN_LENGTH } from './emulator-verifier.ts';
import { ADMIN } from './principal.ts';
import { credentialVerifierContract } from './verifier.contract.ts';

function segment(json: unknown): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

function token(claims: unknown, header: unknown = { alg: 'none', type: 'JWT' }, signature = ''): string {
  return `${segment(header)}.${segment(claims)}.${signature}`;
}

const DATABASE = { kind: 'database', name: 'any' } as const;
const FORGED = token({ sub: 'x' }, { alg: 'RS256' }, 'c2ln');

credentialVerifierContract('emulator, owner', async () => ({
  verifier: emulatorVerifier,
  resource: DATABASE,
  token: 'owner',
  isAdmin: true,
  rejected: ['', 'Owner', 'a.b', FORGED],
}));

credentialVerifierContract('emulator, user', async () => ({
  verifier: emulatorVerifier,
  resource: DATABASE,
  token: token({ sub: 'jack', firebase: { sign_in_provider: 'password' } }),
  isAdmin: false,
  rejected: ['', 'a.b', FORGED],
}));

credentialVerifierContract('emulator, bearer', async () => ({
  verifier: emulatorBearerVerifier,
  resource: DATABASE,
  token: 'whatever',
  isAdmin: true,
  rejected: [''],
}));

test('[H32] the token `owner` is accepted as an administrator', async () => {
  expect(await emulatorVerifier.verify({ token: 'owner' })).toEqual(ADMIN);
});

test('[H31] any bearer token that is not empty is accepted as an administrator', async () => {
  expect(await emulatorBearerVerifier.verify({ token: 'whatever' })).toEqual(ADMIN);
  await expect(emulatorBearerVerifier.verify({ token: '' })).rejects.toThrow('Unauthorized request.');
});

test.each([
  [
    { sub: 'jack', exp: 3600, iat: 0, aud: 'any', firebase: { sign_in_provider: 'password' } },
    'jack',
    'password',
  ],
  [{ user_id: 'jill' }, 'jill', 'custom'],
  [{ sub: 'é', firebase: 'odd' }, 'é', 'custom'],
])('[H32] the unsigned token %j is accepted as the user %s', async (claims, uid, provider) => {
  expect(await emulatorVerifier.verify({ token: token(claims) })).toEqual({
    kind: 'user',
    auth: { uid, provider, token: claims },
    expiresAtMs: null,
  });
});

test.each([
  ['', 'Could not parse auth token.'],
  ['Owner', 'Could not parse auth token.'],
  ['bad.bad.bad', 'Could not parse auth token.'],
  ['a.b', 'Could not parse auth token.'],
  ['..', 'Could not parse auth token.'],
  [`${token({ sub: 'x' })}.`, 'Could not parse auth token.'],
  [token([1]), 'Could not parse auth token.'],
  [token({ sub: 'x' }, 'none'), 'Could not parse auth token.'],
  [`${segment({ alg: 'none' })}.!!!.`, 'Could not parse auth token.'],
  [token({ sub: 'x' }, { alg: 'RS256' }, 'c2ln'), 'accepts unsigned tokens only'],
  [token({ sub: 'x' }, { alg: 'HS256' }), 'accepts unsigned tokens only'],
  [token({ sub: 'x' }, { alg: 'none' }, 'c2ln'), 'accepts unsigned tokens only'],
  [token({ v: 0, d: { uid: 'x' } }, { alg: 'HS256' }, 'c2ln'), 'accepts unsigned tokens only'],
  [
    `${segment({ alg: 'none' })}.${Buffer.from(`{"sub":"x","a":${'['.repeat(9000)}${']'.repeat(9000)}}`).toString('base64url')}.`,
    'Could not parse auth token.',
  ],
  [token({ sub: '' }), 'names no user'],
  [token({ sub: 7 }), 'names no user'],
  [token({}), 'names no user'],
  ['x'.repeat(MAX_TOKEN_LENGTH + 1), 'longer than 32768 characters'],
])('[H33] the token %s is rejected', async (text, sentence) => {
  await expect(emulatorVerifier.verify({ token: text })).rejects.toMatchObject({
    code: 'auth/unreadable',
    message: expect.stringContaining(sentence),
  });
});
