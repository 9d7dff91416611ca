import type { BookTurn } from '../books/books.ts';
import type { Account } from './account.ts';
import { removeAccount } from './account-book.ts';
import { removeCodesOf } from './codes/code-book.ts';
import { endSessions } from './session-book.ts';

/** Removes an account with all that lets somebody use it. */
export function eraseAccount(book: BookTurn, account: Account): void {
  removeAccount(book, account);
  endSessions(book, account.uid);
  removeCodesOf(book, account.uid);
}
