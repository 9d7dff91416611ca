import type { AuditEvent } from './audit-trail.ts';
import { redact } from './redact.ts';

/** An event as it is kept. */
export interface AuditEntry extends Omit<AuditEvent, 'event' | 'projectId'> {
  /** Ascends with time, and with the order of what happened at one time. */
  readonly id: string;
  readonly timeMs: number;
  /** An event of `AUDIT_EVENTS`, or of those of an earlier release. */
  readonly event: string;
}

/** What an entry keeps of an event; `null` members vanish in a book. */
export type AuditRecord = Omit<AuditEntry, 'id'>;

const MAX_NAME_LENGTH = 128;
const MAX_ADDRESS_LENGTH = 64;
const MAX_TEXT_LENGTH = 256;

/** The record of an event, in which nothing looks like a secret. Names of accounts are identifiers, whatever they look like. */
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
  };
}

export function decodeAuditEntry(id: string, json: unknown): AuditEntry {
  const record: Readonly<Record<string, unknown>> = Object(json);
  const text = (name: string): string | null => {
    const value = record[name];
    return typeof value === 'string' ? value : null;
  };
  const timeMs = record['timeMs'];
  if (typeof timeMs !== 'number') throw new Error(`Bug: the audit entry ${id} has no time.`);
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
    // Entries of the first releases name none.
    requestId: text('requestId'),
  };
}
