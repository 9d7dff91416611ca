import { hash } from 'node:crypto';
import { type DigestInput, type DigestName, joinInput } from './digest-input.ts';

/** Parameters of a digest that is digested again. */
export interface IteratedDigestParameters extends DigestInput {
  readonly kind: 'digest';
  readonly digest: DigestName;
  /** Up to MAX_DIGEST_ROUNDS; 0 means 1. */
  readonly rounds: number;
}

export const MAX_DIGEST_ROUNDS = 8192;

/** The digest of salt and password, then the digest of the bytes of that, and so on. Takes milliseconds when rounds are many. */
export function deriveIteratedDigest(
  password: Uint8Array,
  salt: Uint8Array,
  parameters: IteratedDigestParameters,
): Uint8Array {
  let bytes = joinInput(password, salt, parameters);
  for (let round = 0; round < Math.max(parameters.rounds, 1); round++) {
    bytes = hash(parameters.digest, bytes, 'buffer');
  }
  return bytes;
}
