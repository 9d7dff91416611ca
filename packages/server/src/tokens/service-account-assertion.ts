import type { Claims } from './claims.ts';
import type { FindServiceAccount } from './service-account.ts';
import { type ServiceAccountToken, verifyServiceAccountToken } from './service-account-token.ts';
import { MAX_TOKEN_LENGTH } from './token-codec.ts';
import { TokenProblem } from './token-problem.ts';

export const ASSERTION_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** What the official libraries for Node write into every assertion; others write the `token_uri` of the key file. */
const GOOGLE_AUDIENCE = 'https://oauth2.googleapis.com/token';

const MAX_LIFETIME_SEC = 3_600;
const SKEW_SEC = 60;
/** Assertions carry no id by which a second use could be noticed, so that they count only for so long. */
const MAX_AGE_SEC = 600;

export interface AssertionContext {
  readonly findAccount: FindServiceAccount;
  /** Address of this server's token endpoint. */
  readonly tokenUrl: string;
  readonly nowMs: number;
}

/**
 * Verifies what a service account shows to get an access token (RFC 7523). Rejects with the `TokenProblem`
 * `invalid_grant`.
 */
export async function verifyAssertion(
  assertion: string,
  { findAccount, tokenUrl, nowMs }: AssertionContext,
): Promise<ServiceAccountToken> {
  const signed =
    assertion.length > MAX_TOKEN_LENGTH ? undefined : await verifyServiceAccountToken(assertion, findAccount);
  if (signed === undefined)
    throw invalidGrant('The assertion is not signed (RS256) by a key that is registered here and enabled.');
  const audience = signed.claims['aud'];
  if (audience !== GOOGLE_AUDIENCE && audience !== tokenUrl)
    throw invalidGrant(`The audience must be ${tokenUrl} or ${GOOGLE_AUDIENCE}.`);
  mustBeTimely(signed.claims, nowMs / 1_000);
  return signed;
}

function mustBeTimely({ iat, exp }: Claims, nowSec: number): void {
  if (typeof iat !== 'number' || typeof exp !== 'number')
    throw invalidGrant('The assertion must say when it was issued ("iat") and when it expires ("exp").');
  if (exp - iat > MAX_LIFETIME_SEC)
    throw invalidGrant(`The assertion is valid for more than ${MAX_LIFETIME_SEC} seconds.`);
  if (iat > nowSec + SKEW_SEC)
    throw invalidGrant(
      'The assertion is issued in the future: check the clock of the machine that signed it.',
    );
  if (exp <= nowSec - SKEW_SEC) throw invalidGrant('The assertion has expired.');
  if (iat < nowSec - MAX_AGE_SEC - SKEW_SEC)
    throw invalidGrant(
      `The assertion is older than ${MAX_AGE_SEC} seconds: sign a fresh one, and check the clock of the machine that signs.`,
    );
}

function invalidGrant(description: string): TokenProblem {
  return new TokenProblem('invalid_grant', description);
}
