import type { Claims } from './claims.ts';
import { MAX_CUSTOM_CLAIMS_LENGTH } from './custom-claims.ts';
import {
  CUSTOM_TOKEN_AUDIENCE,
  type CustomToken,
  type CustomTokenVerifier,
  invalidCustomToken,
  mustBeCustomTokenText,
  parseCustomToken,
} from './custom-token.ts';
import type { AdminRole, FindServiceAccount } from './service-account.ts';
import { verifyServiceAccountToken } from './service-account-token.ts';
import { TokenProblem } from './token-problem.ts';

/** Any of them lets a service account sign in whomever it likes. */
const SIGNER_ROLES: readonly AdminRole[] = ['identity.tokenCreator', 'identity.admin'];
const MAX_LIFETIME_SEC = 3_600;
/** The app signs on a machine of its own. */
const SKEW_SEC = 300;

/** Custom tokens that a service account of the project has signed (RS256). */
export function signedCustomTokens(
  findAccount: FindServiceAccount,
  nowMs: () => number,
): CustomTokenVerifier {
  return {
    async verify(token, { projectId, tenantId }) {
      mustBeCustomTokenText(token);
      const signed = await verifyServiceAccountToken(token, findAccount);
      if (signed === undefined)
        throw invalidCustomToken('The token is not signed by a key of a service account of this project.');
      const { account, claims } = signed;
      mustBeAddressed(claims, account.email);
      if (account.projectId !== projectId) throw new TokenProblem('CREDENTIAL_MISMATCH');
      if (!account.roles.some((role) => SIGNER_ROLES.includes(role)))
        throw invalidCustomToken(`The service account needs the role ${SIGNER_ROLES.join(' or ')}.`);
      mustBeTimely(claims, nowMs() / 1_000);
      if ((claims['tenant_id'] ?? undefined) !== tenantId) throw new TokenProblem('TENANT_ID_MISMATCH');
      return mustBeShort(parseCustomToken(claims['uid'] ?? claims['user_id'], claims['claims']));
    },
  };
}

function mustBeAddressed(claims: Claims, email: string): void {
  if (claims['aud'] !== CUSTOM_TOKEN_AUDIENCE)
    throw invalidCustomToken('The audience is not that of custom tokens.');
  if (claims['sub'] !== email) throw invalidCustomToken('The subject is not the issuer.');
}

function mustBeTimely({ iat, exp }: Claims, nowSec: number): void {
  if (typeof iat !== 'number' || typeof exp !== 'number')
    throw invalidCustomToken('The token does not say when it was issued and when it expires.');
  if (exp - iat > MAX_LIFETIME_SEC)
    throw invalidCustomToken(`The token is valid for more than ${MAX_LIFETIME_SEC} seconds.`);
  if (iat > nowSec + SKEW_SEC) throw invalidCustomToken('The token is issued in the future.');
  if (exp <= nowSec - SKEW_SEC) throw invalidCustomToken('The token has expired.');
}

/** Claims of a session are in every one of its tokens. */
function mustBeShort(token: CustomToken): CustomToken {
  if (JSON.stringify(token.claims).length > MAX_CUSTOM_CLAIMS_LENGTH)
    throw new TokenProblem(
      'INVALID_CLAIMS',
      `The claims are longer than ${MAX_CUSTOM_CLAIMS_LENGTH} characters as JSON.`,
    );
  return token;
}
