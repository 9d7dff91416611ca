import { setImmediate } from 'node:timers/promises';

/** Number of accounts that one step of a list reads, so that other requests do not wait long. */
export const STEP_ACCOUNTS = 200;

/** Lets long lists take turns: of all of them together, one step runs in each iteration of the event loop. */
export class ListSteps {
  /** Resolves when the last step that is planned may run. */
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the caller's step may run, in the order of the calls. */
  enter(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}
