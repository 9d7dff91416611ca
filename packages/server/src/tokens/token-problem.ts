/** Why a token is not accepted, in the names that clients know. */
export type TokenProblemCode =
  | 'INVALID_ID_TOKEN'
  | 'TOKEN_EXPIRED'
  | 'INVALID_DURATION'
  | 'MISSING_CUSTOM_TOKEN'
  | 'INVALID_CUSTOM_TOKEN'
  | 'CREDENTIAL_MISMATCH'
  | 'MISSING_IDENTIFIER'
  | 'INVALID_CLAIMS'
  | 'CLAIMS_TOO_LARGE'
  | 'FORBIDDEN_CLAIM'
  | 'TENANT_ID_MISMATCH'
  /** Of the token endpoint of OAuth 2. */
  | 'invalid_grant'
  | 'unsupported_grant_type'
  /** Of the administrative interface. */
  | 'UNAUTHENTICATED';

/** A token that is not accepted. The detail is for the client, and holds nothing of the token. */
export class TokenProblem extends Error {
  readonly code: TokenProblemCode;
  readonly detail: string | undefined;

  constructor(code: TokenProblemCode, detail?: string, cause?: unknown) {
    super(detail === undefined ? code : `${code} : ${detail}`, { cause });
    this.name = 'TokenProblem';
    this.code = code;
    this.detail = detail;
  }
}
