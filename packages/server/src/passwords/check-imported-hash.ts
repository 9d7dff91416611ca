import { checkBcryptHash } from './bcrypt.ts';
import type { DigestName } from './digest-input.ts';
import type { HashParameters } from './hash-parameters.ts';
import { MAX_PBKDF2_ROUNDS, type Pbkdf2Parameters } from './pbkdf2.ts';

/** Shorter hashes would match by chance; md5 has this many bytes. */
const MIN_HASH_BYTES = 16;
const MIN_ARGON2_HASH_BYTES = 4;
const MAX_HASH_BYTES = 1024;
const MIN_ARGON2_SALT_BYTES = 8;
const MAX_SALT_BYTES = 1024;
/** PBKDF2 does its rounds for each digest that the hash is long: as many as 16 digests of the most rounds that there may be. */
const MAX_PBKDF2_WORK = 16 * MAX_PBKDF2_ROUNDS;

const DIGEST_BYTES: Readonly<Record<DigestName, number>> = { md5: 16, sha1: 20, sha256: 32, sha512: 64 };

/** Says why no password could ever match an account's imported hash; undefined when one could. */
export function checkImportedHash(
  parameters: HashParameters,
  salt: Uint8Array,
  hash: Uint8Array,
): string | undefined {
  if (salt.length > MAX_SALT_BYTES) return `A salt has at most ${MAX_SALT_BYTES} bytes.`;
  switch (parameters.kind) {
    case 'bcrypt':
      return checkBcryptHash(hash);
    case 'firebase-scrypt':
      return checkLength(hash, parameters.signerKey.length, 'like the signer key');
    case 'hmac':
    case 'digest':
      return checkLength(hash, DIGEST_BYTES[parameters.digest], `like every ${parameters.digest}`);
    case 'argon2':
      if (salt.length < MIN_ARGON2_SALT_BYTES)
        return `A salt for Argon2 has at least ${MIN_ARGON2_SALT_BYTES} bytes.`;
      return checkRange(hash, MIN_ARGON2_HASH_BYTES);
    case 'pbkdf2':
      return checkRange(hash, MIN_HASH_BYTES) ?? checkPbkdf2Length(parameters, hash);
    case 'standard-scrypt':
      return checkRange(hash, MIN_HASH_BYTES);
    default:
      return parameters satisfies never;
  }
}

function checkLength(hash: Uint8Array, lengthBytes: number, reason: string): string | undefined {
  return hash.length === lengthBytes ? undefined : `The hash must have ${lengthBytes} bytes, ${reason}.`;
}

function checkRange(hash: Uint8Array, leastBytes: number): string | undefined {
  const isInRange = hash.length >= leastBytes && hash.length <= MAX_HASH_BYTES;
  return isInRange ? undefined : `The hash must have ${leastBytes} to ${MAX_HASH_BYTES} bytes.`;
}

function checkPbkdf2Length({ digest, rounds }: Pbkdf2Parameters, hash: Uint8Array): string | undefined {
  const most = Math.floor(MAX_PBKDF2_WORK / Math.max(rounds, 1)) * DIGEST_BYTES[digest];
  if (hash.length <= most) return undefined;
  return `One password would take too long: after ${rounds} rounds, the hash has at most ${most} bytes.`;
}
