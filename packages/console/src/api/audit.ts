import type { Api } from './client.ts';

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
  /** `ok`, or the error code. */
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

/** Names of everything that the audit tells, as docs/reference/audit-events.md has them. */
export const AUDIT_EVENTS: readonly string[] = [
  'sign_in',
  'second_factor_asked',
  'sign_up',
  'password_linked',
  'email_changed',
  'password_changed',
  'password_reset',
  'unlinked',
  'code_issued',
  'code_used',
  'second_factor_added',
  'second_factor_failed',
  'second_factor_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'refresh_reuse',
  'session_ended',
  'session_revoked',
  'session_cookie_created',
  'account_created',
  'account_updated',
  'account_deleted',
  'accounts_deleted',
  'accounts_imported',
  'hashes_exported',
  'config_changed',
  'test_mail_sent',
  'project_created',
  'database_created',
  'connection_ended',
  'api_key_created',
  'api_key_removed',
  'service_account_changed',
  'member_changed',
  'signing_keys_changed',
  'access_token_issued',
  'admin_refused',
  'audit_lost',
];
