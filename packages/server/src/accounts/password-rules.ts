import { checkPassword } from '../passwords/check-password.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import { findPasswordRefusal } from '../passwords/password-refusal.ts';
import { IdentityError } from './identity-error.ts';

/** Refuses a password that a project does not want, with `WEAK_PASSWORD` or `PASSWORD_DOES_NOT_MEET_REQUIREMENTS`. */
export function mustBeAcceptable(password: string, policy: PasswordPolicy): void {
  const refusal = findPasswordRefusal(policy, checkPassword(policy, password));
  if (refusal !== undefined) throw new IdentityError(refusal.code, refusal.detail);
}
