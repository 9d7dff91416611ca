import type { IncomingMessage } from 'node:http';
import { addressLayers } from '../platform/address-layers.ts';
import type { Lease, ResourcePool } from '../platform/resource-pool.ts';

/** Takes a part of the budget. `evict` ends the request whose body holds it. */
export type TakeBudget = (evict: () => void) => Lease | undefined;

/**
 * The memory budget for request bodies that have not fully arrived, shared by all requests of the port. A body that
 * arrives together with its head takes nothing.
 */
export class BodyBudget {
  readonly #pool: ResourcePool;
  readonly #clientAddressOf: (request: IncomingMessage) => string;

  /** `pool` is in bytes. */
  constructor(pool: ResourcePool, clientAddressOf: (request: IncomingMessage) => string) {
    this.#pool = pool;
    this.#clientAddressOf = clientAddressOf;
  }

  /** Returns a function that takes a part for a request. Authenticated requests of the admin API are privileged. */
  of(request: IncomingMessage, isPrivileged: boolean): TakeBudget {
    return (evict) => this.#pool.take({ network: this.networkOf(request), isPrivileged }, 0, evict);
  }

  /** Returns the network of the client of a request. */
  networkOf(request: IncomingMessage): string {
    return addressLayers(this.#clientAddressOf(request)).host;
  }
}
