/**
 * What is known by text, up to a number of texts, half of them young and half old. What is asked for becomes young; when
 * there is no room among the young, they become the old, and what was old is forgotten. So what was touched since half as
 * many others came is always there, and touching it again costs one look.
 */
export class RecentMap<Value> {
  readonly #maxYoung: number;
  readonly #maxKeyLength: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** Texts longer than `maxKeyLength` characters are never known. */
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

  /** The keys that begin with a text. Looks at every key. */
  listKeys(prefix: string): readonly string[] {
    return [...this.#young.keys(), ...this.#old.keys()].filter((key) => key.startsWith(prefix));
  }
}
