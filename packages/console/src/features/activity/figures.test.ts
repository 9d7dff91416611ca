import { expect, test } from 'vitest';
import type { ActivitySample } from '../../api/activity.ts';
import { printBytes } from '../../ui/text.tsx';
import { addEvent, minuteTicks, printFigure } from './figures.ts';

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
