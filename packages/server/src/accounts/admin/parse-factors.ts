import type { SecondFactor } from '../account.ts';
import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import { parsePhoneNumber } from '../phone-number.ts';
import { MAX_FACTORS } from '../second-factor/must-allow-enrollment.ts';
import { parseFactorName } from '../second-factor/parse-factor-name.ts';

const MAX_ID_LENGTH = 128;

/** What a request to replace the second factors of an account is read with. */
export interface FactorContext {
  /** The factors that the account has. */
  readonly present: readonly SecondFactor[];
  /** Names factors that come without a name; `null` refuses those. */
  readonly newId: (() => string) | null;
  readonly nowMs: number;
}

/**
 * The second factors that an administrator gives an account; the same phone number twice is one factor. Factors other than
 * phones can be kept and removed, not made.
 */
export function parseFactors(list: readonly Fields[], context: FactorContext): readonly SecondFactor[] {
  const factors: SecondFactor[] = [];
  const phones = new Set<string>();
  for (const fields of list) {
    const factor = parseFactor(fields, context);
    if (factor.kind === 'phone' && phones.has(factor.phoneNumber)) continue;
    if (factor.kind === 'phone') phones.add(factor.phoneNumber);
    if (factors.some(({ enrollmentId }) => enrollmentId === factor.enrollmentId))
      throw new IdentityError('DUPLICATE_MFA_ENROLLMENT_ID');
    factors.push(factor);
  }
  if (factors.length > MAX_FACTORS) throw new IdentityError('SECOND_FACTOR_LIMIT_EXCEEDED');
  return factors;
}

function parseFactor(fields: Fields, { present, newId, nowMs }: FactorContext): SecondFactor {
  const given = newId === null ? fields.filled('mfaEnrollmentId') : newId();
  const phone = fields.filled('phoneInfo');
  if (phone === undefined) return keepFactor(fields, given, present);
  const phoneNumber = parsePhoneNumber(phone, 'INVALID_MFA_PHONE_NUMBER');
  if (given === undefined)
    throw new IdentityError('INVALID_MFA_ENROLLMENT_ID', 'mfaEnrollmentId must be defined.');
  if (given.length > MAX_ID_LENGTH)
    throw new IdentityError(
      'INVALID_MFA_ENROLLMENT_ID',
      `mfaEnrollmentId has at most ${MAX_ID_LENGTH} characters.`,
    );
  const known = present.find(({ enrollmentId }) => enrollmentId === given);
  return {
    kind: 'phone',
    enrollmentId: given,
    phoneNumber,
    displayName: parseFactorName(fields),
    enrolledAtMs: parseEnrolledAt(fields) ?? known?.enrolledAtMs ?? nowMs,
  };
}

/** A factor without a phone number: one that the account has already. */
function keepFactor(
  fields: Fields,
  enrollmentId: string | undefined,
  present: readonly SecondFactor[],
): SecondFactor {
  const known = present.find((factor) => factor.enrollmentId === enrollmentId);
  if (known?.kind === 'totp') return { ...known, displayName: parseFactorName(fields) ?? known.displayName };
  if (fields.has('totpInfo')) throw new IdentityError('UNSUPPORTED_SECOND_FACTOR');
  throw new IdentityError('INVALID_MFA_PHONE_NUMBER', 'Invalid format.');
}

function parseEnrolledAt(fields: Fields): number | undefined {
  const text = fields.filled('enrolledAt');
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new IdentityError('INVALID_ARGUMENT', '"enrolledAt" must be a date and time.');
  return ms;
}
