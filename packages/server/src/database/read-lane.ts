/** Lets long reads take turns: one step of one of them between any two looks at the network. */
export class ReadLane {
  #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn, in order of the calls. */
  enter(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#admit());
    });
  }

  #admit(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#admit());
  }
}
