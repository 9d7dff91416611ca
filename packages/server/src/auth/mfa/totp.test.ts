import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { findTotpStep } from './totp.ts';

/** The secret of the examples of RFC 6238. A code has the last six of the eight digits of an example. */
const SECRET = Secret.fromLatin1('12345678901234567890');

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('[I226] the code at second %d is %s, as in RFC 6238', (second, code) => {
  const window = { nowMs: second * 1000, adjacentIntervals: 0, lastStep: 0 };
  expect(findTotpStep(SECRET, code, window)).toBe(Math.floor(second / 30));
});

test.each(['', '28708', '2870820', ' 287082', '٢٨٧٠٨٢', 'abcdef', '0x1234'])(
  '[I226] %j is not accepted as a code',
  (code) => {
    const window = { nowMs: 59_000, adjacentIntervals: 10, lastStep: 0 };
    expect(findTotpStep(SECRET, code, window)).toBeUndefined();
  },
);

test('[I228] the code of the last accepted step, or of an earlier one, is not accepted', () => {
  const window = { nowMs: 59_000, adjacentIntervals: 10 };
  expect(findTotpStep(SECRET, '287082', { ...window, lastStep: 0 })).toBe(1);
  for (const lastStep of [1, 2, 3])
    expect(findTotpStep(SECRET, '287082', { ...window, lastStep })).toBeUndefined();
});
