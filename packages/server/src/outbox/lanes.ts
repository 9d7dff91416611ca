import type { DueMessage } from './record.ts';

/** Maximum number of messages that are sent at the same time. */
export const MAX_CONCURRENT = 30;

/** Maximum number of messages that one sender sends at the same time, so that a slow one does not delay the others. */
export const MAX_CONCURRENT_OF_SENDER = 3;

/** A message that is being sent, and who sends it. */
export interface Lane<Sender> {
  readonly message: DueMessage;
  readonly sender: Sender;
}

/**
 * Decides which due message is sent next. Projects take turns, and a project whose sender is busy loses its turn. The
 * messages of one project come in the order in which they were added. Holds each message in the outbox at most once.
 */
export class Lanes<Sender> {
  readonly #findSender: (project: string) => Sender;
  /** The project whose turn is next comes first. */
  readonly #waiting = new Map<string, DueMessage[]>();
  /** The number of messages that each sender is sending. */
  readonly #sending = new Map<Sender, number>();
  /** The ids of the messages that wait or are being sent. */
  readonly #known = new Set<string>();
  #total = 0;

  constructor(findSender: (project: string) => Sender) {
    this.#findSender = findSender;
  }

  /** Adds a message. Does nothing if the message waits already or is being sent. */
  add(message: DueMessage): void {
    if (this.#known.has(message.id)) return;
    this.#known.add(message.id);
    const messages = this.#waiting.get(message.project);
    if (messages === undefined) this.#waiting.set(message.project, [message]);
    else messages.push(message);
  }

  /** Takes the next message, or returns `undefined` if none may be sent now. The caller calls `end` for it. */
  take(): Lane<Sender> | undefined {
    if (this.#total >= MAX_CONCURRENT) return undefined;
    for (const [project, messages] of this.#waiting) {
      const sender = this.#findSender(project);
      const sending = this.#sending.get(sender) ?? 0;
      if (sending >= MAX_CONCURRENT_OF_SENDER) continue;
      const message = messages.shift();
      this.#waiting.delete(project);
      if (messages.length > 0) this.#waiting.set(project, messages);
      if (message === undefined) continue;
      this.#sending.set(sender, sending + 1);
      this.#total += 1;
      return { message, sender };
    }
    return undefined;
  }

  /** Ends the sending of a message. The message can be added again. */
  end({ message, sender }: Lane<Sender>): void {
    this.#known.delete(message.id);
    this.#total -= 1;
    const sending = (this.#sending.get(sender) ?? 0) - 1;
    if (sending > 0) this.#sending.set(sender, sending);
    else this.#sending.delete(sender);
  }

  /** Removes the messages that wait. */
  clear(): void {
    for (const messages of this.#waiting.values()) for (const { id } of messages) this.#known.delete(id);
    this.#waiting.clear();
  }
}
