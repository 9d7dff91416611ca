import { createCipheriv, createHmac, hash, pbkdf2, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { hashSync } from 'bcryptjs';

/** Bcrypt needs no parameters: the text of each hash contains the cost and the salt. */
export interface BcryptParameters {
  readonly kind: 'bcrypt';
}

/** Each step doubles the time. A hash of this cost takes most of a second. */
const MAX_BCRYPT_COST = 13;

/** Version, cost, and salt and hash together, such as `$2b$10$` and 53 characters. */
const HASH_FORM = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const SALT_LENGTH = 29;

/** Returns why a stored bcrypt hash cannot be verified, or `undefined` if it can. */
export function checkBcryptHash(hash: Uint8Array): string | undefined {
  const cost = HASH_FORM.exec(Buffer.from(hash).toString('latin1'))?.[1];
  if (cost === undefined)
    return 'A bcrypt hash must be a text of 60 characters that begins with $2a$, $2b$ or $2y$.';
  if (Number(cost) < 4 || Number(cost) > MAX_BCRYPT_COST)
    return `The cost of a bcrypt hash must be from 4 to ${MAX_BCRYPT_COST}.`;
  return undefined;
}

/**
 * Returns the hash, as text in bytes, that this password would have with the salt of `stored`. Uses 72 bytes of
 * the password, as every bcrypt implementation does. Blocks its thread for up to a second, or longer for more
 * expensive hashes that were stored earlier.
 */
export function deriveBcrypt(password: Uint8Array, stored: Uint8Array): Uint8Array {
  const salt = Buffer.from(stored).toString('latin1').slice(0, SALT_LENGTH);
  return Buffer.from(hashSync(Buffer.from(password).toString(), salt), 'latin1');
}

/** Names of digests in `node:crypto`. */
export type DigestName = 'md5' | 'sha1' | 'sha256' | 'sha512';

/** The order of salt and password in the input of a digest. */
export type InputOrder = 'salt-first' | 'password-first';

/** How salt and password are joined. The separator follows the salt, in either order. */
export interface DigestInput {
  readonly saltSeparator: Uint8Array;
  readonly order: InputOrder;
}

function joinInput(
  password: Uint8Array,
  salt: Uint8Array,
  { saltSeparator, order }: DigestInput,
): Uint8Array {
  return order === 'salt-first'
    ? Buffer.concat([salt, saltSeparator, password])
    : Buffer.concat([password, salt, saltSeparator]);
}

/** Parameters of a digest that is applied repeatedly. */
export interface IteratedDigestParameters extends DigestInput {
  readonly kind: 'digest';
  readonly digest: DigestName;
  /** Up to `MAX_DIGEST_ROUNDS`; 0 means 1. */
  readonly rounds: number;
}

export const MAX_DIGEST_ROUNDS = 8192;

/**
 * Computes the digest of salt and password, then the digest of those bytes, and so on. Takes milliseconds for
 * many rounds.
 */
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

/** Parameters of an HMAC digest. */
export interface HmacParameters extends DigestInput {
  readonly kind: 'hmac';
  readonly digest: DigestName;
  /** Secret key of the HMAC. */
  readonly signerKey: Uint8Array;
}

export function deriveHmac(password: Uint8Array, salt: Uint8Array, parameters: HmacParameters): Uint8Array {
  return createHmac(parameters.digest, parameters.signerKey)
    .update(joinInput(password, salt, parameters))
    .digest();
}

/** Parameters of PBKDF2. */
export interface Pbkdf2Parameters {
  readonly kind: 'pbkdf2';
  readonly digest: 'sha1' | 'sha256';
  readonly saltSeparator: Uint8Array;
  /** Up to `MAX_PBKDF2_ROUNDS`; 0 means 1. */
  readonly rounds: number;
}

export const MAX_PBKDF2_ROUNDS = 120_000;

const deriveInThreadPool = promisify(pbkdf2);

export function derivePbkdf2(
  password: Uint8Array,
  salt: Uint8Array,
  { digest, saltSeparator, rounds }: Pbkdf2Parameters,
  lengthBytes: number,
): Promise<Uint8Array> {
  const fullSalt = Buffer.concat([salt, saltSeparator]);
  return deriveInThreadPool(password, fullSalt, Math.max(rounds, 1), lengthBytes, digest);
}

interface ScryptInput {
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  /** The parameter N, a power of two. */
  readonly cost: number;
  /** The parameter r. */
  readonly blockSize: number;
  /** The parameter p. */
  readonly parallelization: number;
  readonly lengthBytes: number;
}

/**
 * Returns the memory that scrypt needs: 128 r bytes for each of N blocks, of p lanes, and of two working
 * blocks.
 */
function neededBytes({ cost, blockSize, parallelization }: ScryptInput): number {
  return 128 * blockSize * (cost + parallelization + 2);
}

/** Computes scrypt in Node's thread pool. */
function deriveScrypt(input: ScryptInput): Promise<Uint8Array> {
  const { cost, blockSize, parallelization, lengthBytes } = input;
  const options = { cost, blockSize, parallelization, maxmem: neededBytes(input) + 1 };
  return new Promise((resolve, reject) => {
    scrypt(input.password, input.salt, lengthBytes, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

/** Parameters of standard scrypt. */
export interface StandardScryptParameters {
  readonly kind: 'standard-scrypt';
  readonly saltSeparator: Uint8Array;
  /** The parameter N, a power of two. */
  readonly cpuMemCost: number;
  /** The parameter r. `MAX_STANDARD_SCRYPT_BYTES` limits r and N together. */
  readonly blockSize: number;
  /** The parameter p. */
  readonly parallelization: number;
}

/** Maximum memory for verifying one password, in bytes. */
export const MAX_STANDARD_SCRYPT_BYTES = 128 * 1024 * 1024;
export const MAX_STANDARD_SCRYPT_LANES = 16;

export function deriveStandardScrypt(
  password: Uint8Array,
  salt: Uint8Array,
  { saltSeparator, cpuMemCost, blockSize, parallelization }: StandardScryptParameters,
  lengthBytes: number,
): Promise<Uint8Array> {
  return deriveScrypt({
    password,
    salt: Buffer.concat([salt, saltSeparator]),
    cost: cpuMemCost,
    blockSize,
    parallelization,
    lengthBytes,
  });
}

/** Parameters of Firebase's own hash, as its console shows them. */
export interface FirebaseScryptParameters {
  readonly kind: 'firebase-scrypt';
  /** Secret. The hash has the same length. */
  readonly signerKey: Uint8Array;
  readonly saltSeparator: Uint8Array;
  /** From 1 to 8: the parameter r of scrypt, not a number of repetitions. */
  readonly rounds: number;
  /** From 1 to 14: the binary logarithm of the parameter N of scrypt. */
  readonly memoryCost: number;
}

const KEY_BYTES = 32;
const COUNTER_START = new Uint8Array(16);

/** Computes Firebase's hash: the signer key encrypted with a key that scrypt derives from the password. */
export async function deriveFirebaseScrypt(
  password: Uint8Array,
  salt: Uint8Array,
  { signerKey, saltSeparator, rounds, memoryCost }: FirebaseScryptParameters,
): Promise<Uint8Array> {
  const key = await deriveScrypt({
    password,
    salt: Buffer.concat([salt, saltSeparator]),
    cost: 2 ** memoryCost,
    blockSize: rounds,
    parallelization: 1,
    lengthBytes: KEY_BYTES,
  });
  return createCipheriv('aes-256-ctr', key, COUNTER_START).update(signerKey);
}
