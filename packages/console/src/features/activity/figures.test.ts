import type { ActivityPast, ActivitySample } from '@hearth/core/api/activity.ts';
import { expect, test } from 'vitest';
import { printBytes } from '../../ui/text.tsx';
import { addEvent, minuteTicks, pastPoints, printFigure, rangeTicks } from './figures.ts';

const QUIET = { denied: 0, sentBytes: 0, receivedBytes: 0, connections: 1, p50Ms: null, p99Ms: null };

function sample(timeMs: number, reads: number, writes = 0): ActivitySample {
  return { ...QUIET, timeMs, reads, writes };
}

test('[C253] a history with samples of five seconds becomes rates per second', () => {
  const points = addEvent([], { kind: 'history', sampleSec: 5, samples: [sample(5_000, 50, 5)] });
  expect(points).toMatchObject([{ timeMs: 5_000, readsPerSec: 10, writesPerSec: 1 }]);
});

test('[C253] a sample is added at the end, and points that are fifteen minutes old are removed', () => {
  const history = addEvent([], { kind: 'history', sampleSec: 5, samples: [sample(0, 5), sample(5_000, 10)] });
  const points = addEvent(history, { kind: 'sample', sample: sample(900_000, 7) });
  expect(points.map(({ timeMs, readsPerSec }) => [timeMs, readsPerSec])).toEqual([
    [5_000, 2],
    [900_000, 7],
  ]);
});

test('[C253] a history, such as after a lost connection, replaces the earlier points', () => {
  const before = addEvent([], { kind: 'sample', sample: sample(1_000, 1) });
  expect(addEvent(before, { kind: 'history', sampleSec: 5, samples: [] })).toEqual([]);
});

test.each([
  [20_000, 100_000, [60_000]],
  [60_000, 240_000, [60_000, 120_000, 180_000, 240_000]],
  [0, 540_000, [0, 120_000, 240_000, 360_000, 480_000]],
  [30_000, 930_000, [300_000, 600_000, 900_000]],
  [10_000, 50_000, []],
])('[C253] the time axis from %i ms to %i ms has ticks at whole minutes', (from, to, ticks) => {
  expect(minuteTicks([{ timeMs: from }, { timeMs: to }])).toEqual(ticks);
});

test.each([
  ['en', '7/s', '1.5 kB/s'],
  ['de', '7/s', '1,5 kB/s'],
  ['ja', '7/秒', '1.5 KB/秒'],
  ['ar', `${new Intl.NumberFormat('ar').format(7)}/ث`, `${printBytes(1_500, 'ar')}/ث`],
])('[C253] in %s, figures per second are %s and %s', (language, count, bytes) => {
  expect(printFigure(7, 'perSec', language)).toBe(count);
  expect(printFigure(1_500, 'bytesPerSec', language)).toBe(bytes);
});

test('[C681] a history has a point for each step, and steps without activity are zero', () => {
  const past: ActivityPast = {
    range: 'day',
    stepSec: 300,
    steps: 3,
    toMs: 900_000,
    points: [{ ...sample(600_000, 600), storeBytes: 7 }],
  };
  expect(pastPoints(past)).toMatchObject([
    { timeMs: 300_000, readsPerSec: 0, connections: 0, p50Ms: null, storeBytes: null },
    { timeMs: 600_000, readsPerSec: 2, connections: 1, storeBytes: 7 },
    { timeMs: 900_000, readsPerSec: 0, connections: 0, storeBytes: null },
  ]);
});

test.each([
  ['hour', 10, 360, 15 * 60_000],
  ['day', 300, 288, 6 * 3_600_000],
  ['week', 1_800, 336, 2 * 86_400_000],
  ['month', 7_200, 360, 7 * 86_400_000],
] as const)(
  '[C681] the time axis of the last %s has at most six round ticks',
  (range, stepSec, steps, stepMs) => {
    const toMs = Date.UTC(2026, 10, 26, 12, 7);
    const ticks = rangeTicks({ range, stepSec, steps, toMs, points: [] });
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(6);
    for (const [index, tick] of ticks.entries()) {
      expect(tick).toBeGreaterThan(toMs - steps * stepSec * 1_000);
      expect(tick).toBeLessThanOrEqual(toMs);
      expect(new Date(tick).getMinutes() % 15).toBe(0);
      // When daylight saving time begins or ends, a tick moves by an hour.
      if (index > 0) expect(Math.abs(tick - (ticks[index - 1] ?? 0) - stepMs)).toBeLessThanOrEqual(3_600_000);
    }
  },
);
