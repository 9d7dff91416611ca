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

/** What a task is for: people who are known sign in even while others set passwords as fast as they can. */
export type HashingPurpose = 'sign-in' | 'new-password';

interface Waiting {
  readonly purpose: HashingPurpose;
  readonly start: () => void;
}

/** Lets tasks run in order of arrival, a few at once. New passwords take at most half of the places to wait. */
export class HashingQueue {
  readonly #limits: HashingLimits;
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(limits: HashingLimits) {
    this.#limits = limits;
  }

  /** Rejects with PasswordHasherBusy when as many wait as may. */
  async run<T>(purpose: HashingPurpose, task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.concurrency) this.#running++;
    else await this.#wait(purpose);
    try {
      return await task();
    } finally {
      this.#release();
    }
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

  /** Hands the place on to who waits longest, so that nobody can come between. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next.start();
  }
}
