/** What `next` tells when nothing more comes. */
export const OVER = { done: true, value: undefined } as const;

/**
 * Parts of an answer, made as they are asked for, for which something is held until they end. They end at once when they are
 * returned: before the first part, and while one is awaited. Of a generator function, `return` would wait for that part, and
 * no `finally` runs unless one was asked for.
 */
export abstract class HeldParts implements AsyncGenerator<Buffer, void, undefined> {
  abstract next(): Promise<IteratorResult<Buffer, void>>;

  /** Gives back what is held; no part comes after it. Idempotent. */
  abstract end(): void;

  async return(): Promise<IteratorResult<Buffer, void>> {
    this.end();
    return OVER;
  }

  async throw(error: unknown): Promise<IteratorResult<Buffer, void>> {
    this.end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
  }
}
