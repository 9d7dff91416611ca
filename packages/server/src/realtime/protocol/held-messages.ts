import { type ByteHolder, HeldBytes } from '../../platform/held-bytes.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import type { OutgoingMessage, PushedData } from '../../storage/transaction/outgoing-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { ScanMemory } from '../database/database.ts';
import type { Connection, DrainListener } from './connection.ts';

/** The listens of a client. */
export interface CurrentListens {
  /** Returns whether one of them brings data. */
  has(data: PushedData): boolean;
}

/** The session that sends messages. `drained` is also called when the last held message has been sent. */
export interface MessageSender extends ByteHolder, DrainListener {
  readonly connection: Pick<Connection, 'deliver'>;
  readonly listens: CurrentListens;
}

/** Delivers the messages of a session in order, also while the text of one of them is still being generated. */
export class MessageOutput {
  readonly #sender: MessageSender;
  readonly #pool: ResourcePool;
  #held: HeldMessages | undefined;
  #isExpecting = false;
  #isStopped = false;

  /** `pool` is the memory of all messages, in bytes. */
  constructor(sender: MessageSender, pool: ResourcePool) {
    this.#sender = sender;
    this.#pool = pool;
  }

  /** Whether messages are held. The session should then execute no further requests. */
  get isHolding(): boolean {
    return this.#held !== undefined || this.#isExpecting;
  }

  /** Called when a transaction sends a message whose text is still being generated. */
  expectPending(transaction: WriteTransaction): void {
    this.#isExpecting = true;
    const reset = (): void => {
      this.#isExpecting = false;
    };
    transaction.onRollback(reset);
    // By then, the message has been delivered, and is held.
    transaction.onCommit(reset);
  }

  /** The memory for messages. */
  get memory(): ScanMemory {
    return { pool: this.#pool, holder: this.#sender };
  }

  deliver(messages: readonly OutgoingMessage[]): void {
    if (this.#held === undefined && !hasPending(messages)) {
      this.#sender.connection.deliver(messages);
      return;
    }
    if (this.#isStopped) {
      for (const { pending } of messages) pending?.stop();
      return;
    }
    this.#held ??= new HeldMessages(this.#sender, this.#pool, () => {
      this.#held = undefined;
      this.#sender.drained();
    });
    this.#held.add(messages);
  }

  /** Discards the held messages, and does not begin to hold messages again. Idempotent. */
  stop(): void {
    this.#isStopped = true;
    this.#held?.stop();
  }
}

/**
 * The messages of a session from one on whose text is still being generated. Those for listens that have ended in the
 * meantime are not sent: rules may deny them.
 */
class HeldMessages {
  readonly #sender: MessageSender;
  readonly #onSent: () => void;
  readonly #held: HeldBytes;
  #queue: OutgoingMessage[] = [];
  #bytes = 0;
  #hasEnded = false;

  constructor(sender: MessageSender, pool: ResourcePool, onSent: () => void) {
    this.#sender = sender;
    this.#onSent = onSent;
    this.#held = new HeldBytes(pool, sender, 0);
  }

  /** Delivers messages after those that are held. Ends the session if too much would be held. */
  add(messages: readonly OutgoingMessage[]): void {
    if (this.#hasEnded) return;
    const isFirst = this.#queue.length === 0;
    this.#queue.push(...messages);
    this.#bytes += lengthOf(messages);
    if (!this.#held.hold(this.#bytes)) this.#sender.evict();
    else if (isFirst) void this.#deliverAll();
  }

  /** Discards the held messages. Idempotent. */
  stop(): void {
    this.#hasEnded = true;
    this.#held.hold(0);
    for (const { pending } of this.#queue) pending?.stop();
    this.#queue = [];
  }

  #deliver(messages: readonly OutgoingMessage[]): void {
    const current = messages.filter(({ data }) => data === null || this.#sender.listens.has(data));
    if (current.length > 0) this.#sender.connection.deliver(current);
  }

  async #deliverAll(): Promise<void> {
    try {
      for (;;) {
        const pendingAt = this.#queue.findIndex(({ pending }) => pending !== undefined);
        const ready = this.#queue.slice(0, pendingAt === -1 ? undefined : pendingAt);
        this.#deliver(ready);
        if (pendingAt === -1) break;
        this.#queue = this.#queue.slice(pendingAt);
        // From now on, the connection counts the bytes that it has not sent.
        this.#bytes -= lengthOf(ready);
        this.#held.hold(this.#bytes);
        const next = this.#queue[0];
        const text = await next?.pending?.text;
        if (this.#hasEnded) return;
        this.#queue.shift();
        if (next !== undefined && text !== undefined) this.#deliver([next.complete(text)]);
      }
      this.stop();
      this.#onSent();
    } catch {
      // The value is too long, or cannot be kept. The client reconnects and requests it again.
      this.#sender.evict();
    }
  }
}

/**
 * Returns whether a message is pending. A loop, because every delivery comes here, and a closure for each costs
 * more.
 */
function hasPending(messages: readonly OutgoingMessage[]): boolean {
  for (const { pending } of messages) if (pending !== undefined) return true;
  return false;
}

function lengthOf(messages: readonly OutgoingMessage[]): number {
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}
