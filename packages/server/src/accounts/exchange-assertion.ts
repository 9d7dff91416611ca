import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Clock } from '../ops/clock.ts';
import { ACCESS_TOKEN_EXPIRES_IN_SEC, type AccessTokens } from '../tokens/access-tokens.ts';
import type { FindServiceAccount } from '../tokens/service-account.ts';
import { ASSERTION_GRANT_TYPE, verifyAssertion } from '../tokens/service-account-assertion.ts';
import { TokenProblem } from '../tokens/token-problem.ts';
import type { Fields, JsonObject } from './fields.ts';
import { type ClientInfo, sourceOf } from './identity-call.ts';

export interface ExchangeServices {
  readonly accessTokens: AccessTokens;
  readonly findAccount: FindServiceAccount;
  /** Address of the token endpoint as clients name it. */
  readonly tokenUrl: string;
  readonly clock: Clock;
  readonly audit: Pick<AuditTrail, 'tell'>;
}

/**
 * An access token for a service account that shows an assertion. Fields: `grant_type`, `assertion`. Rejects with a
 * `TokenProblem`: `unsupported_grant_type`, `invalid_grant`.
 */
export async function exchangeAssertion(
  { accessTokens, findAccount, tokenUrl, clock, audit }: ExchangeServices,
  fields: Fields,
  client: ClientInfo,
): Promise<JsonObject> {
  if (fields.text('grant_type') !== ASSERTION_GRANT_TYPE)
    throw new TokenProblem('unsupported_grant_type', `grant_type must be ${ASSERTION_GRANT_TYPE}.`);
  const assertion = fields.filled('assertion');
  if (assertion === undefined) throw new TokenProblem('invalid_grant', 'There is no assertion.');
  const about = { event: 'access_token_issued', uid: null, detail: null, ...sourceOf(client) } as const;
  try {
    const signed = await verifyAssertion(assertion, { findAccount, tokenUrl, nowMs: clock.nowMs() });
    const { email, projectId } = signed.account;
    audit.tell({ ...about, projectId, actor: email, result: 'ok' });
    return {
      access_token: accessTokens.issue(signed),
      expires_in: ACCESS_TOKEN_EXPIRES_IN_SEC,
      token_type: 'Bearer',
    };
  } catch (error) {
    if (error instanceof TokenProblem)
      audit.tell({ ...about, projectId: null, actor: 'unknown', result: error.code });
    throw error;
  }
}
