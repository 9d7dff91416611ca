import type { DigestInput, DigestName, InputOrder } from './digest-input.ts';
import {
  type Fields,
  HashParametersError,
  readBytes,
  readFields,
  readKey,
  readWhole,
  readWord,
} from './hash-parameter-fields.ts';
import type { HashParameters } from './hash-parameters.ts';
import { MAX_DIGEST_ROUNDS } from './iterated-digest.ts';
import { MAX_PBKDF2_ROUNDS } from './pbkdf2.ts';
import type { Argon2Variant, Argon2Version } from './scripted-argon2.ts';
import { MAX_STANDARD_SCRYPT_BYTES, MAX_STANDARD_SCRYPT_LANES } from './standard-scrypt.ts';

const MAX_LENGTH_BYTES = 1024;

/** Every algorithm that accounts can be imported with, by its name on the wire. */
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
 * The hash parameters in a request that imports accounts; other members do not matter. Throws HashParametersError.
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
    rounds: readWhole(fields, 'rounds', 1, 8),
    memoryCost: readWhole(fields, 'memoryCost', 1, 14),
  };
}

function parseStandardScrypt(fields: Fields): HashParameters {
  // Stored hashes have a length of their own, which is what counts.
  readWhole(fields, 'dkLen', 1, MAX_LENGTH_BYTES, 64);
  const blockSize = readWhole(fields, 'blockSize', 1, 2 ** 16);
  const cpuMemCost = readWhole(fields, 'cpuMemCost', 2, 2 ** 24);
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
    parallelization: readWhole(fields, 'parallelization', 1, MAX_STANDARD_SCRYPT_LANES),
  };
}

function parseHmac(fields: Fields, digest: DigestName): HashParameters {
  return { kind: 'hmac', digest, signerKey: readKey(fields, 'signerKey'), ...parseDigestInput(fields) };
}

function parseDigest(fields: Fields, digest: DigestName, leastRounds: number): HashParameters {
  const rounds = readWhole(fields, 'rounds', leastRounds, MAX_DIGEST_ROUNDS, leastRounds);
  return { kind: 'digest', digest, rounds, ...parseDigestInput(fields) };
}

const INPUT_ORDERS: Readonly<Record<string, InputOrder>> = {
  UNSPECIFIED_ORDER: 'salt-first',
  SALT_AND_PASSWORD: 'salt-first',
  PASSWORD_AND_SALT: 'password-first',
};

function parseDigestInput(fields: Fields): DigestInput {
  return {
    saltSeparator: readBytes(fields, 'saltSeparator'),
    order: readWord(fields, 'passwordHashOrder', INPUT_ORDERS, 'salt-first'),
  };
}

function parsePbkdf2(fields: Fields, digest: 'sha1' | 'sha256'): HashParameters {
  return {
    kind: 'pbkdf2',
    digest,
    saltSeparator: readBytes(fields, 'saltSeparator'),
    rounds: readWhole(fields, 'rounds', 0, MAX_PBKDF2_ROUNDS),
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
  // As with scrypt, the length of a stored hash is what counts.
  readWhole(parameters, 'hashLengthBytes', 4, MAX_LENGTH_BYTES, 32);
  const parallelism = readWhole(parameters, 'parallelism', 1, 16);
  return {
    kind: 'argon2',
    variant: readWord(parameters, 'hashType', ARGON2_VARIANTS),
    version: readWord(parameters, 'version', ARGON2_VERSIONS, 0x13),
    cost: {
      memoryKiB: readWhole(parameters, 'memoryCostKib', 8 * parallelism, 32_768),
      passes: readWhole(parameters, 'iterations', 1, 16),
      parallelism,
    },
    associatedData: readBytes(parameters, 'associatedData'),
  };
}
