import type { BookView } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { findAccount } from '../account-book.ts';
import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';

/** The name of the account that an administrator's request is about. Refuses with `MISSING_LOCAL_ID`. */
export function mustNameAccount(fields: Fields): string {
  return fields.mustHave('localId', 'MISSING_LOCAL_ID');
}

/** Refuses with `USER_NOT_FOUND`. */
export function mustFindAccount(book: BookView, uid: string): Account {
  const account = findAccount(book, uid);
  if (account === undefined) throw new IdentityError('USER_NOT_FOUND');
  return account;
}
