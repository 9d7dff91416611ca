type Lines = AsyncGenerator<Buffer, void, undefined>;

/**
 * The lines of a search that is under way from the moment it is opened, be it read or not. Not a generator function, whose
 * `finally` does not run if nothing is ever read, and whose `return` would wait for the next line.
 */
export class RunningSearch implements Lines {
  readonly #lines: Lines;
  readonly #onEnd: () => void;
  readonly #broken = new AbortController();
  #hasEnded = false;

  constructor(lines: Lines, onEnd: () => void) {
    this.#lines = lines;
    this.#onEnd = onEnd;
  }

  /** Aborted by `stop`, for a reader that is not asking. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Ends the search without its reader having asked for it. */
  stop(): void {
    this.#end();
    this.#broken.abort();
  }

  async next(): Promise<IteratorResult<Buffer, void>> {
    if (this.#hasEnded) return { done: true, value: undefined };
    try {
      const line = await this.#lines.next();
      if (line.done === true) this.#end();
      return this.#hasEnded ? { done: true, value: undefined } : line;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Buffer, void>> {
    this.#end();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<Buffer, void>> {
    this.#end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    void this.#lines.return();
    this.#onEnd();
  }
}
