import { describe, expect, test } from 'vitest';
import type { ActivityPoint } from '../activity/figures.ts';
import { currentOf, stepsOf } from './live-history.ts';

const NOTHING = {
  deniedPerSec: 0,
  sentPerSec: 0,
  receivedPerSec: 0,
  connections: 1,
  p99Ms: null,
  storeBytes: null,
};

function point(timeMs: number, readsPerSec: number, p50Ms: number | null = null): ActivityPoint {
  return { ...NOTHING, timeMs, readsPerSec, writesPerSec: 0, p50Ms };
}

describe('steps of a chart', () => {
  test('[C464] a chart shows 15 minutes in steps of 5 seconds, each with the average of its points', () => {
    const steps = stepsOf([point(10_000, 8), point(13_000, 2), point(14_000, 4)], 'readsPerSec');
    expect(steps).toHaveLength(180);
    expect(steps.slice(-3)).toEqual([0, 8, 3]);
  });

  test('[C464] a period without activity is 0, and has no latency', () => {
    const points = [point(5_000, 1, 2), point(20_000, 1, 4)];
    expect(stepsOf(points, 'readsPerSec').slice(-4)).toEqual([1, 0, 0, 1]);
    expect(stepsOf(points, 'p50Ms').slice(-4)).toEqual([2, null, null, 4]);
  });

  test('[C464] an empty step between two steps with samples repeats the value of the first', () => {
    const points = [point(4_999, 6, 2), point(10_001, 8, null), point(15_002, 1, 4)];
    expect(stepsOf(points, 'readsPerSec').slice(-4)).toEqual([6, 6, 8, 1]);
    expect(stepsOf(points, 'p50Ms').slice(-4)).toEqual([2, 2, null, 4]);
  });

  test('[C464] another point in the last step changes only the value of that step', () => {
    const points = [point(10_000, 8), point(11_000, 2)];
    const [before, after] = [points, [...points, point(12_000, 6)]].map((some) =>
      stepsOf(some, 'readsPerSec'),
    );
    expect(after?.slice(0, -1)).toEqual(before?.slice(0, -1));
    expect(after?.at(-1)).toBe(4);
  });

  test('[C464] without points, every step is 0, or has no latency', () => {
    expect(new Set(stepsOf([], 'connections'))).toEqual(new Set([0]));
    expect(new Set(stepsOf([], 'p99Ms'))).toEqual(new Set([null]));
  });

  test('[C464] a point that is 15 minutes old is left out', () => {
    expect(stepsOf([point(5_000, 9), point(905_000, 1)], 'readsPerSec')).not.toContain(9);
  });
});

test('[C464] a step shows the number of connections at its end', () => {
  const points = [3, 5, 4].map((connections, index) => ({ ...point(6_000 + 1_000 * index, 0), connections }));
  expect(stepsOf(points, 'connections').at(-1)).toBe(4);
});

test.each([
  [[1, 2, 0], 0],
  [[1, null, null], 1],
  [[1, null, null, null], null],
  [[null], null],
])('[C464] the current value after the steps %j is %j', (steps, current) => {
  expect(currentOf(steps)).toBe(current);
});
