import { setImmediate } from 'node:timers';
import type { Books } from '../books/books.ts';
import type { Identity } from '../identity/identity.ts';
import { accountsBook, findAccount } from './account-book.ts';
import { isJsonObject } from './fields.ts';
import { StoredRecord } from './stored-record.ts';

/** Connections that were opened with credentials and outlive the moment in which those were verified. */
export interface LiveConnections {
  /** Ends those whose identity a condition holds for, and tells their clients to come back with another credential. */
  revokeCredentials(isRevoked: (identity: Identity) => boolean): void;
}

/**
 * What ends with all sessions of an account, as the removal of all its `open` ones, and is written even if there are none: a
 * connection outlives its session.
 */
const ALL_SESSIONS = 'challenges';

/**
 * Ends live connections of accounts that were deleted, disabled, or whose tokens were revoked. This watches accounts and
 * the ends of sessions; of a session that merely ended nothing follows. Accounts that changed in one turn are looked at
 * together.
 */
export function revokeLive(books: Books, connections: readonly LiveConnections[]): void {
  const suspects = new Map<string, Set<string>>();
  const look = (): void => {
    const isRevoked = (identity: Identity): boolean => isTokenRevoked(books, suspects, identity);
    for (const live of connections) live.revokeCredentials(isRevoked);
    suspects.clear();
  };
  books.watch((book, [kind, uid, ...rest], value) => {
    if (uid === undefined || !mayRevoke(kind, rest, value)) return;
    if (suspects.size === 0) setImmediate(look);
    const ofBook = suspects.get(book) ?? new Set();
    suspects.set(book, ofBook.add(uid));
  });
}

/** May what was written take tokens from the account? `below` is its place below the account's name. */
function mayRevoke(kind: string | undefined, below: readonly string[], value: unknown): boolean {
  switch (kind) {
    case 'accounts':
      return value === undefined || (isJsonObject(value) && takesTokens(new StoredRecord(value)));
    case 'sessionsOf':
      return value === undefined;
    case ALL_SESSIONS:
      return value === undefined && below.length === 1 && below[0] === 'open';
    default:
      return false;
  }
}

/** Is the account disabled, or its latest event that tokens were revoked? An ordinary sign-in costs no look. */
function takesTokens(account: StoredRecord): boolean {
  const validSinceMs = (account.number('validSinceSec') ?? 0) * 1_000;
  const isRevoked =
    validSinceMs > (account.number('createdAtMs') ?? 0) &&
    validSinceMs > (account.number('lastLoginAtMs') ?? 0) - 1_000 &&
    validSinceMs > (account.number('lastRefreshAtMs') ?? 0) - 1_000;
  return isRevoked || account.flag('isDisabled');
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
