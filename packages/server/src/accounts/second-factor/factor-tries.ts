import type { BookTurn, BookView } from '../../books/books.ts';
import type { JsonObject } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import { StoredRecord } from '../stored-record.ts';

/** Most sign-ins of one account that get as far as the second proof, and no further, in an hour. */
const MAX_UNFINISHED = 10;
const UNFINISHED_WINDOW_MS = 3_600_000;
/** Most wrong second proofs of one account in a day, over all its sign-ins. */
const MAX_WRONG_CODES = 20;
const WRONG_CODES_WINDOW_MS = 86_400_000;

/** How many of something there were since a time. */
interface Count {
  readonly sinceMs: number;
  readonly count: number;
}

/**
 * How often somebody who knows the password of an account has tried its second proof lately. Whoever is locked out by
 * sign-ins that somebody else does not finish is let in again by a new password; wrong proofs count on, because who has a
 * mailbox may have a new password as often as they like.
 */
export interface FactorTries {
  readonly unfinished: Count;
  readonly wrongCodes: Count;
}

/** What counts at a time: a window that is over begins anew. */
export function findTries(book: BookView, uid: string, nowMs: number): FactorTries {
  const json = book.find(placeOf(uid));
  const record = json === undefined ? undefined : new StoredRecord(json);
  return {
    unfinished: decodeCount(record?.record('unfinished'), UNFINISHED_WINDOW_MS, nowMs),
    wrongCodes: decodeCount(record?.record('wrongCodes'), WRONG_CODES_WINDOW_MS, nowMs),
  };
}

export function saveTries(book: BookTurn, uid: string, { unfinished, wrongCodes }: FactorTries): void {
  const json: JsonObject = { unfinished: { ...unfinished }, wrongCodes: { ...wrongCodes } };
  book.write(placeOf(uid), json);
}

/** One more sign-in waits for its second proof. Refuses it where there were too many. */
export function withBegun(tries: FactorTries): FactorTries {
  if (tries.unfinished.count >= MAX_UNFINISHED) throw new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER');
  return { ...tries, unfinished: plus(tries.unfinished, 1) };
}

export function withFinished(tries: FactorTries): FactorTries {
  return { ...tries, unfinished: plus(tries.unfinished, -1) };
}

export function withWrongCode(tries: FactorTries): FactorTries {
  return { ...tries, wrongCodes: plus(tries.wrongCodes, 1) };
}

/** Refuses to look at a second proof where too many were wrong. */
export function mustAllowTry({ wrongCodes }: FactorTries): void {
  if (wrongCodes.count >= MAX_WRONG_CODES) throw new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER');
}

function plus({ sinceMs, count }: Count, change: number): Count {
  return { sinceMs, count: Math.max(0, count + change) };
}

function decodeCount(record: StoredRecord | undefined, windowMs: number, nowMs: number): Count {
  const sinceMs = record?.number('sinceMs') ?? nowMs;
  if (nowMs - sinceMs >= windowMs) return { sinceMs: nowMs, count: 0 };
  return { sinceMs, count: record?.number('count') ?? 0 };
}

/** Forgets all of it: for an administrator who lets somebody in again, and for an account that is gone. */
export function forgetTries(book: BookTurn, uid: string): void {
  book.write(placeOf(uid), null);
}

/** Forgets sign-ins that nobody completed, because they have ended. */
export function forgetUnfinished(book: BookTurn, uid: string): void {
  book.write([...placeOf(uid), 'unfinished'], null);
}

function placeOf(uid: string): readonly string[] {
  return ['challenges', uid, 'tries'];
}
