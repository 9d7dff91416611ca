import { createHash } from 'node:crypto';
import type { BookTurn, BookView } from '../../books/books.ts';
import { IdentityError } from '../identity-error.ts';
import type { CodePurpose } from './code-purpose.ts';
import { decodeCode, encodeCode, type StoredCode } from './code-record.ts';

/** Most codes of an account beyond which none is added that takes something back: the earlier ones take back more. */
const MAX_CODES = 100;

/** One more of each kind that replaces earlier ones. */
const MAX_LISTED = MAX_CODES + 4;

/** For so long a code is told apart from one that never was. */
const KEPT_AFTER_EXPIRY_MS = 86_400_000;

/** Codes that are over and removed when another one is added. More than one, so that they become fewer. */
const MAX_SWEPT = 8;

const STAMP_LENGTH = 15;

/** A code in its book. */
export interface FoundCode extends StoredCode {
  readonly hash: string;
}

/** A code that may be used. Refuses with `INVALID_OOB_CODE` or `EXPIRED_OOB_CODE`. */
export function mustFindCode(book: BookView, code: string, nowMs: number): FoundCode {
  const found = findCode(book, code);
  if (found === undefined) throw new IdentityError('INVALID_OOB_CODE');
  if (found.expiresAtMs <= nowMs) throw new IdentityError('EXPIRED_OOB_CODE');
  return found;
}

/** A code that was handed out and not used, also one that has expired. */
export function findCode(book: BookView, code: string): FoundCode | undefined {
  return findByHash(book, hashOf(code));
}

/** Is there room for a code for such a purpose? */
export function hasRoom(book: BookView, purpose: CodePurpose): boolean {
  const isAlone = detailOf(purpose) === '';
  return isAlone || book.list(['codesOf', ownerOf(purpose)], { limit: MAX_CODES }).length < MAX_CODES;
}

/** Keeps a new code in the place of an earlier one for the same, and removes some that are long over. */
export function addCode(
  book: BookTurn,
  code: string,
  { purpose, expiresAtMs, wasMailed }: Pick<StoredCode, 'purpose' | 'expiresAtMs' | 'wasMailed'>,
  nowMs: number,
): void {
  const over = { before: dueKey('', nowMs - KEPT_AFTER_EXPIRY_MS), limit: MAX_SWEPT };
  for (const { value } of book.list(['codesUntil'], over)) removeByHash(book, value);
  const earlier = findInPlaceOf(book, purpose);
  if (earlier !== undefined) removeCode(book, earlier);
  const hash = hashOf(code);
  saveCode(book, {
    purpose: earlier === undefined ? purpose : withEarlier(purpose, earlier.purpose),
    sinceMs: earlier?.sinceMs ?? nowMs,
    expiresAtMs,
    wasMailed,
    mismatches: 0,
    hash,
  });
  book.write(placeOf(purpose), hash);
  book.write(['codesUntil', dueKey(hash, expiresAtMs)], hash);
}

/** Keeps what has changed of a code. */
export function saveCode(book: BookTurn, { hash, ...stored }: FoundCode): void {
  book.write(['codes', hash], encodeCode(stored));
}

export function removeCode(book: BookTurn, code: FoundCode): void {
  const { hash, purpose } = code;
  book.write(['codes', hash], null);
  book.write(['codesUntil', dueKey(hash, code.expiresAtMs)], null);
  if (book.find(placeOf(purpose)) === hash) book.write(placeOf(purpose), null);
}

/** Removes the codes of an account, or those that a condition holds for. */
export function removeCodesOf(book: BookTurn, uid: string, isMeant?: (code: StoredCode) => boolean): void {
  removeOwned(book, ownerName(uid), isMeant);
}

/** Removes the code by which whoever has an address could sign in. */
export function removeSignInCodesOf(book: BookTurn, email: string): void {
  removeOwned(book, ownerOf({ kind: 'EMAIL_SIGNIN', email }));
}

function removeOwned(book: BookTurn, owner: string, isMeant?: (code: StoredCode) => boolean): void {
  for (const { value } of book.list(['codesOf', owner], { limit: MAX_LISTED }))
    removeByHash(book, value, isMeant);
}

function removeByHash(book: BookTurn, hash: unknown, isMeant?: (code: StoredCode) => boolean): void {
  const found = typeof hash === 'string' ? findByHash(book, hash) : undefined;
  if (found !== undefined && isMeant?.(found) !== false) removeCode(book, found);
}

/** The code that one for a purpose takes the place of. */
function findInPlaceOf(book: BookView, purpose: CodePurpose): FoundCode | undefined {
  const hash = book.find(placeOf(purpose));
  return typeof hash === 'string' ? findByHash(book, hash) : undefined;
}

/** Whoever took an address away and gave it back for a moment, without its proof, does not make it unproven. */
function withEarlier(purpose: CodePurpose, earlier: CodePurpose): CodePurpose {
  if (purpose.kind !== 'RECOVER_EMAIL' || earlier.kind !== 'RECOVER_EMAIL') return purpose;
  return { ...purpose, wasVerified: purpose.wasVerified || earlier.wasVerified };
}

function findByHash(book: BookView, hash: string): FoundCode | undefined {
  const json = book.find(['codes', hash]);
  return json === undefined ? undefined : { ...decodeCode(json), hash };
}

/** Codes have too many possible values to be guessed from their hashes. */
function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}

/**
 * Where the hash of the one code for a purpose is. Codes that take back different things do not replace each other: else
 * whoever took over an account could void them by doing it again.
 */
function placeOf(purpose: CodePurpose): readonly string[] {
  return ['codesOf', ownerOf(purpose), `${purpose.kind}${detailOf(purpose)}`];
}

function detailOf(purpose: CodePurpose): string {
  switch (purpose.kind) {
    case 'RECOVER_EMAIL':
      return ` ${purpose.email}`;
    case 'REVERT_SECOND_FACTOR_ADDITION':
      return ` ${purpose.enrollmentId}`;
    default:
      return '';
  }
}

function ownerOf(purpose: CodePurpose): string {
  return purpose.kind === 'EMAIL_SIGNIN' ? `email ${purpose.email}` : ownerName(purpose.uid);
}

function ownerName(uid: string): string {
  return `uid ${uid}`;
}

/** Keys that sort as the times do. */
function dueKey(hash: string, timeMs: number): string {
  return `${String(timeMs).padStart(STAMP_LENGTH, '0')}-${hash}`;
}
