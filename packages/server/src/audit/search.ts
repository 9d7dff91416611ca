import type { AuditEntry } from './entry.ts';
import type { AuditSeries } from './series.ts';

/** The entries to find; `null` matches any value. */
export interface AuditFilter {
  /** The events to find. */
  readonly events: ReadonlySet<string> | null;
  readonly database: string | null;
  readonly uid: string | null;
  /** An empty text finds entries without a tenant. */
  readonly tenant: string | null;
  readonly actor: string | null;
  readonly result: string | null;
  readonly requestId: string | null;
}

export interface AuditSearch {
  readonly filter: AuditFilter;
  /** The series to search; `null` means both. */
  readonly series: AuditSeries | null;
  /** Only entries before the one with this ID. `null` starts at the latest entry. */
  readonly before: string | null;
  /** Lower bound of the time, inclusive, in ms since 1970. `null` means no bound. */
  readonly sinceMs: number | null;
  /** Upper bound of the time, exclusive, in ms since 1970. `null` means no bound. */
  readonly untilMs: number | null;
  readonly limit: number;
}

/** A page of matching entries, the latest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The value of `before` for the next page; `null` on the last page. */
  readonly next: string | null;
}

/** Reads audit logs. Implemented by `AuditLog`. */
export interface AuditReader {
  /** Returns a page of a project's audit log, or of the server's audit log if `projectId` is `null`. */
  search(projectId: string | null, search: AuditSearch): Promise<AuditPage>;
}

export function matchesFilter(
  entry: AuditEntry,
  { events, database, uid, tenant, actor, result, requestId }: AuditFilter,
): boolean {
  return (
    (events === null || events.has(entry.event)) &&
    (database === null || entry.subject?.database === database) &&
    (uid === null || entry.uid === uid) &&
    (tenant === null || (entry.tenant ?? '') === tenant) &&
    (actor === null || entry.actor === actor) &&
    (result === null || entry.result === result) &&
    (requestId === null || entry.requestId === requestId)
  );
}
