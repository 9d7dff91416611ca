import { FairQueue } from '../../platform/fair-queue.ts';
import type { Lease } from '../../platform/lease.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';

/** Too many passwords are waiting to be hashed. The client should retry. */
export class PasswordHasherBusy extends Error {
  constructor() {
    super('Too many passwords are being hashed.');
    this.name = 'PasswordHasherBusy';
  }
}

/**
 * The purpose of a task. `foreign` verifies a hash that another system made, or that has another cost. `challenge` checks
 * the solution of a proof of work. Each purpose has its own places to wait, so that users with a current hash can always
 * sign in.
 */
export type HashingPurpose = 'sign-in' | 'foreign' | 'new-password' | 'challenge';

/** The places of the tasks that wait, which the clients of all networks share. */
export type WaitingPlaces = Readonly<Record<HashingPurpose, ResourcePool>>;

interface Waiting {
  readonly purpose: HashingPurpose;
  readonly place: Lease;
  readonly start: () => void;
}

/**
 * Runs tasks, a few in parallel. The networks take turns as in `FairQueue`, so that the tasks of one neighborhood delay those
 * of another by a task at most. Foreign hashes and challenges together take at most half of the running slots, but always
 * one.
 */
export class HashingQueue {
  readonly #concurrency: number;
  readonly #places: WaitingPlaces;
  readonly #waiting = new FairQueue<Waiting>();
  #running = 0;
  /** Number of running tasks for foreign hashes and challenges, which may take at most half of the slots. */
  #secondaryRunning = 0;

  /** `concurrency` is the maximum number of tasks that run in parallel, at least 1. */
  constructor(concurrency: number, places: WaitingPlaces) {
    this.#concurrency = concurrency;
    this.#places = places;
  }

  /**
   * Runs a task when a slot is free. Rejects with `PasswordHasherBusy` if too many tasks are waiting and no network has
   * more of them than this one.
   */
  async run<T>(purpose: HashingPurpose, network: string, task: () => Promise<T>): Promise<T> {
    if (this.#mayStart(purpose)) this.#begin(purpose);
    else await this.#wait(purpose, network);
    try {
      return await task();
    } finally {
      this.#end(purpose);
    }
  }

  #mayStart(purpose: HashingPurpose): boolean {
    if (this.#running >= this.#concurrency) return false;
    return !isSecondary(purpose) || this.#secondaryRunning < Math.max(1, Math.floor(this.#concurrency / 2));
  }

  #begin(purpose: HashingPurpose): void {
    this.#running++;
    if (isSecondary(purpose)) this.#secondaryRunning++;
  }

  #wait(purpose: HashingPurpose, network: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const place = this.#places[purpose].take({ network, isPrivileged: false }, 1, () => {
      if (waiting !== undefined) this.#waiting.remove(network, waiting);
      reject(new PasswordHasherBusy());
    });
    const waiting = place && { purpose, place, start: resolve };
    if (waiting === undefined) reject(new PasswordHasherBusy());
    else this.#waiting.add(network, waiting);
    return promise;
  }

  /** Passes the slot directly to a waiting task, so that no other task can take it. */
  #end(purpose: HashingPurpose): void {
    this.#running--;
    if (isSecondary(purpose)) this.#secondaryRunning--;
    const next = this.#waiting.take((task) => this.#mayStart(task.purpose));
    if (next === undefined) return;
    next.place.release();
    this.#begin(next.purpose);
    next.start();
  }
}

function isSecondary(purpose: HashingPurpose): boolean {
  return purpose === 'foreign' || purpose === 'challenge';
}
