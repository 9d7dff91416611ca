import { createHash } from 'node:crypto';
import { AuthApiError } from '../errors.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { Argon2Cost } from '../passwords/argon2.ts';
import { encodePasswordHash, type PasswordHash } from '../passwords/hash.ts';
import { decodeBase64, type HashParameters } from '../passwords/hash-parameters.ts';
import {
  checkBcryptHash,
  type DigestName,
  MAX_PBKDF2_ROUNDS,
  type Pbkdf2Parameters,
} from '../passwords/imported-hashes.ts';
import { hasControls, MAX_UID_LENGTH } from '../tokens/id-token.ts';
import { TokenProblem } from '../tokens/jwt.ts';
import { type Account, emptyAccount, type FederatedIdentity, type SecondFactor } from './account.ts';
import { parseFactors } from './create-by-admin.ts';
import {
  parseCustomAttributes,
  parseDisplayName,
  parseEmail,
  parseIdentity,
  parsePhoneNumber,
  parsePhotoUrl,
} from './field-parsers.ts';

/** The reason why one account of an import is rejected. The message is shown to the caller. */
export class ImportProblem extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ImportProblem';
  }
}

/** Least length of a hash in bytes, which md5 has. Shorter hashes could match by chance. */
const MIN_HASH_BYTES = 16;
const MIN_ARGON2_HASH_BYTES = 4;
const MAX_HASH_BYTES = 1024;
const MIN_ARGON2_SALT_BYTES = 8;
const MAX_SALT_BYTES = 1024;
/**
 * Most work of PBKDF2, which repeats its rounds for each digest of the hash's length: 16 digests at the maximum
 * number of rounds.
 */
const MAX_PBKDF2_WORK = 16 * MAX_PBKDF2_ROUNDS;

const DIGEST_BYTES: Readonly<Record<DigestName, number>> = { md5: 16, sha1: 20, sha256: 32, sha512: 64 };

/** Returns why no password could ever match an account's imported hash, or `undefined` if one could. */
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
  return `Verifying a password would take too long: with ${rounds} rounds, the hash must have at most ${most} bytes.`;
}

/** The parameters of the hashes of an import, and the id under which they are stored. */
export interface ImportParameters {
  readonly id: string;
  readonly parameters: HashParameters;
}

/** The official emulators store passwords in this form, in the clear. */
const FAKE_HASH = /^fakeHash:salt=(.*?):password=(.*)$/s;

/** The parameters with which passwords from emulators are hashed until the user signs in with them. */
export const EMULATOR_PARAMETERS: HashParameters = {
  kind: 'digest',
  digest: 'sha256',
  rounds: 1,
  saltSeparator: new Uint8Array(),
  order: 'salt-first',
};

/** Whether the password hash is in the form of the official emulators. */
export function isFakeHash(hash: string): boolean {
  return FAKE_HASH.test(hash);
}

/**
 * Returns the stored form of the hash of an imported account, or `null` if it has none. Throws an
 * `ImportProblem`.
 */
function importPassword(fields: Fields, imported: ImportParameters | undefined): JsonObject | null {
  const text = fields.filled('passwordHash');
  if (text === undefined) return null;
  if (imported === undefined) throw new ImportProblem('The hash algorithm of passwordHash is not known.');
  const fake = FAKE_HASH.exec(text);
  if (fake !== null && imported.parameters === EMULATOR_PARAMETERS)
    return encodePasswordHash(hashEmulatorPassword(fake, imported));
  const salt = parseBytes(fields.text('salt') ?? '', 'salt');
  const hash = parseBytes(text, 'passwordHash');
  const problem = checkImportedHash(imported.parameters, salt, hash);
  if (problem !== undefined) throw new ImportProblem(problem);
  const cost = findNativeCost(imported.parameters);
  if (cost !== undefined) return encodePasswordHash({ kind: 'native', cost, salt, hash });
  const { id: parametersId, parameters } = imported;
  return encodePasswordHash({ kind: 'imported', parametersId, parameters, salt, hash });
}

/**
 * Returns the cost of hashes that another Hearth server made, which can be used here unchanged, or `undefined`
 * for others.
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

export interface ImportContext {
  readonly nowMs: number;
  readonly newId: () => string;
  /** The parameters with which the passwords were hashed; `undefined` when no account has a password. */
  readonly hashing: ImportParameters | undefined;
}

/** Parses an account of an import. Throws an `ImportProblem`. */
export function parseImportedAccount(fields: Fields, context: ImportContext): Account {
  try {
    return parse(fields, context);
  } catch (cause) {
    throw cause instanceof AuthApiError || cause instanceof TokenProblem
      ? new ImportProblem(CLAIM_PROBLEMS[cause.code] ?? cause.message, cause)
      : cause;
  }
}

const CLAIM_PROBLEMS: Readonly<Record<string, string>> = {
  INVALID_CLAIMS: 'Invalid custom claims provided.',
  CLAIMS_TOO_LARGE: 'Custom claims provided are too large.',
  FORBIDDEN_CLAIM: 'Custom claims provided include a reserved claim.',
};

function parse(fields: Fields, context: ImportContext): Account {
  const uid = fields.filled('localId');
  if (uid === undefined) throw new ImportProblem('localId is missing');
  if (uid.length > MAX_UID_LENGTH)
    throw new ImportProblem(`localId must have at most ${MAX_UID_LENGTH} characters.`);
  // User ids of imported accounts may contain a slash, because data of other systems is stored under such ids.
  // New user ids may not.
  if (hasControls(uid) || !uid.isWellFormed())
    throw new ImportProblem('localId must not have control characters or halves of surrogate pairs.');
  if (fields.filled('tenantId') !== undefined)
    throw new ImportProblem('Tenant id in userInfo does not match the tenant id in request.');
  const password = importPassword(fields, context.hashing);
  const account: Account = {
    ...emptyAccount(uid, context.nowMs),
    ...parseContact(fields),
    displayName: parseDisplayName(fields.text('displayName') ?? ''),
    photoUrl: parsePhotoUrl(fields.text('photoUrl') ?? ''),
    password,
    passwordUpdatedAtMs: password === null ? null : context.nowMs,
    isDisabled: fields.flag('disabled') ?? false,
    customAttributes: parseCustomAttributes(fields) ?? null,
    createdAtMs: fields.whole('createdAt') ?? context.nowMs,
    lastLoginAtMs: fields.whole('lastLoginAt') ?? null,
    identities: (fields.objects('providerUserInfo') ?? []).flatMap((info) => findIdentity(info, fields)),
  };
  return { ...account, factors: parseImportedFactors(fields, account, context) };
}

function parseContact(fields: Fields): Pick<Account, 'email' | 'isEmailVerified' | 'phoneNumber'> {
  const email = fields.filled('email');
  const phone = fields.filled('phoneNumber');
  return {
    email: email === undefined ? null : orProblem('email is invalid', () => parseEmail(email)),
    isEmailVerified: fields.flag('emailVerified') ?? false,
    phoneNumber:
      phone === undefined ? null : orProblem('phone number format is invalid', () => parsePhoneNumber(phone)),
  };
}

/** Returns no identity for passwords and phone numbers, which are members of the account. */
function findIdentity(info: Fields, user: Fields): readonly FederatedIdentity[] {
  const providerId = info.filled('providerId');
  const rawId = info.filled('rawId');
  if (providerId === 'password' || providerId === 'phone') return [];
  if (providerId === undefined || rawId === undefined)
    throw new ImportProblem('federatedId or (providerId & rawId) is required');
  const wasLinkedVerified = user.flag('emailVerified') ?? false;
  return [parseIdentity(info, { providerId, rawId, wasLinkedVerified })];
}

function parseImportedFactors(
  fields: Fields,
  { email, isEmailVerified }: Account,
  { newId, nowMs }: ImportContext,
): readonly SecondFactor[] {
  const list = fields.objects('mfaInfo') ?? [];
  if (list.length === 0) return [];
  if (email === null) throw new ImportProblem('Second factor account requires email to be presented.');
  if (!isEmailVerified) throw new ImportProblem('Second factor account requires email to be verified.');
  if (list.some((factor) => factor.filled('phoneInfo') === undefined))
    throw new ImportProblem('Second factor not supported.');
  const named = list.filter((factor) => factor.has('mfaEnrollmentId'));
  const context = { present: [], nowMs };
  const unnamed = list.filter((factor) => !factor.has('mfaEnrollmentId'));
  try {
    return [
      ...parseFactors(named, { ...context, newId: null }),
      ...parseFactors(unnamed, { ...context, newId }),
    ];
  } catch (cause) {
    if (!(cause instanceof AuthApiError)) throw cause;
    throw new ImportProblem(FACTOR_PROBLEMS[cause.code] ?? cause.message, cause);
  }
}

const FACTOR_PROBLEMS: Readonly<Record<string, string>> = {
  DUPLICATE_MFA_ENROLLMENT_ID: 'Enrollment id already exists.',
  INVALID_MFA_PHONE_NUMBER: 'Phone number format is invalid',
};

function orProblem<T>(message: string, parseText: () => T): T {
  try {
    return parseText();
  } catch (cause) {
    throw new ImportProblem(message, cause);
  }
}
