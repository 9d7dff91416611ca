const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const OTHER_PRIME = 0x85ebca6b;

/**
 * Tells whether two collections hold the same keys, each as often, without keeping either; the order does not count. Two
 * that differ by accident look the same once in 2^64 times.
 */
export class KeySum {
  count = 0;
  #first = 0;
  #second = 0;

  add(key: Buffer): void {
    let first = OFFSET_BASIS;
    let second = key.length;
    for (const byte of key) {
      first = Math.imul(first ^ byte, PRIME);
      second = Math.imul(second ^ byte, OTHER_PRIME) ^ (second >>> 13);
    }
    this.count += 1;
    this.#first = (this.#first + first) | 0;
    this.#second = (this.#second + second) | 0;
  }

  equals(other: KeySum): boolean {
    return this.count === other.count && this.#first === other.#first && this.#second === other.#second;
  }
}
