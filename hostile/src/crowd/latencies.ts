/** The kinds of work that the crowd does. */
export type CrowdWork = 'write' | 'read' | 'newcomer' | 'signIn' | 'administration';

export const CROWD_WORK: readonly CrowdWork[] = ['write', 'read', 'newcomer', 'signIn', 'administration'];

/** The latencies and failures of the crowd in a period. */
export interface CrowdReport {
  /** Latencies in ms, in the order of the responses. */
  readonly latenciesMs: Readonly<Record<CrowdWork, readonly number[]>>;
  /** Everything that the server rejected or left unanswered, as sentences. */
  readonly failures: readonly string[];
}

/**
 * Returns a percentile of values: the smallest value that is at least as large as `share` of them; 0 without values.
 */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
