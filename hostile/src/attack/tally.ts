import type { AttackCounts, Tally } from '../scenarios/scenario.ts';

/** Counts of an attacker's actions, in the order of their first occurrence. */
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
