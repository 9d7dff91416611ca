import type { BooksTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mailAccount } from './account-mail.ts';

/** What has changed of how somebody signs in. */
type Notice = 'passwordChanged' | 'secondFactorRemoved' | 'recoveryCodesMade';

/** Tells the holder of an account of a change, by a mail that leaves if the change is made. */
export function mailNotice(
  turn: BooksTurn,
  call: IdentityCall,
  services: IdentityServices,
  { email, displayName }: Pick<Account, 'email' | 'displayName'>,
  kind: Notice,
): void {
  if (email === null) return;
  const name = displayName === null ? {} : { displayName };
  mailAccount(turn, call, services, { to: email, occasion: { kind, email, ...name } });
}
