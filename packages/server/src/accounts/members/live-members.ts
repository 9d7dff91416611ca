import type { Books, BooksView } from '../../books/books.ts';
import { INSTALLATION } from '../../books/installation-book.ts';
import type { Grant, Identity } from '../../identity/identity.ts';
import { accountsBook, findAccount } from '../account-book.ts';
import { type LiveConnections, revokeTogether } from '../live-connections.ts';
import { findSession } from '../session-book.ts';
import { findMember } from './member-book.ts';

type MemberGrant = Extract<Grant, { readonly kind: 'member' }>;

/**
 * Ends live connections of members who were removed or got another role, and of those whose session ended, as it does with
 * the account and when tokens are revoked; whoever they act for. What changed in one turn is looked at together.
 */
export function revokeLiveMembers(books: Books, connections: readonly LiveConnections[]): void {
  const suspect = revokeTogether(connections, (identity, suspects) => {
    const grant = grantOf(identity);
    if (grant === undefined || !suspects.has(nameOf(accountsBook(grant.projectId), grant.uid))) return false;
    return books.read((view) => isOver(view, grant));
  });
  books.watch((book, [kind, first, second], value) => {
    if (first === undefined) return;
    if (book !== INSTALLATION) {
      if (kind === 'sessionsOf' && value === undefined) suspect(nameOf(book, first));
    } else if (kind === 'members' && second !== undefined) suspect(nameOf(accountsBook(first), second));
  });
}

function nameOf(book: string, uid: string): string {
  return `${book}/${uid}`;
}

function grantOf(identity: Identity): MemberGrant | undefined {
  if (identity.kind === 'guest' || identity.grant?.kind !== 'member') return undefined;
  return identity.grant;
}

function isOver(view: BooksView, { projectId, uid, role, issuedAtSec, sessionIds }: MemberGrant): boolean {
  const book = view.book(accountsBook(projectId));
  const account = findAccount(book, uid);
  return (
    account === undefined ||
    account.isDisabled ||
    issuedAtSec < account.validSinceSec ||
    findMember(view.book(INSTALLATION), projectId, uid)?.role !== role ||
    !sessionIds.some((id) => findSession(book, id) !== undefined)
  );
}
