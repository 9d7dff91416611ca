import { accountsAt } from './accounts.ts';
import type { Api } from './client.ts';

/** Something that mattered to the security of an account; see docs/reference/audit-events.md. */
export interface HistoryEntry {
  readonly id: string;
  readonly timeMs: number;
  readonly event: string;
  readonly actor: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** `ok`, or the error code. */
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

/** What a link out of a mail lets its reader do. */
export type LinkKind = 'PASSWORD_RESET' | 'VERIFY_EMAIL';

/** Sends the mail. */
export async function sendLink(
  api: Api,
  project: string,
  requestType: LinkKind,
  email: string,
): Promise<void> {
  await api.send(accountsAt(project, ':sendOobCode'), { method: 'POST', body: { requestType, email } });
}

/** The link of such a mail, without sending one. */
export async function makeLink(
  api: Api,
  project: string,
  requestType: LinkKind,
  email: string,
): Promise<string> {
  const { oobLink } = await api.json<{ readonly oobLink: string }>(accountsAt(project, ':sendOobCode'), {
    method: 'POST',
    body: { requestType, email, returnOobLink: true },
  });
  return oobLink;
}

/** A sign-in that lasts, on one device or browser; times are milliseconds since 1970, as text. */
export interface AccountSession {
  readonly sessionId: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly signInProvider: string;
  readonly secondFactor?: string;
  readonly userAgent: string;
  readonly network: string;
}

/** Where somebody is signed in, the last used first. */
export async function listSessions(
  api: Api,
  project: string,
  uid: string,
): Promise<readonly AccountSession[]> {
  const { sessions } = await api.json<{ readonly sessions: readonly AccountSession[] }>(
    accountsAt(project, `/${encodeURIComponent(uid)}/sessions`),
  );
  return sessions;
}

export async function endSession(api: Api, project: string, uid: string, session: string): Promise<void> {
  const rest = `/${encodeURIComponent(uid)}/sessions/${encodeURIComponent(session)}`;
  await api.send(accountsAt(project, rest), { method: 'DELETE' });
}
