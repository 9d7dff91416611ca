import type { LatencyHistogram } from './latency-histogram.ts';

/** Counts since a database was opened. */
export interface ActivityTotals {
  readonly reads: number;
  readonly writes: number;
  readonly denied: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** What was done in a stretch of time that ended at `timeMs`. */
export interface ActivitySample extends ActivityTotals {
  readonly timeMs: number;
  /** At its end. */
  readonly connections: number;
  /** Times within which half and 99 of 100 requests were done; `null` if there were none. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** What two states of the counters differ by. */
export function sampleBetween(
  timeMs: number,
  before: ActivityTotals,
  now: ActivityTotals & { readonly connections: number },
  latency: LatencyHistogram,
): ActivitySample {
  return {
    timeMs,
    reads: now.reads - before.reads,
    writes: now.writes - before.writes,
    denied: now.denied - before.denied,
    connections: now.connections,
    sentBytes: now.sentBytes - before.sentBytes,
    receivedBytes: now.receivedBytes - before.receivedBytes,
    p50Ms: latency.percentileMs(0.5),
    p99Ms: latency.percentileMs(0.99),
  };
}

export function totalsOf({
  reads,
  writes,
  denied,
  sentBytes,
  receivedBytes,
}: ActivityTotals): ActivityTotals {
  return { reads, writes, denied, sentBytes, receivedBytes };
}
