import type { AdminRole } from '@hearth/core/api/service-account.ts';
import type { FindServiceAccount } from '../projects/service-account.ts';
import { verifyServiceAccountToken } from './access-tokens.ts';
import { type Claims, parseJwt, TokenProblem } from './jwt.ts';

/** The audience that firebase-admin writes into the tokens that it exchanges for App Check tokens. */
const AUDIENCE = 'https://firebaseappcheck.googleapis.com/google.firebase.appcheck.v1.TokenExchangeService';

/** Longest assertion that is accepted, in UTF-16 code units. */
const MAX_LENGTH = 8_192;
const MAX_LIFETIME_SEC = 3_600;
/** Maximum number of seconds by which the clock of the app's server may differ. */
const SKEW_SEC = 300;

/** With any of these roles a service account may vouch for an app. */
const ROLES: readonly AdminRole[] = ['identity.tokenCreator', 'identity.admin'];

/** The default, the least and the greatest lifetime of an App Check token, in s. */
export const DEFAULT_APP_CHECK_SEC = 3_600;
const MIN_APP_CHECK_SEC = 1_800;
const MAX_APP_CHECK_SEC = 604_800;

/** The app for which a backend asks for an App Check token, and for how long. */
export interface AppCheckAssertion {
  readonly appId: string;
  readonly lifetimeSec: number;
}

export interface AppCheckAssertionVerifier {
  /** Verifies the statement of a backend about an app. Rejects with the `TokenProblem` `INVALID_CUSTOM_TOKEN`. */
  verify(token: string, projectId: string): Promise<AppCheckAssertion>;
}

/** Creates the verifier of assertions that a service account of the project has signed (RS256). */
export function signedAppCheckAssertions(
  findAccount: FindServiceAccount,
  nowMs: () => number,
): AppCheckAssertionVerifier {
  return {
    async verify(token, projectId) {
      if (token.length > MAX_LENGTH)
        throw invalid(`The custom token is longer than ${MAX_LENGTH} characters.`);
      const signed = await verifyServiceAccountToken(token, findAccount);
      if (signed?.account.projectId !== projectId)
        throw invalid('The custom token is not signed by a key of a service account of this project.');
      const { account, claims } = signed;
      if (claims['sub'] !== account.email)
        throw invalid('The subject of the custom token is not the issuer.');
      if (!account.roles.some((role) => ROLES.includes(role)))
        throw invalid(`The service account needs the role ${ROLES.join(' or ')}.`);
      requireTimely(claims, nowMs() / 1_000);
      return readAssertion(claims);
    },
  };
}

/** Accepts assertions without checking their signature. Development mode only: every client can create them. */
export const unsignedAppCheckAssertions: AppCheckAssertionVerifier = {
  async verify(token) {
    return readAssertion(parseOrReject(token));
  },
};

function parseOrReject(token: string): Claims {
  if (token.length > MAX_LENGTH) throw invalid(`The custom token is longer than ${MAX_LENGTH} characters.`);
  try {
    return parseJwt(token).claims;
  } catch (cause) {
    throw invalid('The custom token is not a JWT.', cause);
  }
}

function readAssertion({ aud, app_id: appId, ttl }: Claims): AppCheckAssertion {
  if (aud !== AUDIENCE) throw invalid('The audience of the custom token is not that of App Check.');
  if (typeof appId !== 'string') throw invalid('The custom token names no app ("app_id").');
  return { appId, lifetimeSec: ttl === undefined ? DEFAULT_APP_CHECK_SEC : readLifetime(ttl) };
}

/** Reads a duration such as `1800s` or `1800.500000000s`. Parts of a second are dropped. */
function readLifetime(ttl: unknown): number {
  const seconds = typeof ttl === 'string' ? Number(/^(\d{1,9})(?:\.\d{1,9})?s$/.exec(ttl)?.[1]) : Number.NaN;
  if (!(seconds >= MIN_APP_CHECK_SEC && seconds <= MAX_APP_CHECK_SEC))
    throw invalid(`"ttl" must be from ${MIN_APP_CHECK_SEC}s to ${MAX_APP_CHECK_SEC}s.`);
  return seconds;
}

function requireTimely({ iat, exp }: Claims, nowSec: number): void {
  if (typeof iat !== 'number' || typeof exp !== 'number')
    throw invalid('The custom token must contain "iat" and "exp".');
  if (exp - iat > MAX_LIFETIME_SEC)
    throw invalid(`The custom token is valid for more than ${MAX_LIFETIME_SEC} seconds.`);
  if (iat > nowSec + SKEW_SEC) throw invalid('The custom token is issued in the future.');
  if (exp <= nowSec - SKEW_SEC) throw invalid('The custom token has expired.');
}

function invalid(detail: string, cause?: unknown): TokenProblem {
  return new TokenProblem('INVALID_CUSTOM_TOKEN', detail, cause);
}
