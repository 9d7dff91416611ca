import { isDeepStrictEqual } from 'node:util';
import type { BookView } from '../../records/store.ts';
import { type Account, isAnonymous } from '../accounts/account.ts';
import { accountsBook, findAccount } from '../accounts/account-store.ts';
import { IdentityError } from '../errors.ts';
import type { IdentityCall } from '../request.ts';
import type { IdentityServices } from '../services.ts';
import { type VerifiedToken, withoutReservedClaims } from '../tokens/id-token.ts';
import type { Claims } from '../tokens/jwt.ts';
import type { Session, SignInFacts } from './session.ts';
import { listSessions } from './session-store.ts';

/** Most seconds since the last sign-in for operations that require a recent sign-in. */
const RECENT_SEC = 300;

/** Verifies the ID token of a request. Rejects with `MISSING_ID_TOKEN` if there is no token. */
export function mustVerifyToken(call: IdentityCall, services: IdentityServices): Promise<VerifiedToken> {
  const text = call.fields.filled('idToken');
  if (text === undefined) return Promise.reject(new IdentityError('MISSING_ID_TOKEN'));
  return services.idTokens.verify(text, call.project.id);
}

/**
 * Returns the account to which a token belongs. Throws `USER_NOT_FOUND`, `USER_DISABLED`, or `TOKEN_EXPIRED` if
 * the token has been revoked.
 */
export function mustFindHolder(book: BookView, token: VerifiedToken): Account {
  const account = findAccount(book, token.uid);
  if (account === undefined) throw new IdentityError('USER_NOT_FOUND');
  if (account.isDisabled) throw new IdentityError('USER_DISABLED');
  if (token.issuedAtSec < account.validSinceSec) throw new IdentityError('TOKEN_EXPIRED');
  return account;
}

/** Returns the account of the signed-in user who makes a request, as it is durable now, and the verified token. */
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
 * Throws `CREDENTIAL_TOO_OLD_LOGIN_AGAIN` if the user has not signed in recently. Anonymous users cannot sign
 * in again, so they are exempt as long as the account has no sign-in method.
 */
export function mustBeRecent(account: Account, token: VerifiedToken, nowMs: number): void {
  if (token.signInProvider === 'anonymous' && isAnonymous(account)) return;
  if (nowMs / 1000 - token.authTimeSec > RECENT_SEC)
    throw new IdentityError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
}

/**
 * Returns the claims of the sign-in behind an ID token, for a session that replaces the session of the token. A
 * token does not name its session. So the claims that a custom token added are those of a session that started
 * in the same way and whose claims the token contains; if there are several, those of the session with the most
 * claims.
 */
export function factsOfToken(book: BookView, token: VerifiedToken): SignInFacts {
  const { uid, signInProvider, secondFactor = null } = token;
  const validSinceSec = findAccount(book, uid)?.validSinceSec ?? 0;
  const [session] = listSessions(book, uid)
    .filter((one) => isOfToken(one, { validSinceSec }, token))
    .toSorted((a, b) => countClaims(b) - countClaims(a));
  return {
    provider: signInProvider,
    secondFactor,
    sessionClaims: session?.sessionClaims ?? null,
    signInAttributes: session?.signInAttributes ?? null,
  };
}

/** Whether a session of an account started in the same way as the session of a token of the account. */
export function isOfToken(
  { authTimeSec: beganAtSec, provider, secondFactor: factor, sessionClaims }: Session,
  { validSinceSec }: Pick<Account, 'validSinceSec'>,
  { authTimeSec, signInProvider, secondFactor, claims }: VerifiedToken,
): boolean {
  return (
    Math.max(beganAtSec, validSinceSec) === authTimeSec &&
    provider === signInProvider &&
    isDeepStrictEqual(factor ?? undefined, secondFactor) &&
    hasAll(claims, withoutReservedClaims(sessionClaims ?? {}))
  );
}

function countClaims({ sessionClaims }: Session): number {
  return Object.keys(withoutReservedClaims(sessionClaims ?? {})).length;
}

function hasAll(claims: Claims, some: Claims): boolean {
  return Object.entries(some).every(([name, value]) => isDeepStrictEqual(claims[name], value));
}
