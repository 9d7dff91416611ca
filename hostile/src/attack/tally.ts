import type { AttackCounts, Tally } from '../scenarios/scenario.ts';

/** Counts of what an attacker did, in the order in which they began. */
export class CountingTally implements Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, amount = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + amount);
  }

  addStatus(status: number | string): void {
    this.add(`answered ${status}`);
  }

  counts(): AttackCounts {
    return Object.fromEntries(this.#counts);
  }
}
