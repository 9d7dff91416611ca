import type { KeyObject } from 'node:crypto';
import type { AccountScope } from '../tenants/scope.ts';
import type { AppCheckAssertionVerifier } from './app-check-assertion.ts';
import type { CustomTokenVerifier } from './custom-token.ts';
import type { TokenUse, VerifiedToken } from './id-token.ts';
import type { Claims } from './jwt.ts';
import type { PublishedKeys, SigningKey } from './key-ring.ts';

/** Longest token that is accepted, in UTF-16 code units. */
export const MAX_TOKEN_LENGTH = 16_384;

/** Issues tokens of one use. */
export interface TokenSigner {
  sign(claims: Claims): Promise<string>;
}

/**
 * Verifies tokens of one use. The caller must check whether the user still exists and whether the token has
 * been revoked.
 */
export interface TokenVerifier {
  /**
   * Verifies a token of an account in a scope. Rejects with a `TokenProblem`: `TOKEN_EXPIRED` if it has expired,
   * `TENANT_ID_MISMATCH` if its account is in another tenant or in none, otherwise `INVALID_ID_TOKEN`.
   */
  verify(token: string, scope: AccountScope): Promise<VerifiedToken>;
  /**
   * Like `verify`, for an account of any scope of the project. The caller must look the account up in the scope of the
   * token.
   */
  verifyInProject(token: string, projectId: string): Promise<VerifiedToken>;
}

/** The keys of App Check tokens. */
export interface AppCheckKeys extends PublishedKeys {
  /** Resolves to the key that signs. */
  current(): Promise<SigningKey>;
  /** Returns the public key with an id that valid tokens may name. */
  find(keyId: string): KeyObject | undefined;
}

/** The services for tokens of users and of apps. */
export interface TokenServices {
  readonly idTokens: TokenSigner & TokenVerifier;
  readonly sessionCookies: TokenSigner;
  readonly customTokens: CustomTokenVerifier;
  /** The keys with which other parties verify tokens. */
  readonly publishedKeys: Readonly<Record<Exclude<TokenUse, 'appCheck'>, PublishedKeys>>;
  readonly appCheckKeys: AppCheckKeys;
  readonly appCheckAssertions: AppCheckAssertionVerifier;
}
