import {
  ALERT_KINDS,
  type AlertKind,
  type AlertSettings,
  type AlertThresholds,
  MAX_THRESHOLDS,
} from '@hearth/core/api/alerts.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { RecordTransaction, RecordView } from '../../records/store.ts';
import { requireRecord } from '../stored-record.ts';
import type { StoredAlert } from './alert-step.ts';

/** Settings as they are stored at `alerts/<project>/settings` in the records of the installation. */
export interface StoredSettings {
  readonly thresholds: AlertThresholds;
  readonly mailsOwners: boolean;
  readonly webhook: StoredWebhook | null;
  /** The URL of this server in the request that changed the settings. Mails name its host. */
  readonly origin: string;
}

export interface StoredWebhook {
  readonly url: string;
  /** The sealed secret that signs messages. */
  readonly secret: string;
}

export function findSettings(installation: RecordView, projectId: string): StoredSettings | undefined {
  const record = installation.find(['alerts', projectId, 'settings']);
  if (record === undefined) return undefined;
  // The store omits empty objects and `null`.
  const {
    thresholds = {},
    mailsOwners,
    webhook = null,
    origin,
  } = requireRecord(record) as Partial<StoredSettings>;
  return { thresholds, mailsOwners: mailsOwners === true, webhook, origin: String(origin) };
}

export function writeSettings(
  installation: RecordTransaction,
  projectId: string,
  settings: StoredSettings,
): void {
  installation.write(['alerts', projectId, 'settings'], settings);
}

/** Returns the stored state of an alert; `undefined` if it was never raised. */
export function findAlert(
  installation: RecordView,
  projectId: string,
  kind: AlertKind,
): StoredAlert | undefined {
  const record = installation.find(['alerts', projectId, 'states', kind]);
  if (record === undefined) return undefined;
  const { isRaised, sinceMs, sent = null } = requireRecord(record) as Partial<StoredAlert>;
  return { isRaised: isRaised === true, sinceMs: Number(sinceMs), sent };
}

export function writeAlert(
  installation: RecordTransaction,
  projectId: string,
  kind: AlertKind,
  state: StoredAlert | null,
): void {
  installation.write(['alerts', projectId, 'states', kind], state);
}

/** Maximum number of projects whose alerts are evaluated. */
export const MAX_WATCHED = 1_000;

/** Returns the IDs of the projects that have settings of alerts. */
export function listWatched(installation: RecordView): readonly string[] {
  return installation.listKeys(['alerts'], { limit: MAX_WATCHED });
}

/** Maximum length of the address of a webhook, in UTF-16 code units. */
const MAX_URL_UNITS = 2_000;

/** Parses settings. Throws `request/malformed`. */
export function parseAlertSettings(fields: ReadonlyMap<string, unknown>): AlertSettings {
  const mailsOwners = fields.get('mailsOwners');
  if (typeof mailsOwners !== 'boolean') throw malformed('"mailsOwners" must be true or false.');
  return {
    thresholds: parseThresholds(fields.get('thresholds')),
    mailsOwners,
    webhook: parseWebhook(fields.get('webhook')),
  };
}

function parseThresholds(json: unknown): AlertThresholds {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw malformed('"thresholds" must be an object.');
  const thresholds: Partial<Record<AlertKind, number>> = {};
  for (const [name, value] of Object.entries(json)) {
    const kind = ALERT_KINDS.find((known) => known === name);
    if (kind === undefined) throw malformed(`"thresholds" may have ${ALERT_KINDS.join(', ')}.`);
    if (!Number.isInteger(value) || value < 1 || value > MAX_THRESHOLDS[kind])
      throw malformed(`"thresholds.${kind}" must be a whole number from 1 to ${MAX_THRESHOLDS[kind]}.`);
    thresholds[kind] = Number(value);
  }
  return thresholds;
}

function parseWebhook(value: unknown): string | null {
  if (value === null) return null;
  const url = typeof value === 'string' && value.length <= MAX_URL_UNITS ? URL.parse(value) : null;
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username !== '' ||
    url.password !== ''
  )
    throw malformed('"webhook" must be null or an address that begins with https:// or http://.');
  return url.href;
}

function malformed(message: string): RequestError {
  return new RequestError('request/malformed', message);
}
