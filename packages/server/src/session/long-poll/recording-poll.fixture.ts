import type { Poll } from './poll.ts';

/** A poll that keeps its answer, and is closed when the test says so. */
export class RecordingPoll implements Poll {
  script: string | undefined;
  readonly #listeners: (() => void)[] = [];

  answer(script: string): void {
    if (this.script !== undefined) throw new Error('A poll is answered once.');
    this.script = script;
  }

  onClosed(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The answer has left, or the client has gone away. */
  close(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
