import { type AccountScope, accountsAt, scopeParts } from './accounts.ts';
import { type AuditPage, readAudit } from './audit.ts';
import type { Api } from './client.ts';

const PAGE_ENTRIES = 20;

/** Reads a page of an account's history, latest first. */
export function listHistory(
  api: Api,
  scope: AccountScope,
  uid: string,
  before: string | undefined,
  signal: AbortSignal,
): Promise<AuditPage> {
  const { project, tenant } = scopeParts(scope);
  return readAudit(api, project, { uid, tenant: tenant ?? '' }, before, PAGE_ENTRIES, signal);
}

/** The events of the sign-in timeline, with commas between them. */
export const SIGN_IN_EVENTS = [
  'sign_in',
  'sign_up',
  'second_factor_asked',
  'second_factor_failed',
  'recovery_code_used',
  'provider_unconfirmed',
].join(',');

/** Which entries to read: those before the entry with an ID, or from a time on, in ms since 1970. */
interface SignInRange {
  readonly before?: string | undefined;
  readonly since?: number;
}

/** Reads a page of the sign-ins of an account and of the rejected attempts, latest first. */
export function listSignIns(
  api: Api,
  scope: AccountScope,
  uid: string,
  { before, since }: SignInRange,
  signal: AbortSignal,
): Promise<AuditPage> {
  const { project, tenant } = scopeParts(scope);
  const filter = { uid, tenant: tenant ?? '', event: SIGN_IN_EVENTS, since };
  return readAudit(api, project, filter, before, PAGE_ENTRIES, signal);
}

/** The action that an email link allows. */
export type LinkKind = 'PASSWORD_RESET' | 'VERIFY_EMAIL';

/** Sends the user an email with a link. */
export async function sendLink(
  api: Api,
  scope: AccountScope,
  requestType: LinkKind,
  email: string,
): Promise<void> {
  await api.send(accountsAt(scope, ':sendOobCode'), { method: 'POST', body: { requestType, email } });
}

/** Creates the link of such an email, and returns the link. Sends no email. */
export async function createLink(
  api: Api,
  scope: AccountScope,
  requestType: LinkKind,
  email: string,
): Promise<string> {
  const { oobLink } = await api.json<{ readonly oobLink: string }>(accountsAt(scope, ':sendOobCode'), {
    method: 'POST',
    body: { requestType, email, returnOobLink: true },
  });
  return oobLink;
}

/** A session on one device or browser; times are milliseconds since 1970, as text. */
export interface AccountSession {
  readonly sessionId: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly signInProvider: string;
  readonly secondFactor?: string;
  readonly userAgent: string;
  readonly network: string;
}

/** Lists the sessions of an account, most recently used first. */
export async function listSessions(
  api: Api,
  scope: AccountScope,
  uid: string,
): Promise<readonly AccountSession[]> {
  const { sessions } = await api.json<{ readonly sessions: readonly AccountSession[] }>(
    accountsAt(scope, `/${encodeURIComponent(uid)}/sessions`),
  );
  return sessions;
}

export async function endSession(api: Api, scope: AccountScope, uid: string, session: string): Promise<void> {
  const rest = `/${encodeURIComponent(uid)}/sessions/${encodeURIComponent(session)}`;
  await api.send(accountsAt(scope, rest), { method: 'DELETE' });
}
