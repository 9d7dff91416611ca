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
 * | state           | `written`: how many entries there ever were, `kept`: how many there are    |
 */
export function auditBook(projectId: string | null): string {
  return projectId === null ? 'audit' : `audit:${projectId}`;
}

/** Adds entries, and removes the oldest that are too many or too old, as many as one turn may. */
export function addEntries(
  book: BookTurn,
  records: readonly AuditRecord[],
  retention: AuditRetention,
  nowMs: number,
): void {
  const written = readCount(book, 'written');
  const kept = readCount(book, 'kept') + records.length;
  const removed = listRemovable(book, kept - retention.maxEntries, {
    before: timeId(nowMs - retention.maxAgeMs),
    limit: records.length + MAX_REMOVED,
  });
  for (const id of removed) book.write(['entries', id], null);
  for (const [index, record] of records.entries())
    book.write(
      ['entries', `${timeId(record.timeMs)}-${String(written + index).padStart(NUMBER_DIGITS, '0')}`],
      record,
    );
  book.write(['state'], { written: written + records.length, kept: kept - removed.length });
}

/** The oldest entries that are too many or too old. */
function listRemovable(
  book: BookView,
  excess: number,
  { before, limit }: { readonly before: string; readonly limit: number },
): readonly string[] {
  const [oldest] = book.listKeys(['entries'], { limit: 1 });
  if (oldest === undefined || (excess <= 0 && oldest >= before)) return [];
  return book.listKeys(['entries'], { limit }).filter((id, index) => index < excess || id < before);
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

function readCount(book: BookView, of: 'written' | 'kept'): number {
  const count = book.find(['state', of]);
  return typeof count === 'number' ? count : 0;
}
