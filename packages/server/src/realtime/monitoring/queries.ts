/** A query that should be cheaper, as often as it was seen. */
export interface RecordedQuery {
  /** Location in the rules, such as `/rooms/$room`. */
  readonly location: string;
  /** What it orders by: a child, or `.key`, `.value`, `.priority`. */
  readonly orderBy: string;
  readonly isIndexed: boolean;
  readonly count: number;
  /** How many of them were refused for want of the index. */
  readonly refused: number;
  readonly slowestMs: number;
  /** Most children that one of them looked at; `null` if that is not known. */
  readonly mostChildren: number | null;
  readonly latestAtMs: number;
}

/** What one query took. */
export interface QueryCost {
  readonly location: string;
  readonly orderBy: string;
  readonly isIndexed: boolean;
  readonly isRefused: boolean;
  readonly ms: number;
  readonly children: number | null;
  readonly atMs: number;
}

/** An indexed query is only noted if it took as long. */
export const SLOW_MS = 10;

/** Kinds of queries that are kept; beyond, the one that was not seen for longest is forgotten. */
const MAX_RECORDED = 200;

/** Queries lately that looked at more than they need have, or took long; in the order in which they were seen last. */
export class QueryLog {
  readonly #recorded = new Map<string, RecordedQuery>();

  record({ location, orderBy, isIndexed, isRefused, ms, children, atMs }: QueryCost): void {
    const name = JSON.stringify([location, orderBy, isIndexed]);
    const before = this.#recorded.get(name);
    this.#recorded.delete(name);
    this.#recorded.set(name, {
      location,
      orderBy,
      isIndexed,
      count: (before?.count ?? 0) + 1,
      refused: (before?.refused ?? 0) + (isRefused ? 1 : 0),
      slowestMs: Math.max(before?.slowestMs ?? 0, ms),
      mostChildren:
        children === null ? (before?.mostChildren ?? null) : Math.max(before?.mostChildren ?? 0, children),
      latestAtMs: atMs,
    });
    if (this.#recorded.size > MAX_RECORDED)
      for (const oldest of this.#recorded.keys()) return void this.#recorded.delete(oldest);
  }

  /** Latest first. */
  all(): readonly RecordedQuery[] {
    return [...this.#recorded.values()].reverse();
  }
}
