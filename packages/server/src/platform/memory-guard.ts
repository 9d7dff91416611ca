import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import type { Logger } from './logger.ts';
import type { ResourcePool } from './resource-pool.ts';

/** The heap after a full garbage collection, in bytes. */
export interface HeapFigures {
  readonly usedBytes: number;
  readonly maxBytes: number;
}

/** A garbage collection that has ended. */
export interface Collection {
  /** Whether it has collected the whole heap. */
  readonly isFull: boolean;
  readonly ms: number;
}

/** Calls a function after each garbage collection, until it is disposed of. */
export function observeCollections(onCollection: (collection: Collection) => void): Disposable {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      onCollection({ isFull: kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR, ms: entry.duration });
  });
  observer.observe({ entryTypes: ['gc'] });
  return { [Symbol.dispose]: () => observer.disconnect() };
}

/** Returns the kind of a garbage collection. The types of Node lack the detail of an entry. */
function kindOf(entry: PerformanceEntry & { readonly detail?: unknown }): unknown {
  const { detail } = entry;
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : undefined;
}

export interface MemoryGuardOptions {
  readonly readHeap: () => HeapFigures;
  /** Pools of bytes in memory, whose leases end when memory is scarce. */
  readonly pools: readonly ResourcePool[];
  readonly logger: Logger;
}

/** The share of the heap above which memory is scarce. */
const SCARCE_SHARE = 0.85;

/** The share of the heap that clients have to give back when memory is scarce. */
const RETURNED_SHARE = 0.05;

/**
 * Maximum number of clients that end after one garbage collection. The next collection shows how much memory they
 * released.
 */
const MAX_ENDED = 16;

/** A client that holds less than this is never ended, in bytes. */
const MIN_ENDED_BYTES = 256 * 1_024;

/** Ends the clients that hold the most memory when little is left, the largest first. */
export class MemoryGuard {
  readonly #options: MemoryGuardOptions;

  constructor(options: MemoryGuardOptions) {
    this.#options = options;
  }

  /** Must be called after each full garbage collection: before it, garbage counts as used. */
  check(): void {
    const { readHeap, pools, logger } = this.#options;
    const { usedBytes, maxBytes } = readHeap();
    if (usedBytes <= SCARCE_SHARE * maxBytes) return;
    const heldBefore = this.#heldBytes();
    let ended = 0;
    while (ended < MAX_ENDED && heldBefore - this.#heldBytes() < RETURNED_SHARE * maxBytes) {
      const largest = pools
        .flatMap((pool) => ({ pool, lease: pool.findLargest(MIN_ENDED_BYTES) }))
        .toSorted((a, b) => (b.lease?.shared ?? 0) - (a.lease?.shared ?? 0))[0];
      if (largest?.lease === undefined) break;
      largest.pool.evict(largest.lease);
      ended += 1;
    }
    const outcome =
      ended === 0 ? 'no client holds much of it' : 'the clients that held the most were disconnected';
    logger.warn(
      { usedBytes, maxBytes, ended, returnedBytes: heldBefore - this.#heldBytes() },
      `memory is scarce: ${outcome}`,
    );
  }

  #heldBytes(): number {
    return this.#options.pools.reduce((sum, { usage }) => sum + usage.used, 0);
  }
}
