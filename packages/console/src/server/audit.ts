import type { Api } from './api.ts';

/** Something that mattered to security. */
export interface AuditEntry {
  /** Ascends with time. */
  readonly id: string;
  readonly timeMs: number;
  readonly event: string;
  /** The account that it is about. */
  readonly uid: string | null;
  readonly actor: string;
  readonly address: string;
  readonly userAgent: string;
  /** `ok`, or the code of the refusal. */
  readonly result: string;
  readonly detail: string | null;
  /** What the request is called in its answer and in the log of the server; `null` for what that did by itself. */
  readonly requestId: string | null;
}

/** Entries that have exactly what is given. */
export interface AuditFilter {
  readonly event?: string | undefined;
  readonly uid?: string | undefined;
  readonly actor?: string | undefined;
  readonly result?: string | undefined;
  readonly requestId?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Id to give as `before` for those that follow; a page that is short or empty need not be the last. */
  readonly next: string | null;
}

/** The latest entries of a project that match, or those before one. */
export function readAudit(
  api: Api,
  project: string,
  filter: AuditFilter,
  before: string | undefined,
  limit: number,
): Promise<AuditPage> {
  const query = { ...filter, before, limit };
  return api.json(`/api/projects/${encodeURIComponent(project)}/audit`, { query });
}
