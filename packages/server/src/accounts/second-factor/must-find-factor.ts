import type { Account, SecondFactor } from '../account.ts';
import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';

/** The second factor that a request names; refuses one that names none. */
export function mustNameFactor(fields: Fields): string {
  return fields.mustHave(
    'mfaEnrollmentId',
    'MISSING_MFA_ENROLLMENT_ID',
    'No second factor identifier is provided.',
  );
}

/** Refuses with `MFA_ENROLLMENT_NOT_FOUND`. */
export function mustFindFactor(account: Account, enrollmentId: string): SecondFactor {
  const factor = account.factors.find((candidate) => candidate.enrollmentId === enrollmentId);
  if (factor === undefined) throw new IdentityError('MFA_ENROLLMENT_NOT_FOUND');
  return factor;
}
