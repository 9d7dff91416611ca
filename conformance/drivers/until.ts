import { vi } from 'vitest';

/** Long enough for a slow or busy machine, and shorter than the timeout of a test. */
const WITHIN_MS = 80_000;
const EVERY_MS = 4;

/** Waits until an assertion holds. After `withinMs` the test fails with the last failure of the assertion. */
export function until<T>(assertion: () => T | Promise<T>, withinMs = WITHIN_MS): Promise<T> {
  return vi.waitFor(assertion, { timeout: withinMs, interval: EVERY_MS });
}
