import { setTimeout as delay } from 'node:timers/promises';

/** Returns the time of a monotonic clock in ms. Only differences are meaningful. */
export function readClockMs(): number {
  return performance.now();
}

/** Resolves after `durationMs`. Use it only to pace load, never to wait for an event. */
export async function pause(durationMs: number): Promise<void> {
  await delay(durationMs);
}

/**
 * Returns the percentile by nearest rank: the smallest sample such that at least `share` (0 to 1) of the samples do
 * not exceed it. Throws if there are no samples, which is a bug of the scenario.
 */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = Math.max(0, Math.ceil(share * sorted.length) - 1);
  const value = sorted[rank];
  if (value === undefined) throw new Error('a percentile needs at least one sample');
  return value;
}

/** Returns the median sample; of an even number of samples, the lower of the two in the middle. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Returns the mean. Unlike the median, the mean depends on the value of every sample. */
export function mean(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}
