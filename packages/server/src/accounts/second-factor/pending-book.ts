import type { BookTurn, BookView } from '../../books/books.ts';
import { firstKeyOf } from './pending-handle.ts';
import { decodePending, encodePending, type PendingSignIn } from './pending-sign-in.ts';

/** How long the second proof may take. */
const LIFETIME_MS = 600_000;
/** How many wrong ones end the sign-in. */
const MAX_WRONG_CODES = 5;
/** How many that are over each new one takes away, so that they become fewer as long as there are new ones. */
const SWEPT_AT_ONCE = 4;

/** A pending sign-in, and whose it is. */
export interface FoundPending {
  readonly uid: string;
  readonly pending: PendingSignIn;
}

/** The sign-in that is kept under a key; `undefined` when there is none, or it has taken too long. */
export function findPending(book: BookView, key: string, nowMs: number): FoundPending | undefined {
  const uid = book.find(['pending', key]);
  if (typeof uid !== 'string') return undefined;
  const json = book.find(placeOf(uid, key));
  if (json === undefined) return undefined;
  const pending = decodePending(json);
  return nowMs - pending.createdAtMs > LIFETIME_MS ? undefined : { uid, pending };
}

/** Keeps a new one, and takes away some that have taken too long. */
export function addPending(book: BookTurn, key: string, uid: string, pending: PendingSignIn): void {
  const over = { before: firstKeyOf(pending.createdAtMs - LIFETIME_MS), limit: SWEPT_AT_ONCE };
  for (const { key: old, value } of book.list(['pending'], over)) {
    book.write(['pending', old], null);
    if (typeof value === 'string') book.write(placeOf(value, old), null);
  }
  book.write(['pending', key], uid);
  book.write(placeOf(uid, key), encodePending(pending));
}

/** Takes down that a second proof was wrong; after a few of them the sign-in is over. */
export function noteWrongCode(book: BookTurn, key: string, { uid, pending }: FoundPending): void {
  const wrongCodes = pending.wrongCodes + 1;
  if (wrongCodes >= MAX_WRONG_CODES) removePending(book, key, uid);
  else book.write(placeOf(uid, key), encodePending({ ...pending, wrongCodes }));
}

/** Ends all of an account. */
export function removeAllPending(book: BookTurn, uid: string): void {
  book.write(['challenges', uid, 'open'], null);
}

export function removePending(book: BookTurn, key: string, uid: string): void {
  book.write(['pending', key], null);
  book.write(placeOf(uid, key), null);
}

function placeOf(uid: string, key: string): readonly string[] {
  return ['challenges', uid, 'open', key];
}
