import type { Claims } from './claims.ts';
import type { VerifiedToken } from './verified-token.ts';

/** Longest token that is looked at, in UTF-16 units. */
export const MAX_TOKEN_LENGTH = 16_384;

/** Makes tokens of one use. */
export interface TokenSigner {
  sign(claims: Claims): Promise<string>;
}

/** Accepts tokens of one use. Whether their user still exists, and since when tokens count, is for the caller to ask. */
export interface TokenVerifier {
  /** Rejects with a `TokenProblem`: `TOKEN_EXPIRED`, and `INVALID_ID_TOKEN` for everything else. */
  verify(token: string, projectId: string): Promise<VerifiedToken>;
}
