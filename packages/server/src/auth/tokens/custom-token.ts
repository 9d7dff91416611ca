import { MAX_CUSTOM_CLAIMS_LENGTH } from '@hearth/core/api/custom-claims.ts';
import type { AdminRole } from '@hearth/core/api/service-account.ts';
import type { FindServiceAccount } from '../projects/service-account.ts';
import { verifyServiceAccountToken } from './access-tokens.ts';
import { MAX_UID_LENGTH, requireCustomClaims } from './id-token.ts';
import { type Claims, parseClaims, parseJwt, TokenProblem } from './jwt.ts';

export const CUSTOM_TOKEN_AUDIENCE =
  'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit';

/** Longest custom token that is accepted, in UTF-16 code units. */
const MAX_CUSTOM_TOKEN_LENGTH = 8_192;

/** The user whom an app signs in with a custom token. */
export interface CustomToken {
  readonly uid: string;
  /** Claims for the session of the user. */
  readonly claims: Claims;
}

/** The project and tenant in which a custom token is used. */
export interface CustomTokenScope {
  readonly projectId: string;
  readonly tenantId: string | undefined;
}

export interface CustomTokenVerifier {
  /**
   * Verifies a custom token. Rejects with a `TokenProblem`: `INVALID_CUSTOM_TOKEN`, `CREDENTIAL_MISMATCH`,
   * `MISSING_IDENTIFIER`, `INVALID_CLAIMS`, `FORBIDDEN_CLAIM`, `TENANT_ID_MISMATCH`.
   */
  verify(token: string, scope: CustomTokenScope): Promise<CustomToken>;
}

/** Throws if the text is empty or too long for a custom token. */
function requireCustomTokenText(token: string): void {
  if (token === '') throw invalidCustomToken('The token is empty.');
  if (token.length > MAX_CUSTOM_TOKEN_LENGTH)
    throw invalidCustomToken(`The token is longer than ${MAX_CUSTOM_TOKEN_LENGTH} characters.`);
}

/** Parses the user and the claims of a custom token. */
function parseCustomToken(uid: unknown, claims: unknown): CustomToken {
  if (typeof uid !== 'string' || uid === '') throw new TokenProblem('MISSING_IDENTIFIER');
  if (uid.length > MAX_UID_LENGTH)
    throw invalidCustomToken(`The uid is longer than ${MAX_UID_LENGTH} characters.`);
  return { uid, claims: claims === undefined ? {} : requireCustomClaims(claims) };
}

function invalidCustomToken(detail: string, cause?: unknown): TokenProblem {
  return new TokenProblem('INVALID_CUSTOM_TOKEN', detail, cause);
}

/** With any of these roles a service account may sign in any user. */
const SIGNER_ROLES: readonly AdminRole[] = ['identity.tokenCreator', 'identity.admin'];
const MAX_LIFETIME_SEC = 3_600;
/** Maximum number of seconds by which the clock of the app's server may differ. */
const SKEW_SEC = 300;

/** Creates the verifier of custom tokens that a service account of the project has signed (RS256). */
export function signedCustomTokens(
  findAccount: FindServiceAccount,
  nowMs: () => number,
): CustomTokenVerifier {
  return {
    async verify(token, { projectId, tenantId }) {
      requireCustomTokenText(token);
      const signed = await verifyServiceAccountToken(token, findAccount);
      if (signed === undefined)
        throw invalidCustomToken('The token is not signed by a key of a service account of this project.');
      const { account, claims } = signed;
      requireAudience(claims, account.email);
      if (account.projectId !== projectId) throw new TokenProblem('CREDENTIAL_MISMATCH');
      if (!account.roles.some((role) => SIGNER_ROLES.includes(role)))
        throw invalidCustomToken(`The service account needs the role ${SIGNER_ROLES.join(' or ')}.`);
      requireTimely(claims, nowMs() / 1_000);
      if ((claims['tenant_id'] ?? undefined) !== tenantId) throw new TokenProblem('TENANT_ID_MISMATCH');
      return requireShort(parseCustomToken(claims['uid'] ?? claims['user_id'], claims['claims']));
    },
  };
}

function requireAudience(claims: Claims, email: string): void {
  if (claims['aud'] !== CUSTOM_TOKEN_AUDIENCE)
    throw invalidCustomToken('The audience is not that of custom tokens.');
  if (claims['sub'] !== email) throw invalidCustomToken('The subject is not the issuer.');
}

function requireTimely({ iat, exp }: Claims, nowSec: number): void {
  if (typeof iat !== 'number' || typeof exp !== 'number')
    throw invalidCustomToken(
      'The token must contain the times when it was issued ("iat") and when it expires ("exp").',
    );
  if (exp - iat > MAX_LIFETIME_SEC)
    throw invalidCustomToken(`The token is valid for more than ${MAX_LIFETIME_SEC} seconds.`);
  if (iat > nowSec + SKEW_SEC) throw invalidCustomToken('The token is issued in the future.');
  if (exp <= nowSec - SKEW_SEC) throw invalidCustomToken('The token has expired.');
}

/** Throws `INVALID_CLAIMS` if the claims are too long: claims of a session are part of each of its tokens. */
function requireShort(token: CustomToken): CustomToken {
  if (JSON.stringify(token.claims).length > MAX_CUSTOM_CLAIMS_LENGTH)
    throw new TokenProblem(
      'INVALID_CLAIMS',
      `The claims are longer than ${MAX_CUSTOM_CLAIMS_LENGTH} characters as JSON.`,
    );
  return token;
}

/**
 * Verifies custom tokens as the official emulators do: accepts JWTs without checking their signature, and plain
 * JSON, of any project and any age. Development mode only: every client can create them.
 */
export const unsignedCustomTokens: CustomTokenVerifier = {
  async verify(token, { tenantId }) {
    requireCustomTokenText(token);
    const claims = token.startsWith('{') ? parseBareJson(token) : parseToken(token, tenantId);
    return parseCustomToken(textOf(claims['uid']) ?? textOf(claims['user_id']), claims['claims']);
  },
};

function parseBareJson(token: string): Claims {
  try {
    return parseClaims(token);
  } catch (cause) {
    throw invalidCustomToken(
      '((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))',
      cause,
    );
  }
}

function parseToken(token: string, tenantId: string | undefined): Claims {
  const claims = parseOrReject(token);
  if ((claims['tenant_id'] ?? undefined) !== tenantId) throw new TokenProblem('TENANT_ID_MISMATCH');
  if (claims['aud'] !== CUSTOM_TOKEN_AUDIENCE)
    throw invalidCustomToken(
      `((Invalid aud (audience): ${String(claims['aud'])} Note: Firebase ID Tokens / third-party tokens cannot be used with signInWithCustomToken.))`,
    );
  return claims;
}

function parseOrReject(token: string): Claims {
  try {
    return parseJwt(token).claims;
  } catch (cause) {
    throw invalidCustomToken('Invalid assertion format', cause);
  }
}

/** Returns a user id as text: tests may use numbers. */
function textOf(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : (value ?? undefined);
}
