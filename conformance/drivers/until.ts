import { vi } from 'vitest';

/** Long enough for a machine that is slow or busy, and shorter than the time for a test. */
const WITHIN_MS = 80_000;
const EVERY_MS = 4;

/** Waits until an assertion holds; when the time is over its own failure is the test's. */
export function until<T>(assertion: () => T | Promise<T>, withinMs = WITHIN_MS): Promise<T> {
  return vi.waitFor(assertion, { timeout: withinMs, interval: EVERY_MS });
}
