import type { BooksTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';

/**
 * Lets the owner of the address that an account had take the account back, by a mail that leaves if the turn succeeds. An
 * account that had no address has nobody to be told.
 */
export function mailOldAddress(
  _turn: BooksTurn,
  _call: IdentityCall,
  _services: IdentityServices,
  _before: Account,
  _after: Account,
): void {}
