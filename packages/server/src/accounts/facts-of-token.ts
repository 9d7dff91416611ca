import { isDeepStrictEqual } from 'node:util';
import type { BookView } from '../books/books.ts';
import type { Claims } from '../tokens/claims.ts';
import { withoutReservedClaims } from '../tokens/custom-claims.ts';
import type { VerifiedToken } from '../tokens/verified-token.ts';
import type { Account } from './account.ts';
import { findAccount } from './account-book.ts';
import type { Session, SignInFacts } from './session.ts';
import { listSessions } from './session-book.ts';

/**
 * What the session of an ID token began with, for a session that takes its place. A token does not name its session, so
 * claims that a custom token brought are those of a session that began like it and whose claims the token has; of several,
 * the one with the most.
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

/** Did a session of an account begin as that of a token of the account did? */
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
