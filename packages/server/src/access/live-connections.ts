import type { Principal } from './principal.ts';

/**
 * Why a credential is no longer valid. `deleted`: the account of a user was deleted, perhaps by its own app. `ended`: a
 * service account can receive no further credential, so its client would only reconnect in vain. `revoked`: the client
 * may receive another credential.
 */
export type RevocationReason = 'deleted' | 'ended' | 'revoked';

/** Connections that are opened with a credential and stay open after it was verified. */
export interface LiveConnections {
  /**
   * Ends the connections whose principal meets a condition, and asks their clients to reconnect with another
   * credential. Unless the reason is `revoked`, a connection may instead continue without a principal.
   */
  revokeCredentials(isRevoked: (principal: Principal) => boolean, reason: RevocationReason): void;
}
