import { vi } from 'vitest';

/** Long enough for a slow or busy machine, and shorter than the timeout of a test. */
const WITHIN_MS = 220_000;
const EVERY_MS = 4;

/** Waits until an assertion holds, and resolves to its result. Rejects with its last failure after `withinMs`. */
export function until<T>(assertion: () => T | Promise<T>, withinMs = WITHIN_MS): Promise<T> {
  return vi.waitFor(assertion, { timeout: withinMs, interval: EVERY_MS });
}
