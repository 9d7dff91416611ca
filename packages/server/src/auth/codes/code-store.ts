import { createHash } from 'node:crypto';
import type { RecordTransaction, RecordView } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { type AccountScope, nameOfScope } from '../tenants/scope.ts';
import { type CodePurpose, decodeCode, encodeCode, type StoredCode } from './code.ts';

/**
 * Maximum number of codes of an account. Once it is reached, no more codes that revert a change are added: the
 * earlier codes revert more.
 */
const MAX_CODES_OF_ACCOUNT = 100;

/** Number of codes that an account can have at most: the limit does not apply to kinds with only one code each. */
const MAX_LISTED = MAX_CODES_OF_ACCOUNT + 4;

/** How long an expired code is kept, so that the server can distinguish it from an unknown code. */
const STORED_AFTER_EXPIRY_MS = 86_400_000;

/** Maximum number of expired codes that each new code removes; more than one, so that their number falls. */
const MAX_SWEPT = 8;

const STAMP_LENGTH = 15;

/** A stored code with its hash. */
export interface FoundCode extends StoredCode {
  readonly hash: string;
}

/**
 * Returns the code of a request. Throws `MISSING_OOB_CODE` if there is none, and `INVALID_OOB_CODE` if it is
 * empty.
 */
export function readCode(fields: Fields): string {
  const code = fields.text('oobCode');
  if (code === undefined) throw new AuthApiError('MISSING_OOB_CODE');
  if (code === '') throw new AuthApiError('INVALID_OOB_CODE');
  return code;
}

/** Returns a code that may be used. Throws `INVALID_OOB_CODE` or `EXPIRED_OOB_CODE`. */
export function requireCode(records: RecordView, code: string, nowMs: number): FoundCode {
  const found = findCode(records, code);
  if (found === undefined) throw new AuthApiError('INVALID_OOB_CODE');
  if (found.expiresAtMs <= nowMs) throw new AuthApiError('EXPIRED_OOB_CODE');
  return found;
}

/** Returns a code that was issued and not used, even if it has expired. */
export function findCode(records: RecordView, code: string): FoundCode | undefined {
  return findByHash(records, hashOf(code));
}

/** Returns whether the limit allows another code for the purpose. */
export function hasCapacity(records: RecordView, purpose: CodePurpose): boolean {
  const replacesPredecessor = detailOf(purpose) === '';
  return (
    replacesPredecessor ||
    records.list(['codesOf', ownerOf(purpose)], { limit: MAX_CODES_OF_ACCOUNT }).length < MAX_CODES_OF_ACCOUNT
  );
}

/**
 * Stores a new code, which replaces an earlier one for the same purpose, and removes some codes that expired
 * long ago.
 */
export function addCode(
  records: RecordTransaction,
  code: string,
  { purpose, expiresAtMs, wasMailed }: Pick<StoredCode, 'purpose' | 'expiresAtMs' | 'wasMailed'>,
  nowMs: number,
): void {
  const expired = { before: dueKey('', nowMs - STORED_AFTER_EXPIRY_MS), limit: MAX_SWEPT };
  for (const { value } of records.list(['codesUntil'], expired)) removeByHash(records, value);
  const earlier = findReplaced(records, purpose);
  if (earlier !== undefined) removeCode(records, earlier);
  const hash = hashOf(code);
  saveCode(records, {
    purpose: earlier === undefined ? purpose : withEarlier(purpose, earlier.purpose),
    sinceMs: earlier?.sinceMs ?? nowMs,
    expiresAtMs,
    wasMailed,
    mismatches: 0,
    hash,
  });
  records.write(locationOf(purpose), hash);
  records.write(['codesUntil', dueKey(hash, expiresAtMs)], hash);
}

/** Saves changes of a code. */
export function saveCode(records: RecordTransaction, { hash, ...stored }: FoundCode): void {
  records.write(['codes', hash], encodeCode(stored));
}

export function removeCode(records: RecordTransaction, code: FoundCode): void {
  const { hash, purpose } = code;
  records.write(['codes', hash], null);
  records.write(['codesUntil', dueKey(hash, code.expiresAtMs)], null);
  if (records.find(locationOf(purpose)) === hash) records.write(locationOf(purpose), null);
}

/** Removes all codes of an account, or only those for which `shouldRemove` returns true. */
export function removeCodesOf(
  records: RecordTransaction,
  uid: string,
  shouldRemove?: (code: StoredCode) => boolean,
): void {
  removeOwned(records, ownerName(uid), shouldRemove);
}

/** Removes the code that signs in the owner of an address. */
export function removeSignInCodesOf(records: RecordTransaction, email: string): void {
  removeOwned(records, ownerOf({ kind: 'EMAIL_SIGNIN', email }));
}

function removeOwned(
  records: RecordTransaction,
  owner: string,
  shouldRemove?: (code: StoredCode) => boolean,
): void {
  for (const { value } of records.list(['codesOf', owner], { limit: MAX_LISTED }))
    removeByHash(records, value, shouldRemove);
}

function removeByHash(
  records: RecordTransaction,
  hash: unknown,
  shouldRemove?: (code: StoredCode) => boolean,
): void {
  const found = typeof hash === 'string' ? findByHash(records, hash) : undefined;
  if (found !== undefined && shouldRemove?.(found) !== false) removeCode(records, found);
}

/** Returns the code that a new code for the purpose replaces. */
function findReplaced(records: RecordView, purpose: CodePurpose): FoundCode | undefined {
  const hash = records.find(locationOf(purpose));
  return typeof hash === 'string' ? findByHash(records, hash) : undefined;
}

/**
 * Returns the purpose of a code that replaces an earlier one. An address that counted as verified still does.
 * Otherwise an attacker could take an address away, restore it for a moment without verifying it, and so make it
 * count as unverified.
 */
function withEarlier(purpose: CodePurpose, earlier: CodePurpose): CodePurpose {
  if (purpose.kind !== 'RECOVER_EMAIL' || earlier.kind !== 'RECOVER_EMAIL') return purpose;
  return { ...purpose, wasVerified: purpose.wasVerified || earlier.wasVerified };
}

function findByHash(records: RecordView, hash: string): FoundCode | undefined {
  const json = records.find(['codes', hash]);
  return json === undefined ? undefined : { ...decodeCode(json), hash };
}

/** Hashes a code. A plain hash is enough: a code has too many possible values to be guessed from its hash. */
function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}

/**
 * Returns the path of the hash of the only code for a purpose. Codes that revert different changes do not
 * replace each other: otherwise a person who took over an account could void them by repeating the change.
 */
function locationOf(purpose: CodePurpose): readonly string[] {
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

/** Returns a key of `codesUntil`. Keys sort by time. */
function dueKey(hash: string, timeMs: number): string {
  return `${String(timeMs).padStart(STAMP_LENGTH, '0')}-${hash}`;
}

/** Maximum number of codes that `RecentCodes` stores. When it is reached, the next code replaces the oldest one. */
const MAX_RECENT_CODES = 1_000;

/** An issued code in clear text. */
export interface RecentCode {
  /** The scope in which the code is valid. */
  readonly scope: AccountScope;
  readonly code: string;
  readonly link: string;
  readonly purpose: CodePurpose;
}

/**
 * Stores codes in memory, so that tests of apps can read them as from the official emulator. Development mode
 * only.
 */
export class RecentCodes {
  readonly #codes = new Map<string, RecentCode>();

  record(recent: RecentCode): void {
    this.#codes.set(recent.code, recent);
    if (this.#codes.size > MAX_RECENT_CODES)
      for (const oldest of this.#codes.keys().take(1)) this.#codes.delete(oldest);
  }

  /** Returns the codes of a scope, the oldest first. Some may have been used. */
  list(scope: AccountScope): readonly RecentCode[] {
    const name = nameOfScope(scope);
    return [...this.#codes.values()].filter((recent) => nameOfScope(recent.scope) === name);
  }
}
