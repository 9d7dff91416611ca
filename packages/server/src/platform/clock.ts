let latestMs = 0;

/** Milliseconds since 1970, whole, and never less than an earlier answer of this process. */
export function nowMs(): number {
  latestMs = Math.max(latestMs, Date.now());
  return latestMs;
}

/** Milliseconds since some moment, with fractions; for measuring how long something takes. */
export function elapsedMs(): number {
  return performance.now();
}

/** What reads the time; functions of this file in the server, other ones in tests. */
export interface Clock {
  readonly nowMs: () => number;
  readonly elapsedMs: () => number;
}

export const systemClock: Clock = { nowMs, elapsedMs };
