import type { Argon2Cost, Argon2Variant, Argon2Version } from './argon2.ts';
import {
  type BcryptParameters,
  type DigestInput,
  type DigestName,
  type FirebaseScryptParameters,
  type HmacParameters,
  type InputOrder,
  type IteratedDigestParameters,
  MAX_DIGEST_ROUNDS,
  MAX_PBKDF2_ROUNDS,
  MAX_STANDARD_SCRYPT_BYTES,
  MAX_STANDARD_SCRYPT_LANES,
  type Pbkdf2Parameters,
  type StandardScryptParameters,
} from './imported-hashes.ts';

/** Parameters of Argon2 in another system. */
export interface ImportedArgon2Parameters {
  readonly kind: 'argon2';
  readonly variant: Argon2Variant;
  readonly version: Argon2Version;
  readonly cost: Argon2Cost;
  readonly associatedData: Uint8Array;
}

/** How another system hashed its passwords. All accounts of an import share the same parameters. */
export type HashParameters =
  | FirebaseScryptParameters
  | StandardScryptParameters
  | HmacParameters
  | IteratedDigestParameters
  | Pbkdf2Parameters
  | BcryptParameters
  | ImportedArgon2Parameters;

/** Decodes base64 of either alphabet, with or without padding. Returns `undefined` for other text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  return /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** Invalid parameters of an import. The message states the requirement. */
export class HashParametersError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'HashParametersError';
  }
}

/** The members of a request that imports accounts. */
export type Fields = Readonly<Record<string, unknown>>;

function readFields(json: unknown, name: string): Fields {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json };
  throw new HashParametersError(`${name} must be an object.`);
}

/** Reads an integer, as a number or as digits. Throws if it is not within limits, or absent without a default. */
function readInteger(fields: Fields, name: string, least: number, most: number, fallback?: number): number {
  const value = fields[name] ?? fallback;
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most)
    return number;
  throw new HashParametersError(`${name} must be a whole number from ${least} to ${most}.`);
}

/** Reads bytes in base64 of either alphabet, with or without padding. Returns no bytes if the member is absent. */
function readBytes(fields: Fields, name: string): Uint8Array {
  const value = fields[name] ?? '';
  const bytes = typeof value === 'string' ? decodeBase64(value) : undefined;
  if (bytes !== undefined) return bytes;
  throw new HashParametersError(`${name} must be bytes in base64.`);
}

/** Reads bytes, which must not be empty. */
function readKey(fields: Fields, name: string): Uint8Array {
  const bytes = readBytes(fields, name);
  if (bytes.length > 0) return bytes;
  throw new HashParametersError(`${name} is missing.`);
}

/**
 * Returns the meaning of a word. Throws if the word is not in the table, or if it is absent and has no default.
 */
function readWord<T>(fields: Fields, name: string, meanings: Readonly<Record<string, T>>, fallback?: T): T {
  const value = fields[name];
  if ((value === undefined || value === null) && fallback !== undefined) return fallback;
  const meaning = typeof value === 'string' && Object.hasOwn(meanings, value) ? meanings[value] : undefined;
  if (meaning !== undefined) return meaning;
  throw new HashParametersError(`${name} must be one of ${Object.keys(meanings).join(', ')}.`);
}

const MAX_LENGTH_BYTES = 1024;

/** Parsers of all algorithms that imports can use, by the name in the API. */
const PARSERS: Readonly<Record<string, (fields: Fields) => HashParameters>> = {
  SCRYPT: parseFirebaseScrypt,
  STANDARD_SCRYPT: parseStandardScrypt,
  HMAC_MD5: (fields) => parseHmac(fields, 'md5'),
  HMAC_SHA1: (fields) => parseHmac(fields, 'sha1'),
  HMAC_SHA256: (fields) => parseHmac(fields, 'sha256'),
  HMAC_SHA512: (fields) => parseHmac(fields, 'sha512'),
  MD5: (fields) => parseDigest(fields, 'md5', 0),
  SHA1: (fields) => parseDigest(fields, 'sha1', 1),
  SHA256: (fields) => parseDigest(fields, 'sha256', 1),
  SHA512: (fields) => parseDigest(fields, 'sha512', 1),
  PBKDF_SHA1: (fields) => parsePbkdf2(fields, 'sha1'),
  PBKDF2_SHA256: (fields) => parsePbkdf2(fields, 'sha256'),
  BCRYPT: () => ({ kind: 'bcrypt' }),
  ARGON2: parseArgon2,
};

/**
 * Parses the hash parameters of a request that imports accounts; ignores other members. Throws
 * `HashParametersError`.
 */
export function parseHashParameters(json: unknown): HashParameters {
  const fields = readFields(json, 'The request');
  return readWord(fields, 'hashAlgorithm', PARSERS)(fields);
}

function parseFirebaseScrypt(fields: Fields): HashParameters {
  return {
    kind: 'firebase-scrypt',
    signerKey: readKey(fields, 'signerKey'),
    saltSeparator: readBytes(fields, 'saltSeparator'),
    rounds: readInteger(fields, 'rounds', 1, 8),
    memoryCost: readInteger(fields, 'memoryCost', 1, 14),
  };
}

function parseStandardScrypt(fields: Fields): HashParameters {
  // Only validated: verification uses the length of the stored hash.
  readInteger(fields, 'dkLen', 1, MAX_LENGTH_BYTES, 64);
  const blockSize = readInteger(fields, 'blockSize', 1, 2 ** 16);
  const cpuMemCost = readInteger(fields, 'cpuMemCost', 2, 2 ** 24);
  if (!Number.isInteger(Math.log2(cpuMemCost)))
    throw new HashParametersError('cpuMemCost must be a power of two.');
  if (Math.log2(cpuMemCost) >= 16 * blockSize)
    throw new HashParametersError('cpuMemCost must be less than 65536 when blockSize is 1.');
  if (128 * cpuMemCost * blockSize > MAX_STANDARD_SCRYPT_BYTES)
    throw new HashParametersError(
      `cpuMemCost and blockSize need more than ${MAX_STANDARD_SCRYPT_BYTES / 2 ** 20} MiB for one password.`,
    );
  return {
    kind: 'standard-scrypt',
    saltSeparator: readBytes(fields, 'saltSeparator'),
    cpuMemCost,
    blockSize,
    parallelization: readInteger(fields, 'parallelization', 1, MAX_STANDARD_SCRYPT_LANES),
  };
}

function parseHmac(fields: Fields, digest: DigestName): HashParameters {
  const input = parseDigestInput(fields, 'password-first');
  return { kind: 'hmac', digest, signerKey: readKey(fields, 'signerKey'), ...input };
}

function parseDigest(fields: Fields, digest: DigestName, leastRounds: number): HashParameters {
  const rounds = readInteger(fields, 'rounds', leastRounds, MAX_DIGEST_ROUNDS, leastRounds);
  return { kind: 'digest', digest, rounds, ...parseDigestInput(fields, 'salt-first') };
}

/**
 * Parses how salt and password are joined. The default order differs between HMACs and plain digests, as in the
 * official service.
 */
function parseDigestInput(fields: Fields, defaultOrder: InputOrder): DigestInput {
  const orders: Readonly<Record<string, InputOrder>> = {
    UNSPECIFIED_ORDER: defaultOrder,
    SALT_AND_PASSWORD: 'salt-first',
    PASSWORD_AND_SALT: 'password-first',
  };
  return {
    saltSeparator: readBytes(fields, 'saltSeparator'),
    order: readWord(fields, 'passwordHashOrder', orders, defaultOrder),
  };
}

function parsePbkdf2(fields: Fields, digest: 'sha1' | 'sha256'): HashParameters {
  return {
    kind: 'pbkdf2',
    digest,
    saltSeparator: readBytes(fields, 'saltSeparator'),
    rounds: readInteger(fields, 'rounds', 0, MAX_PBKDF2_ROUNDS),
  };
}

const ARGON2_VARIANTS: Readonly<Record<string, Argon2Variant>> = {
  ARGON2_D: 'argon2d',
  ARGON2_I: 'argon2i',
  ARGON2_ID: 'argon2id',
};
const ARGON2_VERSIONS: Readonly<Record<string, Argon2Version>> = {
  VERSION_UNSPECIFIED: 0x13,
  VERSION_10: 0x10,
  VERSION_13: 0x13,
};

function parseArgon2(fields: Fields): HashParameters {
  const parameters = readFields(fields['argon2Parameters'], 'argon2Parameters');
  // Only validated: verification uses the length of the stored hash, as for scrypt.
  readInteger(parameters, 'hashLengthBytes', 4, MAX_LENGTH_BYTES, 32);
  const parallelism = readInteger(parameters, 'parallelism', 1, 16);
  return {
    kind: 'argon2',
    variant: readWord(parameters, 'hashType', ARGON2_VARIANTS),
    version: readWord(parameters, 'version', ARGON2_VERSIONS, 0x13),
    cost: {
      memoryKiB: readInteger(parameters, 'memoryCostKib', 8 * parallelism, 32_768),
      passes: readInteger(parameters, 'iterations', 1, 16),
      parallelism,
    },
    associatedData: readBytes(parameters, 'associatedData'),
  };
}

/** Maximum work of scrypt for one password (N·r·p): as much as one pass over its full memory (128 MiB). */
const MAX_SCRYPT_WORK = 2 ** 20;

/**
 * Maximum of memory in KiB times passes for version 0x10 of Argon2, which is computed in JavaScript. Such a hash
 * takes as long as 16 passes over 32 MiB of version 0x13.
 */
const MAX_ARGON2_VERSION_10_KIB = 2 ** 16;

/**
 * Returns why hashes with these parameters cannot be imported, or `undefined` if they can. The limit is about a
 * second per password on a slow machine, because users of all projects share a few hashing slots. Parameters that
 * were stored earlier continue to work.
 */
export function checkHashCost(parameters: HashParameters): string | undefined {
  switch (parameters.kind) {
    case 'standard-scrypt': {
      const { cpuMemCost, blockSize, parallelization } = parameters;
      if (cpuMemCost * blockSize * parallelization <= MAX_SCRYPT_WORK) return undefined;
      return `One password would take too long: cpuMemCost times blockSize times parallelization must be at most ${MAX_SCRYPT_WORK}.`;
    }
    case 'argon2': {
      const { memoryKiB, passes } = parameters.cost;
      if (parameters.version === 0x13 || memoryKiB * passes <= MAX_ARGON2_VERSION_10_KIB) return undefined;
      return `One password would take too long: with VERSION_10, memoryCostKib times iterations must be at most ${MAX_ARGON2_VERSION_10_KIB}.`;
    }
    default:
      return undefined;
  }
}
