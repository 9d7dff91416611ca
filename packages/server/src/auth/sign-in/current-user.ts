import { isDeepStrictEqual } from 'node:util';
import type { RecordView } from '../../records/store.ts';
import { type Account, isAnonymous } from '../accounts/account.ts';
import { accountRecords, findAccount } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { type VerifiedToken, withoutWithheldClaims } from '../tokens/id-token.ts';
import type { Claims } from '../tokens/jwt.ts';
import type { Session, SignInClaims } from './session.ts';
import { listSessions } from './session-store.ts';

/** Maximum number of seconds since the last sign-in for operations that require a recent sign-in. */
const RECENT_SEC = 300;

/** Verifies the ID token of a request. Rejects with `MISSING_ID_TOKEN` if there is no token. */
export function requireVerifiedToken(call: AuthRequest, services: AuthServices): Promise<VerifiedToken> {
  const text = call.fields.filled('idToken');
  if (text === undefined) return Promise.reject(new AuthApiError('MISSING_ID_TOKEN'));
  return services.idTokens.verify(text, call.project.scope);
}

/**
 * Returns the account to which a token belongs. Throws `USER_NOT_FOUND`, `USER_DISABLED`, or `TOKEN_EXPIRED` if
 * the token has been revoked.
 */
export function requireCurrentUser(records: RecordView, token: VerifiedToken): Account {
  const account = findAccount(records, token.uid);
  if (account === undefined) throw new AuthApiError('USER_NOT_FOUND');
  if (account.isDisabled) throw new AuthApiError('USER_DISABLED');
  if (token.issuedAtSec < account.validSinceSec) throw new AuthApiError('TOKEN_EXPIRED');
  return account;
}

/** Returns the account of the signed-in user who makes a request, as it is stored, and the verified token. */
export async function readCurrentUser(
  call: AuthRequest,
  services: AuthServices,
): Promise<{ readonly token: VerifiedToken; readonly account: Account }> {
  const token = await requireVerifiedToken(call, services);
  const account = services.recordStore.read((view) =>
    requireCurrentUser(view.records(accountRecords(call.project.scope)), token),
  );
  return { token, account };
}

/**
 * Throws `CREDENTIAL_TOO_OLD_LOGIN_AGAIN` if the user has not signed in recently. Anonymous users cannot sign
 * in again, so they are exempt as long as the account has no sign-in method.
 */
export function requireRecentSignIn(account: Account, token: VerifiedToken, nowMs: number): void {
  if (token.signInProvider === 'anonymous' && isAnonymous(account)) return;
  if (nowMs / 1000 - token.authTimeSec > RECENT_SEC) throw new AuthApiError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
}

/** Returns for how long a sign-in counts as recent, in ms; 0 if it is too old. */
export function recentMsOf(authTimeSec: number, nowMs: number): number {
  return Math.max(0, (authTimeSec + RECENT_SEC) * 1_000 - nowMs);
}

/**
 * Returns the claims of the sign-in behind an ID token, for a session that replaces the session of the token. A
 * token does not name its session. The claims that a custom token added are therefore taken from a session that started
 * in the same way and whose claims the token contains; of several, from the one with the most claims.
 */
export function claimsOfSignIn(records: RecordView, token: VerifiedToken): SignInClaims {
  const { uid, signInProvider, secondFactor = null } = token;
  const validSinceSec = findAccount(records, uid)?.validSinceSec ?? 0;
  const [session] = listSessions(records, uid)
    .filter((one) => isOfToken(one, { validSinceSec }, token))
    .toSorted((a, b) => countClaims(b) - countClaims(a));
  return {
    provider: signInProvider,
    secondFactor,
    sessionClaims: session?.sessionClaims ?? null,
    signInAttributes: session?.signInAttributes ?? null,
  };
}

/** Returns whether a session of an account started in the same way as the session of a token of the account. */
export function isOfToken(
  { authTimeSec: beganAtSec, provider, secondFactor: factor, sessionClaims }: Session,
  { validSinceSec }: Pick<Account, 'validSinceSec'>,
  { authTimeSec, signInProvider, secondFactor, claims }: VerifiedToken,
): boolean {
  return (
    Math.max(beganAtSec, validSinceSec) === authTimeSec &&
    provider === signInProvider &&
    isDeepStrictEqual(factor ?? undefined, secondFactor) &&
    hasAll(claims, withoutWithheldClaims(sessionClaims ?? {}))
  );
}

function countClaims({ sessionClaims }: Session): number {
  return Object.keys(withoutWithheldClaims(sessionClaims ?? {})).length;
}

function hasAll(claims: Claims, some: Claims): boolean {
  return Object.entries(some).every(([name, value]) => isDeepStrictEqual(claims[name], value));
}
