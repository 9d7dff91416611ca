import { accountsAt } from './accounts.ts';
import type { Api } from './api.ts';

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
