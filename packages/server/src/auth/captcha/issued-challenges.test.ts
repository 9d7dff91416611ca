import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { IssuedChallenges } from './issued-challenges.ts';

function open(size?: number): IssuedChallenges {
  return new IssuedChallenges(new Uint8Array(16), randomBytes, size);
}

test('[I872] each challenge is used once', () => {
  const issued = open();
  const nonces = Array.from({ length: 1_000 }, () => issued.issue());
  expect(new Set(nonces).size).toBe(1_000);
  expect(nonces.every((nonce) => /^[0-9a-f]{32}$/.test(nonce))).toBe(true);
  expect(nonces.map((nonce) => issued.use(nonce))).toEqual(nonces.map(() => true));
  expect(nonces.map((nonce) => issued.use(nonce))).toEqual(nonces.map(() => false));
});

test('[I872] a challenge beyond the latest ones is not valid, used or not', () => {
  const issued = open(8);
  const nonces = Array.from({ length: 9 }, () => issued.issue());
  expect(nonces.map((nonce) => issued.use(nonce))).toEqual([false, ...Array.from({ length: 8 }, () => true)]);
  const next = issued.issue();
  expect([issued.use(nonces[1] ?? ''), issued.use(next), issued.use(next)]).toEqual([false, true, false]);
});

test('[I872] a nonce that was not issued is not valid', () => {
  expect(open().use(randomBytes(16).toString('hex'))).toBe(false);
});
