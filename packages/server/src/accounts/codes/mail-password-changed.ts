import type { BooksTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mailNotice } from './mail-notice.ts';

/** Tells the holder of an account that its password was changed, by a mail that leaves if the change is made. */
export function mailPasswordChanged(
  turn: BooksTurn,
  call: IdentityCall,
  services: IdentityServices,
  account: Account,
): void {
  mailNotice(turn, call, services, account, 'passwordChanged');
}
