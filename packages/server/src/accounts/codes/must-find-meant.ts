import type { BookView } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { findAccount } from '../account-book.ts';
import { IdentityError } from '../identity-error.ts';
import type { CodePurpose } from './code-purpose.ts';

/** The purposes of codes that are for an account. */
export type AccountPurpose = Exclude<CodePurpose, { readonly kind: 'EMAIL_SIGNIN' }>;

/**
 * The account that a code is for. Refuses with `INVALID_OOB_CODE` when it is not any more what the code was made for, and with
 * `USER_DISABLED`.
 */
export function mustFindMeant(book: BookView, purpose: AccountPurpose): Account {
  const account = findAccount(book, purpose.uid);
  if (account === undefined || !isAsMeant(account, purpose)) throw new IdentityError('INVALID_OOB_CODE');
  if (account.isDisabled) throw new IdentityError('USER_DISABLED');
  return account;
}

function isAsMeant(account: Account, purpose: AccountPurpose): boolean {
  switch (purpose.kind) {
    case 'PASSWORD_RESET':
    case 'VERIFY_EMAIL':
      return account.email === purpose.email;
    case 'VERIFY_AND_CHANGE_EMAIL':
      return account.email === purpose.email && account.validSinceSec === purpose.validSinceSec;
    case 'RECOVER_EMAIL':
      return true;
    case 'REVERT_SECOND_FACTOR_ADDITION':
      return account.factors.some(({ enrollmentId }) => enrollmentId === purpose.enrollmentId);
    default:
      return purpose satisfies never;
  }
}
