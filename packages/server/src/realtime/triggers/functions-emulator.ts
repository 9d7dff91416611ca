import type { Logger } from '../../platform/logger.ts';
import { eventJson, type TriggeredEvent } from './event.ts';
import type { EventReceiver } from './triggers.ts';

export interface FunctionsEmulatorOptions {
  /** `host:port`; `null` if there is no emulator. Then events are dropped. */
  readonly address: string | null;
  readonly logger: Logger;
  /** Posts JSON and resolves to the response status. Rejects if there is no response or the signal is aborted. */
  readonly post: (url: string, json: Buffer, signal: AbortSignal) => Promise<number>;
}

/**
 * Maximum number of waiting events, and of bytes in all of their bodies. Beyond these limits, the oldest events
 * are dropped.
 */
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 32 * 2 ** 20;

interface Post {
  readonly url: string;
  readonly function: string;
  readonly body: Buffer;
}

/** Posts events to the functions emulator, one after the other, in the order of the writes. */
export class FunctionsEmulator implements EventReceiver, Disposable {
  readonly #options: FunctionsEmulatorOptions;
  readonly #waiting: Post[] = [];
  readonly #stop = new AbortController();
  #waitingBytes = 0;
  #isPosting = false;
  #droppedCount = 0;

  constructor(options: FunctionsEmulatorOptions) {
    this.#options = options;
  }

  receive(events: readonly TriggeredEvent[]): void {
    const { address } = this.#options;
    if (address === null || this.#stop.signal.aborted) return;
    for (const event of events) {
      const { project, key } = event.trigger;
      const url = `http://${address}/functions/projects/${project}/triggers/${key}`;
      this.#queue({ url, function: key, body: Buffer.from(eventJson(event)) });
    }
    if (!this.#isPosting) void this.#postAll();
  }

  /** Aborts the post in progress, and drops waiting and later events. */
  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#waiting.length = 0;
  }

  #queue(post: Post): void {
    this.#waiting.push(post);
    this.#waitingBytes += post.body.length;
    while (this.#waiting.length > MAX_WAITING || this.#waitingBytes > MAX_WAITING_BYTES) {
      this.#take();
      if (this.#droppedCount++ === 0)
        this.#options.logger.warn('the functions emulator is too slow; the oldest events are dropped');
    }
  }

  #take(): Post | undefined {
    const post = this.#waiting.shift();
    this.#waitingBytes -= post?.body.length ?? 0;
    return post;
  }

  async #postAll(): Promise<void> {
    this.#isPosting = true;
    for (let post = this.#take(); post !== undefined; post = this.#take()) await this.#post(post);
    this.#isPosting = false;
    if (this.#droppedCount > 0)
      this.#options.logger.warn(
        { events: this.#droppedCount },
        'events dropped before they reached the functions emulator',
      );
    this.#droppedCount = 0;
  }

  async #post({ url, function: name, body }: Post): Promise<void> {
    const { logger, post } = this.#options;
    try {
      const status = await post(url, body, this.#stop.signal);
      if (status >= 400) logger.warn({ function: name, status }, 'the functions emulator rejected an event');
    } catch (error) {
      if (!this.#stop.signal.aborted)
        logger.warn({ err: error, function: name }, 'an event could not be sent to the functions emulator');
    }
  }
}
