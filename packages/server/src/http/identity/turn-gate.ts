import { setImmediate } from 'node:timers';

/**
 * Lets requests that came in one turn of the event loop go on together once all of it has been read. They are then decided
 * and answered side by side, which is quicker for each of them: a client or proxy with many connections is woken once for
 * many answers.
 */
export class TurnGate {
  #opening: Promise<void> | undefined;

  wait(): Promise<void> {
    this.#opening ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#opening = undefined;
        resolve();
      });
    });
    return this.#opening;
  }
}
