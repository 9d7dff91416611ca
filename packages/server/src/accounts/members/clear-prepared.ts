import type { BookTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { saveAccount } from '../account-book.ts';
import { removeCodesOf, removeSignInCodesOf } from '../codes/code-book.ts';
import { nextValidSince } from '../next-valid-since.ts';
import { endSessions } from '../session-book.ts';

/**
 * Takes from the account of whoever becomes a member all that somebody else may have prepared to be that member: sessions,
 * codes, and a way to sign in, unless a code that was mailed to the address has set the password. That an administrator calls
 * the address verified proves nothing, and neither does a click on a link that another's sign-up has sent. Returns the account as it is from now on.
 */
export function clearPrepared(book: BookTurn, account: Account, nowMs: number): Account {
  endSessions(book, account.uid);
  removeCodesOf(book, account.uid);
  if (account.email !== null) removeSignInCodesOf(book, account.email);
  const kept = account.isPasswordProven ? account : withoutCredentials(account);
  const cleared = { ...kept, validSinceSec: nextValidSince(account, nowMs) };
  saveAccount(book, account, cleared);
  return cleared;
}

function withoutCredentials(account: Account): Account {
  return {
    ...account,
    password: null,
    passwordUpdatedAtMs: null,
    phoneNumber: null,
    identities: [],
    factors: [],
    recoveryCodes: [],
  };
}
