import type { Holder, Lease } from '../../platform/lease.ts';
import { type PoolLimits, ResourcePool } from '../../platform/resource-pool.ts';

export interface ProjectPlacesOptions {
  /** The places of all projects together. */
  readonly all: PoolLimits;
  /** The places of one project. */
  readonly ofProject: PoolLimits;
  /** A monotonic clock. */
  readonly nowMs: () => number;
}

/** A place that its holder gives back. */
export interface ProjectPlace {
  /** Idempotent. */
  release(): void;
}

/**
 * Places that all projects share, of which one project has at most its part. Networks share both, as in `ResourcePool`, so
 * that neither one project nor one network can take the places of others.
 */
export class ProjectPlaces {
  readonly #options: ProjectPlacesOptions;
  readonly #all: ResourcePool;
  /** The places of each project that holds any. */
  readonly #projects = new Map<string, ResourcePool>();

  constructor(options: ProjectPlacesOptions) {
    this.#options = options;
    this.#all = new ResourcePool(options.all, options.nowMs);
  }

  /**
   * Takes a place. Returns `undefined` if the limits do not allow it. `evict` is called when the place is given to another
   * holder.
   */
  take(projectId: string, holder: Holder, evict: () => void): ProjectPlace | undefined {
    const { ofProject, nowMs } = this.#options;
    const pool = this.#projects.get(projectId) ?? new ResourcePool(ofProject, nowMs);
    const leases: Lease[] = [];
    const release = (): void => {
      for (const lease of leases) lease.release();
      if (pool.usage.used === 0) this.#projects.delete(projectId);
    };
    const giveWay = (): void => {
      release();
      evict();
    };
    for (const each of [pool, this.#all]) {
      const lease = each.take(holder, 1, giveWay);
      if (lease === undefined) {
        release();
        return undefined;
      }
      leases.push(lease);
    }
    // An eviction may have emptied the pool for a moment.
    this.#projects.set(projectId, pool);
    return { release };
  }
}
