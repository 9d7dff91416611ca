import type { Account } from './account.ts';
import { IdentityError } from './identity-error.ts';
import type { ProjectSettings } from './project-settings.ts';

/**
 * Refuses to give an account another address without a mail to that. Where addresses are private, everybody could else ask
 * for every address whether it has an account; and a mail to the address is a way around a second factor.
 */
export function mustAllowEmailChange(account: Account, { isEmailPrivate }: ProjectSettings): void {
  if (isEmailPrivate)
    throw new IdentityError('OPERATION_NOT_ALLOWED', 'Please verify the new email before changing email.');
  mustAllowEmailRemoval(account);
}

/** Refuses to take its address off an account with second factors: another one would be free to come after it. */
export function mustAllowEmailRemoval({ factors }: Account): void {
  if (factors.length > 0) throw new IdentityError('EMAIL_CHANGE_NEEDS_VERIFICATION');
}
