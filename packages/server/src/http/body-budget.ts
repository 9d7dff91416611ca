const MAX_BEYOND_BYTES = 2 ** 20;

/** Room for bodies that have not come to their end, of all requests together: what is held of them decides nothing yet. */
export class BodyBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  /** As much as the longest body that is held, and what may come at once of one that is longer. */
  constructor(longestBytes: number) {
    this.#maxBytes = longestBytes + MAX_BEYOND_BYTES;
  }

  /** `false`, and nothing is taken, where there is not so much left. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }
}
