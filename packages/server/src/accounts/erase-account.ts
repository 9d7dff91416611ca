import type { BooksTurn } from '../books/books.ts';
import { INSTALLATION } from '../books/installation-book.ts';
import type { Account } from './account.ts';
import { accountsBook, removeAccount } from './account-book.ts';
import { removeCodesOf } from './codes/code-book.ts';
import { removeMember } from './members/member-book.ts';
import { forgetTries } from './second-factor/factor-tries.ts';
import { endSessions } from './session-book.ts';

/** Removes an account of a project with all that lets somebody use it, and with what it may do in the console. */
export function eraseAccount(turn: BooksTurn, projectId: string, account: Account): void {
  const book = turn.book(accountsBook(projectId));
  removeAccount(book, account);
  endSessions(book, account.uid);
  forgetTries(book, account.uid);
  removeCodesOf(book, account.uid);
  removeMember(turn.book(INSTALLATION), projectId, account.uid);
}
