import type { RulesVersion } from '@hearth/core/api/rules-version.ts';
import type { AuditEntry } from '../../api/audit.ts';
import type { Area } from '../../shell/areas.ts';

/** Audit events of administrative changes, with the area of the console that they belong to. */
export const CHANGE_AREAS = {
  account_created: 'accounts',
  account_updated: 'accounts',
  account_deleted: 'accounts',
  accounts_deleted: 'accounts',
  accounts_merged: 'accounts',
  accounts_imported: 'accounts',
  hashes_exported: 'accounts',
  session_revoked: 'accounts',
  config_changed: 'sign-in',
  provider_config_changed: 'sign-in',
  tenant_created: 'sign-in',
  tenant_changed: 'sign-in',
  tenant_deleted: 'sign-in',
  test_mail_sent: 'sign-in',
  test_sms_sent: 'sign-in',
  project_created: 'settings',
  database_created: 'settings',
  api_key_created: 'settings',
  api_key_removed: 'settings',
  service_account_changed: 'settings',
  member_changed: 'settings',
  signing_keys_changed: 'settings',
  data_deleted: 'data',
  data_erased: 'data',
  data_imported: 'data',
  data_exported: 'data',
  change_undone: 'data',
  database_settings_changed: 'data',
  connection_ended: 'activity',
  alerts_changed: 'activity',
} as const satisfies Readonly<Record<string, Area>>;

export type ChangeEvent = keyof typeof CHANGE_AREAS;

/** An administrative change. */
export type Change =
  | { readonly kind: 'rules'; readonly timeMs: number; readonly version: RulesVersion }
  | {
      readonly kind: 'event';
      readonly timeMs: number;
      readonly event: ChangeEvent;
      readonly entry: AuditEntry;
    };

export const MAX_CHANGES = 5;

/** The actor of changes that users make in the app. */
const APP = 'app';

/**
 * Returns the administrative change that an audit entry records; `undefined` for others, such as sign-ins and failed
 * changes.
 */
export function findChange(entry: AuditEntry): Change | undefined {
  const { event, actor, result, timeMs } = entry;
  if (!isChangeEvent(event) || actor === APP || result !== 'ok') return undefined;
  return { kind: 'event', timeMs, event, entry };
}

function isChangeEvent(event: string): event is ChangeEvent {
  return Object.hasOwn(CHANGE_AREAS, event);
}

/** Returns the `MAX_CHANGES` latest changes among rules versions and audit entries, latest first. */
export function latestChanges(
  versions: readonly RulesVersion[],
  entries: readonly AuditEntry[],
): readonly Change[] {
  const ofRules = versions.flatMap((version): readonly Change[] =>
    version.timeMs === null ? [] : [{ kind: 'rules', timeMs: version.timeMs, version }],
  );
  const ofAudit = entries.flatMap((entry) => findChange(entry) ?? []);
  return [...ofRules, ...ofAudit].sort((a, b) => b.timeMs - a.timeMs).slice(0, MAX_CHANGES);
}

/** Returns the user IDs of rules authors and of changed accounts, sorted and without duplicates. */
export function uidsIn(changes: readonly Change[]): readonly string[] {
  const uids = changes.map((change) => {
    // Only accounts without a tenant are looked up: one of a tenant may have the same user ID.
    if (change.kind === 'event') return change.entry.tenant === undefined ? change.entry.uid : null;
    const { author } = change.version;
    return author.kind === 'member' || author.kind === 'user' ? author.uid : null;
  });
  return [...new Set(uids.filter((uid) => uid !== null))].sort();
}
