import type { Books } from '../books/books.ts';
import type { Identity } from '../identity/identity.ts';
import { accountsBook, findAccount } from './account-book.ts';
import { isJsonObject } from './fields.ts';
import { type LiveConnections, revokeTogether } from './live-connections.ts';
import { findRevoked } from './revocation-signal.ts';

/**
 * Ends live connections of accounts that were deleted, disabled, or whose tokens were revoked. Accounts of which that is told
 * in one turn are looked at together.
 */
export function revokeLive(books: Books, connections: readonly LiveConnections[]): void {
  const suspect = revokeTogether(connections, (identity, suspects) =>
    isTokenRevoked(books, suspects, identity),
  );
  books.watch((book, place) => {
    const uid = findRevoked(place);
    if (uid !== undefined) suspect(nameOf(book, uid));
  });
}

function nameOf(book: string, uid: string): string {
  return `${book}/${uid}`;
}

function isTokenRevoked(books: Books, suspects: ReadonlySet<string>, identity: Identity): boolean {
  if (identity.kind !== 'user') return false;
  const { uid, token } = identity.auth;
  if (typeof uid !== 'string' || !isJsonObject(token)) return false;
  const { aud, iat } = token;
  if (typeof aud !== 'string') return false;
  const book = accountsBook(aud);
  if (!suspects.has(nameOf(book, uid))) return false;
  const account = books.read((view) => findAccount(view.book(book), uid));
  return (
    account === undefined || account.isDisabled || (typeof iat === 'number' && iat < account.validSinceSec)
  );
}
