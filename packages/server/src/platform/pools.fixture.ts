import { HeldBytes } from './held-bytes.ts';
import { ResourcePool } from './resource-pool.ts';

/** Returns a pool of bytes of which one network may have everything. */
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
