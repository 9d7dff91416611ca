import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds of a clock that only moves forward; meaningful as a difference. */
export function readClockMs(): number {
  return performance.now();
}

/** Resolves after `durationMs`; only to pace load, never to guess that something has happened. */
export async function pause(durationMs: number): Promise<void> {
  await delay(durationMs);
}

/**
 * The value below which `share` (0 to 1) of the samples lie, by nearest rank.
 * Throws when there are no samples: a figure without samples is a bug of the scenario.
 */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = Math.max(0, Math.ceil(share * sorted.length) - 1);
  const value = sorted[rank];
  if (value === undefined) throw new Error('a percentile needs at least one sample');
  return value;
}

/** The middle sample; the lower one of two. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** For samples of several kinds, whose middle one would be of whichever kind is more. */
export function mean(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}
