import type { BooksTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { NO_SETTINGS } from './action-settings.ts';
import { issueCode } from './issue-code.ts';

/**
 * Lets the owner of the address that an account had take the account back, by a mail that leaves if the change is made. An
 * account that had no address has nobody to be told.
 */
export function mailOldAddress(
  turn: BooksTurn,
  call: IdentityCall,
  services: IdentityServices,
  before: Account,
  after: Account,
): void {
  if (before.email === null || before.email === after.email) return;
  issueCode(turn, call, services, {
    purpose: {
      kind: 'RECOVER_EMAIL',
      uid: before.uid,
      email: before.email,
      newEmail: after.email,
      wasVerified: before.isEmailVerified,
    },
    displayName: before.displayName,
    settings: NO_SETTINGS,
    delivery: 'mail',
  });
}
