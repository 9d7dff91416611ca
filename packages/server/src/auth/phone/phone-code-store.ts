import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../../platform/secret-key.ts';
import type { RecordTransaction, RecordView } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import { StoredRecord } from '../stored-record.ts';
import {
  decodePhoneCode,
  encodePhoneCode,
  ownerOf,
  type PhoneCode,
  type PhonePurpose,
} from './phone-code.ts';

/** How long a code is valid, in ms. */
export const PHONE_CODE_MS = 600_000;
/** Number of wrong codes that ends the codes which share a count. */
const MAX_WRONG_CODES = 5;
/** Maximum number of wrong codes for one number in an hour. */
const MAX_WRONG_OF_NUMBER = 10;
const HOUR_MS = 3_600_000;
/** How long expired records are kept, so that the server can distinguish an expired code from an unknown one. */
const STORED_AFTER_EXPIRY_MS = HOUR_MS;
/** Maximum number of expired records that each new code removes; more than it adds, so that their number falls. */
const MAX_SWEPT = 8;
const HANDLE_BYTES = 32;
const PROOF_MS = HOUR_MS;
const STAMP_LENGTH = 15;

/** A stored code with the hash of its `sessionInfo`. */
export interface FoundPhoneCode extends PhoneCode {
  readonly hash: string;
}

/** The fields that a client sends to use a code. */
export interface GivenPhoneCode {
  readonly sessionInfo: string;
  readonly code: string;
}

/**
 * `wrong`: the code is not the one that was sent. `foreign`: the code was sent for another purpose or account. The
 * caller records both with `recordWrongPhoneCode`.
 */
export type PhoneCodeCheck = { readonly kind: 'right' | 'wrong' | 'foreign'; readonly found: FoundPhoneCode };

/** Stores a new code and returns its `sessionInfo`, of which only a hash is stored. Removes some expired records. */
export function addPhoneCode(
  records: RecordTransaction,
  {
    phoneNumber,
    purpose,
    code,
    isFictional,
  }: Pick<PhoneCode, 'phoneNumber' | 'purpose' | 'isFictional'> & { readonly code: string },
  { key, randomBytes, nowMs }: { key: SecretKey; randomBytes: (count: number) => Uint8Array; nowMs: number },
): string {
  sweep(records, nowMs);
  const sessionInfo = newHandle(randomBytes);
  const hash = hashOf(sessionInfo);
  const expiresAtMs = nowMs + PHONE_CODE_MS;
  const groupKey = hashOf(JSON.stringify([phoneNumber, purpose.kind, ownerOf(purpose)]));
  const known = findGroup(records, groupKey);
  const isLive = known !== undefined && known.wrongCodes < MAX_WRONG_CODES && known.untilMs > nowMs;
  const groupId = isLive ? known.id : hash;
  const wrongCodes = isLive ? known.wrongCodes : 0;
  records.write(['phoneGroups', groupKey], { id: groupId, wrongCodes, untilMs: expiresAtMs });
  const codeMac = macOf(key, hash, code);
  records.write(
    ['phoneCodes', hash],
    encodePhoneCode({ phoneNumber, purpose, codeMac, groupKey, groupId, expiresAtMs, isFictional }),
  );
  scheduleRemoval(records, 'phoneCodes', hash, expiresAtMs);
  scheduleRemoval(records, 'phoneGroups', groupKey, expiresAtMs);
  return sessionInfo;
}

/** Returns the code of a `sessionInfo`. Throws `INVALID_SESSION_INFO` if there is none, or if it was used. */
export function requirePhoneCode(records: RecordView, sessionInfo: string): FoundPhoneCode {
  const hash = hashOf(sessionInfo);
  const json = records.find(['phoneCodes', hash]);
  if (json === undefined) throw new AuthApiError('INVALID_SESSION_INFO');
  return { ...decodePhoneCode(json), hash };
}

/** Returns whether a `sessionInfo` has a code that was not used. */
export function hasPhoneCode(records: RecordView, sessionInfo: string): boolean {
  return records.find(['phoneCodes', hashOf(sessionInfo)]) !== undefined;
}

/**
 * Checks a code without using it up. Throws `INVALID_SESSION_INFO`, `SESSION_EXPIRED` after its time or too many wrong
 * codes, and `TOO_MANY_ATTEMPTS_TRY_LATER` after too many wrong codes for its number.
 */
export function checkPhoneCode(
  records: RecordView,
  { sessionInfo, code }: GivenPhoneCode,
  isExpected: (purpose: PhonePurpose) => boolean,
  key: SecretKey,
  nowMs: number,
): PhoneCodeCheck {
  const found = requirePhoneCode(records, sessionInfo);
  const group = findGroup(records, found.groupKey);
  if (found.expiresAtMs <= nowMs || group?.id !== found.groupId || group.wrongCodes >= MAX_WRONG_CODES)
    throw new AuthApiError('SESSION_EXPIRED');
  if (wrongOfNumber(records, found.phoneNumber, nowMs).count >= MAX_WRONG_OF_NUMBER)
    throw new AuthApiError('TOO_MANY_ATTEMPTS_TRY_LATER');
  if (!isExpected(found.purpose)) return { kind: 'foreign', found };
  const mac = Buffer.from(macOf(key, found.hash, code));
  return { kind: timingSafeEqual(mac, Buffer.from(found.codeMac)) ? 'right' : 'wrong', found };
}

/** Counts a wrong code for all codes that share the count, and for the number. */
export function recordWrongPhoneCode(
  records: RecordTransaction,
  { groupKey, phoneNumber }: FoundPhoneCode,
  nowMs: number,
): void {
  const group = findGroup(records, groupKey);
  if (group !== undefined)
    records.write(['phoneGroups', groupKey], { ...group, wrongCodes: group.wrongCodes + 1 });
  const { sinceMs, count } = wrongOfNumber(records, phoneNumber, nowMs);
  const key = hashOf(phoneNumber);
  records.write(['phoneGuesses', key], { sinceMs, count: count + 1, untilMs: sinceMs + HOUR_MS });
  if (count === 0) scheduleRemoval(records, 'phoneGuesses', key, sinceMs + HOUR_MS);
}

/** Returns when a code was created. */
export function createdAtOf({ expiresAtMs }: PhoneCode): number {
  return expiresAtMs - PHONE_CODE_MS;
}

export function removePhoneCode(records: RecordTransaction, { hash, expiresAtMs }: FoundPhoneCode): void {
  records.write(['phoneCodes', hash], null);
  records.write(['phoneUntil', dueKey('phoneCodes', hash, expiresAtMs)], null);
}

interface Group {
  readonly id: string;
  readonly wrongCodes: number;
  readonly untilMs: number;
}

function findGroup(records: RecordView, groupKey: string): Group | undefined {
  const json = records.find(['phoneGroups', groupKey]);
  if (json === undefined) return undefined;
  const record = new StoredRecord(json);
  return {
    id: record.text('id') ?? '',
    wrongCodes: record.number('wrongCodes') ?? 0,
    untilMs: record.number('untilMs') ?? 0,
  };
}

function wrongOfNumber(
  records: RecordView,
  phoneNumber: string,
  nowMs: number,
): { readonly sinceMs: number; readonly count: number } {
  const json = records.find(['phoneGuesses', hashOf(phoneNumber)]);
  const record = json === undefined ? undefined : new StoredRecord(json);
  const sinceMs = record?.number('sinceMs') ?? nowMs;
  return nowMs - sinceMs >= HOUR_MS
    ? { sinceMs: nowMs, count: 0 }
    : { sinceMs, count: record?.number('count') ?? 0 };
}

/**
 * Stores a proof that the client has received a code for a number, and returns it. The proof is for one sign-in with the
 * number, after the number turned out to belong to another account.
 */
export function addPhoneProof(
  records: RecordTransaction,
  phoneNumber: string,
  isFictional: boolean,
  randomBytes: (count: number) => Uint8Array,
  nowMs: number,
): { readonly proof: string; readonly lifetimeMs: number } {
  const proof = newHandle(randomBytes);
  const hash = hashOf(proof);
  const untilMs = nowMs + PROOF_MS;
  records.write(['phoneProofs', hash], { phoneNumber, isFictional, untilMs });
  scheduleRemoval(records, 'phoneProofs', hash, untilMs);
  return { proof, lifetimeMs: PROOF_MS };
}

/** Returns whether a proof is for a fictional number. Throws `INVALID_TEMPORARY_PROOF` if it is not valid. */
export function requirePhoneProof(
  records: RecordView,
  proof: string,
  phoneNumber: string,
  nowMs: number,
): { readonly isFictional: boolean } {
  const json = records.find(['phoneProofs', hashOf(proof)]);
  const record = json === undefined ? undefined : new StoredRecord(json);
  if (record?.text('phoneNumber') !== phoneNumber || (record.number('untilMs') ?? 0) <= nowMs)
    throw new AuthApiError('INVALID_TEMPORARY_PROOF');
  return { isFictional: record.flag('isFictional') };
}

export function removePhoneProof(records: RecordTransaction, proof: string): void {
  records.write(['phoneProofs', hashOf(proof)], null);
}

type Kind = 'phoneCodes' | 'phoneGroups' | 'phoneGuesses' | 'phoneProofs';

/** Removes some records that expired long ago. A record whose time was extended has a later entry. */
function sweep(records: RecordTransaction, nowMs: number): void {
  const beforeMs = nowMs - STORED_AFTER_EXPIRY_MS;
  for (const { key, value } of records.list(['phoneUntil'], { before: stamp(beforeMs), limit: MAX_SWEPT })) {
    records.write(['phoneUntil', key], null);
    const { kind, of } = readDue(value);
    const json = records.find([kind, of]);
    const untilMs = json === undefined ? undefined : endOf(new StoredRecord(json));
    if (untilMs !== undefined && untilMs < beforeMs) records.write([kind, of], null);
  }
}

function endOf(record: StoredRecord): number {
  return record.number('untilMs') ?? record.number('expiresAtMs') ?? 0;
}

function readDue(value: unknown): { readonly kind: string; readonly of: string } {
  const record = new StoredRecord(value);
  return { kind: record.text('kind') ?? '', of: record.text('of') ?? '' };
}

function scheduleRemoval(records: RecordTransaction, kind: Kind, of: string, untilMs: number): void {
  records.write(['phoneUntil', dueKey(kind, of, untilMs)], { kind, of });
}

function dueKey(kind: Kind, of: string, untilMs: number): string {
  return `${stamp(untilMs)}-${kind}-${of}`;
}

function stamp(timeMs: number): string {
  return String(timeMs).padStart(STAMP_LENGTH, '0');
}

function newHandle(randomBytes: (count: number) => Uint8Array): string {
  return Buffer.from(randomBytes(HANDLE_BYTES)).toString('base64url');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function macOf(key: SecretKey, hash: string, code: string): string {
  return createHmac('sha256', key).update(`${hash} ${code}`).digest('base64url');
}
