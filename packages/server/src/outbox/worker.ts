import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { UnsealFailure } from '../platform/secret-box.ts';
import { type Lane, Lanes } from './lanes.ts';
import { DeliveryFailure, type MessageSender, type QueuedMessage } from './message.ts';
import { dueSince, type Outbox } from './outbox.ts';
import type { DueMessage } from './record.ts';

export interface OutboxWorkerOptions<Message extends QueuedMessage> {
  readonly outbox: Outbox<Message>;
  /** Returns the sender of a project: the same object as long as its settings are the same. */
  readonly findSender: (project: string) => MessageSender<Message>;
  /** The kind of the sent messages, for the log: `an email`. */
  readonly noun: string;
  /** Interval between checks for due messages, in ms. */
  readonly pollMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Resolves when everything that the store contains is certain to remain, and no other node of a cluster sends messages.
   * Absent if both are always true.
   */
  readonly whenCurrent?: (() => Promise<void>) | undefined;
  /** Called when the server has given up on a message. `failure` is `undefined` if the message expired. */
  readonly onGivenUp?: (message: DueMessage, failure: DeliveryFailure | undefined) => void;
}

/** Number of due messages that are read at a time. */
const PAGE_SIZE = 100;

/**
 * When a message is queued, the worker reads the messages that became due in this time, in ms. The regular check reads
 * all of them.
 */
const RECENT_MS = 10_000;

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
  readonly #lanes: Lanes<MessageSender<Message>>;
  /** One promise for each message that is being sent; at most `MAX_CONCURRENT`. */
  readonly #sending = new Set<Promise<void>>();
  /**
   * Messages that the other server accepted, and whose removal from the outbox failed. There are at most `MAX_CONCURRENT`,
   * because the worker sends no other message until these are removed.
   */
  readonly #accepted = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isRequested = false;
  /** The check that runs because a message was queued. */
  #recentCheck: Promise<void> | undefined;
  #fullCheck: Promise<void> | undefined;
  /** The first error since `deliverDue` last began. */
  #error: Error | undefined;

  constructor(options: OutboxWorkerOptions<Message>) {
    this.#options = options;
    this.#lanes = new Lanes(options.findSender);
  }

  start(): void {
    this.#options.outbox.watch(() => {
      this.#isRequested = true;
      this.#recentCheck ??= this.#checkRecent().finally(() => {
        this.#recentCheck = undefined;
      });
    });
    this.#schedule(0);
  }

  /** Aborts the messages that are being sent. The next start sends them. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await Promise.all([this.#recentCheck, this.#fullCheck, ...this.#sending]);
  }

  /** Sends all due messages. Rejects if the outbox cannot be changed. */
  async deliverDue(): Promise<void> {
    this.#error = undefined;
    await this.#addDue();
    while (this.#sending.size > 0) await Promise.all(this.#sending);
    if (this.#error !== undefined) throw this.#error;
  }

  #schedule(delayMs: number): void {
    if (this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#fullCheck = this.#addDue()
        .catch((error: unknown) => this.#report(error))
        .finally(() => this.#schedule(this.#options.pollMs));
    }, delayMs);
    this.#timer.unref();
  }

  async #checkRecent(): Promise<void> {
    while (this.#isRequested && !this.#stop.signal.aborted) {
      // Messages that are queued at the same time share a check.
      await setImmediate();
      this.#isRequested = false;
      await this.#addDue(RECENT_MS).catch((error: unknown) => this.#report(error));
    }
  }

  #report(error: unknown): void {
    this.#options.logger.error({ err: error }, 'the outbox cannot be changed');
  }

  /**
   * Begins to send the messages that became due in the last `windowMs`; all due messages if it is absent. Does not wait
   * until they are sent.
   */
  async #addDue(windowMs = Number.POSITIVE_INFINITY): Promise<void> {
    const { clock, outbox } = this.#options;
    for (const id of this.#accepted) await this.#remove(id);
    const nowMs = clock.nowMs();
    let after = windowMs < nowMs ? dueSince(nowMs - windowMs) : undefined;
    while (!this.#stop.signal.aborted) {
      const page = outbox.listDue(nowMs, after, PAGE_SIZE);
      for (const message of page) if (!this.#isPaused(message)) this.#lanes.add(message);
      this.#fillLanes();
      after = page.at(-1)?.key;
      if (page.length < PAGE_SIZE) return;
      // Lets requests run in between, because there may be thousands of messages.
      await setImmediate();
    }
  }

  /** Returns whether a message waits because the server that would receive it is down. Expired messages do not wait. */
  #isPaused({ project, untilMs }: DueMessage): boolean {
    const nowMs = this.#options.clock.nowMs();
    return untilMs > nowMs && this.#pauseOf(this.#options.findSender(project)) > nowMs;
  }

  #pauseOf(sender: MessageSender<Message>): number {
    return this.#pausedUntilMs.get(sender) ?? 0;
  }

  #fillLanes(): void {
    while (!this.#stop.signal.aborted && this.#accepted.size === 0) {
      const lane = this.#lanes.take();
      if (lane === undefined) return;
      const sending = this.#deliver(lane)
        .catch((error: unknown) => {
          this.#report(error);
          this.#error ??= error instanceof Error ? error : new Error(String(error));
          this.#lanes.clear();
        })
        .finally(() => {
          this.#lanes.end(lane);
          this.#sending.delete(sending);
          this.#fillLanes();
        });
      this.#sending.add(sending);
    }
  }

  async #deliver({ message, sender }: Lane<MessageSender<Message>>): Promise<void> {
    const { id, untilMs } = message;
    const { outbox, clock, whenCurrent } = this.#options;
    if (whenCurrent !== undefined) {
      await untilAborted(whenCurrent(), this.#stop.signal);
      if (this.#stop.signal.aborted) return;
    }
    if (untilMs <= clock.nowMs()) {
      await outbox.expire(id);
      this.#options.onGivenUp?.(message, undefined);
      return;
    }
    // Another message of the sender may have failed in the meantime.
    if (this.#pauseOf(sender) > clock.nowMs()) return;
    const failure = await this.#send(sender, id);
    if (this.#stop.signal.aborted && failure !== undefined) return;
    if (failure?.kind === 'unavailable') this.#pausedUntilMs.set(sender, clock.nowMs() + PAUSE_MS);
    if (failure === undefined) await this.#remove(id);
    else await this.#fail(message, failure);
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
    try {
      await this.#options.outbox.remove(id);
      this.#accepted.delete(id);
    } catch (error) {
      this.#accepted.add(id);
      throw error;
    }
  }

  async #fail(message: DueMessage, failure: DeliveryFailure): Promise<void> {
    const { id, project } = message;
    const { kind, message: reason } = failure;
    this.#options.logger.warn(
      { message: id, project, kind, reason },
      `the other server did not accept ${this.#options.noun}`,
    );
    const isGivenUp = await this.#options.outbox.fail(id, failure);
    if (isGivenUp) this.#options.onGivenUp?.(message, failure);
  }
}

/**
 * Settles like a promise, or resolves when a signal is aborted. Leaves nothing behind: `Promise.race` with one promise for
 * the life of the process would keep its result that long.
 */
function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve();
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
