import type { IncomingMessage } from 'node:http';
import type { Lease } from '../platform/lease.ts';
import type { ResourcePool } from '../platform/resource-pool.ts';

/** Returns a lease of the budget that holds nothing yet. `evict` ends the request to which the lease belongs. */
export type TakeBudget = (evict: () => void) => Lease;

/**
 * The memory budget for request bodies that have not fully arrived, shared by all requests of the port. A body that
 * arrives together with its head takes nothing.
 */
export class BodyBudget {
  readonly #pool: ResourcePool;
  /** Returns the network of the client of a request. */
  readonly networkOf: (request: IncomingMessage) => string;

  /** `pool` is in bytes. */
  constructor(pool: ResourcePool, networkOf: (request: IncomingMessage) => string) {
    this.#pool = pool;
    this.networkOf = networkOf;
  }

  /** Returns a function that opens a lease for a request. Authenticated requests of the admin API are privileged. */
  of(request: IncomingMessage, isPrivileged: boolean): TakeBudget {
    return (evict) => this.#pool.open({ network: this.networkOf(request), isPrivileged }, evict);
  }
}
