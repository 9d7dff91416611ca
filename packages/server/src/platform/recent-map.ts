/**
 * A cache of limited size with text keys, half young and half old. A read makes an entry young. When the
 * young half is full, it becomes the old half, and the entries of the previous old half are dropped. An entry
 * is therefore present at least until half of the maximum number of other entries have been used after it. A
 * use takes constant time.
 */
export class RecentMap<Value> {
  readonly #maxYoung: number;
  readonly #maxKeyLength: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** Entries with keys of more than `maxKeyLength` UTF-16 code units are never stored. */
  constructor(maxSize: number, maxKeyLength = Number.POSITIVE_INFINITY) {
    this.#maxYoung = Math.ceil(maxSize / 2);
    this.#maxKeyLength = maxKeyLength;
  }

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
    if (key.length > this.#maxKeyLength) return;
    this.#old.delete(key);
    if (this.#young.size >= this.#maxYoung && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  remove(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  /** Returns the keys that begin with `prefix`. Examines every key. */
  listKeys(prefix: string): readonly string[] {
    return [...this.#young.keys(), ...this.#old.keys()].filter((key) => key.startsWith(prefix));
  }
}
