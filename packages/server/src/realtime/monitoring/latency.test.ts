import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LatencyHistogram } from './latency.ts';

function histogramOf(times: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const ms of times) histogram.record(ms);
  return histogram;
}

test('[H437] a percentile is the duration of that rank, rounded up by a quarter at most', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 50 }),
      fc.constantFrom(0.5, 0.99, 1),
      (times, share) => {
        const exact = times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0;
        const found = histogramOf(times).percentileMs(share) ?? 0;
        expect(found).toBeGreaterThan(exact);
        expect(found).toBeLessThanOrEqual(exact * 1.25 + 0.002);
      },
    ),
  );
});

test('[H437] an empty histogram has no percentiles', () => {
  const histogram = histogramOf([1, 2]);
  histogram.clear();
  expect([histogram.percentileMs(0.5), histogram.total]).toEqual([null, 0]);
});

test('[H437] very long and negative durations are in the last and the first bucket', () => {
  expect(histogramOf([1e9]).percentileMs(1)).toBeGreaterThan(60_000);
  expect(histogramOf([-1]).percentileMs(1)).toBe(0.001);
});

test('[H437] histograms can be added', () => {
  const sum = histogramOf([1]);
  histogramOf([100, 100]).addTo(sum);
  expect(sum.total).toBe(3);
  expect(sum.percentileMs(0.5)).toBe(histogramOf([100]).percentileMs(1));
});
