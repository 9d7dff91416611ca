import { AuthApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { importPasskeys } from '../passkeys/passkey-file.ts';
import { requireAcceptable } from '../passwords/check-password.ts';
import { encodePasswordHash, type ImportedHash, type PasswordHash } from '../passwords/hash.ts';
import type { Project } from '../projects/project.ts';
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
  parseTime,
  parseValidSince,
} from './field-parsers.ts';
import { type ImportParameters, ImportProblem, parseImportedPassword } from './imported-password.ts';

export interface ImportContext {
  readonly project: Project;
  readonly nowMs: number;
  readonly newId: () => string;
  /** The parameters with which the passwords were hashed; `undefined` when no account has a hash. */
  readonly hashing: ImportParameters | undefined;
}

/** An account of an import. */
export interface ImportedAccount {
  readonly account: Account;
  /** The password in clear text, which must be hashed before the account is stored. */
  readonly rawPassword: string | undefined;
  /** The hash of the account's password, if another system made it. */
  readonly importedHash: ImportedHash | undefined;
  /** Tokens that were issued before this second are revoked; 0 for none. */
  readonly revokedBeforeSec: number;
}

/** Parses an account of an import. Throws an `ImportProblem` for an invalid field, or one that cannot be stored. */
export function parseImportedAccount(fields: Fields, context: ImportContext): ImportedAccount {
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

/** The fields of an account that an import stores, or ignores without losing data. */
const USER_FIELDS: ReadonlySet<string> = new Set([
  ...['localId', 'email', 'emailVerified', 'phoneNumber', 'displayName', 'photoUrl', 'disabled'],
  ...['passwordHash', 'salt', 'rawPassword', 'passwordUpdatedAt', 'version', 'hashParametersId'],
  ...['createdAt', 'lastLoginAt', 'lastRefreshAt', 'validSince', 'customAttributes', 'customAuth'],
  ...['emailLinkSignin', 'initialEmail', 'providerUserInfo', 'mfaInfo', 'tenantId'],
  ...['passkeyInfo', 'passkeyUserHandle'],
]);
const IDENTITY_FIELDS: ReadonlySet<string> = new Set([
  ...['providerId', 'rawId', 'federatedId', 'email', 'displayName', 'photoUrl', 'screenName'],
]);
/** Fields of the entries for the password and the phone number, which repeat fields of the account. */
const OWN_FIELDS: ReadonlySet<string> = new Set([...IDENTITY_FIELDS, 'phoneNumber']);
const FACTOR_FIELDS: ReadonlySet<string> = new Set([
  ...['mfaEnrollmentId', 'displayName', 'phoneInfo', 'unobfuscatedPhoneInfo', 'enrolledAt', 'totpInfo'],
]);

/** Throws an `ImportProblem` if a field has a value and is not in the list, so that no import loses data silently. */
function requireKept(fields: Fields, kept: ReadonlySet<string>, prefix = ''): void {
  const lost = fields.names().filter((name) => !kept.has(camelCase(name)) && !isEmpty(fields.find(name)));
  if (lost.length > 0)
    throw new ImportProblem(
      `Hearth does not store ${lost.map((name) => `${prefix}${name}`).join(', ')}. Leave it out to import the account.`,
    );
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0)
  );
}

function parse(fields: Fields, context: ImportContext): ImportedAccount {
  const uid = fields.filled('localId');
  if (uid === undefined) throw new ImportProblem('localId is missing');
  if (uid.length > MAX_UID_LENGTH)
    throw new ImportProblem(`localId must have at most ${MAX_UID_LENGTH} characters.`);
  // User ids of imported accounts may contain a slash, because data of other systems is stored under such ids.
  // New user ids may not.
  if (hasControls(uid) || !uid.isWellFormed())
    throw new ImportProblem('localId must not have control characters or halves of surrogate pairs.');
  const tenantId = fields.filled('tenantId');
  if (tenantId !== undefined && tenantId !== context.project.scope.tenantId)
    throw new ImportProblem('Tenant id in userInfo does not match the tenant id in request.');
  requireKept(fields, USER_FIELDS);
  const infos = fields.objects('providerUserInfo') ?? [];
  const revokedBeforeSec = parseValidSince(fields, context.nowMs) ?? 0;
  const empty = emptyAccount(uid, context.nowMs);
  const hash = parseImportedPassword(fields, context.hashing);
  const account: Account = {
    ...empty,
    // Never earlier than now: tokens of a deleted account with the same user id must not become valid again.
    validSinceSec: Math.max(empty.validSinceSec, revokedBeforeSec),
    ...parseContact(fields),
    ...encodePassword(fields, hash, context.nowMs),
    ...parseTimes(fields, context.nowMs),
    displayName: parseDisplayName(fields.text('displayName') ?? ''),
    photoUrl: parsePhotoUrl(fields.text('photoUrl') ?? ''),
    isDisabled: fields.flag('disabled') ?? false,
    customAttributes: parseCustomAttributes(fields) ?? null,
    hasEmailLink: fields.flag('emailLinkSignin') ?? false,
    isCustomAuth: fields.flag('customAuth') ?? false,
    identities: infos.flatMap((info) => findIdentity(info, fields)),
    ...importPasskeys(fields, fields.flag('emailVerified') ?? false, context.nowMs),
  };
  const complete = infos.reduce(withOwnEntry, account);
  const rawPassword = fields.filled('rawPassword');
  if (rawPassword !== undefined) requireAcceptable(rawPassword, context.project, complete.email);
  return {
    account: { ...complete, factors: parseImportedFactors(fields, complete, context) },
    rawPassword,
    importedHash: hash?.kind === 'imported' ? hash : undefined,
    revokedBeforeSec,
  };
}

function parseContact(
  fields: Fields,
): Pick<Account, 'email' | 'isEmailVerified' | 'phoneNumber' | 'initialEmail'> {
  const email = fields.filled('email');
  const initialEmail = fields.filled('initialEmail');
  const phone = fields.filled('phoneNumber');
  return {
    email: email === undefined ? null : parseAddress(email, 'email is invalid'),
    initialEmail: initialEmail === undefined ? null : parseAddress(initialEmail, 'initialEmail is invalid'),
    isEmailVerified: fields.flag('emailVerified') ?? false,
    phoneNumber: phone === undefined ? null : parsePhone(phone),
  };
}

function parseAddress(text: string, message: string): string {
  return orProblem(message, () => parseEmail(text));
}

function parsePhone(text: string): string {
  return orProblem('phone number format is invalid', () => parsePhoneNumber(text));
}

function encodePassword(
  fields: Fields,
  hash: PasswordHash | null,
  nowMs: number,
): Pick<Account, 'password' | 'passwordUpdatedAtMs'> {
  const updatedAtMs = parseTime(fields, 'passwordUpdatedAt') ?? nowMs;
  const hasRawPassword = fields.filled('rawPassword') !== undefined;
  if (hash !== null && hasRawPassword)
    throw new ImportProblem('passwordHash and rawPassword are both given: give one of them.');
  return {
    password: hash === null ? null : encodePasswordHash(hash),
    passwordUpdatedAtMs: hash !== null || hasRawPassword ? updatedAtMs : null,
  };
}

function parseTimes(
  fields: Fields,
  nowMs: number,
): Pick<Account, 'createdAtMs' | 'lastLoginAtMs' | 'lastRefreshAtMs'> {
  const lastRefreshAt = fields.filled('lastRefreshAt');
  const lastRefreshAtMs = lastRefreshAt === undefined ? null : Date.parse(lastRefreshAt);
  if (Number.isNaN(lastRefreshAtMs)) throw new ImportProblem('lastRefreshAt must be a date and time.');
  return {
    createdAtMs: parseTime(fields, 'createdAt') ?? nowMs,
    lastLoginAtMs: parseTime(fields, 'lastLoginAt') ?? null,
    lastRefreshAtMs,
  };
}

/** Returns the identity of an entry; none for a password or phone number, which are fields of the account. */
function findIdentity(info: Fields, user: Fields): readonly FederatedIdentity[] {
  const providerId = info.filled('providerId');
  if (providerId === 'password' || providerId === 'phone') return [];
  requireKept(info, IDENTITY_FIELDS, 'providerUserInfo.');
  const wasLinkedVerified = user.flag('emailVerified') ?? false;
  return [parseIdentity(info, { ...parseIdentityKey(info), wasLinkedVerified })];
}

/** Providers by the host in the `federatedId` of their users. */
const PROVIDERS_BY_HOST: Readonly<Record<string, string>> = {
  'accounts.google.com': 'google.com',
  'facebook.com': 'facebook.com',
  'twitter.com': 'twitter.com',
  'github.com': 'github.com',
  'appleid.apple.com': 'apple.com',
};

/** Returns provider and raw id, which may be given in one text, such as `https://accounts.google.com/123`. */
function parseIdentityKey(info: Fields): Pick<FederatedIdentity, 'providerId' | 'rawId'> {
  const providerId = info.filled('providerId');
  const rawId = info.filled('rawId');
  const federatedId = info.filled('federatedId');
  if (providerId !== undefined && rawId !== undefined) return { providerId, rawId };
  if (federatedId === undefined) throw new ImportProblem('federatedId or (providerId & rawId) is required');
  const parsed = parseFederatedId(federatedId);
  if (providerId !== undefined && providerId !== parsed?.providerId)
    return { providerId, rawId: rawId ?? federatedId };
  if (parsed === undefined)
    throw new ImportProblem(`federatedId ${federatedId} names no known provider: give providerId and rawId.`);
  return { providerId: parsed.providerId, rawId: rawId ?? parsed.rawId };
}

function parseFederatedId(text: string): Pick<FederatedIdentity, 'providerId' | 'rawId'> | undefined {
  const url = URL.parse(text);
  const providerId = PROVIDERS_BY_HOST[url?.hostname.replace(/^www\./, '') ?? ''];
  const [, rawId] = /^\/([^/]+)$/.exec(url?.pathname ?? '') ?? [];
  return providerId === undefined || rawId === undefined ? undefined : { providerId, rawId };
}

/**
 * Returns the account with the data of an entry for its password or phone number. Such entries usually repeat
 * fields of the account. Throws an `ImportProblem` if they differ.
 */
function withOwnEntry(account: Account, info: Fields): Account {
  const providerId = info.filled('providerId');
  if (providerId !== 'password' && providerId !== 'phone') return account;
  requireKept(info, OWN_FIELDS, 'providerUserInfo.');
  const key = info.filled('rawId') ?? info.filled('federatedId');
  if (providerId === 'phone') {
    const text = info.filled('phoneNumber') ?? key;
    if (text === undefined) return account;
    const phoneNumber = account.phoneNumber ?? parsePhone(text);
    if (phoneNumber !== text)
      throw new ImportProblem('The phone number of providerUserInfo is not that of the account.');
    return { ...account, phoneNumber };
  }
  const text = info.filled('email') ?? key;
  if (text !== undefined && parseAddress(text, 'email is invalid') !== account.email)
    throw new ImportProblem('The email address of providerUserInfo is not that of the account.');
  return account;
}

function parseImportedFactors(
  fields: Fields,
  { email, isEmailVerified }: Account,
  { newId, nowMs }: ImportContext,
): readonly SecondFactor[] {
  const list = fields.objects('mfaInfo') ?? [];
  if (list.length === 0) return [];
  for (const factor of list) requireKept(factor, FACTOR_FIELDS, 'mfaInfo.');
  if (email === null) throw new ImportProblem('Second factor account requires email to be presented.');
  if (!isEmailVerified) throw new ImportProblem('Second factor account requires email to be verified.');
  if (list.some((factor) => factor.filled('phoneInfo') === undefined))
    throw new ImportProblem('Second factor not supported.');
  try {
    return parseFactors(list, { existing: [], newId, areIdsKept: true, nowMs });
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
