import { compareKeys } from '@hearth/core/tree/key.ts';
import { encodeBookKey } from '../books/book-key.ts';
import type { BookTurn, BookView, Place } from '../books/books.ts';
import { isJsonObject, type JsonObject } from './fields.ts';

/** Where the book of accounts says how far its index goes, and how many accounts there are. */
const INDEXED: Place = ['indexed'];
const COUNT: Place = ['count'];

/** Which way the index is made. An index that was made another way, as by an earlier release, is made anew. */
const INDEX_NUMBER = 2;

/** First all accounts get their entries, then those are removed that fit no account, index by index. */
export const INDEX_PHASES = ['accounts', 'names', 'created', 'seen'] as const;

export type IndexPhase = (typeof INDEX_PHASES)[number];

/** How far the index of a book goes. */
export type IndexState =
  /** It does as far as this commit of the book was looked at; whoever keeps the index makes those after it. */
  | { readonly kind: 'complete'; readonly commit: number }
  /** What comes after this key of the phase is still to be done; `null` for all. */
  | { readonly kind: 'incomplete'; readonly phase: IndexPhase; readonly after: string | null };

export const FROM_THE_START: IndexState = { kind: 'incomplete', phase: 'accounts', after: null };

export function readIndexState(book: BookView): IndexState {
  const record = book.find(INDEXED);
  return isJsonObject(record) && record['number'] === INDEX_NUMBER ? decodeState(record) : FROM_THE_START;
}

function decodeState({ phase, after, commit }: JsonObject): IndexState {
  const unfinished = INDEX_PHASES.find((known) => known === phase);
  if (unfinished === undefined) return { kind: 'complete', commit: typeof commit === 'number' ? commit : 0 };
  return { kind: 'incomplete', phase: unfinished, after: typeof after === 'string' ? after : null };
}

export function writeIndexState(book: BookTurn, { kind: _kind, ...state }: IndexState): void {
  book.write(INDEXED, { number: INDEX_NUMBER, ...state });
}

/**
 * Counts an account that comes (1) or goes (-1). A book that has had no accounts has a whole index from its first one on;
 * those that its index has not reached are counted when it does.
 */
export function countAccount(book: BookTurn, uid: string, by: 1 | -1): void {
  if (isWithoutAccounts(book)) writeIndexState(book, { kind: 'complete', commit: 0 });
  else if (!isReached(readIndexState(book), uid)) return;
  book.increase(COUNT, by);
}

/** Says how many accounts there are as far as the index goes. */
export function writeCount(book: BookTurn, count: number): void {
  book.write(COUNT, count);
}

/** How many accounts there are; `undefined` as long as the index is not complete. */
export function findCount(book: BookView): number | undefined {
  return readIndexState(book).kind === 'complete' ? readCount(book) : undefined;
}

/** How many accounts there are as far as the index goes. */
export function readCount(book: BookView): number {
  const count = book.find(COUNT);
  return typeof count === 'number' ? count : 0;
}

/** Is nothing missing in the index? */
export function isIndexed(book: BookView): boolean {
  return readIndexState(book).kind === 'complete' || isWithoutAccounts(book);
}

function isWithoutAccounts(book: BookView): boolean {
  return book.find(INDEXED) === undefined && book.listKeys(['accounts'], { limit: 1 }).length === 0;
}

function isReached(state: IndexState, uid: string): boolean {
  if (state.kind === 'complete' || state.phase !== 'accounts') return true;
  return state.after !== null && compareKeys(encodeBookKey(uid), encodeBookKey(state.after)) <= 0;
}
