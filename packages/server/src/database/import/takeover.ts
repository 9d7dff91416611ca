import { Refusal } from '@hearth/core/fault/refusal.ts';

interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<unknown>;
}

/**
 * Lets one request at a time work on something of a name. A later one takes it over, because the earlier one is likely from a
 * client that has lost its connection.
 */
export class Takeover {
  readonly #running = new Map<string, Running>();
  #isClosed = false;

  /** Runs `body` when those before it have ended, who are told to by their signal. */
  async run<T>(name: string, body: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Refusal('request/overload');
    const before = this.#running.get(name);
    before?.controller.abort(new Refusal('import/conflict', 'Another request goes on with this import.'));
    const controller = new AbortController();
    const result = (before?.ended ?? Promise.resolve()).then(() => {
      controller.signal.throwIfAborted();
      return body(controller.signal);
    });
    const ended = result.catch(() => undefined);
    const running = { controller, ended };
    this.#running.set(name, running);
    try {
      return await result;
    } finally {
      if (this.#running.get(name) === running) this.#running.delete(name);
    }
  }

  /** Tells all to end, lets none begin, and resolves when they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort(new Refusal('request/overload'));
    await Promise.all(running.map(({ ended }) => ended));
  }
}
