import type { BookTurn, BookView } from '../books/books.ts';
import { type AuditEntry, type AuditRecord, decodeAuditEntry } from './audit-entry.ts';

/** How much of a project's audit is kept. */
export interface AuditRetention {
  readonly maxEntries: number;
  readonly maxAgeMs: number;
}

/** Digits of a time in ms, enough for ten thousand years, and of a number that no two entries share. */
const TIME_DIGITS = 15;
const NUMBER_DIGITS = 12;

/** Entries that may be removed in one turn, beside as many as are added. */
const MAX_REMOVED = 100;

/**
 * The book of a project's audit; without a project, that of the server as a whole. Entries are added and, at the end of
 * their time, removed, and never changed.
 *
 * | place           | record                                                                     |
 * |-----------------|----------------------------------------------------------------------------|
 * | entries / id    | `AuditRecord`; the id is its time and its number                           |
 * | state           | `AuditState`                                                               |
 */
export function auditBook(projectId: string | null): string {
  return projectId === null ? 'audit' : `audit:${projectId}`;
}

/** What is known of the entries without a look at them. */
interface AuditState {
  /** How many there ever were. */
  readonly written: number;
  /** How many there are. */
  readonly kept: number;
  /** No entry is older than this id; `undefined` when it is not known. */
  readonly oldest: string | undefined;
}

/** Adds entries, and removes the oldest that are too many or too old, as many as one turn may. */
export function addEntries(
  book: BookTurn,
  records: readonly AuditRecord[],
  retention: AuditRetention,
  nowMs: number,
): void {
  const { written, kept, oldest } = readState(book);
  const excess = kept + records.length - retention.maxEntries;
  const before = timeId(nowMs - retention.maxAgeMs);
  const isAllKept = excess <= 0 && oldest !== undefined && oldest >= before;
  const limit = records.length + MAX_REMOVED;
  const first = isAllKept ? [oldest] : book.listKeys(['entries'], { limit: limit + 1 });
  const removed = first.slice(0, limit).filter((id, index) => index < excess || id < before);
  for (const id of removed) book.write(['entries', id], null);
  const ids = records.map(({ timeMs }, index) => entryId(timeMs, written + index));
  for (const [index, record] of records.entries()) book.write(['entries', ids[index] ?? ''], record);
  const state: AuditState = {
    written: written + records.length,
    kept: kept + records.length - removed.length,
    // What is added is usually the latest, but clocks are set back.
    oldest: [...first.slice(removed.length, removed.length + 1), ...ids].sort()[0],
  };
  book.write(['state'], state);
}

function entryId(timeMs: number, number: number): string {
  return `${timeId(timeMs)}-${String(number).padStart(NUMBER_DIGITS, '0')}`;
}

/** Entries before an id, the latest first, none from before `sinceMs`. */
export function readEntriesBefore(
  book: BookView,
  before: string | null,
  sinceMs: number,
  limit: number,
): readonly AuditEntry[] {
  return book
    .list(['entries'], {
      from: timeId(sinceMs),
      ...(before === null ? {} : { before }),
      limit,
      isReversed: true,
    })
    .map(({ key, value }) => decodeAuditEntry(key, value));
}

/** Sorts before the ids of that time and behind those of earlier ones. */
export function timeId(timeMs: number): string {
  return String(Math.max(0, Math.floor(timeMs))).padStart(TIME_DIGITS, '0');
}

/** Could it be the id of an entry? */
export function isEntryId(text: string): boolean {
  return new RegExp(`^\\d{${TIME_DIGITS}}-\\d{${NUMBER_DIGITS}}$`).test(text);
}

function readState(book: BookView): AuditState {
  const state: Readonly<Record<string, unknown>> = Object(book.find(['state']) ?? {});
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
