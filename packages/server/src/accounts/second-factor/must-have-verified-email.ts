import type { Account } from '../account.ts';
import { IdentityError } from '../identity-error.ts';

/** Refuses a second factor for an account whose address is not known to be its owner's. */
export function mustHaveVerifiedEmail({ email, isEmailVerified }: Account): void {
  if (email === null || !isEmailVerified)
    throw new IdentityError(
      'UNVERIFIED_EMAIL',
      'Need to verify email first before enrolling second factors.',
    );
}
