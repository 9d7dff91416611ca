import { setImmediate } from 'node:timers';
import type { Books } from '../books/books.ts';
import type { Identity } from '../identity/identity.ts';
import { accountsBook, findAccount } from './account-book.ts';
import { isJsonObject } from './fields.ts';

/** Connections that were opened with credentials and outlive the moment in which those were verified. */
export interface LiveConnections {
  /** Ends those whose identity a condition holds for, and tells their clients to come back with another credential. */
  revokeCredentials(isRevoked: (identity: Identity) => boolean): void;
}

/** What ends with all sessions of an account, and is written even if there are none: a connection outlives its session. */
const ALL_SESSIONS = 'challenges';

/**
 * Ends live connections of accounts that were deleted, disabled, or whose tokens were revoked. Whatever does that ends
 * all sessions of the account, so this watches sessions end; of one that merely ended nothing follows. Accounts whose
 * sessions end in one turn are looked at together.
 */
export function revokeLive(books: Books, connections: readonly LiveConnections[]): void {
  const suspects = new Map<string, Set<string>>();
  const look = (): void => {
    const isRevoked = (identity: Identity): boolean => isTokenRevoked(books, suspects, identity);
    for (const live of connections) live.revokeCredentials(isRevoked);
    suspects.clear();
  };
  books.watch((book, [kind, uid, ...rest], value) => {
    if (uid === undefined || value !== undefined) return;
    if (kind !== 'sessionsOf' && (kind !== ALL_SESSIONS || rest.length > 0)) return;
    if (suspects.size === 0) setImmediate(look);
    const ofBook = suspects.get(book) ?? new Set();
    suspects.set(book, ofBook.add(uid));
  });
}

function isTokenRevoked(
  books: Books,
  suspects: ReadonlyMap<string, ReadonlySet<string>>,
  identity: Identity,
): boolean {
  if (identity.kind !== 'user') return false;
  const { uid, token } = identity.auth;
  if (typeof uid !== 'string' || !isJsonObject(token)) return false;
  const { aud, iat } = token;
  if (typeof aud !== 'string') return false;
  const book = accountsBook(aud);
  if (suspects.get(book)?.has(uid) !== true) return false;
  const account = books.read((view) => findAccount(view.book(book), uid));
  return (
    account === undefined || account.isDisabled || (typeof iat === 'number' && iat < account.validSinceSec)
  );
}
