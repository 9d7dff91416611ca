import type { BookView } from '../books/books.ts';
import type { VerifiedToken } from '../tokens/verified-token.ts';
import { type Account, isAnonymous } from './account.ts';
import { accountsBook, findAccount } from './account-book.ts';
import type { IdentityCall } from './identity-call.ts';
import { IdentityError } from './identity-error.ts';
import type { IdentityServices } from './identity-services.ts';

/** For how long after proving who one is one may do what needs that, in s. */
const RECENT_SEC = 300;

/** What the ID token of a request says; refuses without one. */
export function mustVerifyToken(call: IdentityCall, services: IdentityServices): Promise<VerifiedToken> {
  const text = call.fields.filled('idToken');
  if (text === undefined) return Promise.reject(new IdentityError('MISSING_ID_TOKEN'));
  return services.idTokens.verify(text, call.project.id);
}

/** The account that a token stands for, as the book shows it. Refuses tokens that count no more. */
export function mustFindHolder(book: BookView, token: VerifiedToken): Account {
  const account = findAccount(book, token.uid);
  if (account === undefined) throw new IdentityError('USER_NOT_FOUND');
  if (account.isDisabled) throw new IdentityError('USER_DISABLED');
  if (token.issuedAtSec < account.validSinceSec) throw new IdentityError('TOKEN_EXPIRED');
  return account;
}

/** The account of whoever makes a request, as it is durable now. */
export async function readHolder(
  call: IdentityCall,
  services: IdentityServices,
): Promise<{ readonly token: VerifiedToken; readonly account: Account }> {
  const token = await mustVerifyToken(call, services);
  const account = services.books.read((view) =>
    mustFindHolder(view.book(accountsBook(call.project.id)), token),
  );
  return { token, account };
}

/**
 * Refuses what only somebody may do who has just proved who they are. Anonymous people have nothing to prove, as long as
 * nobody can sign in to their account.
 */
export function mustBeRecent(account: Account, token: VerifiedToken, nowMs: number): void {
  if (token.signInProvider === 'anonymous' && isAnonymous(account)) return;
  if (nowMs / 1000 - token.authTimeSec > RECENT_SEC)
    throw new IdentityError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
}
