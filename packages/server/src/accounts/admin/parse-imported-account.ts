import { TokenProblem } from '../../tokens/token-problem.ts';
import { hasControls, MAX_UID_LENGTH } from '../../tokens/uid.ts';
import { type Account, emptyAccount, type FederatedIdentity, type SecondFactor } from '../account.ts';
import { parseEmail } from '../email.ts';
import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import { parsePhoneNumber } from '../phone-number.ts';
import { parseDisplayName, parsePhotoUrl } from '../profile.ts';
import { ImportProblem } from './import-problem.ts';
import { type ImportParameters, importPassword } from './imported-password.ts';
import { parseCustomAttributes } from './parse-custom-attributes.ts';
import { parseFactors } from './parse-factors.ts';
import { parseIdentity } from './parse-identity.ts';

export interface ImportContext {
  readonly nowMs: number;
  readonly newId: () => string;
  /** How the passwords were hashed; `undefined` when no account has one. */
  readonly hashing: ImportParameters | undefined;
}

/** An account as an import describes it. Throws an `ImportProblem`. */
export function parseImportedAccount(fields: Fields, context: ImportContext): Account {
  try {
    return parse(fields, context);
  } catch (cause) {
    throw cause instanceof IdentityError || cause instanceof TokenProblem
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
  // With a slash there are accounts elsewhere, whose data have their names; new ones have none.
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

/** None for passwords and phone numbers, which are members of the account. */
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
    if (!(cause instanceof IdentityError)) throw cause;
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
