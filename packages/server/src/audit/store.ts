import type { RecordTransaction, RecordView } from '../records/store.ts';
import { type AuditEntry, type AuditRecord, decodeAuditEntry } from './entry.ts';
import {
  AUDIT_SERIES,
  type AuditRetention,
  type AuditSeries,
  type SeriesRetention,
  seriesOf,
} from './series.ts';

/** Number of digits of a time in ms, enough for thirty thousand years, and of an entry's number. */
const TIME_DIGITS = 15;
const NUMBER_DIGITS = 12;

/** Maximum number of entries that one transaction removes, beyond the number that it adds. */
const MAX_REMOVED = 100;

const PREFIX = 'audit';

/**
 * Returns the name of the record store of a project's audit log, or of the server's audit log if `projectId`
 * is `null`. The oldest entries of a series are removed when entries are added, and by `trimLog`.
 *
 * | path            | record                                                                     |
 * |-----------------|----------------------------------------------------------------------------|
 * | entries / id    | `StoredEntry` of the series `users`; the ID consists of time and number    |
 * | admin / id      | `StoredEntry` of the series `administration`                               |
 * | state           | `StoredState`                                                              |
 *
 * Before there were two series, all entries were in `entries`. Those of administrators move to `admin` instead of being
 * removed.
 */
export function auditRecords(projectId: string | null): string {
  return projectId === null ? PREFIX : `${PREFIX}:${projectId}`;
}

/** Returns the project of an audit log, `null` for the server's, and `undefined` for the name of another record store. */
export function projectOfAuditRecords(records: string): string | null | undefined {
  if (records === PREFIX) return null;
  return records.startsWith(`${PREFIX}:`) ? records.slice(PREFIX.length + 1) : undefined;
}

const PATHS: Readonly<Record<AuditSeries, string>> = { users: 'entries', administration: 'admin' };

/** State of a series that can be read without reading its entries. */
interface SeriesState {
  /** Number of entries that are stored. */
  readonly kept: number;
  /** No entry has a lower ID. `undefined` if this bound is not known. */
  readonly oldest: string | undefined;
}

interface AuditState {
  /** Number of all entries ever written. */
  readonly written: number;
  readonly users: SeriesState;
  readonly administration: SeriesState;
}

/** An entry to write. One that has an ID replaces the stored one, if that still exists. */
export interface WritableEntry {
  readonly record: AuditRecord;
  readonly id: string | undefined;
}

type IdAndRecord = readonly [id: string, record: unknown];

/**
 * Adds and replaces entries. Removes the oldest entries that exceed the retention, up to the limit for one transaction.
 * Returns the IDs of all entries, in their order.
 */
export function writeEntries(
  records: RecordTransaction,
  entries: readonly WritableEntry[],
  retention: AuditRetention,
  nowMs: number,
): readonly string[] {
  const state = readState(records);
  let { written } = state;
  const ids: string[] = [];
  const added: Record<AuditSeries, IdAndRecord[]> = { users: [], administration: [] };
  for (const { id, record } of entries) {
    const series = seriesOf(record);
    if (id === undefined) {
      const newId = entryId(record.timeMs, written);
      written += 1;
      added[series].push([newId, storedEntry(record)]);
      ids.push(newId);
      continue;
    }
    if (records.find([PATHS[series], id]) !== undefined)
      records.write([PATHS[series], id], storedEntry(record));
    ids.push(id);
  }
  const users = updateSeries(records, 'users', state.users, added.users, retention.users, nowMs);
  const moved = users.removed.filter(
    ([id, json]) => seriesOf(decodeAuditEntry(id, json)) === 'administration',
  );
  const administration = updateSeries(
    records,
    'administration',
    state.administration,
    [...moved, ...added.administration],
    retention.administration,
    nowMs,
  );
  writeState(records, { written, users: users.state, administration: administration.state });
  return ids;
}

/** Returns whether the oldest entries of a log exceed its retention. */
export function isTrimNeeded(records: RecordView, retention: AuditRetention, nowMs: number): boolean {
  const state = readState(records);
  return AUDIT_SERIES.some((series) => {
    const { kept, oldest } = state[series];
    const { maxEntries, maxAgeMs } = retention[series];
    return kept > maxEntries || (kept > 0 && (oldest === undefined || oldest < timeId(nowMs - maxAgeMs)));
  });
}

/** Returns the number of stored entries of the series `users`. */
export function countUserEntries(records: RecordView): number {
  return readState(records).users.kept;
}

function updateSeries(
  records: RecordTransaction,
  series: AuditSeries,
  { kept, oldest }: SeriesState,
  added: readonly IdAndRecord[],
  { maxEntries, maxAgeMs }: SeriesRetention,
  nowMs: number,
): { readonly state: SeriesState; readonly removed: readonly IdAndRecord[] } {
  const path = PATHS[series];
  const excess = kept + added.length - maxEntries;
  const before = timeId(nowMs - maxAgeMs);
  const isAllStored = excess <= 0 && (kept === 0 || (oldest !== undefined && oldest >= before));
  const limit = added.length + MAX_REMOVED;
  const known = oldest === undefined ? [] : [oldest];
  const first = isAllStored ? known : records.listKeys([path], { limit: limit + 1 });
  const removed = first.slice(0, limit).filter((id, index) => index < excess || id < before);
  const removedEntries = removed.map((id): IdAndRecord => [id, records.find([path, id])]);
  for (const id of removed) records.write([path, id], null);
  for (const [id, record] of added) records.write([path, id], record);
  return {
    removed: removedEntries,
    state: {
      kept: kept + added.length - removed.length,
      // New entries are usually the latest, but a clock can be set back.
      oldest: [...first.slice(removed.length, removed.length + 1), ...added.map(([id]) => id)].sort()[0],
    },
  };
}

/** Returns an entry as it is stored: without the count of an event that occurred once. */
function storedEntry({ count, lastTimeMs, ...record }: AuditRecord): unknown {
  return count === 1 ? record : { ...record, count, lastTimeMs };
}

function entryId(timeMs: number, number: number): string {
  return `${timeId(timeMs)}-${String(number).padStart(NUMBER_DIGITS, '0')}`;
}

/** The entries that a search may return. */
interface SearchedEntries {
  readonly retention: AuditRetention;
  readonly nowMs: number;
  readonly wanted: readonly AuditSeries[];
}

/**
 * Returns entries of the wanted series before an ID, the latest first, and none from before `sinceMs` or beyond the
 * retention.
 */
export function readEntriesBefore(
  records: RecordView,
  before: string | null,
  sinceMs: number,
  limit: number,
  { retention, nowMs, wanted }: SearchedEntries,
): readonly AuditEntry[] {
  const both = wanted.flatMap((series) =>
    records.list([PATHS[series]], {
      from: timeId(Math.max(sinceMs, nowMs - retention[series].maxAgeMs)),
      ...(before === null ? {} : { before }),
      limit,
      isReversed: true,
    }),
  );
  return both
    .sort((a, b) => (a.key < b.key ? 1 : -1))
    .slice(0, limit)
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
  const state = fieldsOf(records.find(['state']));
  return {
    written: countOf(state, 'written'),
    users: seriesState(state),
    administration: seriesState(fieldsOf(state['admin'])),
  };
}

function writeState(records: RecordTransaction, { written, users, administration }: AuditState): void {
  records.write(['state'], { written, ...users, admin: { ...administration } });
}

type StateFields = Readonly<Record<string, unknown>>;

function fieldsOf(json: unknown): StateFields {
  return Object(json ?? {});
}

function countOf(state: StateFields, name: string): number {
  const value = state[name];
  return typeof value === 'number' ? value : 0;
}

function seriesState(state: StateFields): SeriesState {
  const { oldest } = state;
  return { kept: countOf(state, 'kept'), oldest: typeof oldest === 'string' ? oldest : undefined };
}
