/** More passwords wait to be hashed than may. The client should come again; nothing has been decided. */
export class PasswordHasherBusy extends Error {
  constructor() {
    super('Too many passwords are being hashed.');
    this.name = 'PasswordHasherBusy';
  }
}

interface HashingLimits {
  /** Tasks that run at once, at least 1. */
  readonly concurrency: number;
  /** Tasks that wait for that; one more is refused. */
  readonly maxWaiting: number;
}

/**
 * What a task is for. People who are known sign in even while others set passwords as fast as they can, or try those whose
 * hashes cost what another system has chosen.
 */
export type HashingPurpose = 'sign-in' | 'foreign' | 'new-password';

interface Waiting {
  readonly purpose: HashingPurpose;
  readonly start: () => void;
}

/**
 * Lets tasks run in order of arrival, a few at once. New passwords take at most half of the places to wait; so do those
 * with foreign hashes, of which at most half as many run as may, though always one.
 */
export class HashingQueue {
  readonly #limits: HashingLimits;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #foreignRunning = 0;

  constructor(limits: HashingLimits) {
    this.#limits = limits;
  }

  /** Rejects with PasswordHasherBusy when as many wait as may. */
  async run<T>(purpose: HashingPurpose, task: () => Promise<T>): Promise<T> {
    if (this.#mayBegin(purpose)) this.#begin(purpose);
    else await this.#wait(purpose);
    try {
      return await task();
    } finally {
      this.#end(purpose);
    }
  }

  #mayBegin(purpose: HashingPurpose): boolean {
    const { concurrency } = this.#limits;
    if (this.#running >= concurrency) return false;
    return purpose !== 'foreign' || this.#foreignRunning < Math.max(1, Math.floor(concurrency / 2));
  }

  #begin(purpose: HashingPurpose): void {
    this.#running++;
    if (purpose === 'foreign') this.#foreignRunning++;
  }

  #wait(purpose: HashingPurpose): Promise<void> {
    if (!this.#hasRoom(purpose)) return Promise.reject(new PasswordHasherBusy());
    return new Promise((start) => this.#waiting.push({ purpose, start }));
  }

  #hasRoom(purpose: HashingPurpose): boolean {
    const { maxWaiting } = this.#limits;
    if (this.#waiting.length >= maxWaiting) return false;
    if (purpose === 'sign-in') return true;
    const alike = this.#waiting.filter((waiting) => waiting.purpose === purpose);
    return alike.length < Math.ceil(maxWaiting / 2);
  }

  /** Hands the place on to who waits longest of those who may have it, so that nobody can come between. */
  #end(purpose: HashingPurpose): void {
    this.#running--;
    if (purpose === 'foreign') this.#foreignRunning--;
    const index = this.#waiting.findIndex((waiting) => this.#mayBegin(waiting.purpose));
    const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (next === undefined) return;
    this.#begin(next.purpose);
    next.start();
  }
}
