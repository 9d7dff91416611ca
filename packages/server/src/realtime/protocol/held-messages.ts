import { HeldBytes } from '../../platform/held-bytes.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { ScanMemory } from '../database/database.ts';

export interface HeldMessagesOptions {
  /** Sends messages to the client. */
  readonly deliver: (messages: readonly OutgoingMessage[]) => void;
  /** Called when no messages are held any more. */
  readonly onEmpty: () => void;
  /** Called when a message cannot be generated, or too much would be held. The client has to be disconnected. */
  readonly onFailed: () => void;
  /** Where the held messages take their memory from, in bytes. */
  readonly memory: ScanMemory;
}

/**
 * The messages of a client from one on whose text is still being generated. Delivers them in order. The client's requests
 * should not be executed while messages are held.
 */
export class HeldMessages {
  readonly #options: HeldMessagesOptions;
  readonly #held: HeldBytes;
  #queue: OutgoingMessage[] = [];
  #bytes = 0;
  #hasEnded = false;

  constructor(options: HeldMessagesOptions) {
    this.#options = options;
    const { pool, holder } = options.memory;
    this.#held = new HeldBytes(pool, holder, 0);
  }

  /** Delivers messages after those that are held. */
  add(messages: readonly OutgoingMessage[]): void {
    if (this.#hasEnded) return;
    const isFirst = this.#queue.length === 0;
    this.#queue.push(...messages);
    this.#bytes += messages.reduce((sum, { text }) => sum + text.length, 0);
    if (!this.#held.hold(this.#bytes)) this.#options.onFailed();
    else if (isFirst) void this.#deliverAll();
  }

  /** Discards what is held. Idempotent. */
  stop(): void {
    this.#hasEnded = true;
    this.#held.hold(0);
    for (const { pending } of this.#queue) pending?.stop();
    this.#queue = [];
  }

  async #deliverAll(): Promise<void> {
    try {
      for (;;) {
        const pendingAt = this.#queue.findIndex(({ pending }) => pending !== undefined);
        const ready = this.#queue.slice(0, pendingAt === -1 ? undefined : pendingAt);
        if (ready.length > 0) this.#options.deliver(ready);
        if (pendingAt === -1) break;
        this.#queue = this.#queue.slice(pendingAt);
        const text = await this.#queue[0]?.pending?.text;
        if (this.#hasEnded) return;
        this.#queue.shift();
        if (text !== undefined) this.#options.deliver([new OutgoingMessage(text)]);
      }
      this.stop();
      this.#options.onEmpty();
    } catch {
      // The client reconnects and reads again. The server logs failures of the store where they happen.
      this.#options.onFailed();
    }
  }
}
