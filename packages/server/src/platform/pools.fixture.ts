import { Admission } from './admission.ts';
import { HeldBytes } from './held-bytes.ts';
import type { Holder } from './lease.ts';
import { ResourcePool } from './resource-pool.ts';

/** Returns a pool of bytes. One network may take all of them. */
export function openTestPool(total = 2 ** 30): ResourcePool {
  return new ResourcePool({ total, reserve: 0, ofNetwork: total, idleMs: null }, () => 0);
}

/** Returns the pools of sessions. */
export function openSessionPools(): {
  readonly listens: ResourcePool;
  readonly messages: ResourcePool;
  readonly disconnectWrites: ResourcePool;
} {
  return { listens: openTestPool(), messages: openTestPool(), disconnectWrites: openTestPool() };
}

/** Returns a counter of the bytes of a session's onDisconnect writes, in a pool of its own. */
export function openDisconnectBytes(): HeldBytes {
  return new HeldBytes(openTestPool(), { network: '192.0.2.1', evict: () => undefined }, 0);
}

/** A peer without an identity. */
export const TEST_HOLDER: Holder = { network: '192.0.2.1', isPrivileged: false };

/** Returns all resources with the limits of a server. */
export function openTestAdmission(elapsedMs: () => number = () => 0): Admission {
  return new Admission({
    maxFiles: 1_024,
    maxBodyBytes: 1_000,
    maxMessageBytes: 1_000,
    memoryBytes: 4_096 * 2 ** 20,
    elapsedMs,
  });
}
