import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds of a clock that only moves forward; meaningful as a difference. */
export function readClockMs(): number {
  return performance.now();
}

/** Resolves after `durationMs`; only to pace load, never to guess that something has happened. */
export async function pause(durationMs: number): Promise<void> {
  await delay(durationMs);
}
