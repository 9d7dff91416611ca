import type { BookTurn, BookView, Place } from '../books/books.ts';
import type { Account } from './account.ts';
import { countAccount } from './account-index-state.ts';

/** Of a name, so many words can be the beginning of what is searched for, each with so much of what follows it. */
const MAX_WORDS = 4;
const MAX_NAME_LENGTH = 40;

/** Digits of a time in ms, so that text sorts as numbers do. */
const TIME_DIGITS = 15;

/** Whoever signs in again within one moves nothing in the index: a sign-in is to cost little more than its hash. */
const SEEN_MS = 60 * 60 * 1_000;

/** Between what an entry is found by and the uid: in neither names nor times. */
const END = '\u0000';

export const INDEXES = ['names', 'created', 'seen'] as const;

export type IndexName = (typeof INDEXES)[number];

/** What accounts are sorted by, the latest being what people look for. */
export type AccountTime = Exclude<IndexName, 'names'>;

/**
 * Entries by which accounts are found and sorted beside what is unique: `names / word of the name and what follows it, uid`,
 * `created / time, uid` and, for who has signed in, `seen / hour of the last time, uid`.
 */
export function indexPlaces(account: Account): readonly Place[] {
  const { uid, displayName } = account;
  return [
    ...nameStarts(displayName ?? '').map((start): Place => ['names', `${start}${END}${uid}`]),
    ...timePlaces(account),
  ];
}

function timePlaces({ uid, createdAtMs, lastLoginAtMs }: Account): readonly Place[] {
  return [
    ['created', timeKey(createdAtMs, uid)],
    ...(lastLoginAtMs === null ? [] : [['seen', timeKey(seenHourMs(lastLoginAtMs), uid)]]),
  ];
}

function seenHourMs(lastLoginAtMs: number): number {
  return Math.floor(lastLoginAtMs / SEEN_MS) * SEEN_MS;
}

/** Replaces the entries of an account, and counts one that comes or goes. */
export function saveIndex(book: BookTurn, before: Account | undefined, after: Account | undefined): void {
  if (before === undefined) {
    if (after === undefined) return;
    countAccount(book, after.uid, 1);
    for (const place of indexPlaces(after)) book.write(place, true);
  } else if (after === undefined) {
    countAccount(book, before.uid, -1);
    for (const place of indexPlaces(before)) book.write(place, null);
  } else if (!isFoundAlike(before, after)) replaceEntries(book, before, after);
}

function replaceEntries(book: BookTurn, before: Account, after: Account): void {
  const placesOf = before.displayName === after.displayName ? timePlaces : indexPlaces;
  const old = new Map(placesOf(before).map((place) => [place.join('/'), place]));
  for (const place of placesOf(after)) if (!old.delete(place.join('/'))) book.write(place, true);
  for (const place of old.values()) book.write(place, null);
}

/** Is it an entry of the account? */
export function isEntryOf(account: Account | undefined, index: IndexName, entry: string): boolean {
  return account !== undefined && indexPlaces(account).some(([name, key]) => name === index && key === entry);
}

/** Is an entry of the account missing? */
export function lacksEntry(book: BookView, account: Account): boolean {
  return indexPlaces(account).some((place) => book.find(place) !== true);
}

function isFoundAlike(before: Account, after: Account): boolean {
  return (
    before.displayName === after.displayName &&
    before.createdAtMs === after.createdAtMs &&
    isSeenAlike(before.lastLoginAtMs, after.lastLoginAtMs)
  );
}

function isSeenAlike(before: number | null, after: number | null): boolean {
  return before === after || (before !== null && after !== null && seenHourMs(before) === seenHourMs(after));
}

/** Uids of accounts with a word in their name at which the text begins, whatever its case and accents. */
export function findByNameStart(book: BookView, text: string, limit: number): readonly string[] {
  const prefix = cutName(foldName(text));
  return prefix === '' ? [] : book.listKeys(['names'], { prefix, limit }).map(uidOfEntry);
}

/** Entries of a sort in order, the latest first, those of one hour of `seen` by their uids; `before` is one of them. */
export function listByTime(
  book: BookView,
  time: AccountTime,
  before: string | null,
  limit: number,
): readonly string[] {
  return book.listKeys([time], { ...(before === null ? {} : { before }), limit, isReversed: true });
}

export function uidOfEntry(entry: string): string {
  return entry.slice(entry.indexOf(END) + END.length);
}

/** A letter or number after none, and whatever follows a space. */
const WORD_STARTS = /(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<!\S)\S/gu;

function nameStarts(name: string): readonly string[] {
  const folded = foldName(name);
  const starts = folded.matchAll(WORD_STARTS).take(MAX_WORDS);
  return [...new Set(starts.map(({ index }) => cutName(folded.slice(index))))];
}

/** Without case, accents, characters that are not seen, and needless spaces. */
function foldName(name: string): string {
  return (
    name
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}]/gu, '')
      // ß as ss, and ı as i; at the end of a word, σ would become another letter than within it.
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .toWellFormed()
  );
}

/** A character that is cut in two would be no key. */
function cutName(folded: string): string {
  return folded.slice(0, MAX_NAME_LENGTH).toWellFormed();
}

function timeKey(ms: number, uid: string): string {
  return `${String(Math.max(0, Math.trunc(ms))).padStart(TIME_DIGITS, '0')}${END}${uid}`;
}
