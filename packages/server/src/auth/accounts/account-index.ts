import { RequestError } from '@hearth/core/error/request-error.ts';
import { compareKeys } from '@hearth/core/tree/key.ts';
import type { RecordPath, RecordTransaction, RecordView } from '../../records/store.ts';
import { encodeRecordKey } from '../../records/view.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import type { Account } from './account.ts';

/** Paths of the state of the index and of the number of accounts. */
const INDEXED: RecordPath = ['indexed'];
const COUNT: RecordPath = ['count'];

/** Version of the index format. An index with another version, such as one from an earlier release, is rebuilt. */
const INDEX_VERSION = 2;

/**
 * Phases of building the index. First every account gets its entries, then entries that fit no account are
 * removed, index by index.
 */
export const INDEX_PHASES = ['accounts', 'names', 'created', 'seen'] as const;

export type IndexPhase = (typeof INDEX_PHASES)[number];

/** How far the index of a project's accounts has been built. */
export type IndexState =
  /**
   * The index contains all changes up to this commit of the record store. Later commits update the index too,
   * unless a release that does not know the index made them.
   */
  | { readonly kind: 'complete'; readonly commit: number }
  /** The records after this key of the phase are still to be processed; `null` means all of them. */
  | { readonly kind: 'incomplete'; readonly phase: IndexPhase; readonly after: string | null };

export const FROM_THE_START: IndexState = { kind: 'incomplete', phase: 'accounts', after: null };

export function readIndexState(records: RecordView): IndexState {
  const record = records.find(INDEXED);
  return isJsonObject(record) && record['number'] === INDEX_VERSION ? decodeState(record) : FROM_THE_START;
}

function decodeState({ phase, after, commit }: JsonObject): IndexState {
  const unfinished = INDEX_PHASES.find((known) => known === phase);
  if (unfinished === undefined) return { kind: 'complete', commit: typeof commit === 'number' ? commit : 0 };
  return { kind: 'incomplete', phase: unfinished, after: typeof after === 'string' ? after : null };
}

export function writeIndexState(records: RecordTransaction, { kind: _kind, ...state }: IndexState): void {
  records.write(INDEXED, { number: INDEX_VERSION, ...state });
}

/**
 * Counts an account that is added (1) or removed (-1). A record store that has never had accounts has a
 * complete index from its first account on. Accounts that the indexing has not reached are counted when it reaches
 * them.
 */
function countAccount(records: RecordTransaction, uid: string, by: 1 | -1): void {
  if (isWithoutAccounts(records)) writeIndexState(records, { kind: 'complete', commit: 0 });
  else if (!hasIndexReached(readIndexState(records), uid)) return;
  records.increase(COUNT, by);
}

/** Writes the number of accounts that are in the index. */
export function writeCount(records: RecordTransaction, count: number): void {
  records.write(COUNT, count);
}

/** Returns the number of accounts, or `undefined` until the index is complete. */
export function findCount(records: RecordView): number | undefined {
  return readIndexState(records).kind === 'complete' ? readCount(records) : undefined;
}

/** Returns the number of accounts that are in the index. */
export function readCount(records: RecordView): number {
  const count = records.find(COUNT);
  return typeof count === 'number' ? count : 0;
}

/** Returns whether the index is complete. The index of a project without accounts always is. */
export function isIndexed(records: RecordView): boolean {
  return readIndexState(records).kind === 'complete' || isWithoutAccounts(records);
}

/** Throws `request/overload` until the index of the accounts is complete. */
export function requireIndexed(records: RecordView): void {
  if (isIndexed(records)) return;
  throw new RequestError(
    'request/overload',
    'The accounts are being indexed, which happens once: try again in a few minutes. Until then, list them by user ID or email address.',
  );
}

function isWithoutAccounts(records: RecordView): boolean {
  return records.find(INDEXED) === undefined && records.listKeys(['accounts'], { limit: 1 }).length === 0;
}

function hasIndexReached(state: IndexState, uid: string): boolean {
  if (state.kind === 'complete' || state.phase !== 'accounts') return true;
  return state.after !== null && compareKeys(encodeRecordKey(uid), encodeRecordKey(state.after)) <= 0;
}

/**
 * Maximum number of words of a name at which a search text can start, and maximum number of characters that are
 * indexed from the start of each of these words.
 */
const MAX_WORDS = 4;
const MAX_NAME_LENGTH = 40;

/** Number of digits of a time in ms. The padding makes text sort like the numbers. */
const TIME_DIGITS = 15;

/**
 * Precision of the `seen` index, in ms. A sign-in within the same hour does not change the index: a sign-in
 * should cost little more than its password hash.
 */
const SEEN_MS = 60 * 60 * 1_000;

/** Greatest time that an entry can have, in ms. */
const MAX_TIME_MS = 10 ** TIME_DIGITS - 1;

/** Separates the indexed text from the uid. Neither names nor times contain it. */
const END = '\u0000';

export const INDEXES = ['names', 'created', 'seen'] as const;

export type IndexName = (typeof INDEXES)[number];

/** The indexes that sort accounts by time. Lists show the latest first. */
export type AccountTime = Exclude<IndexName, 'names'>;

/**
 * Returns the index entries of an account: `names / word of the name and the text after it, uid`, `created /
 * time, uid` and, if the user has signed in, `seen / hour of the last sign-in, uid`. Other entries of an
 * account, which are unique, are in `account-store.ts`.
 */
export function indexPaths(account: Account): readonly RecordPath[] {
  const { uid, displayName } = account;
  return [
    ...nameKeys(displayName ?? '', uid).map((key): RecordPath => ['names', key]),
    ...timePaths(account),
  ];
}

function timePaths({ uid, createdAtMs, lastLoginAtMs }: Account): readonly RecordPath[] {
  return [
    ['created', timeKey(createdAtMs, uid)],
    ...(lastLoginAtMs === null ? [] : [['seen', timeKey(seenHourMs(lastLoginAtMs), uid)]]),
  ];
}

function seenHourMs(lastLoginAtMs: number): number {
  return Math.floor(lastLoginAtMs / SEEN_MS) * SEEN_MS;
}

/** Replaces the index entries of an account, and counts an account that is added or removed. */
export function saveIndex(
  records: RecordTransaction,
  before: Account | undefined,
  after: Account | undefined,
): void {
  if (before === undefined) {
    if (after === undefined) return;
    countAccount(records, after.uid, 1);
    for (const location of indexPaths(after)) records.write(location, true);
  } else if (after === undefined) {
    countAccount(records, before.uid, -1);
    for (const location of indexPaths(before)) records.write(location, null);
  } else if (!hasSameEntries(before, after)) replaceEntries(records, before, after);
}

function replaceEntries(records: RecordTransaction, before: Account, after: Account): void {
  const pathsOf = before.displayName === after.displayName ? timePaths : indexPaths;
  const old = new Map(pathsOf(before).map((location) => [location.join('/'), location]));
  for (const location of pathsOf(after)) if (!old.delete(location.join('/'))) records.write(location, true);
  for (const location of old.values()) records.write(location, null);
}

/** Returns whether the entry belongs to the account. */
export function isEntryOf(account: Account | undefined, index: IndexName, entry: string): boolean {
  return account !== undefined && indexPaths(account).some(([name, key]) => name === index && key === entry);
}

/** Returns whether an index entry of the account is missing. */
export function lacksEntry(records: RecordView, account: Account): boolean {
  return indexPaths(account).some((location) => records.find(location) !== true);
}

function hasSameEntries(before: Account, after: Account): boolean {
  return (
    before.displayName === after.displayName &&
    before.createdAtMs === after.createdAtMs &&
    isSameSeenHour(before.lastLoginAtMs, after.lastLoginAtMs)
  );
}

function isSameSeenHour(before: number | null, after: number | null): boolean {
  return before === after || (before !== null && after !== null && seenHourMs(before) === seenHourMs(after));
}

/** Returns the keys of an account in the index `names`. */
export function nameKeys(name: string, uid: string): readonly string[] {
  return nameStarts(name).map((start) => `${start}${END}${uid}`);
}

/**
 * Returns index entries, the latest first. Entries of the same hour in `seen` are in the order of their uids.
 * Starts after the entry `before`, if there is one.
 */
export function listByTime(
  records: RecordView,
  time: AccountTime,
  before: string | null,
  limit: number,
): readonly string[] {
  return records.listKeys([time], { ...(before === null ? {} : { before }), limit, isReversed: true });
}

/**
 * Returns the bounds of the entries of `seen` for sign-ins at `fromMs` or later and before `toMs`: the entries from `from`
 * on that are before `before`.
 */
export function seenBounds({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): {
  readonly from: string;
  readonly before: string;
} {
  const lastHourMs = Math.min(toMs, MAX_TIME_MS - SEEN_MS);
  return { from: timeText(seenHourMs(fromMs)), before: timeText(seenHourMs(lastHourMs) + SEEN_MS) };
}

export function uidOfEntry(entry: string): string {
  return entry.slice(entry.indexOf(END) + END.length);
}

/** A letter or digit that does not follow a letter or digit, or any character at the start or after a space. */
const WORD_STARTS = /(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<!\S)\S/gu;

/** Returns the text with which an index entry of a name begins that a search for the text finds; empty for none. */
export function nameStart(text: string): string {
  return cutName(foldName(text));
}

/** Returns the texts from each of the first `MAX_WORDS` words of a name on, as they are indexed. */
export function nameStarts(name: string): readonly string[] {
  const folded = foldName(name);
  const starts = folded.matchAll(WORD_STARTS).take(MAX_WORDS);
  return [...new Set(starts.map(({ index }) => cutName(folded.slice(index))))];
}

/** Removes case, accents, invisible characters and superfluous spaces. */
function foldName(name: string): string {
  return (
    name
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}]/gu, '')
      // Upper case first turns ß into ss and ı into i. Lower case writes σ differently at the end of a word.
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .toWellFormed()
  );
}

/**
 * Cuts a name to the indexed length. A character that is cut in two would not be a valid key, so it is
 * replaced.
 */
function cutName(folded: string): string {
  return folded.slice(0, MAX_NAME_LENGTH).toWellFormed();
}

function timeKey(ms: number, uid: string): string {
  return `${timeText(ms)}${END}${uid}`;
}

function timeText(ms: number): string {
  return String(Math.max(0, Math.trunc(ms))).padStart(TIME_DIGITS, '0');
}
