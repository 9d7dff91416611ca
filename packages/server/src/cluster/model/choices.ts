/** Repeatable choices: the same seed gives the same. A linear congruential generator whose high bits are used. */
export class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x5deece6d, 0x9e3779b1) >>> 0;
    this.next();
  }

  /** Returns a number in [0, 1). */
  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 15), 0x85ebca6b);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  happens(chance: number): boolean {
    return chance > 0 && this.next() < chance;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  }
}
