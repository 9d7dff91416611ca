import { boundSubject, decodeSubject } from './subject.ts';
import type { AuditEvent } from './trail.ts';

/** Replacement for a text that looks like a secret. */
const REDACTED = '[redacted]';

/**
 * Matches candidates for tokens, hashes and keys: long runs of the characters that these consist of. `isToken` decides
 * which candidates are secrets.
 */
const TOKEN = /[\w~+/=.-]{20,}/g;
/**
 * Matches codes of second factors, and phone numbers. Does not match versions of programs, such as
 * `Gecko/20100101` and `1.234567`.
 */
const CODE = /(?<![\d/]|\d\.)(?:\d{6}|\d{8}|\+\d{7,15})(?!\.?\d)/g;
/** Matches the version of a program, such as `Chrome/120.0.0.0`, which is not a secret. */
const PRODUCT = /^[A-Za-z][A-Za-z_.-]*\/[\d.]+$/;

/**
 * Returns a text without parts that look like a token or a code, truncated to `maxLength` UTF-16 code units.
 */
export function redact(text: string, maxLength: number): string {
  // Truncates last, because a truncated secret may no longer look like a secret.
  return text
    .slice(0, SCANNED_LENGTH)
    .replace(TOKEN, (run) => (isToken(run) ? REDACTED : run))
    .replace(CODE, REDACTED)
    .slice(0, maxLength)
    .toWellFormed();
}

/** Maximum number of code units that are scanned, so that a client cannot make the server scan a megabyte. */
const SCANNED_LENGTH = 2_048;

function isToken(run: string): boolean {
  return /\d/.test(run) && /[A-Za-z]/.test(run) && !PRODUCT.test(run);
}

/** A stored event. */
export interface AuditEntry extends Omit<AuditEvent, 'event' | 'projectId'> {
  /** Increases with time. Events of the same time keep their order. */
  readonly id: string;
  readonly timeMs: number;
  /** A name in `AUDIT_EVENTS`, of this or an earlier release. */
  readonly event: string;
  /** How often the event occurred in the minute after `timeMs`; for actions on a database, in the hour after it. */
  readonly count: number;
  /** The last time, if the event occurred several times. */
  readonly lastTimeMs: number | null;
}

/** The stored part of an event. Members that are `null` are not stored. */
export type AuditRecord = Omit<AuditEntry, 'id'>;

const MAX_NAME_LENGTH = 128;
const MAX_ADDRESS_LENGTH = 64;
const MAX_TEXT_LENGTH = 256;

/**
 * Returns the record of an event. Removes everything that looks like a secret from the user agent, the result and the
 * detail. The other members, and the texts of the subject, are identifiers, which may look like secrets.
 */
export function auditRecord(event: AuditEvent, timeMs: number): AuditRecord {
  return {
    timeMs,
    event: event.event,
    uid: event.uid === null ? null : event.uid.slice(0, MAX_NAME_LENGTH).toWellFormed(),
    actor: event.actor.slice(0, MAX_NAME_LENGTH).toWellFormed(),
    address: event.address.slice(0, MAX_ADDRESS_LENGTH).toWellFormed(),
    userAgent: redact(event.userAgent, MAX_TEXT_LENGTH),
    result: redact(event.result, MAX_NAME_LENGTH),
    detail: event.detail === null ? null : redact(event.detail, MAX_TEXT_LENGTH),
    requestId: event.requestId,
    count: 1,
    lastTimeMs: null,
    ...(event.tenant === undefined ? {} : { tenant: event.tenant.slice(0, MAX_NAME_LENGTH) }),
    ...(event.subject === undefined ? {} : { subject: boundSubject(event.subject) }),
  };
}

export function decodeAuditEntry(id: string, json: unknown): AuditEntry {
  const record: Readonly<Record<string, unknown>> = Object(json);
  const text = (name: string): string | null => {
    const value = record[name];
    return typeof value === 'string' ? value : null;
  };
  const number = (name: string): number | null => {
    const value = record[name];
    return typeof value === 'number' ? value : null;
  };
  const timeMs = number('timeMs');
  if (timeMs === null) throw new Error(`Bug: the audit entry ${id} has no time.`);
  const subject = decodeSubject(record['subject']);
  const tenant = text('tenant');
  return {
    id,
    timeMs,
    event: text('event') ?? '',
    uid: text('uid'),
    actor: text('actor') ?? '',
    address: text('address') ?? '',
    userAgent: text('userAgent') ?? '',
    result: text('result') ?? '',
    detail: text('detail'),
    // Entries of the first releases have no request ID. A count of 1 is not stored.
    requestId: text('requestId'),
    count: number('count') ?? 1,
    lastTimeMs: number('lastTimeMs'),
    ...(tenant === null ? {} : { tenant }),
    ...(subject === undefined ? {} : { subject }),
  };
}
