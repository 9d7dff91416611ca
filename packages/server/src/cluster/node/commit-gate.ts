interface Waiting {
  readonly batch: number;
  readonly action: () => void;
}

/**
 * Holds back what leaves a node until the state from which it may come is committed. The node executes batches of
 * writes before the log has them, so a response can contain what later never happens. Each connection and each
 * transaction has at most one waiting action.
 */
export class CommitGate {
  /** Number of the last batch that was executed. */
  #executed = 0;
  /** Number of the last batch that is committed. */
  #committed = 0;
  /** In the order of their batches. */
  #waiting: Waiting[] = [];

  get executed(): number {
    return this.#executed;
  }

  /** A batch was executed. Returns its number. */
  execute(): number {
    this.#executed += 1;
    return this.#executed;
  }

  /** All batches up to a number are committed. */
  commit(batch: number): void {
    this.#committed = batch;
    const later = this.#waiting.findIndex((waiting) => waiting.batch > batch);
    const ready = this.#waiting.splice(0, later === -1 ? this.#waiting.length : later);
    for (const { action } of ready) action();
  }

  /** Runs an action when everything that was executed so far is committed; immediately if it is. */
  whenCommitted(action: () => void): void {
    if (this.#committed === this.#executed) action();
    else this.#waiting.push({ batch: this.#executed, action });
  }
}
