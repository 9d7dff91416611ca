import type { RequestSource } from '../http/request-source.ts';
import type { DataActionName, DataSubject } from '../realtime/monitoring/data-actions.ts';
import { INSTALLATION, type RecordStore } from '../records/store.ts';

/**
 * The events of audit logs with their meanings. The result of an event is `ok`, or the error code of a
 * rejected request.
 */
export const AUDIT_EVENTS = {
  sign_in:
    'A user signed in, or the attempt was rejected. The detail names the method: `password`, `anonymous`, `custom`, and the second factor after a `+`.',
  redirect_rejected:
    'A page or a request named an address to which users are to return, and the project does not authorize it. The detail names the page and the host.',
  tenant_rejected:
    'A request named another tenant than its token, and was rejected. The detail is the method. The other methods that the log records have their own events.',
  second_factor_asked: 'The first factor was correct, and the server asks for the second factor.',
  sign_up: 'A user created an account, or the attempt was rejected. The detail names the method.',
  password_linked: 'A user added a password to an account that had none.',
  email_changed: 'A user changed or removed the email address of their account.',
  password_changed: 'A user changed the password of their account.',
  password_reset: 'A user reset a password with a code from an email.',
  phone_linked: 'A user added a phone number to their account, or replaced it.',
  provider_linked:
    'A user added an identity at another provider to their account. The detail names the provider.',
  provider_unconfirmed:
    'A user of another provider has the address of this account, and the provider does not prove it. The server asks for a sign-in by another method. The detail names the provider.',
  provider_unavailable:
    'An identity provider did not answer, or not correctly. The detail names the provider and the reason.',
  provider_flow_failed:
    'A sign-in with a popup or a redirect ended without a result: in another browser, with a response that is not valid, or because the provider did not answer. The detail names the provider and the reason.',
  sms_queued:
    'A text message with a code was queued. The detail names the reason and the country, or says that the number is fictional.',
  sms_refused:
    'A text message with a code was requested, and the request was rejected. The detail names the budget that is used up, or says that many sequential numbers were requested.',
  challenges_limited:
    'A network requested more challenges than the limit, and one was rejected. The detail names the action.',
  captcha_missing:
    'A request was not protected by a solved challenge, in a project that only observes this. The detail names the action, and the result is the error that an enforcing project would send.',
  app_check_rejected:
    'A request was rejected because it has no valid App Check token, or a client asked for such a token without a valid proof. The result is `missing`, `invalid`, `used` or the error, and the detail names the method, the database or the proof.',
  app_check_changed: 'A debug token for App Check was added or removed. The detail names the app.',
  message_blocked:
    'A function of the project rejected an email or a text message with a code, or failed. The detail names the event. The result is the error of the client, or `sent` if the project sends messages when the function fails.',
  sms_country_paused:
    'Users entered too few of the codes for a country, and the server stopped sending text messages there. The detail names the country.',
  sms_country_resumed:
    'An administrator allowed text messages to a paused country again. The detail names the country.',
  sms_lost:
    'The server gave up on a text message. The result says why: the code of the SMS service, `expired`, or `failed` if no service got the message. The detail is the answer of the service, or the reason for which the webhook blocked the message.',
  unlinked: 'A user removed a sign-in method or a profile field from their account. The detail names it.',
  code_issued:
    'The server issued a code for an email or for an administrator, and the detail names its kind; or the request was rejected.',
  code_used: 'A code from an email was used. The detail names its kind.',
  second_factor_added:
    'A second factor was added to an account, and the detail names its kind; or a step of the enrollment was rejected.',
  second_factor_failed: 'A second factor was wrong.',
  second_factor_removed: 'A second factor was removed from an account. The detail names its kind.',
  passkey_added: 'A passkey was added to an account. The detail is its name.',
  passkey_removed: 'A user removed passkeys from their account.',
  recovery_codes_made: 'An account received new recovery codes; the previous codes are no longer valid.',
  recovery_code_used: 'A recovery code was used instead of a second factor.',
  refresh_reuse: 'A client used a refresh token that was no longer valid, and the server ended its session.',
  session_ended: 'A client used a refresh token whose session had ended, or that no session has.',
  session_revoked:
    'A user or an administrator ended a session. The detail is `all` if a user ended all of theirs.',
  own_data_exported: 'A user downloaded what the server stores about their account.',
  session_cookie_created: 'An ID token was exchanged for a session cookie.',
  account_created: 'An administrator created an account.',
  account_updated:
    'An administrator changed an account, and the detail names the change; or a change by any caller was rejected.',
  account_deleted: 'An account was deleted, by its user or by an administrator.',
  accounts_merged:
    'An administrator merged two accounts, each of which has an entry. The detail says which one: `remains` or `removed`.',
  accounts_deleted: 'An administrator deleted accounts. The detail gives their number.',
  accounts_imported: 'An administrator imported accounts. The detail gives their number.',
  hashes_exported:
    'An administrator read accounts in bulk with their password hashes. The detail gives their number.',
  config_changed: 'The settings of a project were changed. The detail names the changed settings.',
  provider_config_changed:
    'The configuration of an identity provider was created, changed or removed. The detail names the provider and the change.',
  tenant_created: 'A tenant was created. The detail names it.',
  tenant_changed:
    'The settings of a tenant were changed. The detail names the tenant and the changed settings.',
  tenant_deleted: 'A tenant was deleted with all its accounts. The detail names it.',
  test_mail_sent: 'An administrator sent a test email to check the mail server. The detail gives the result.',
  test_sms_sent:
    'An administrator sent a text message to check the SMS service. The detail gives the result.',
  project_created: 'A project was created.',
  database_created: 'A database was created for a project. The detail names it.',
  data_changed:
    'An administrator wrote data over the admin API, as the console does. The subject names the path, or the deepest path at or above all of them, their number, and the change by which it can be undone.',
  data_deleted:
    'An administrator deleted data over REST or the admin API. The subject names the path, their number, and the change by which it can be undone.',
  data_erased: 'An administrator deleted all data of a database over REST or the admin API.',
  data_imported:
    'An administrator imported data, replaced all data of a database, or wrote at least 1 MiB over REST. The detail says how: `replace`, `merge` or `deep-merge`, or that a merge was `canceled` or `failed` after a part of it. The subject gives the bytes.',
  data_exported:
    'An administrator read data over REST in export format, as a download, or all data of a database. The subject names the path and the bytes that were sent.',
  change_undone:
    'An administrator undid a change. The subject names the change, and the one by which that can be undone.',
  change_forgotten:
    'An administrator removed the data that was kept for the undo of a change. The subject names it.',
  rules_published: 'An administrator published security rules. The subject names their version.',
  rules_rolled_back:
    'An administrator published the rules of an earlier version again. The subject names both versions.',
  database_settings_changed: 'An administrator changed a setting of a database. The detail names it.',
  connection_ended:
    'An administrator or a member ended a connection to a database. The detail names the database and the connection.',
  alerts_changed:
    'An administrator changed the alerts of a project. The detail names the figures with a threshold.',
  alert_raised: 'A figure reached the threshold of an alert. The detail names the figure and its value.',
  alert_ended:
    'A figure is below the threshold of an alert again. The detail names the figure and its value.',
  alert_lost:
    'The webhook of a project did not accept a message about an alert. The detail names the figure and the reason.',
  api_key_created: 'An API key was created for a project.',
  api_key_removed: 'An API key of a project was removed.',
  service_account_changed:
    'A service account was added, disabled, enabled or removed, or received a key. The detail names the change.',
  member_changed: 'A member was added or removed, or received another role. The detail names the change.',
  signing_keys_changed: 'Signing keys were rotated or replaced. The detail names the change.',
  access_token_issued: 'A service account received an access token, or its request was rejected.',
  admin_refused: 'A caller claimed to be an administrator and was rejected.',
  audit_lost:
    'Events arrived faster than the server could write them. The detail gives the number of lost events.',
} as const satisfies Readonly<Record<string, string>>;

AUDIT_EVENTS satisfies Readonly<Record<DataActionName, string>>;

export type AuditEventName = keyof typeof AUDIT_EVENTS;

/** The request source of events that the server itself causes. */
export const NO_REQUEST: RequestSource = { address: '', userAgent: '', requestId: null };

/**
 * An event: what happened, which account it concerns, who did it, and from where. Never contains secrets, codes
 * or complete tokens.
 */
export interface AuditEvent extends RequestSource {
  readonly event: AuditEventName;
  /** `null` for events that concern the whole server or a project that does not exist. */
  readonly projectId: string | null;
  /** The account that the event concerns. `null` if the event concerns no account or an unknown one. */
  readonly uid: string | null;
  /** The tenant whose accounts the event concerns. Absent for the accounts without a tenant, and for other events. */
  readonly tenant?: string;
  /** The actor: `app` for a client of the project, otherwise the name of the administrator. */
  readonly actor: string;
  /** `ok`, or the error code of a rejected request. */
  readonly result: string;
  /** Further information, in a few words. */
  readonly detail: string | null;
  /** The database, and the part of it, on which an action was taken. Absent for all other events. */
  readonly subject?: DataSubject;
}

/** Records events that are relevant to security. */
export interface AuditTrail {
  /** Records an event. Returns immediately; the event becomes durable a moment later. */
  notify(event: AuditEvent): void;
  /**
   * Writes events that have waited for some time together with the next transaction. Call it before a
   * transaction that runs anyway, because a separate transaction would cost a disk flush.
   */
  join(): void;
}

/**
 * Records in the server's audit log when signing keys are added or removed: at the first start, in regular
 * rotation, and in an emergency.
 */
export function auditKeyChanges(recordStore: RecordStore, audit: Pick<AuditTrail, 'notify'>): void {
  recordStore.watch((records, [kind, use = ''], value) => {
    if (records !== INSTALLATION || kind !== 'signing-keys') return;
    audit.notify({
      event: 'signing_keys_changed',
      projectId: null,
      uid: null,
      actor: 'server',
      ...NO_REQUEST,
      result: 'ok',
      detail: `${use}: a key was ${value === undefined ? 'removed' : 'added'}`,
    });
  });
}
