import { expect, test } from 'vitest';
import type { ActivitySample } from '../../api/activity.ts';
import { addEvent } from './figures.ts';

const QUIET = { denied: 0, sentBytes: 0, receivedBytes: 0, connections: 1, p50Ms: null, p99Ms: null };

function sample(timeMs: number, reads: number, writes = 0): ActivitySample {
  return { ...QUIET, timeMs, reads, writes };
}

test('[C253] a history in samples of five seconds is shown per second', () => {
  const points = addEvent([], { kind: 'history', sampleSec: 5, samples: [sample(5_000, 50, 5)] });
  expect(points).toMatchObject([{ timeMs: 5_000, readsPerSec: 10, writesPerSec: 1 }]);
});

test('[C253] a second is added at the end, and points older than fifteen minutes are removed', () => {
  const history = addEvent([], { kind: 'history', sampleSec: 5, samples: [sample(0, 5), sample(5_000, 10)] });
  const points = addEvent(history, { kind: 'sample', sample: sample(900_000, 7) });
  expect(points.map(({ timeMs, readsPerSec }) => [timeMs, readsPerSec])).toEqual([
    [5_000, 2],
    [900_000, 7],
  ]);
});

test('[C253] a history replaces the earlier points, as after a lost connection', () => {
  const before = addEvent([], { kind: 'sample', sample: sample(1_000, 1) });
  expect(addEvent(before, { kind: 'history', sampleSec: 5, samples: [] })).toEqual([]);
});
