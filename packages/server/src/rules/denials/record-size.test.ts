import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonSize } from './record.ts';

test('[R300] the counted size is at most the length of the value as JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { length } = JSON.stringify(value);
      expect(jsonSize(value, Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(length);
    }),
  );
  const denial = { paths: ['/a/b', '/a/c'], deciding: null, holds: false, gone: undefined };
  expect(jsonSize(denial, 1_000)).toBeGreaterThan(JSON.stringify(denial).length / 2);
});

test('[R300] counting a long value stops once it is known to be too long', () => {
  let reads = 0;
  const countedMember = { enumerable: true, get: () => reads++ };
  const members = Array.from({ length: 10_000 }, (_, i) => [`member${i}`, countedMember] as const);
  const claims = Object.defineProperties({}, Object.fromEntries(members));
  expect(jsonSize({ first: claims, second: claims }, 1_000)).toBeGreaterThanOrEqual(1_000);
  expect(reads).toBeLessThan(200);
});
