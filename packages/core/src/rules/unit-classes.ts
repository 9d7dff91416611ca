import type { CodeUnits } from './code-units.ts';

const ASCII = 0x80;

/** Code units in classes, so that all units of a class are alike to each of some sets. */
export class UnitClasses {
  /** First units of the classes, in order; the first is 0. */
  readonly #firsts: readonly number[];
  readonly #ofAscii = new Uint16Array(ASCII);

  constructor(sets: Iterable<CodeUnits>) {
    const firsts = new Set([0]);
    for (const units of sets) for (const [from, to] of units) firsts.add(from).add(to + 1);
    this.#firsts = [...firsts].sort((a, b) => a - b);
    for (let unit = 0; unit < ASCII; unit++) this.#ofAscii[unit] = this.#find(unit);
  }

  get count(): number {
    return this.#firsts.length;
  }

  /** A unit of the class. */
  exampleOf(unitClass: number): number {
    return this.#firsts[unitClass] ?? 0;
  }

  classOf(unit: number): number {
    return this.#ofAscii[unit] ?? this.#find(unit);
  }

  /** The last class that begins at or before the unit. */
  #find(unit: number): number {
    let low = 0;
    let high = this.#firsts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#firsts[middle] ?? 0) <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
