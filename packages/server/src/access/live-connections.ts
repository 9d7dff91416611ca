import type { Principal } from './principal.ts';

/** Connections that are opened with a credential and stay open after it was verified. */
export interface LiveConnections {
  /**
   * Ends the connections whose principal meets a condition, and asks their clients to reconnect with another
   * credential.
   */
  revokeCredentials(isRevoked: (principal: Principal) => boolean): void;
}
