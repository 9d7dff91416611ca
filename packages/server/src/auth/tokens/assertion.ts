import type { AuditTrail } from '../../audit/trail.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { FindServiceAccount } from '../projects/service-account.ts';
import { type ClientInfo, sourceOf } from '../request.ts';
import {
  ACCESS_TOKEN_EXPIRES_IN_SEC,
  type AccessTokens,
  type ServiceAccountToken,
  verifyServiceAccountToken,
} from './access-tokens.ts';
import { type Claims, TokenProblem } from './jwt.ts';
import { MAX_TOKEN_LENGTH } from './services.ts';

export const ASSERTION_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * The audience that the official libraries for Node write into every assertion. Other libraries write the
 * `token_uri` of the key file.
 */
const GOOGLE_AUDIENCE = 'https://oauth2.googleapis.com/token';

const MAX_LIFETIME_SEC = 3_600;
const SKEW_SEC = 60;
/**
 * Longest age of an assertion. Assertions have no id by which the server could detect a second use, so they are
 * valid only for a short time.
 */
const MAX_AGE_SEC = 600;

export interface AssertionContext {
  readonly findAccount: FindServiceAccount;
  /** URL of this server's token endpoint. */
  readonly tokenUrl: string;
  readonly nowMs: number;
}

/**
 * Verifies the assertion with which a service account requests an access token (RFC 7523). Rejects with the
 * `TokenProblem` `invalid_grant`.
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
  requireTimely(signed.claims, nowMs / 1_000);
  return signed;
}

function requireTimely({ iat, exp }: Claims, nowSec: number): void {
  if (typeof iat !== 'number' || typeof exp !== 'number')
    throw invalidGrant(
      'The assertion must contain the times when it was issued ("iat") and when it expires ("exp").',
    );
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

export interface ExchangeServices {
  readonly accessTokens: AccessTokens;
  readonly findAccount: FindServiceAccount;
  /** URL of the token endpoint as clients name it. */
  readonly tokenUrl: string;
  readonly clock: Clock;
  readonly audit: Pick<AuditTrail, 'notify'>;
}

/**
 * Issues an access token for a service account in exchange for a signed assertion. Fields: `grant_type`,
 * `assertion`. Rejects with a `TokenProblem`: `unsupported_grant_type`, `invalid_grant`.
 */
export async function exchangeAssertion(
  { accessTokens, findAccount, tokenUrl, clock, audit }: ExchangeServices,
  fields: Fields,
  client: ClientInfo,
): Promise<JsonObject> {
  if (fields.text('grant_type') !== ASSERTION_GRANT_TYPE)
    throw new TokenProblem('unsupported_grant_type', `grant_type must be ${ASSERTION_GRANT_TYPE}.`);
  const assertion = fields.filled('assertion');
  if (assertion === undefined) throw new TokenProblem('invalid_grant', 'Missing "assertion".');
  const about = { event: 'access_token_issued', uid: null, detail: null, ...sourceOf(client) } as const;
  try {
    const signed = await verifyAssertion(assertion, { findAccount, tokenUrl, nowMs: clock.nowMs() });
    const { email, projectId } = signed.account;
    audit.notify({ ...about, projectId, actor: email, result: 'ok' });
    return {
      access_token: accessTokens.issue(signed),
      expires_in: ACCESS_TOKEN_EXPIRES_IN_SEC,
      token_type: 'Bearer',
    };
  } catch (error) {
    if (error instanceof TokenProblem)
      audit.notify({ ...about, projectId: null, actor: 'unknown', result: error.code });
    throw error;
  }
}
