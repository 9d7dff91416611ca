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
  readonly rejected: number;
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

/**
 * The work for which a cost arises: the first value of a listen, the changes sent to listeners, reads, writes, or the
 * evaluation of rules.
 */
export const COST_KINDS = ['listen', 'broadcast', 'read', 'write', 'rules'] as const;
export type CostKind = (typeof COST_KINDS)[number];

/** The cost of a group of operations. */
export interface Cost {
  /** Number of requests, of messages to listeners, or of rule decisions. */
  readonly events: number;
  readonly sentBytes: number;
  /** Time in which the server evaluated them, in ms. It does not include waiting. */
  readonly ms: number;
}

/** The cost of one kind of operation at one path. */
export interface PathCost extends Cost {
  readonly kind: CostKind;
  /** A path template, such as `/rooms/$room`. */
  readonly path: string;
  /** The form of the query without its values, such as `orderByChild("age").limitToLast(10)`; `null` without one. */
  readonly query: string | null;
}

/** The principal to which costs are charged. A `member` is a member of the console. */
export type CostAccount =
  | { readonly kind: 'guest' | 'admin' | 'viewer' | 'member' }
  | { readonly kind: 'user'; readonly uid: string | null };

/** The cost of the requests and listens of one principal. */
export interface AccountCost extends Cost {
  readonly account: CostAccount;
}

/** The response of `GET /api/databases/<database>/costs`. Lists begin with the most sent bytes. */
export interface ActivityCosts {
  /** The start of the time in which the costs arose; `null` if there were none. */
  readonly sinceMs: number | null;
  readonly paths: readonly PathCost[];
  readonly accounts: readonly AccountCost[];
  /** The costs of paths and of accounts that are not listed. */
  readonly otherPaths: Cost;
  readonly otherAccounts: Cost;
}
