import type { RecordedQuery } from '@hearth/core/api/activity.ts';

/** The cost of one query. */
export interface QueryCost {
  readonly location: string;
  readonly orderBy: string;
  readonly isIndexed: boolean;
  readonly isRejected: boolean;
  readonly ms: number;
  readonly children: number | null;
  readonly atMs: number;
}

/** Minimum duration in ms for an indexed query to be recorded. */
export const SLOW_MS = 10;

/**
 * Maximum number of recorded kinds of queries. When it is exceeded, the kind with the oldest last occurrence
 * is removed.
 */
const MAX_RECORDED = 200;

/**
 * Recent queries that had no index or took long, in the order of their last occurrence.
 */
export class QueryLog {
  readonly #recorded = new Map<string, RecordedQuery>();

  record({ location, orderBy, isIndexed, isRejected, ms, children, atMs }: QueryCost): void {
    const name = JSON.stringify([location, orderBy, isIndexed]);
    const before = this.#recorded.get(name);
    this.#recorded.delete(name);
    this.#recorded.set(name, {
      location,
      orderBy,
      isIndexed,
      count: (before?.count ?? 0) + 1,
      rejected: (before?.rejected ?? 0) + (isRejected ? 1 : 0),
      slowestMs: Math.max(before?.slowestMs ?? 0, ms),
      mostChildren:
        children === null ? (before?.mostChildren ?? null) : Math.max(before?.mostChildren ?? 0, children),
      latestAtMs: atMs,
    });
    if (this.#recorded.size > MAX_RECORDED)
      for (const oldest of this.#recorded.keys()) return void this.#recorded.delete(oldest);
  }

  /** Returns the recorded queries, latest first. */
  all(): readonly RecordedQuery[] {
    return [...this.#recorded.values()].reverse();
  }
}
