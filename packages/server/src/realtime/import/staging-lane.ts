/** Schedules the steps of long texts: one between two rounds of network events, in turns of the networks. */
export class StagingLane {
  /** The callers of each network in the order of their calls. The first network has the next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Resolves when the caller's step may run. */
  enter(network: string): Promise<void> {
    return new Promise((resolve) => {
      const isFirst = this.#waiting.size === 0;
      const waiting = this.#waiting.get(network);
      if (waiting === undefined) this.#waiting.set(network, [resolve]);
      else waiting.push(resolve);
      if (isFirst) setImmediate(() => this.#admit());
    });
  }

  #admit(): void {
    for (const [network, waiting] of this.#waiting) {
      this.#waiting.delete(network);
      waiting.shift()?.();
      if (waiting.length > 0) this.#waiting.set(network, waiting);
      break;
    }
    if (this.#waiting.size > 0) setImmediate(() => this.#admit());
  }
}
