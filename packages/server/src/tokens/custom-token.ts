import type { Claims } from './claims.ts';
import { mustBeCustomClaims } from './custom-claims.ts';
import { TokenProblem } from './token-problem.ts';
import { MAX_UID_LENGTH } from './uid.ts';

export const CUSTOM_TOKEN_AUDIENCE =
  'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit';

/** Longest custom token that is looked at, in UTF-16 units. */
const MAX_CUSTOM_TOKEN_LENGTH = 8_192;

/** Whom an app signs in, on its own word. */
export interface CustomToken {
  readonly uid: string;
  /** Claims of the session. */
  readonly claims: Claims;
}

/** Where a custom token is used. */
export interface CustomTokenPlace {
  readonly projectId: string;
  readonly tenantId: string | undefined;
}

export interface CustomTokenVerifier {
  /**
   * Rejects with a `TokenProblem`: `MISSING_CUSTOM_TOKEN`, `INVALID_CUSTOM_TOKEN`, `CREDENTIAL_MISMATCH`,
   * `MISSING_IDENTIFIER`, `INVALID_CLAIMS`, `FORBIDDEN_CLAIM`, `TENANT_ID_MISMATCH`.
   */
  verify(token: string, place: CustomTokenPlace): Promise<CustomToken>;
}

/** Refuses what is no text of a custom token at all. */
export function mustBeCustomTokenText(token: string): void {
  if (token === '') throw new TokenProblem('MISSING_CUSTOM_TOKEN');
  if (token.length > MAX_CUSTOM_TOKEN_LENGTH)
    throw invalidCustomToken(`The token is longer than ${MAX_CUSTOM_TOKEN_LENGTH} characters.`);
}

/** User and claims of a custom token, from whatever names the user. */
export function parseCustomToken(uid: unknown, claims: unknown): CustomToken {
  if (typeof uid !== 'string' || uid === '') throw new TokenProblem('MISSING_IDENTIFIER');
  if (uid.length > MAX_UID_LENGTH)
    throw invalidCustomToken(`The uid is longer than ${MAX_UID_LENGTH} characters.`);
  return { uid, claims: claims === undefined ? {} : mustBeCustomClaims(claims) };
}

export function invalidCustomToken(detail: string, cause?: unknown): TokenProblem {
  return new TokenProblem('INVALID_CUSTOM_TOKEN', detail, cause);
}
