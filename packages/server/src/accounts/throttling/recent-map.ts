/** What is known by text, up to a number of texts: beyond it, what was not touched for longest is forgotten. */
export class RecentMap<Value> {
  readonly #maxSize: number;
  /** A `Map` keeps the order in which keys came to it. */
  readonly #values = new Map<string, Value>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  find(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.write(key, value);
    return value;
  }

  write(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#maxSize) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }

  remove(key: string): void {
    this.#values.delete(key);
  }

  /** The keys that begin with a text. Looks at every key. */
  listKeys(prefix: string): readonly string[] {
    return this.#values
      .keys()
      .filter((key) => key.startsWith(prefix))
      .toArray();
  }
}
