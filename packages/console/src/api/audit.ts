import type { Api } from './client.ts';

/** The database, and the part of it, on which an administrator acted; see docs/reference/api.md. */
export interface AuditSubject {
  readonly database: string;
  readonly path?: string;
  readonly count?: number;
  readonly bytes?: number;
  readonly change?: number;
  readonly ofChange?: number;
  readonly rulesVersion?: number;
  readonly ofRulesVersion?: number;
}

/** An entry of the audit log. */
export interface AuditEntry {
  /** Increases with time. */
  readonly id: string;
  readonly timeMs: number;
  readonly event: string;
  /** The affected account. */
  readonly uid: string | null;
  /** The tenant of the account. Absent for accounts without a tenant, and for other events. */
  readonly tenant?: string;
  readonly actor: string;
  readonly address: string;
  readonly userAgent: string;
  /** `ok`, or the error code. */
  readonly result: string;
  readonly detail: string | null;
  /** ID of the request, as in the response and the server log; `null` for events that no request caused. */
  readonly requestId: string | null;
  /** How often the event occurred within a minute, or an hour if there is a `subject`, the first time at `timeMs`. */
  readonly count: number;
  /** The last time, if the event occurred several times. */
  readonly lastTimeMs: number | null;
  /** Absent if the event does not concern a database. */
  readonly subject?: AuditSubject;
}

export const AUDIT_SERIES = ['administration', 'users'] as const;
export type AuditSeries = (typeof AUDIT_SERIES)[number];

/**
 * Selects entries whose fields equal all given values. `since` (inclusive) and `until` (exclusive) are in ms since 1970.
 */
export interface AuditFilter {
  /** Names of events with commas between them. */
  readonly event?: string | undefined;
  readonly database?: string | undefined;
  /** The events of administrators and of the server, or those of users and apps. */
  readonly series?: AuditSeries | undefined;
  readonly uid?: string | undefined;
  /** An empty text finds entries without a tenant. */
  readonly tenant?: string | undefined;
  readonly actor?: string | undefined;
  readonly result?: string | undefined;
  readonly requestId?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The `before` parameter of the next page; `null` after the last page. Other pages can be short or empty too. */
  readonly next: string | null;
}

/** Reads the latest matching entries of a project, or those before the entry with the ID `before`. */
export function readAudit(
  api: Api,
  project: string,
  filter: AuditFilter,
  before: string | undefined,
  limit: number,
  signal?: AbortSignal,
): Promise<AuditPage> {
  const query = { ...filter, before, limit };
  return api.json(`/api/projects/${encodeURIComponent(project)}/audit`, { query, signal });
}

/** Names of all audit events; the same list as in docs/reference/audit-events.md. */
export const AUDIT_EVENTS = [
  'sign_in',
  'redirect_rejected',
  'tenant_rejected',
  'second_factor_asked',
  'sign_up',
  'password_linked',
  'email_changed',
  'password_changed',
  'password_reset',
  'phone_linked',
  'provider_linked',
  'provider_unconfirmed',
  'provider_unavailable',
  'provider_flow_failed',
  'sms_queued',
  'sms_refused',
  'challenges_limited',
  'captcha_missing',
  'app_check_rejected',
  'app_check_changed',
  'message_blocked',
  'sms_country_paused',
  'sms_country_resumed',
  'sms_lost',
  'unlinked',
  'code_issued',
  'code_used',
  'second_factor_added',
  'second_factor_failed',
  'second_factor_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'refresh_reuse',
  'session_ended',
  'session_revoked',
  'own_data_exported',
  'session_cookie_created',
  'account_created',
  'account_updated',
  'account_deleted',
  'accounts_merged',
  'accounts_deleted',
  'accounts_imported',
  'hashes_exported',
  'config_changed',
  'provider_config_changed',
  'tenant_created',
  'tenant_changed',
  'tenant_deleted',
  'test_mail_sent',
  'test_sms_sent',
  'project_created',
  'database_created',
  'data_changed',
  'data_deleted',
  'data_erased',
  'data_imported',
  'data_exported',
  'change_undone',
  'change_forgotten',
  'rules_published',
  'rules_rolled_back',
  'database_settings_changed',
  'connection_ended',
  'alerts_changed',
  'alert_raised',
  'alert_ended',
  'alert_lost',
  'api_key_created',
  'api_key_removed',
  'service_account_changed',
  'member_changed',
  'signing_keys_changed',
  'access_token_issued',
  'admin_refused',
  'audit_lost',
] as const;
