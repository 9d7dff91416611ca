import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberArbitrary } from './node.arbitrary.ts';
import { addNumbers, canonicalNumber } from './node.ts';

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

test.each<[number | bigint, number | bigint]>([
  [5n, 5],
  [2n ** 53n - 1n, 9007199254740991],
  [-(2n ** 53n - 1n), -9007199254740991],
  [2n ** 53n, 9007199254740992n],
  [2n ** 53n + 1n, 9007199254740993n],
  [2 ** 53, 9007199254740992n],
  [1e18, 1000000000000000000n],
  [MAX_INT64, 9223372036854775807n],
  [MIN_INT64, -9223372036854775808n],
])('[T16] the canonical form of %s is %s', (value, kept) => {
  expect(canonicalNumber(value)).toBe(kept);
});

test.each<[number | bigint, number]>([
  [5.0, 5],
  [-0, 0],
  [0n, 0],
  [0.1, 0.1],
  [5e-324, 5e-324],
])('[T17] the canonical form of %s is %s', (value, kept) => {
  expect(canonicalNumber(value)).toBe(kept);
});

test.each<[number | bigint, number]>([
  [MAX_INT64 + 1n, 2 ** 63],
  [MIN_INT64 - 1n, -(2 ** 63)],
  [2 ** 63, 2 ** 63],
  [-(2 ** 63), -(2 ** 63)],
  [10n ** 30n, 1e30],
  [1e300, 1e300],
])('[T18] the canonical form of %s is the double %s', (value, kept) => {
  expect(canonicalNumber(value)).toBe(kept);
});

test('[T16][T17][T18] the canonical form of a canonical number is the number itself', () => {
  fc.assert(
    fc.property(fc.oneof(numberArbitrary, fc.bigInt()), (value) => {
      const kept = canonicalNumber(value);
      expect(canonicalNumber(kept)).toBe(kept);
      expect(Number(kept)).toBe(Number(value));
    }),
  );
});

test.each<[number | bigint, number | bigint, number | bigint]>([
  [1, 2, 3],
  [5, -5, 0],
  [2 ** 53 - 1, 1, 9007199254740992n],
  [9007199254740993n, -2, 9007199254740991],
  [MAX_INT64 - 1n, 1, MAX_INT64],
  [MIN_INT64 + 1n, -1, MIN_INT64],
  [MAX_INT64, MIN_INT64, -1],
  [MAX_INT64, 1, 2 ** 63],
  [MAX_INT64, MAX_INT64, 2 ** 64],
  [MIN_INT64, -1, -(2 ** 63)],
  [0.5, 0.5, 1],
  [0.1, 0.2, 0.30000000000000004],
  [9007199254740993n, 0.5, 9007199254740992n],
  // The left number is not a 64-bit integer, so the sum is computed in doubles.
  [2 ** 63, -1, 2 ** 63],
  [1e300, -1e300, 0],
  [1e308, 1e308, Number.POSITIVE_INFINITY],
])('[T36] the sum of %s and %s is %s', (a, b, sum) => {
  expect(addNumbers(a, b)).toBe(sum);
  expect(addNumbers(b, a)).toBe(sum);
});

test('[T36] sums of 64-bit integers are exact while they are 64-bit integers', () => {
  const int64 = fc.oneof(fc.bigInt({ min: MIN_INT64, max: MAX_INT64 }), fc.maxSafeInteger().map(BigInt));
  fc.assert(
    fc.property(int64, int64, (a, b) => {
      const sum = addNumbers(canonicalNumber(a), canonicalNumber(b));
      if (a + b >= MIN_INT64 && a + b <= MAX_INT64) expect(BigInt(sum)).toBe(a + b);
      else expect(sum).toBe(Number(a) + Number(b));
    }),
  );
});
