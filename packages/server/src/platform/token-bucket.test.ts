import { expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

/** Takes `count` tokens at one time and returns how many succeed. */
function take(bucket: TokenBucket, count: number, nowMs: number): number {
  return Array.from({ length: count }, () => bucket.take(nowMs)).filter(Boolean).length;
}

test('[R166] a bucket allows a burst, then its rate, and never accumulates more than a burst', () => {
  const bucket = new TokenBucket({ perSecond: 200, burst: 1_000 }, 0);
  expect(take(bucket, 5_000, 0)).toBe(1_000);
  expect(take(bucket, 5_000, 500)).toBe(100);
  expect(take(bucket, 5_000, 1_500)).toBe(200);
  expect(take(bucket, 5_000, 3_600_000)).toBe(1_000);
});
