/** The result of `next` once no part is left. */
export const END_OF_PARTS = { done: true, value: undefined } as const;

/**
 * Parts of a response that are generated on request and hold a resource until they end. `return` ends them
 * immediately, even before the first part and while a part is awaited. The `return` of a generator function would
 * wait for that part, and would not run the `finally` block if no part had been requested.
 */
export abstract class ReleasableParts implements AsyncGenerator<Buffer, void, undefined> {
  abstract next(): Promise<IteratorResult<Buffer, void>>;

  /** Releases the resource. No part comes after this. Idempotent. */
  abstract end(): void;

  async return(): Promise<IteratorResult<Buffer, void>> {
    this.end();
    return END_OF_PARTS;
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
