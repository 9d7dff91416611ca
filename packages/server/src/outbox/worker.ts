import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { UnsealFailure } from '../platform/secret-box.ts';
import { DeliveryFailure, type MessageSender, type QueuedMessage } from './message.ts';
import type { Outbox } from './outbox.ts';
import type { DueMessage } from './record.ts';

export interface OutboxWorkerOptions<Message extends QueuedMessage> {
  readonly outbox: Outbox<Message>;
  /** Returns the sender of a project: the same object as long as its settings are the same. */
  readonly findSender: (project: string) => MessageSender<Message>;
  /** What is sent, for the log: `an email`. */
  readonly noun: string;
  /** Interval between checks for due messages, in ms. */
  readonly pollMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Maximum number of messages that are sent at the same time. */
const MAX_CONCURRENT = 3;

/** Number of due messages that are read at a time. */
const PAGE_SIZE = 100;

/** Minimum interval between checks while messages wait for a server that is down, in ms. */
const PAUSED_POLL_MS = 5_000;

/** How long the worker does not contact a server that is down, in ms. */
const PAUSE_MS = 60_000;

/**
 * Sends the messages in the outbox. A message that the other server accepted is sent again only if its confirmation was
 * lost, or if the process stops before the worker has removed the message from the outbox.
 */
export class OutboxWorker<Message extends QueuedMessage> implements AsyncDisposable {
  readonly #options: OutboxWorkerOptions<Message>;
  readonly #stop = new AbortController();
  readonly #pausedUntilMs = new WeakMap<MessageSender<Message>, number>();
  /**
   * Messages that the other server accepted but that are still in the outbox because their removal failed; at most
   * `MAX_CONCURRENT`.
   */
  readonly #accepted = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> | undefined;
  #isRequested = false;
  #hasSkipped = false;

  constructor(options: OutboxWorkerOptions<Message>) {
    this.#options = options;
  }

  start(): void {
    this.#options.outbox.watch(() => {
      this.#isRequested = true;
      if (this.#pass === undefined) this.#schedule(this.#soonMs());
    });
    this.#schedule(0);
  }

  /** Aborts the messages that are being sent. The next start sends them. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#pass?.catch(() => undefined);
  }

  /** Sends all due messages. Rejects if the outbox cannot be changed. */
  async deliverDue(): Promise<void> {
    this.#pass ??= this.#deliverAll().finally(() => {
      this.#pass = undefined;
    });
    await this.#pass;
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#isRequested = false;
      this.deliverDue()
        .catch((error: unknown) => this.#options.logger.error({ err: error }, 'the outbox cannot be changed'))
        .finally(() => this.#schedule(this.#isRequested ? this.#soonMs() : this.#options.pollMs));
    }, delayMs);
    this.#timer.unref();
  }

  #soonMs(): number {
    return this.#hasSkipped ? PAUSED_POLL_MS : 0;
  }

  async #deliverAll(): Promise<void> {
    for (const id of this.#accepted) await this.#remove(id);
    this.#hasSkipped = false;
    const due = this.#due(this.#options.clock.nowMs());
    // Each lane takes the next message when it has finished the previous one.
    const lanes = Array.from({ length: MAX_CONCURRENT }, async () => {
      for await (const message of due) {
        if (this.#stop.signal.aborted) return;
        await this.#deliver(message);
      }
    });
    await Promise.all(lanes);
  }

  async *#due(nowMs: number): AsyncGenerator<DueMessage, void> {
    let after: string | undefined;
    while (true) {
      const page = this.#options.outbox.listDue(nowMs, after, PAGE_SIZE);
      for (const message of page) yield message;
      after = page.at(-1)?.key;
      if (page.length < PAGE_SIZE) return;
      // A loop may skip thousands of messages, and requests must not wait for that.
      await setImmediate();
    }
  }

  async #deliver({ id, project, untilMs }: DueMessage): Promise<void> {
    const { outbox, clock, findSender } = this.#options;
    if (untilMs <= clock.nowMs()) {
      await outbox.expire(id);
      return;
    }
    const sender = findSender(project);
    if ((this.#pausedUntilMs.get(sender) ?? 0) > clock.nowMs()) {
      this.#hasSkipped = true;
      return;
    }
    const failure = await this.#send(sender, id);
    if (this.#stop.signal.aborted && failure !== undefined) return;
    if (failure?.kind === 'unavailable') this.#pausedUntilMs.set(sender, clock.nowMs() + PAUSE_MS);
    if (failure === undefined) await this.#remove(id);
    else await this.#fail(id, project, failure);
  }

  async #send(sender: MessageSender<Message>, id: string): Promise<DeliveryFailure | undefined> {
    try {
      const message = this.#options.outbox.findOutgoing(id);
      if (message !== undefined) await sender.send(message, this.#stop.signal);
      return undefined;
    } catch (error) {
      if (error instanceof DeliveryFailure) return error;
      if (error instanceof UnsealFailure)
        return new DeliveryFailure('temporary', 'The message was sealed with another secret key.', {
          cause: error,
        });
      this.#options.logger.error(
        { err: error, message: id },
        `sending ${this.#options.noun} failed unexpectedly`,
      );
      return new DeliveryFailure('temporary', 'Sending failed unexpectedly. See the log.', { cause: error });
    }
  }

  async #remove(id: string): Promise<void> {
    this.#accepted.add(id);
    await this.#options.outbox.remove(id);
    this.#accepted.delete(id);
  }

  async #fail(id: string, project: string, failure: DeliveryFailure): Promise<void> {
    const { kind, message } = failure;
    this.#options.logger.warn(
      { message: id, project, kind, reason: message },
      `the other server did not accept ${this.#options.noun}`,
    );
    await this.#options.outbox.fail(id, failure);
  }
}
