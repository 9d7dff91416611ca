import type { BooksView } from '../../books/books.ts';
import { INSTALLATION } from '../../books/installation-book.ts';
import { accountsBook, findAccount } from '../account-book.ts';
import { findMember, listMembers, MAX_MEMBERS } from './member-book.ts';

/** Would a project be left without an owner who can sign in, if this member were none or could not? */
export function isLastOwner(view: BooksView, projectId: string, uid: string): boolean {
  const members = view.book(INSTALLATION);
  if (findMember(members, projectId, uid)?.role !== 'owner') return false;
  const accounts = view.book(accountsBook(projectId));
  return !listMembers(members, projectId, undefined, MAX_MEMBERS).some(
    (other) =>
      other.uid !== uid && other.role === 'owner' && findAccount(accounts, other.uid)?.isDisabled === false,
  );
}
