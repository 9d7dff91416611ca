/**
 * What was verified lately, so that a token that comes again costs no signature check. Bounded: the entry that was not
 * asked for the longest makes room.
 */
export class RecentTokens<T> {
  readonly #limit: number;
  readonly #maxLength: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, T>();

  /** Holds so many tokens, none longer than `maxLength` characters. */
  constructor(limit: number, maxLength: number) {
    this.#limit = limit;
    this.#maxLength = maxLength;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(token: string): T | undefined {
    const entry = this.#entries.get(token);
    if (entry === undefined) return undefined;
    this.#entries.delete(token);
    this.#entries.set(token, entry);
    return entry;
  }

  keep(token: string, entry: T): void {
    if (token.length > this.#maxLength) return;
    this.#entries.delete(token);
    this.#entries.set(token, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
  }

  forget(token: string): void {
    this.#entries.delete(token);
  }
}
