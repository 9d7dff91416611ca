import { createSecretKey } from 'node:crypto';
import { solveChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { expect, test } from 'vitest';
import { isSigned, parseCaptchaToken, signChallenge } from './challenge.ts';
import { solve, tokenOf } from './solve-challenge.fixture.ts';

const SECRET = 'a secret';
const KEY = createSecretKey(Buffer.from(SECRET));
const CHALLENGE = signChallenge(
  {
    cost: 2,
    scope: { a: 'verify', i: 'network', k: 'key', t: '' },
    expiresAt: Math.floor(Date.now() / 1_000) + 3_600,
    nonce: '0123456789abcdef0123456789abcdef',
    salt: 'fedcba9876543210fedcba9876543210',
  },
  KEY,
);
const TOKEN = solve(CHALLENGE);

test('[I870] the library of ALTCHA solves a challenge, and accepts the solution', async () => {
  const challenge = {
    ...CHALLENGE,
    parameters: { ...CHALLENGE.parameters, data: { ...CHALLENGE.parameters.data } },
  };
  const solution = await solveChallenge({ challenge, deriveKey });
  if (solution === null) throw new Error('The challenge was not solved.');
  expect(tokenOf(CHALLENGE, { counter: solution.counter, derivedKey: solution.derivedKey })).toBe(TOKEN);
  const result = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret: SECRET });
  expect(result.verified).toBe(true);
});

test('[I870] a token contains the challenge and the solution', () => {
  const parsed = parseCaptchaToken(TOKEN);
  expect(parsed?.challenge).toEqual(CHALLENGE);
  expect(parsed && isSigned(parsed.challenge, KEY)).toBe(true);
});

const { parameters, signature } = CHALLENGE;
const SOLUTION = { counter: 1, derivedKey: '00'.repeat(32) };

test.each<[string, string]>([
  ['of another kind', TOKEN.replace('alt2.', 'pow1.')],
  ['of nothing', 'alt2.'],
  ['of no JSON', 'alt2.AAAA'],
  ['that is too long', tokenOf({ ...CHALLENGE, more: 'x'.repeat(4_096) }, SOLUTION)],
  ['without a challenge', tokenOf(null, SOLUTION)],
  ['without a solution', tokenOf(CHALLENGE, null)],
  [
    'with another algorithm',
    tokenOf({ parameters: { ...parameters, algorithm: 'SHA-256' }, signature }, SOLUTION),
  ],
  ['with a shorter prefix', tokenOf({ parameters: { ...parameters, keyPrefix: '0' }, signature }, SOLUTION)],
  ['with a short signature', tokenOf({ parameters, signature: 'ab' }, SOLUTION)],
  ['with a counter that is not an integer', tokenOf(CHALLENGE, { ...SOLUTION, counter: 0.5 })],
  ['with a negative counter', tokenOf(CHALLENGE, { ...SOLUTION, counter: -1 })],
  ['with too large a counter', tokenOf(CHALLENGE, { ...SOLUTION, counter: 2 ** 32 })],
  ['with a key without the prefix', tokenOf(CHALLENGE, { ...SOLUTION, derivedKey: 'ff'.repeat(32) })],
  ['with a text as data', tokenOf({ parameters: { ...parameters, data: 'x' }, signature }, SOLUTION)],
])('[I871] a token %s is not parsed', (_, token) => {
  expect(parseCaptchaToken(token)).toBeUndefined();
});

test.each(['cost', 'expiresAt', 'nonce', 'salt', 'data'] as const)(
  '[I871] a challenge with another %s has a wrong signature',
  (name) => {
    const other = { cost: 1, expiresAt: 4_000_000_000, nonce: parameters.salt, salt: parameters.nonce };
    const data = { ...parameters.data, a: 'signUpPassword' };
    const changed = { ...parameters, [name]: { ...other, data }[name] };
    expect(isSigned({ parameters: changed, signature }, KEY)).toBe(false);
  },
);
