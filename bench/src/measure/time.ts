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
 * Returns the value below which `share` (0 to 1) of the samples lie, by nearest rank. Throws if there are no
 * samples, which is a bug of the scenario.
 */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = Math.max(0, Math.ceil(share * sorted.length) - 1);
  const value = sorted[rank];
  if (value === undefined) throw new Error('a percentile needs at least one sample');
  return value;
}

/** Returns the median sample; the lower one of two. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Returns the mean. For samples of several kinds, whose median would belong to the most frequent kind. */
export function mean(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}
