import { RecentMap } from '../../platform/recent-map.ts';

/** How often an operation is allowed. */
export interface Rate {
  /** Maximum number of operations without a pause, after a period without any. */
  readonly burst: number;
  readonly perHour: number;
}

interface Budget {
  readonly left: number;
  readonly atMs: number;
}

const HOUR_MS = 3_600_000;

/** A separate budget for each key, with the same rate for all. A key that is evicted gets a full budget again. */
export class Budgets {
  readonly #rate: Rate;
  readonly #budgets: RecentMap<Budget>;

  constructor(rate: Rate, maxKeys: number) {
    this.#rate = rate;
    this.#budgets = new RecentMap(maxKeys);
  }

  isLeft(key: string, nowMs: number): boolean {
    return this.#isBoundless || this.#leftOf(key, nowMs) >= 1;
  }

  take(key: string, nowMs: number): void {
    if (this.#isBoundless) return;
    this.#budgets.write(key, { left: this.#leftOf(key, nowMs) - 1, atMs: nowMs });
  }

  refund(key: string, nowMs: number): void {
    if (this.#isBoundless) return;
    const left = Math.min(this.#rate.burst, this.#leftOf(key, nowMs) + 1);
    this.#budgets.write(key, { left, atMs: nowMs });
  }

  /** Whether there is no limit. Nothing is stored then, because clients may send any number of different keys. */
  get #isBoundless(): boolean {
    return this.#rate.burst === Number.POSITIVE_INFINITY;
  }

  refill(key: string): void {
    this.#budgets.remove(key);
  }

  #leftOf(key: string, nowMs: number): number {
    const budget = this.#budgets.find(key);
    if (budget === undefined) return this.#rate.burst;
    const gained = ((nowMs - budget.atMs) / HOUR_MS) * this.#rate.perHour;
    return Math.min(this.#rate.burst, budget.left + gained);
  }
}
