const MARGIN_BYTES = 2 ** 20;

/**
 * The memory budget for request bodies that have not fully arrived, shared by all requests. The server has
 * not acted on the held bytes yet.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  /**
   * Sets the budget to the length of the longest body that is held, plus a margin for the chunk with which a
   * longer body exceeds that length.
   */
  constructor(longestBytes: number) {
    this.#maxBytes = longestBytes + MARGIN_BYTES;
  }

  /** Takes bytes from the budget. Returns `false` and takes nothing if less is left. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}
