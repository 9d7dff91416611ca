import { AuthApiError } from '../errors.ts';
import type { Fields, JsonObject } from '../fields.ts';
import { parseFactorName } from '../mfa/factor.ts';
import { MAX_FACTORS, requireVerifiedEmail } from '../mfa/policy.ts';
import { requireAcceptable } from '../passwords/check-password.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { requireNotDeleted } from '../tenants/deleted-tenants.ts';
import { type Account, emptyAccount, type SecondFactor } from './account.ts';
import { accountRecords, findAccount, saveAccount } from './account-store.ts';
import {
  newUid,
  parseDisplayName,
  parseEmail,
  parseNewUid,
  parsePhoneNumber,
  parsePhotoUrl,
} from './field-parsers.ts';

const MAX_ID_LENGTH = 128;

/** Context for parsing the second factors of a request. */
export interface FactorContext {
  /** The factors that the account has before the request. */
  readonly existing: readonly SecondFactor[];
  /** Creates the id of a factor. */
  readonly newId: () => string;
  /** Whether factors keep the ids that the request gives. Otherwise all get new ones. */
  readonly areIdsKept: boolean;
  readonly nowMs: number;
}

/**
 * Parses the second factors that an administrator sets on an account. If the same phone number is listed twice,
 * only the first entry is used. Factors other than phones can be kept and removed, but not created.
 */
export function parseFactors(list: readonly Fields[], context: FactorContext): readonly SecondFactor[] {
  const factors: SecondFactor[] = [];
  const phones = new Set<string>();
  for (const fields of list) {
    const factor = parseFactor(fields, context);
    if (factor.kind === 'phone' && phones.has(factor.phoneNumber)) continue;
    if (factor.kind === 'phone') phones.add(factor.phoneNumber);
    if (factors.some(({ enrollmentId }) => enrollmentId === factor.enrollmentId))
      throw new AuthApiError('DUPLICATE_MFA_ENROLLMENT_ID');
    factors.push(factor);
  }
  if (factors.length > MAX_FACTORS) throw new AuthApiError('SECOND_FACTOR_LIMIT_EXCEEDED');
  return factors;
}

function parseFactor(fields: Fields, { existing, newId, areIdsKept, nowMs }: FactorContext): SecondFactor {
  const given = areIdsKept ? fields.filled('mfaEnrollmentId') : undefined;
  const phone = fields.filled('phoneInfo');
  if (phone === undefined) return keepFactor(fields, given, existing);
  const phoneNumber = parsePhoneNumber(phone, 'INVALID_MFA_PHONE_NUMBER');
  if (given !== undefined && given.length > MAX_ID_LENGTH)
    throw new AuthApiError(
      'INVALID_MFA_ENROLLMENT_ID',
      `mfaEnrollmentId has at most ${MAX_ID_LENGTH} characters.`,
    );
  const known = existing.find(({ enrollmentId }) => enrollmentId === given);
  return {
    kind: 'phone',
    enrollmentId: given ?? newId(),
    phoneNumber,
    displayName: parseFactorName(fields),
    enrolledAtMs: parseEnrolledAt(fields) ?? known?.enrolledAtMs ?? nowMs,
  };
}

/** Returns the account's authenticator app with the id. Throws an `AuthApiError` if the account does not have it. */
function keepFactor(
  fields: Fields,
  enrollmentId: string | undefined,
  existing: readonly SecondFactor[],
): SecondFactor {
  const known = existing.find((factor) => factor.enrollmentId === enrollmentId);
  if (known?.kind === 'totp') return { ...known, displayName: parseFactorName(fields) ?? known.displayName };
  if (fields.has('totpInfo')) throw new AuthApiError('UNSUPPORTED_SECOND_FACTOR');
  throw new AuthApiError('INVALID_MFA_PHONE_NUMBER', 'Invalid format.');
}

function parseEnrolledAt(fields: Fields): number | undefined {
  const text = fields.filled('enrolledAt');
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new AuthApiError('INVALID_ARGUMENT', '"enrolledAt" must be a date and time.');
  return ms;
}

const KIND = 'identitytoolkit#SignupNewUserResponse';

/** `accounts:signUp` by an administrator: creates an account as requested, and issues no tokens. */
export async function createAccount(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project } = call;
  const { recordStore, passwords, randomBytes } = services;
  if (fields.has('idToken')) throw new AuthApiError('UNEXPECTED_PARAMETER', 'User ID');
  const given = fields.filled('localId');
  const uid = given === undefined ? newUid(randomBytes) : parseNewUid(given);
  const password = fields.filled('password');
  if (password !== undefined) requireAcceptable(password, project, fields.filled('email') ?? null);
  const requestedAccount = parseAccount(fields, () => newUid(randomBytes), services.clock.nowMs());
  const hash = password === undefined ? null : await passwords.hashEncoded(password, call.client.network);
  const account = await recordStore.change((transaction): Account => {
    requireNotDeleted(transaction, project.scope);
    const records = transaction.records(accountRecords(project.scope));
    if (findAccount(records, uid) !== undefined) throw new AuthApiError('DUPLICATE_LOCAL_ID');
    const made = {
      ...emptyAccount(uid, transaction.nowMs),
      ...requestedAccount,
      password: hash,
      passwordUpdatedAtMs: hash === null ? null : transaction.nowMs,
    };
    if (made.factors.length > 0) requireVerifiedEmail(made);
    saveAccount(records, undefined, made);
    return made;
  });
  recordAudit(services, call, 'account_created', uid);
  const { email, displayName } = account;
  return { kind: KIND, localId: uid, email: email ?? undefined, displayName: displayName ?? undefined };
}

function parseAccount(fields: Fields, newId: () => string, nowMs: number): Partial<Account> {
  const email = fields.filled('email');
  const phoneNumber = fields.filled('phoneNumber');
  return {
    email: email === undefined ? null : parseEmail(email),
    isEmailVerified: fields.flag('emailVerified') ?? false,
    displayName: parseDisplayName(fields.text('displayName') ?? ''),
    photoUrl: parsePhotoUrl(fields.text('photoUrl') ?? ''),
    phoneNumber: phoneNumber === undefined ? null : parsePhoneNumber(phoneNumber),
    isDisabled: fields.flag('disabled') ?? false,
    factors: parseFactors(fields.objects('mfaInfo') ?? [], { existing: [], newId, areIdsKept: false, nowMs }),
  };
}
