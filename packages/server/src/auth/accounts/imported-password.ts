import { createHash } from 'node:crypto';
import type { Fields } from '../fields.ts';
import type { Argon2Cost } from '../passwords/argon2.ts';
import type { PasswordHash } from '../passwords/hash.ts';
import { decodeBase64, type HashParameters } from '../passwords/hash-parameters.ts';
import {
  checkBcryptHash,
  type DigestName,
  MAX_PBKDF2_ROUNDS,
  type Pbkdf2Parameters,
} from '../passwords/imported-hashes.ts';

/** The reason why one account of an import is rejected. The message is shown to the caller. */
export class ImportProblem extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ImportProblem';
  }
}

/** Minimum length of a hash in bytes: that of md5. Shorter hashes could match by chance. */
const MIN_HASH_BYTES = 16;
const MIN_ARGON2_HASH_BYTES = 4;
const MAX_HASH_BYTES = 1024;
const MIN_ARGON2_SALT_BYTES = 8;
const MAX_SALT_BYTES = 1024;
/**
 * Maximum number of rounds of PBKDF2 for one password: 16 times `MAX_PBKDF2_ROUNDS`. PBKDF2 repeats its rounds for
 * each part of the hash that is as long as a digest.
 */
const MAX_PBKDF2_WORK = 16 * MAX_PBKDF2_ROUNDS;

const DIGEST_BYTES: Readonly<Record<DigestName, number>> = { md5: 16, sha1: 20, sha256: 32, sha512: 64 };

/** Returns why an imported hash is rejected, such as a wrong length, or `undefined` if the hash is accepted. */
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

function checkRange(hash: Uint8Array, minBytes: number): string | undefined {
  const isInRange = hash.length >= minBytes && hash.length <= MAX_HASH_BYTES;
  return isInRange ? undefined : `The hash must have ${minBytes} to ${MAX_HASH_BYTES} bytes.`;
}

function checkPbkdf2Length({ digest, rounds }: Pbkdf2Parameters, hash: Uint8Array): string | undefined {
  const maxBytes = Math.floor(MAX_PBKDF2_WORK / Math.max(rounds, 1)) * DIGEST_BYTES[digest];
  if (hash.length <= maxBytes) return undefined;
  return `Verifying a password would take too long: with ${rounds} rounds, the hash must have at most ${maxBytes} bytes.`;
}

/** The parameters of the hashes of an import, and the id under which they are stored. */
export interface ImportParameters {
  readonly id: string;
  readonly parameters: HashParameters;
}

/** The form in which the official emulators store passwords, in clear text. */
const FAKE_HASH = /^fakeHash:salt=(.*?):password=(.*)$/s;

/** The parameters with which an import hashes passwords from emulators. The first sign-in replaces the hash. */
export const EMULATOR_PARAMETERS: HashParameters = {
  kind: 'digest',
  digest: 'sha256',
  rounds: 1,
  saltSeparator: new Uint8Array(),
  order: 'salt-first',
};

/** Returns whether the password hash is in the form of the official emulators. */
export function isFakeHash(hash: string): boolean {
  return FAKE_HASH.test(hash);
}

/** Returns the password hash of an imported account, or `null` if it has none. Throws an `ImportProblem`. */
export function parseImportedPassword(
  fields: Fields,
  imported: ImportParameters | undefined,
): PasswordHash | null {
  const text = fields.filled('passwordHash');
  if (text === undefined) {
    if (fields.filled('salt') !== undefined) throw new ImportProblem('salt is given without passwordHash.');
    return null;
  }
  if (imported === undefined) throw new ImportProblem('The hash algorithm of passwordHash is not known.');
  const fake = FAKE_HASH.exec(text);
  if (fake !== null && imported.parameters === EMULATOR_PARAMETERS)
    return hashEmulatorPassword(fake, imported);
  const { hash, salt } = parseHash(text, fields.text('salt') ?? '', imported.parameters);
  const problem = checkImportedHash(imported.parameters, salt, hash);
  if (problem !== undefined) throw new ImportProblem(problem);
  const cost = findNativeCost(imported.parameters);
  if (cost !== undefined) return { kind: 'native', cost, salt, hash };
  const { id: parametersId, parameters } = imported;
  return { kind: 'imported', parametersId, parameters, salt, hash };
}

/** Minimum number of digits that count as hex if the length of hashes varies. Base64 of a hash is never hex. */
const MIN_HEX_DIGITS = 32;

/**
 * Parses a hash and its salt in base64, or both in hex. A hash is hex if it consists of hex digits alone and has
 * the length that the algorithm requires. Some tools import hex text in base64, so the decoded bytes may be hex
 * again.
 */
function parseHash(
  text: string,
  saltText: string,
  parameters: HashParameters,
): Pick<PasswordHash, 'hash' | 'salt'> {
  const hash = findHexBytes(text, parameters);
  if (hash !== undefined) {
    if (!isHex(saltText)) throw new ImportProblem('passwordHash is in hex, so salt must be in hex, too.');
    return { hash, salt: Buffer.from(saltText, 'hex') };
  }
  const bytes = parseBytes(text, 'passwordHash');
  const decoded = findHexBytes(Buffer.from(bytes).toString('latin1'), parameters);
  return { hash: decoded ?? bytes, salt: parseBytes(saltText, 'salt') };
}

/** Returns the bytes of a hash in hex, or `undefined` if the text is something else. */
function findHexBytes(text: string, parameters: HashParameters): Uint8Array | undefined {
  const lengthBytes = findHashBytes(parameters);
  const hasLength =
    lengthBytes === undefined ? text.length >= MIN_HEX_DIGITS : text.length === 2 * lengthBytes;
  return hasLength && isHex(text) ? Buffer.from(text, 'hex') : undefined;
}

function isHex(text: string): boolean {
  return text.length % 2 === 0 && (/^[\da-f]*$/.test(text) || /^[\dA-F]*$/.test(text));
}

/** Returns how many bytes every hash with these parameters has, or `undefined` if the length varies. */
function findHashBytes(parameters: HashParameters): number | undefined {
  switch (parameters.kind) {
    case 'hmac':
    case 'digest':
      return DIGEST_BYTES[parameters.digest];
    case 'firebase-scrypt':
      return parameters.signerKey.length;
    default:
      return undefined;
  }
}

/**
 * Returns the cost of hashes in the form of Hearth's own hashes, which are stored unchanged, or `undefined` for
 * other hashes.
 */
function findNativeCost(parameters: HashParameters): Argon2Cost | undefined {
  if (parameters.kind !== 'argon2') return undefined;
  const { variant, version, associatedData, cost } = parameters;
  return variant === 'argon2id' && version === 0x13 && associatedData.length === 0 ? cost : undefined;
}

function hashEmulatorPassword(
  [, saltText = '', password = '']: RegExpExecArray,
  { id: parametersId, parameters }: ImportParameters,
): PasswordHash {
  const salt = Buffer.from(saltText);
  const hash = createHash('sha256').update(salt).update(password).digest();
  return { kind: 'imported', parametersId, parameters, salt, hash };
}

function parseBytes(text: string, name: string): Uint8Array {
  const bytes = decodeBase64(text);
  if (bytes === undefined) throw new ImportProblem(`${name} must be bytes in base64.`);
  return bytes;
}
