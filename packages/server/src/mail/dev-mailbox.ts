import { requireNotStopped } from '../outbox/message.ts';
import { type Mailer, type OutgoingMail, singleLine } from './mailer.ts';

/** Maximum number of stored mails. When it is reached, the next mail replaces the oldest one. */
const MAX_MAILS = 200;

export interface ReceivedMail extends OutgoingMail {
  readonly receivedAtMs: number;
}

export interface DevMailboxOptions {
  readonly nowMs: () => number;
  /** Prints a line for the developer. */
  readonly print: (line: string) => void;
}

/** Replaces the mail server in development mode: mails appear only in the terminal and on a page. */
export class DevMailbox implements Mailer {
  readonly #options: DevMailboxOptions;
  /** Mails by id, oldest first. */
  readonly #mails = new Map<string, ReceivedMail>();

  constructor(options: DevMailboxOptions) {
    this.#options = options;
  }

  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    requireNotStopped(signal);
    this.#mails.set(mail.id, { ...mail, receivedAtMs: this.#options.nowMs() });
    if (this.#mails.size > MAX_MAILS)
      for (const oldest of this.#mails.keys().take(1)) this.#mails.delete(oldest);
    this.#options.print(`mail to ${singleLine(mail.to)}: ${singleLine(mail.subject)}`);
    if (mail.link !== undefined) this.#options.print(`  ${singleLine(mail.link)}`);
  }

  /** Returns the mails, newest first. */
  list(): readonly ReceivedMail[] {
    return [...this.#mails.values()].reverse();
  }

  find(id: string): ReceivedMail | undefined {
    return this.#mails.get(id);
  }
}
