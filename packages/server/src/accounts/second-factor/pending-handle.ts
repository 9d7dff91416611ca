import { createHash } from 'node:crypto';

/** What a pending credential says. */
export interface PendingHandle {
  readonly projectNumber: string;
  /** Where the sign-in is kept: begins with when it was, so that those of a time are neighbours. */
  readonly key: string;
}

const PROJECT_BYTES = 6;
const TIME_BYTES = 6;
const RANDOM_BYTES = 32;
const BYTES = PROJECT_BYTES + TIME_BYTES + RANDOM_BYTES;
const TEXT = new RegExp(`^[\\w-]{${Math.ceil((BYTES * 4) / 3)}}$`);

/**
 * A new pending credential: base64url of the number of the project (6 bytes, big-endian), the time in ms (the same) and 32
 * random bytes. The server keeps a hash of it, so that what it keeps signs nobody in.
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

/** `undefined` for what can be no pending credential. */
export function parsePendingCredential(text: string): PendingHandle | undefined {
  if (!TEXT.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return { projectNumber: String(bytes.readUIntBE(0, PROJECT_BYTES)), key: keyOf(bytes) };
}

function keyOf(bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return `${firstKeyOf(bytes.readUIntBE(PROJECT_BYTES, TIME_BYTES))}${hash}`;
}

/** Keys of sign-ins from before a time, in ms, come before this. */
export function firstKeyOf(timeMs: number): string {
  return `${timeMs}-`;
}
