import type { AuditEntry } from './audit-entry.ts';

/** Which entries are sought; `null` stands for any. */
export interface AuditFilter {
  readonly event: string | null;
  readonly uid: string | null;
  readonly actor: string | null;
  readonly result: string | null;
  readonly requestId: string | null;
}

export interface AuditSearch {
  readonly filter: AuditFilter;
  /** Only entries before the one of this id; `null` for the latest. */
  readonly before: string | null;
  /** Included; ms since 1970, as the next. */
  readonly sinceMs: number | null;
  /** Excluded. */
  readonly untilMs: number | null;
  readonly limit: number;
}

/** Entries that are sought, the latest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** What to give as `before` for those that follow; `null` if there are no more. */
  readonly next: string | null;
}

/** Reads audits; `AuditLog` does. */
export interface AuditReader {
  /** `null` stands for the server as a whole. */
  search(projectId: string | null, search: AuditSearch): Promise<AuditPage>;
}

export function isSought(entry: AuditEntry, { event, uid, actor, result, requestId }: AuditFilter): boolean {
  return (
    (event === null || entry.event === event) &&
    (uid === null || entry.uid === uid) &&
    (actor === null || entry.actor === actor) &&
    (result === null || entry.result === result) &&
    (requestId === null || entry.requestId === requestId)
  );
}
