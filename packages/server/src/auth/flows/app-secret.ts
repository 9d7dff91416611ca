import { createHash, timingSafeEqual } from 'node:crypto';

/** Matches the SHA-256 of a secret of an app, as base64url. */
export const CHALLENGE = /^[\w-]{43}$/;
/** Matches a secret of an app, as RFC 7636 defines it. */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** Returns whether a text is the secret of a challenge, in a time that does not depend on the text. */
export function isVerifierOf(verifier: string, challenge: string): boolean {
  const hash = createHash('sha256').update(verifier).digest();
  return VERIFIER.test(verifier) && timingSafeEqual(hash, Buffer.from(challenge, 'base64url'));
}
