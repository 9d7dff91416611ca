import { setImmediate } from 'node:timers';
import type { Identity } from '../identity/identity.ts';

/** Connections that were opened with credentials and outlive the moment in which those were verified. */
export interface LiveConnections {
  /** Ends those whose identity a condition holds for, and tells their clients to come back with another credential. */
  revokeCredentials(isRevoked: (identity: Identity) => boolean): void;
}

/**
 * Ends the connections that a condition holds for, given the suspects of one turn of the event loop, who are looked at
 * together. The function that is returned takes another suspect.
 */
export function revokeTogether(
  connections: readonly LiveConnections[],
  isRevoked: (identity: Identity, suspects: ReadonlySet<string>) => boolean,
): (suspect: string) => void {
  let suspects = new Set<string>();
  const look = (): void => {
    const looked = suspects;
    suspects = new Set();
    for (const live of connections) live.revokeCredentials((identity) => isRevoked(identity, looked));
  };
  return (suspect) => {
    if (suspects.size === 0) setImmediate(look);
    suspects.add(suspect);
  };
}
