import type { RecordTransaction, RecordView } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { StoredRecord } from '../stored-record.ts';

/** Maximum number of sign-ins of one account per hour that stop at the second factor. */
const MAX_UNFINISHED = 10;
const UNFINISHED_WINDOW_MS = 3_600_000;
/** Maximum number of wrong second factor codes of one account per day, over all its sign-ins. */
const MAX_WRONG_CODES = 20;
const WRONG_CODES_WINDOW_MS = 86_400_000;

/** A number of events since a time. */
interface Count {
  readonly sinceMs: number;
  readonly count: number;
}

/**
 * Recent attempts at the second factor of an account, by clients that know the password. When the user sets a new
 * password, `unfinished` is reset, so that an attacker who does not finish sign-ins cannot lock the owner out.
 * `wrongCodes` is not reset, because a person with access to the mailbox could set a new password any number of
 * times.
 */
export interface FactorAttempts {
  readonly unfinished: Count;
  readonly wrongCodes: Count;
}

/** Returns the attempts in the current windows. If a window has expired, a new one starts with the count 0. */
export function findAttempts(records: RecordView, uid: string, nowMs: number): FactorAttempts {
  const json = records.find(locationOf(uid));
  const record = json === undefined ? undefined : new StoredRecord(json);
  return {
    unfinished: decodeCount(record?.record('unfinished'), UNFINISHED_WINDOW_MS, nowMs),
    wrongCodes: decodeCount(record?.record('wrongCodes'), WRONG_CODES_WINDOW_MS, nowMs),
  };
}

export function saveAttempts(
  records: RecordTransaction,
  uid: string,
  { unfinished, wrongCodes }: FactorAttempts,
): void {
  const json: JsonObject = { unfinished: { ...unfinished }, wrongCodes: { ...wrongCodes } };
  records.write(locationOf(uid), json);
}

/**
 * Returns the attempts with one more sign-in that waits for its second factor. Throws `TOO_MANY_ATTEMPTS_TRY_LATER`
 * if there are too many.
 */
export function withSignInStarted(attempts: FactorAttempts): FactorAttempts {
  if (attempts.unfinished.count >= MAX_UNFINISHED) throw new AuthApiError('TOO_MANY_ATTEMPTS_TRY_LATER');
  return { ...attempts, unfinished: plus(attempts.unfinished, 1) };
}

export function withFinished(attempts: FactorAttempts): FactorAttempts {
  return { ...attempts, unfinished: plus(attempts.unfinished, -1) };
}

export function withWrongCode(attempts: FactorAttempts): FactorAttempts {
  return { ...attempts, wrongCodes: plus(attempts.wrongCodes, 1) };
}

/** Throws `TOO_MANY_ATTEMPTS_TRY_LATER` if there were too many wrong codes. */
export function requireAttemptAllowed({ wrongCodes }: FactorAttempts): void {
  if (wrongCodes.count >= MAX_WRONG_CODES) throw new AuthApiError('TOO_MANY_ATTEMPTS_TRY_LATER');
}

function plus({ sinceMs, count }: Count, change: number): Count {
  return { sinceMs, count: Math.max(0, count + change) };
}

function decodeCount(record: StoredRecord | undefined, windowMs: number, nowMs: number): Count {
  const sinceMs = record?.number('sinceMs') ?? nowMs;
  if (nowMs - sinceMs >= windowMs) return { sinceMs: nowMs, count: 0 };
  return { sinceMs, count: record?.number('count') ?? 0 };
}

/** Clears all attempts. Called when an administrator ends all sessions of an account, or an account is deleted. */
export function removeAttempts(records: RecordTransaction, uid: string): void {
  records.write(locationOf(uid), null);
}

/** Clears the count of unfinished sign-ins. Called when the server ends all unfinished sign-ins. */
export function clearUnfinished(records: RecordTransaction, uid: string): void {
  records.write([...locationOf(uid), 'unfinished'], null);
}

function locationOf(uid: string): readonly string[] {
  return ['challenges', uid, 'tries'];
}
