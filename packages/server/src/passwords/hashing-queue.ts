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

/** Lets tasks run in order of arrival, a few at once. */
export class HashingQueue {
  readonly #limits: HashingLimits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: HashingLimits) {
    this.#limits = limits;
  }

  /** Rejects with PasswordHasherBusy when as many wait as may. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.concurrency) this.#running++;
    else await this.#wait();
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#limits.maxWaiting) return Promise.reject(new PasswordHasherBusy());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the place on to who waits longest, so that nobody can come between. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next();
  }
}
