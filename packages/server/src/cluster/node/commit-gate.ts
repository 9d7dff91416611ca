interface Waiting {
  readonly batch: number;
  readonly action: () => void;
}

/**
 * Holds back everything that a node sends until the state on which it may depend is committed and is the newest one.
 * The node executes batches of writes before they are in the log, so a response could otherwise contain a write that is
 * never committed. A node that was frozen may have an older state than other nodes. Each connection and each
 * transaction has at most one waiting action.
 */
export class CommitGate {
  readonly #isCurrent: () => boolean;
  /** Actions that wait until the node knows that its state is the newest one. */
  #waitingForCurrent: (() => void)[] = [];
  /** Number of the last batch that was executed. */
  #executed = 0;
  /** Number of the last batch that is committed. */
  #committed = 0;
  /** In the order of their batches. */
  #waiting: Waiting[] = [];

  /** `isCurrent` returns whether no other node can have begun to lead. */
  constructor(isCurrent: () => boolean) {
    this.#isCurrent = isCurrent;
  }

  get executed(): number {
    return this.#executed;
  }

  /** Records that a batch was executed. Returns its number. */
  execute(): number {
    this.#executed += 1;
    return this.#executed;
  }

  /** Records that all batches up to a number are committed. */
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

  /** Runs an action when everything that was executed so far is committed, and no other node can have begun to lead. */
  whenCurrent(action: () => void): void {
    this.whenCommitted(() => {
      if (this.#isCurrent()) action();
      else this.#waitingForCurrent.push(action);
    });
  }

  /** Runs the actions that wait, if no other node can have begun to lead. */
  renew(): void {
    if (this.#waitingForCurrent.length === 0 || !this.#isCurrent()) return;
    for (const action of this.#waitingForCurrent.splice(0)) action();
  }
}
