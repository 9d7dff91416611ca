import { expect, test, vi } from 'vitest';
import { openSeries } from './series.fixture.ts';
import { MAX_SERIES } from './series-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = 1_000 * DAY_MS;

test('[H682] the last hour has steps of 10 seconds', async () => {
  const { series, pass } = openSeries(START_MS);
  await pass(10, 'd', { writes: 2, denied: 1, sentBytes: 5, connections: 3 }, 4);
  await pass(10, 'd', { connections: 7 }, 1);
  await pass(1);
  const past = series.read('d', 'hour');
  expect(past).toMatchObject({ range: 'hour', stepSec: 10, steps: 360, toMs: START_MS + 20_000 });
  expect(past.points).toEqual([
    expect.objectContaining({
      timeMs: START_MS + 10_000,
      reads: 10,
      writes: 20,
      denied: 10,
      sentBytes: 50,
      connections: 3,
      p99Ms: 4.096,
      storeBytes: expect.any(Number),
    }),
    expect.objectContaining({ timeMs: START_MS + 20_000, reads: 10, writes: 0, connections: 7 }),
  ]);
  expect(series.read('other', 'hour').points).toEqual([]);
});

test('[H682] the size of the store is measured once for all points of a second', async () => {
  const { store, pass, skip } = openSeries(START_MS);
  const usedBytes = vi.spyOn(store, 'usedBytes');
  for (let database = 0; database < MAX_SERIES; database++) await pass(1, `d${database}`);
  usedBytes.mockClear();
  skip(HOUR_MS);
  expect(usedBytes).toHaveBeenCalledTimes(1);
});

test.each([
  ['day', 300, 288],
  ['week', 1_800, 336],
  ['month', 7_200, 360],
] as const)('[H682] the last %s has steps of %i seconds', async (range, stepSec, steps) => {
  const { series, pass, settle } = openSeries(START_MS);
  await pass(2 * stepSec);
  await pass(1);
  await settle();
  const past = series.read('d', range);
  expect(past).toMatchObject({ stepSec, steps, toMs: START_MS + 2 * stepSec * 1_000 });
  expect(past.points.map(({ reads }) => reads)).toEqual([stepSec, stepSec]);
});

test.each([30, 3_000])('[H685] no second is lost when the clock goes back by %i s', async (secondsBack) => {
  const { series, pass, skip, settle } = openSeries(START_MS);
  await pass(130);
  skip(-1_000 * secondsBack);
  await pass(secondsBack + 1_000);
  await settle();
  expect(series.read('d', 'week').points.map(({ reads }) => reads)).toEqual([900 + secondsBack]);
});

test('[H685] when the clock goes back by a day, activity is stored at its new time', async () => {
  const { series, pass, skip, settle } = openSeries(START_MS);
  await pass(130);
  skip(-DAY_MS);
  await pass(1_000);
  await settle();
  const { points, toMs } = series.read('d', 'day');
  expect(toMs).toBeLessThan(START_MS);
  expect(points.reduce((sum, { reads }) => sum + reads, 0)).toBeGreaterThan(800);
});

test('[H683] a ring keeps its last periods only, and older ones are never shown', async () => {
  const { series, pass, skip, settle } = openSeries(START_MS);
  await pass(61);
  await settle();
  expect(series.read('d', 'day').points).toHaveLength(1);
  skip(DAY_MS + HOUR_MS);
  expect(series.read('d', 'day').points).toEqual([]);
  await settle();
  expect(series.read('d', 'week').points).toHaveLength(1);
  skip(7 * DAY_MS);
  expect(series.read('d', 'week').points).toEqual([]);
  expect(series.read('d', 'month').points).toHaveLength(1);
  skip(30 * DAY_MS);
  expect(series.read('d', 'month').points).toEqual([]);
});

test('[H683] the stored series take the same space however long the server runs', async () => {
  const { pass, skip, settle, store } = openSeries(START_MS);
  const count = (): number => store.read((tx) => tx.count('meta', {}, 10_000));
  for (let minute = 0; minute < 1_500; minute++) {
    await pass(1);
    skip(59_000);
  }
  await settle();
  const full = count();
  expect(full).toBeLessThanOrEqual(1_440 + 100 + 1);
  for (let minute = 0; minute < 60; minute++) {
    await pass(1);
    skip(59_000);
  }
  await settle();
  // Only the ring of 30 days grows, by four points an hour, until it is full.
  expect(count() - full).toBeLessThanOrEqual(5);
});

test('[H684] after a restart, the last hour is shown with one point for each stored minute', async () => {
  const { pass, restart, settle } = openSeries(START_MS);
  await pass(121, 'd', { reads: 6 });
  await settle();
  const { points } = restart().read('d', 'hour');
  expect(points).toHaveLength(12);
  for (const point of points) expect(point).toMatchObject({ reads: 60, connections: 1 });
  expect(points.at(-1)?.timeMs).toBe(START_MS + 120_000);
});

test('[H683] names of databases that do not exist have no history', async () => {
  const { series, pass, settle } = openSeries(START_MS, (name) => name === 'real');
  for (let index = 0; index < 2 * MAX_SERIES; index++) await pass(1, `made-up-${index}`);
  await pass(120, 'real');
  await settle();
  expect(series.read('made-up-1', 'hour').points).toEqual([]);
  expect(series.read('real', 'day').points).not.toEqual([]);
});

test('[H683] the series of a database is reused for another one only after 30 days without activity', async () => {
  const { series, pass, skip, settle } = openSeries(START_MS);
  for (let index = 0; index < MAX_SERIES; index++) await pass(1, `d${index}`);
  skip(60_000);
  await settle();
  await pass(1, 'late');
  expect(series.read('late', 'hour').points).toEqual([]);
  skip(2 * HOUR_MS);
  await pass(61, 'late');
  await settle();
  expect(series.read('late', 'hour').points).not.toEqual([]);
  expect(series.read('late', 'day').points).toEqual([]);
  skip(31 * DAY_MS);
  await pass(61, 'late');
  await settle();
  expect(series.read('late', 'day').points).not.toEqual([]);
  const total = Array.from(
    { length: MAX_SERIES },
    (_, index) => series.read(`d${index}`, 'month').points.length,
  );
  expect(total.reduce((sum, length) => sum + length, 0)).toBe(0);
});
