import type { Account, SecondFactor } from '../account.ts';
import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';

/** The second factor that a request names; refuses one that names none. */
export function mustNameFactor(fields: Fields): string {
  const enrollmentId = fields.filled('mfaEnrollmentId');
  if (enrollmentId === undefined)
    throw new IdentityError('MISSING_MFA_ENROLLMENT_ID', 'No second factor identifier is provided.');
  return enrollmentId;
}

export function mustFindFactor(account: Account, enrollmentId: string): SecondFactor {
  const factor = account.factors.find((candidate) => candidate.enrollmentId === enrollmentId);
  if (factor === undefined) throw new IdentityError('MFA_ENROLLMENT_NOT_FOUND');
  return factor;
}
