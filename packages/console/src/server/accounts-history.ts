import type { Api } from './api.ts';

/** Something that mattered to the security of an account; see docs/reference/audit-events.md. */
export interface HistoryEntry {
  readonly id: string;
  readonly timeMs: number;
  readonly event: string;
  readonly actor: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** `ok`, or the code of the refusal. */
  readonly result: string;
  readonly detail: string | null;
}

export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  /** Id to ask with for those that follow, or `null`. */
  readonly next: string | null;
}

const PAGE_ENTRIES = 20;

/** What happened to an account, the latest first. */
export function listHistory(
  api: Api,
  project: string,
  uid: string,
  before: string | undefined,
  signal: AbortSignal,
): Promise<HistoryPage> {
  const query = { uid, before, limit: PAGE_ENTRIES };
  return api.json(`/api/projects/${encodeURIComponent(project)}/audit`, { query, signal });
}
