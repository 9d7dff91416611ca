import { expect, test } from 'vitest';
import { TimingPad } from './hasher.ts';

function floorAfter(...durationsMs: readonly number[]): TimingPad {
  const floor = new TimingPad();
  for (const durationMs of durationsMs) floor.record(durationMs);
  return floor;
}

test.each([
  ['nothing slow', [], 30, 0],
  ['something slower', [80], 30, 50],
  ['several, the slowest of which counts', [80, 300, 90], 30, 270],
  ['something as slow', [80], 80, 0],
  ['something faster', [80], 90, 0],
  ['something slower than the greatest wait', [60_000], 30, 970],
  ['sixteen others since something slow', [500, ...Array.from({ length: 16 }, () => 40)], 30, 10],
])('[I64] after %s, a negative answer waits', (_name, slowMs, durationMs, waitMs) => {
  expect(floorAfter(...slowMs).remainingMs(durationMs)).toBe(waitMs);
});
