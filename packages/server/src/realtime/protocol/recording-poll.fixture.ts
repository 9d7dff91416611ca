import type { Poll } from './long-poll-queue.ts';

/** A poll that stores its response. The test closes it. */
export class RecordingPoll implements Poll {
  script: string | undefined;
  readonly #listeners: (() => void)[] = [];

  answer(script: string): void {
    if (this.script !== undefined) throw new Error('A poll must be answered only once.');
    this.script = script;
  }

  onClosed(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Simulates that the response was sent or the client disconnected. */
  close(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
