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
 * The purpose of a task. `foreign` verifies a hash that another system made, or that has another cost. Each purpose has
 * its own places to wait, so that users with a current hash can always sign in.
 */
export type HashingPurpose = 'sign-in' | 'foreign' | 'new-password';

/** The places of the tasks that wait, which the clients of all networks share. */
export type WaitingPlaces = Readonly<Record<HashingPurpose, ResourcePool>>;

interface Waiting {
  readonly purpose: HashingPurpose;
  readonly place: Lease;
  readonly start: () => void;
}

/**
 * Runs tasks, a few in parallel. The networks take turns, and the tasks of one network run in order of arrival, so that
 * the tasks of one network delay those of another by a task at most. Foreign hashes take at most half of the running
 * slots, but always one.
 */
export class HashingQueue {
  readonly #concurrency: number;
  readonly #places: WaitingPlaces;
  /** The waiting tasks of each network. The network whose turn is next comes first. */
  readonly #waiting = new Map<string, readonly Waiting[]>();
  #running = 0;
  #foreignRunning = 0;

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
    return purpose !== 'foreign' || this.#foreignRunning < Math.max(1, Math.floor(this.#concurrency / 2));
  }

  #begin(purpose: HashingPurpose): void {
    this.#running++;
    if (purpose === 'foreign') this.#foreignRunning++;
  }

  #wait(purpose: HashingPurpose, network: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const place = this.#places[purpose].take({ network, isPrivileged: false }, 1, () => {
      this.#setTasks(
        network,
        this.#tasksOf(network).filter((task) => task.place !== place),
      );
      reject(new PasswordHasherBusy());
    });
    if (place === undefined) reject(new PasswordHasherBusy());
    else this.#setTasks(network, [...this.#tasksOf(network), { purpose, place, start: resolve }]);
    return promise;
  }

  #tasksOf(network: string): readonly Waiting[] {
    return this.#waiting.get(network) ?? [];
  }

  #setTasks(network: string, tasks: readonly Waiting[]): void {
    if (tasks.length > 0) this.#waiting.set(network, tasks);
    else this.#waiting.delete(network);
  }

  /** Passes the slot directly to a waiting task, so that no other task can take it. */
  #end(purpose: HashingPurpose): void {
    this.#running--;
    if (purpose === 'foreign') this.#foreignRunning--;
    for (const [network, tasks] of this.#waiting) {
      const next = tasks.find((task) => this.#mayStart(task.purpose));
      if (next === undefined) continue;
      // The network's next turn comes after those of all others.
      this.#waiting.delete(network);
      this.#setTasks(
        network,
        tasks.filter((task) => task !== next),
      );
      next.place.release();
      this.#begin(next.purpose);
      next.start();
      return;
    }
  }
}
