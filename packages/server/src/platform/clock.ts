let latestMs = 0;

/** Returns whole milliseconds since 1970. The result is never less than an earlier result in this process. */
export function nowMs(): number {
  latestMs = Math.max(latestMs, Date.now());
  return latestMs;
}

/** Returns milliseconds since an arbitrary moment, with fractions, for measuring durations. */
export function elapsedMs(): number {
  return performance.now();
}

/** A source of time. The server uses the functions of this file, tests use others. */
export interface Clock {
  readonly nowMs: () => number;
  readonly elapsedMs: () => number;
}

export const systemClock: Clock = { nowMs, elapsedMs };
