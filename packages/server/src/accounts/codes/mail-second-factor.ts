import type { BooksTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { NO_SETTINGS } from './action-settings.ts';
import { issueCode } from './issue-code.ts';

/**
 * Tells the holder of an account that it has got a second factor, and how to be rid of it, by a mail that leaves if the
 * change is made.
 */
export function mailSecondFactor(
  turn: BooksTurn,
  call: IdentityCall,
  services: IdentityServices,
  { uid, email, displayName }: Account,
  enrollmentId: string,
): void {
  if (email === null) return;
  issueCode(turn, call, services, {
    purpose: { kind: 'REVERT_SECOND_FACTOR_ADDITION', uid, email, enrollmentId },
    displayName,
    settings: NO_SETTINGS,
    delivery: 'mail',
  });
}
