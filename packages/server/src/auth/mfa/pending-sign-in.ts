import { createHash } from 'node:crypto';
import type { RecordTransaction, RecordView } from '../../records/store.ts';
import type { JsonObject } from '../fields.ts';
import { decodeSignInClaims, encodeSignInClaims, type SignInClaims } from '../sign-in/session.ts';
import { StoredRecord } from '../stored-record.ts';

/** A sign-in whose primary credential was accepted. */
export interface PendingSignIn {
  readonly signInClaims: SignInClaims;
  readonly createdAtMs: number;
  /** Number of wrong second factor codes. */
  readonly wrongCodes: number;
  /** How often the server has sent a challenge for a factor, such as a code. */
  readonly challenges: number;
}

/** Returns the record that is stored at `challenges/<uid>/open/<key>`. */
function encodePending({ signInClaims, createdAtMs, wrongCodes, challenges }: PendingSignIn): JsonObject {
  return { ...encodeSignInClaims(signInClaims), createdAtMs, wrongCodes, challenges };
}

function decodePending(json: unknown): PendingSignIn {
  const record = new StoredRecord(json);
  return {
    signInClaims: decodeSignInClaims(record),
    createdAtMs: record.number('createdAtMs') ?? 0,
    wrongCodes: record.number('wrongCodes') ?? 0,
    challenges: record.number('challenges') ?? 0,
  };
}

/** The content of a pending credential. */
export interface PendingHandle {
  readonly projectNumber: string;
  /** The key under which the sign-in is stored. Starts with the time of the sign-in, so that keys sort by time. */
  readonly key: string;
}

const PROJECT_BYTES = 6;
const TIME_BYTES = 6;
const RANDOM_BYTES = 32;
const BYTES = PROJECT_BYTES + TIME_BYTES + RANDOM_BYTES;
const TEXT = new RegExp(`^[\\w-]{${Math.ceil((BYTES * 4) / 3)}}$`);

/**
 * Creates a pending credential: base64url of the project number (6 bytes, big-endian), the time in ms (6 bytes,
 * big-endian) and 32 random bytes. The server stores only a hash of it, so the stored data cannot be used to
 * sign in.
 */
export function newPendingCredential(
  projectNumber: string,
  nowMs: number,
  randomBytes: (count: number) => Uint8Array,
): { readonly credential: string; readonly key: string } {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUIntBE(Number(projectNumber), 0, PROJECT_BYTES);
  bytes.writeUIntBE(nowMs, PROJECT_BYTES, TIME_BYTES);
  bytes.set(randomBytes(RANDOM_BYTES), PROJECT_BYTES + TIME_BYTES);
  return { credential: bytes.toString('base64url'), key: keyOf(bytes) };
}

/** Parses a pending credential. Returns `undefined` if the text does not have its form. */
export function parsePendingCredential(text: string): PendingHandle | undefined {
  if (!TEXT.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return { projectNumber: String(bytes.readUIntBE(0, PROJECT_BYTES)), key: keyOf(bytes) };
}

function keyOf(bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return `${firstKeyOf(bytes.readUIntBE(PROJECT_BYTES, TIME_BYTES))}${hash}`;
}

/** Returns the lower bound for keys of a time, in ms: keys of earlier sign-ins sort before it. */
export function firstKeyOf(timeMs: number): string {
  return `${timeMs}-`;
}

/** Time limit for the second factor of a sign-in, in ms. */
const LIFETIME_MS = 600_000;
/** Number of wrong codes that ends the sign-in. */
const MAX_WRONG_CODES = 5;
/** Number of expired sign-ins that each new one removes; more than one, so that their number falls. */
const MAX_SWEPT = 4;

/** A pending sign-in, and the uid of its account. */
export interface FoundPending {
  readonly uid: string;
  readonly pending: PendingSignIn;
}

/** Returns the pending sign-in with a key; `undefined` if it does not exist or has expired. */
export function findPending(records: RecordView, key: string, nowMs: number): FoundPending | undefined {
  const uid = records.find(['pending', key]);
  if (typeof uid !== 'string') return undefined;
  const json = records.find(locationOf(uid, key));
  if (json === undefined) return undefined;
  const pending = decodePending(json);
  return nowMs - pending.createdAtMs > LIFETIME_MS ? undefined : { uid, pending };
}

/** Stores a pending sign-in, and removes some expired ones. */
export function addPending(
  records: RecordTransaction,
  key: string,
  uid: string,
  pending: PendingSignIn,
): void {
  const expired = { before: firstKeyOf(pending.createdAtMs - LIFETIME_MS), limit: MAX_SWEPT };
  for (const { key: old, value } of records.list(['pending'], expired)) {
    records.write(['pending', old], null);
    if (typeof value === 'string') records.write(locationOf(value, old), null);
  }
  records.write(['pending', key], uid);
  records.write(locationOf(uid, key), encodePending(pending));
}

/** Records a wrong code. After `MAX_WRONG_CODES` the sign-in ends. */
export function recordWrongCode(
  records: RecordTransaction,
  key: string,
  { uid, pending }: FoundPending,
): void {
  const wrongCodes = pending.wrongCodes + 1;
  if (wrongCodes >= MAX_WRONG_CODES) removePending(records, key, uid);
  else records.write(locationOf(uid, key), encodePending({ ...pending, wrongCodes }));
}

/** Records that the server sends a challenge for a factor, such as a code. */
export function recordChallenge(
  records: RecordTransaction,
  key: string,
  { uid, pending }: FoundPending,
): void {
  const challenges = pending.challenges + 1;
  records.write(locationOf(uid, key), encodePending({ ...pending, challenges }));
}

/** Removes all pending sign-ins of an account. */
export function removeAllPending(records: RecordTransaction, uid: string): void {
  records.write(['challenges', uid, 'open'], null);
}

export function removePending(records: RecordTransaction, key: string, uid: string): void {
  records.write(['pending', key], null);
  records.write(locationOf(uid, key), null);
}

function locationOf(uid: string, key: string): readonly string[] {
  return ['challenges', uid, 'open', key];
}
