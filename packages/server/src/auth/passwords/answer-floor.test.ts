import { expect, test } from 'vitest';
import { TimingPad } from './hasher.ts';

function floorAfter(...durationsMs: readonly number[]): TimingPad {
  const floor = new TimingPad();
  for (const durationMs of durationsMs) floor.record(durationMs);
  return floor;
}

test.each([
  ['no slow verification', [], 30, 0],
  ['a slower verification', [80], 30, 50],
  ['several verifications, of which the slowest counts', [80, 300, 90], 30, 270],
  ['a verification of the same duration', [80], 80, 0],
  ['a faster verification', [80], 90, 0],
  ['a verification longer than the maximum delay', [60_000], 30, 970],
  ['sixteen verifications since a slow one', [500, ...Array.from({ length: 16 }, () => 40)], 30, 10],
])('[I64] after %s, a negative response is delayed', (_name, slowMs, durationMs, waitMs) => {
  expect(floorAfter(...slowMs).remainingMs(durationMs)).toBe(waitMs);
});
