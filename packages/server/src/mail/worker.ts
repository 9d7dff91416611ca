import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { UnsealFailure } from '../platform/secret-box.ts';
import { type Mailer, MailFailure, type OutgoingMail } from './mailer.ts';
import type { Outbox } from './outbox.ts';
import type { DueMail } from './outbox-record.ts';

export interface MailWorkerOptions {
  readonly outbox: Outbox;
  /** Returns the mailer of a project: the same object as long as the mail server is the same. */
  readonly findMailer: (project: string) => Mailer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Maximum number of mails that are sent at the same time. */
const MAX_CONCURRENT = 3;

/** Number of due mails that are read at a time. */
const PAGE_SIZE = 100;

/** Interval between checks for due mails, in ms. */
const POLL_MS = 15_000;

/** Minimum interval between checks while mails wait for a server that is down, in ms. */
const PAUSED_POLL_MS = 5_000;

/** How long the worker does not contact a server that is down, in ms. */
const PAUSE_MS = 60_000;

/**
 * Sends the mails in the outbox. A mail that the mail server accepted is sent again only if its confirmation was
 * lost, or if the process stops before the worker has removed the mail from the outbox.
 */
export class MailWorker implements AsyncDisposable {
  readonly #options: MailWorkerOptions;
  readonly #stop = new AbortController();
  readonly #pausedUntilMs = new WeakMap<Mailer, number>();
  /**
   * Mails that a mail server accepted but that are still in the outbox because their removal failed; at most
   * `MAX_CONCURRENT`.
   */
  readonly #accepted = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> | undefined;
  #isRequested = false;
  #hasSkipped = false;

  constructor(options: MailWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#options.outbox.watch(() => {
      this.#isRequested = true;
      if (this.#pass === undefined) this.#schedule(this.#soonMs());
    });
    this.#schedule(0);
  }

  /** Aborts the mails that are being sent. The next start sends them. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#pass?.catch(() => undefined);
  }

  /** Sends all due mails. Rejects if the outbox cannot be changed. */
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
        .finally(() => this.#schedule(this.#isRequested ? this.#soonMs() : POLL_MS));
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
    // Each lane takes the next mail when it has finished the previous one.
    const lanes = Array.from({ length: MAX_CONCURRENT }, async () => {
      for await (const mail of due) {
        if (this.#stop.signal.aborted) return;
        await this.#deliver(mail);
      }
    });
    await Promise.all(lanes);
  }

  async *#due(nowMs: number): AsyncGenerator<DueMail, void> {
    let after: string | undefined;
    while (true) {
      const page = this.#options.outbox.listDue(nowMs, after, PAGE_SIZE);
      for (const mail of page) yield mail;
      after = page.at(-1)?.key;
      if (page.length < PAGE_SIZE) return;
      // A loop may skip thousands of mails, and requests must not wait for that.
      await setImmediate();
    }
  }

  async #deliver({ id, project, untilMs }: DueMail): Promise<void> {
    const { outbox, clock, findMailer } = this.#options;
    if (untilMs <= clock.nowMs()) {
      await outbox.expire(id);
      return;
    }
    const mailer = findMailer(project);
    if ((this.#pausedUntilMs.get(mailer) ?? 0) > clock.nowMs()) {
      this.#hasSkipped = true;
      return;
    }
    const failure = await this.#send(mailer, id);
    if (this.#stop.signal.aborted && failure !== undefined) return;
    if (failure?.kind === 'unavailable') this.#pausedUntilMs.set(mailer, clock.nowMs() + PAUSE_MS);
    if (failure === undefined) await this.#remove(id);
    else await this.#fail(id, project, failure);
  }

  async #send(mailer: Mailer, id: string): Promise<MailFailure | undefined> {
    try {
      const mail: OutgoingMail | undefined = this.#options.outbox.findOutgoing(id);
      if (mail !== undefined) await mailer.send(mail, this.#stop.signal);
      return undefined;
    } catch (error) {
      if (error instanceof MailFailure) return error;
      if (error instanceof UnsealFailure)
        return new MailFailure('temporary', 'The mail was sealed with another secret key.', { cause: error });
      this.#options.logger.error({ err: error, mail: id }, 'sending an email failed unexpectedly');
      return new MailFailure('temporary', 'Sending failed unexpectedly. See the log.', { cause: error });
    }
  }

  async #remove(id: string): Promise<void> {
    this.#accepted.add(id);
    await this.#options.outbox.remove(id);
    this.#accepted.delete(id);
  }

  async #fail(id: string, project: string, failure: MailFailure): Promise<void> {
    const { kind, message } = failure;
    this.#options.logger.warn(
      { mail: id, project, kind, reason: message },
      'the mail server did not accept an email',
    );
    await this.#options.outbox.fail(id, failure);
  }
}
