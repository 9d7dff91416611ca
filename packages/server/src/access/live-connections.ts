import type { Principal } from './principal.ts';

/** Why a credential is no longer valid. Of a deleted account, no other credential can be valid either. */
export type RevocationReason = 'deleted' | 'revoked';

/** Connections that are opened with a credential and stay open after it was verified. */
export interface LiveConnections {
  /**
   * Ends the connections whose principal meets a condition, and asks their clients to reconnect with another
   * credential. If the account is deleted, a connection may instead continue without a principal for a short time, so
   * that its client can sign out.
   */
  revokeCredentials(isRevoked: (principal: Principal) => boolean, reason: RevocationReason): void;
}
