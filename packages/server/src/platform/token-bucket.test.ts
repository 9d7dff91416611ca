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

test('[R166] a bucket that was overdrawn has no token until its debt is paid', () => {
  const bucket = new TokenBucket({ perSecond: 100, burst: 10 }, 0);
  bucket.spend(30, 0);
  expect([bucket.hasToken(200), bucket.take(200)]).toEqual([false, false]);
  expect([bucket.hasToken(210), bucket.take(210), bucket.take(210)]).toEqual([true, true, false]);
});
