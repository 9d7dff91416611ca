import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../../platform/secret-key.ts';
import type { RecordTransaction, RecordView } from '../../records/store.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { AuthRequest } from '../request.ts';

/** The action that the signature of a challenge permits, and its user. */
export type ChallengePurpose =
  /** Adds a passkey to an account. `handle` is that of its other passkeys; an empty text if it has none. */
  | { readonly kind: 'enrollment'; readonly uid: string; readonly handle: string }
  /** Creates an account whose only credential is a passkey. */
  | { readonly kind: 'sign-up' }
  /** Signs in to any account. */
  | { readonly kind: 'sign-in' }
  /** Signs in again to an account. */
  | { readonly kind: 'sign-in-again'; readonly uid: string };

/** How long a challenge is valid, in ms. */
export const CHALLENGE_MS = 300_000;

const TIME_BYTES = 6;
const RANDOM_BYTES = 32;
const MAC_BYTES = 32;
const BYTES = TIME_BYTES + RANDOM_BYTES + MAC_BYTES;
const TEXT = new RegExp(`^[\\w-]{${Math.ceil((BYTES * 4) / 3)}}$`);
/** Maximum number of old entries that each new one removes; more than one, so that their number falls. */
const MAX_SWEPT = 4;

interface ChallengeContext {
  readonly key: SecretKey;
  readonly call: AuthRequest;
  readonly purpose: ChallengePurpose;
}

/**
 * Creates a challenge: base64url of the time until which it is valid in ms (6 bytes, big-endian), 32 random bytes, and
 * an HMAC of these, the purpose, the project and the API key. The server stores nothing until the challenge is used, so
 * that requests for challenges cannot fill the disk.
 */
export function createChallenge(
  context: ChallengeContext,
  randomBytes: (count: number) => Uint8Array,
  nowMs: number,
): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUIntBE(nowMs + CHALLENGE_MS, 0, TIME_BYTES);
  bytes.set(randomBytes(RANDOM_BYTES), TIME_BYTES);
  bytes.set(macOf(bytes, context), TIME_BYTES + RANDOM_BYTES);
  return bytes.toString('base64url');
}

/** A challenge that this server created for the purpose, and that is still valid. */
export interface VerifiedChallenge {
  readonly text: string;
  readonly expiresAtMs: number;
  /** The random bytes, base64url: the user handle of an account that gets its first passkey. */
  readonly random: string;
}

/**
 * Verifies a challenge. Throws `INVALID_SESSION_INFO` if this server did not create it for the purpose, the project and
 * the API key, and `SESSION_EXPIRED` after its time.
 */
export function verifyChallenge(text: string, context: ChallengeContext, nowMs: number): VerifiedChallenge {
  const bytes = Buffer.from(TEXT.test(text) ? text : '', 'base64url');
  if (
    bytes.length !== BYTES ||
    !timingSafeEqual(bytes.subarray(TIME_BYTES + RANDOM_BYTES), macOf(bytes, context))
  )
    throw new AuthApiError('INVALID_SESSION_INFO');
  const expiresAtMs = bytes.readUIntBE(0, TIME_BYTES);
  if (expiresAtMs <= nowMs) throw new AuthApiError('SESSION_EXPIRED');
  const random = bytes.toString('base64url', TIME_BYTES, TIME_BYTES + RANDOM_BYTES);
  // Several texts decode to the same bytes. The server accepts only the one that it created.
  return { text: bytes.toString('base64url'), expiresAtMs, random };
}

/** Returns the user handle for a new passkey: that of the other passkeys of the account, or the random bytes. */
export function handleFor(purpose: ChallengePurpose, { random }: Pick<VerifiedChallenge, 'random'>): string {
  return purpose.kind === 'enrollment' && purpose.handle !== '' ? purpose.handle : random;
}

/** Returns the random bytes of a challenge that this server has just created, base64url. */
export function randomOf(challenge: string): string {
  return Buffer.from(challenge, 'base64url').toString('base64url', TIME_BYTES, TIME_BYTES + RANDOM_BYTES);
}

function macOf(bytes: Buffer, { key, call: { project, caller }, purpose }: ChallengeContext): Buffer {
  const apiKey = caller.kind === 'app' ? caller.apiKey : '';
  const scope = JSON.stringify([accountRecords(project.scope), apiKey, partsOf(purpose)]);
  return createHmac('sha256', key)
    .update(bytes.subarray(0, TIME_BYTES + RANDOM_BYTES))
    .update(scope)
    .digest();
}

function partsOf(purpose: ChallengePurpose): readonly string[] {
  switch (purpose.kind) {
    case 'enrollment':
      return [purpose.kind, purpose.uid, purpose.handle];
    case 'sign-in-again':
      return [purpose.kind, purpose.uid];
    case 'sign-up':
    case 'sign-in':
      return [purpose.kind];
    default:
      return purpose satisfies never;
  }
}

/**
 * Uses a challenge up when the transaction commits. Throws `INVALID_SESSION_INFO` if it was used before. Removes some
 * entries of challenges that have expired.
 */
export function spendChallenge(
  records: RecordTransaction,
  { text, expiresAtMs }: VerifiedChallenge,
  nowMs: number,
): void {
  const key = usedKey(text, expiresAtMs);
  if (isSpent(records, key)) throw new AuthApiError('INVALID_SESSION_INFO');
  for (const old of records.listKeys(['passkeyUsed'], { before: `${nowMs}-`, limit: MAX_SWEPT }))
    records.write(['passkeyUsed', old], null);
  records.write(['passkeyUsed', key], true);
}

function isSpent(records: RecordView, key: string): boolean {
  return records.find(['passkeyUsed', key]) !== undefined;
}

function usedKey(text: string, expiresAtMs: number): string {
  return `${expiresAtMs}-${createHash('sha256').update(text).digest('base64url')}`;
}
