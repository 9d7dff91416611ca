import type { Claims } from './claims.ts';
import { TokenProblem } from './token-problem.ts';
import { tokenIssuer } from './token-use.ts';
import type { VerifiedToken } from './verified-token.ts';

const MIN_DURATION_SEC = 300;
const MAX_DURATION_SEC = 1_209_600;

/** Reads how long a session cookie is to last, in seconds; 14 days when not said. Refuses with `INVALID_DURATION`. */
export function parseCookieDuration(json: unknown): number {
  if (json === undefined || json === null || json === '') return MAX_DURATION_SEC;
  const isWhole = typeof json === 'number' || (typeof json === 'string' && /^\d{1,10}$/.test(json));
  const durationSec = isWhole ? Number(json) : Number.NaN;
  if (!Number.isInteger(durationSec) || durationSec < MIN_DURATION_SEC || durationSec > MAX_DURATION_SEC)
    throw new TokenProblem('INVALID_DURATION');
  return durationSec;
}

/** What a session cookie says that is issued now for an ID token: the same, for longer, by another issuer. */
export function sessionCookieClaims(
  { claims }: VerifiedToken,
  projectId: string,
  durationSec: number,
  nowSec: number,
): Claims {
  return { ...claims, iss: tokenIssuer('sessionCookie', projectId), iat: nowSec, exp: nowSec + durationSec };
}
