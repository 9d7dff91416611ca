import { RecentMap } from '../../ops/recent-map.ts';

/** How often something may happen. */
export interface Rate {
  /** At once, after a time without. */
  readonly burst: number;
  readonly perHour: number;
}

interface Budget {
  readonly left: number;
  readonly atMs: number;
}

const HOUR_MS = 3_600_000;

/** What each of many may still do under a rate that holds for each alone. Who is forgotten has it all again. */
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

  giveBack(key: string, nowMs: number): void {
    if (this.#isBoundless) return;
    const left = Math.min(this.#rate.burst, this.#leftOf(key, nowMs) + 1);
    this.#budgets.write(key, { left, atMs: nowMs });
  }

  /** Nobody is remembered then: keys may be anything that somebody sends. */
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
