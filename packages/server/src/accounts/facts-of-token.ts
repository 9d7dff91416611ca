import { isDeepStrictEqual } from 'node:util';
import type { BookView } from '../books/books.ts';
import type { Claims } from '../tokens/claims.ts';
import { withoutReservedClaims } from '../tokens/custom-claims.ts';
import type { VerifiedToken } from '../tokens/verified-token.ts';
import { findAccount } from './account-book.ts';
import type { SignInFacts } from './session.ts';
import { listSessions } from './session-book.ts';

/**
 * What the session of an ID token began with, for a session that takes its place. A token does not name its session, so
 * claims that a custom token brought are those of a session that began like it and whose claims the token has.
 */
export function factsOfToken(book: BookView, token: VerifiedToken): SignInFacts {
  const { uid, signInProvider, secondFactor = null, authTimeSec, claims } = token;
  const validSinceSec = findAccount(book, uid)?.validSinceSec ?? 0;
  const session = listSessions(book, uid).find(
    ({ authTimeSec: beganAtSec, provider, sessionClaims }) =>
      Math.max(beganAtSec, validSinceSec) === authTimeSec &&
      provider === signInProvider &&
      hasAll(claims, withoutReservedClaims(sessionClaims ?? {})),
  );
  return {
    provider: signInProvider,
    secondFactor,
    sessionClaims: session?.sessionClaims ?? null,
    signInAttributes: session?.signInAttributes ?? null,
  };
}

function hasAll(claims: Claims, some: Claims): boolean {
  return Object.entries(some).every(([name, value]) => isDeepStrictEqual(claims[name], value));
}
