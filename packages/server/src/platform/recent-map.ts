/**
 * A cache of limited size with text keys, half young and half old. A read makes an entry young. When the
 * young half is full, it becomes the old half, and the entries of the previous old half are dropped. An entry
 * is therefore present at least until half of the maximum size of other entries has been used after it. A
 * use takes constant time.
 */
export class RecentMap<Value> {
  readonly #maxYoung: number;
  readonly #maxKeyLength: number;
  readonly #sizeOf: (value: Value) => number;
  #youngSize = 0;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /**
   * Entries with keys of more than `maxKeyLength` UTF-16 code units, or of more than half of the maximum size, are never stored.
   * Each entry counts as 1 unless `sizeOf` says how much of the maximum size it takes.
   */
  constructor(
    maxSize: number,
    maxKeyLength = Number.POSITIVE_INFINITY,
    sizeOf: (value: Value) => number = () => 1,
  ) {
    this.#maxYoung = Math.ceil(maxSize / 2);
    this.#maxKeyLength = maxKeyLength;
    this.#sizeOf = sizeOf;
  }

  /** Number of entries. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  find(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.write(key, old);
    return old;
  }

  write(key: string, value: Value): void {
    this.remove(key);
    const size = this.#sizeOf(value);
    if (key.length > this.#maxKeyLength || size > this.#maxYoung) return;
    if (this.#youngSize + size > this.#maxYoung) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSize = 0;
    }
    this.#young.set(key, value);
    this.#youngSize += size;
  }

  remove(key: string): void {
    const young = this.#young.get(key);
    if (young === undefined) this.#old.delete(key);
    else {
      this.#young.delete(key);
      this.#youngSize -= this.#sizeOf(young);
    }
  }

  clear(): void {
    this.#youngSize = 0;
    this.#young.clear();
    this.#old.clear();
  }

  /** Returns the keys that begin with `prefix`. Examines every key. */
  listKeys(prefix: string): readonly string[] {
    return [...this.#young.keys(), ...this.#old.keys()].filter((key) => key.startsWith(prefix));
  }
}
