/** The activity of a database in the period that ended at `timeMs`. */
export interface ActivitySample {
  readonly timeMs: number;
  readonly reads: number;
  readonly writes: number;
  readonly denied: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Number of open connections at the end of the period. */
  readonly connections: number;
  /** Durations within which 50% and 99% of the requests completed; `null` if there were no requests. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** The periods for which the server keeps the activity of a database. */
export const HISTORY_RANGES = ['hour', 'day', 'week', 'month'] as const;
export type HistoryRange = (typeof HISTORY_RANGES)[number];

/**
 * The activity of a database in one step of a history. `connections` is the largest number in the step. `p99Ms` is the
 * largest of its periods, `p50Ms` their average, weighted by operations.
 */
export interface HistoryPoint extends ActivitySample {
  /** Bytes of the store in use at the end, of all databases of the server; `null` if unknown. */
  readonly storeBytes: number | null;
}

/** The response of `GET /api/databases/<database>/activity/history`. */
export interface ActivityPast {
  readonly range: HistoryRange;
  readonly stepSec: number;
  /** Number of steps, of which the last ends at `toMs`. */
  readonly steps: number;
  readonly toMs: number;
  /** Oldest first. A step without a point had no activity, or the server did not run. */
  readonly points: readonly HistoryPoint[];
}

/** Statistics of slow or unindexed queries with the same location and order. */
export interface RecordedQuery {
  /** Location in the rules, such as `/rooms/$room`. */
  readonly location: string;
  /** The order of the query: a child path, `.key`, `.value` or `.priority`. */
  readonly orderBy: string;
  readonly isIndexed: boolean;
  readonly count: number;
  /** Number of these queries that were rejected because the index is missing. */
  readonly refused: number;
  readonly slowestMs: number;
  /** Largest number of children that one of these queries read; `null` if unknown. */
  readonly mostChildren: number | null;
  readonly latestAtMs: number;
}

/** A recorded query as the admin API lists it. */
export interface ListedQuery extends RecordedQuery {
  /** The rules to add at the location; `null` if a missing index is not the reason. */
  readonly fix: string | null;
}
