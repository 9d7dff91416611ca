/**
 * Lets feeds make what they tell one after the other, one in each turn of the event loop, so that however many are woken
 * together, requests are answered between them. A feed waits in it once at a time: it is no longer than there are feeds.
 */
export class FeedQueue {
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn, which ends when it awaits something else. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#serve());
    });
  }

  #serve(): void {
    this.#waiting[0]?.();
    this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#serve());
  }
}
