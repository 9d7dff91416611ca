import type { RecordTransaction, RecordView } from '../records/store.ts';
import { type AuditEntry, type AuditRecord, decodeAuditEntry } from './entry.ts';

/** How many entries an audit log keeps, and for how long. */
export interface AuditRetention {
  readonly maxEntries: number;
  readonly maxAgeMs: number;
}

/** Number of digits of a time in ms, enough for thirty thousand years, and of an entry's number. */
const TIME_DIGITS = 15;
const NUMBER_DIGITS = 12;

/** Maximum number of entries that one transaction removes, beyond the number that it adds. */
const MAX_REMOVED = 100;

/**
 * Returns the name of the record store of a project's audit log, or of the server's audit log if `projectId`
 * is `null`. Entries never change. The oldest ones are removed when entries are added.
 *
 * | path            | record                                                                     |
 * |-----------------|----------------------------------------------------------------------------|
 * | entries / id    | `AuditRecord`; the ID consists of the time and the number                  |
 * | state           | `AuditState`                                                               |
 */
export function auditRecords(projectId: string | null): string {
  return projectId === null ? 'audit' : `audit:${projectId}`;
}

/** State that can be read without reading the entries. */
interface AuditState {
  /** Number of all entries ever written. */
  readonly written: number;
  /** Number of entries that are stored. */
  readonly kept: number;
  /** No entry has a lower ID. `undefined` if this bound is not known. */
  readonly oldest: string | undefined;
}

/**
 * Adds entries. Removes the oldest entries that exceed the retention, up to the limit for one transaction.
 */
export function addEntries(
  records: RecordTransaction,
  entries: readonly AuditRecord[],
  retention: AuditRetention,
  nowMs: number,
): void {
  const { written, kept, oldest } = readState(records);
  const excess = kept + entries.length - retention.maxEntries;
  const before = timeId(nowMs - retention.maxAgeMs);
  const isAllStored = excess <= 0 && oldest !== undefined && oldest >= before;
  const limit = entries.length + MAX_REMOVED;
  const first = isAllStored ? [oldest] : records.listKeys(['entries'], { limit: limit + 1 });
  const removed = first.slice(0, limit).filter((id, index) => index < excess || id < before);
  for (const id of removed) records.write(['entries', id], null);
  const ids = entries.map(({ timeMs }, index) => entryId(timeMs, written + index));
  for (const [index, record] of entries.entries()) records.write(['entries', ids[index] ?? ''], record);
  const state: AuditState = {
    written: written + entries.length,
    kept: kept + entries.length - removed.length,
    // New entries are usually the latest, but a clock can be set back.
    oldest: [...first.slice(removed.length, removed.length + 1), ...ids].sort()[0],
  };
  records.write(['state'], state);
}

function entryId(timeMs: number, number: number): string {
  return `${timeId(timeMs)}-${String(number).padStart(NUMBER_DIGITS, '0')}`;
}

/** Returns entries before an ID, the latest first, and none from before `sinceMs`. */
export function readEntriesBefore(
  records: RecordView,
  before: string | null,
  sinceMs: number,
  limit: number,
): readonly AuditEntry[] {
  return records
    .list(['entries'], {
      from: timeId(sinceMs),
      ...(before === null ? {} : { before }),
      limit,
      isReversed: true,
    })
    .map(({ key, value }) => decodeAuditEntry(key, value));
}

/** Returns a text that sorts before the IDs of that time and after those of earlier times. */
export function timeId(timeMs: number): string {
  return String(Math.max(0, Math.floor(timeMs))).padStart(TIME_DIGITS, '0');
}

/** Returns whether a text has the form of an entry's ID. */
export function isEntryId(text: string): boolean {
  return new RegExp(`^\\d{${TIME_DIGITS}}-\\d{${NUMBER_DIGITS}}$`).test(text);
}

function readState(records: RecordView): AuditState {
  const state: Readonly<Record<string, unknown>> = Object(records.find(['state']) ?? {});
  const count = (name: 'written' | 'kept'): number => {
    const value = state[name];
    return typeof value === 'number' ? value : 0;
  };
  const { oldest } = state;
  return {
    written: count('written'),
    kept: count('kept'),
    oldest: typeof oldest === 'string' ? oldest : undefined,
  };
}
