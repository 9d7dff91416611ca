import type { OutgoingMail } from './mail.ts';
import type { Mailer } from './mailer.ts';
import { singleLine } from './single-line.ts';

/** Mails kept; then the oldest goes. */
const MAX_MAILS = 200;

export interface ReceivedMail extends OutgoingMail {
  readonly receivedAtMs: number;
}

export interface DevMailboxOptions {
  readonly nowMs: () => number;
  /** Shows a line to whoever develops. */
  readonly print: (line: string) => void;
}

/** Takes the place of a mail server in development: mails go nowhere but to the terminal and to a page. */
export class DevMailbox implements Mailer {
  readonly #options: DevMailboxOptions;
  /** By id, the oldest first. */
  readonly #mails = new Map<string, ReceivedMail>();

  constructor(options: DevMailboxOptions) {
    this.#options = options;
  }

  send(mail: OutgoingMail): Promise<void> {
    this.#mails.set(mail.id, { ...mail, receivedAtMs: this.#options.nowMs() });
    if (this.#mails.size > MAX_MAILS)
      for (const oldest of this.#mails.keys().take(1)) this.#mails.delete(oldest);
    this.#options.print(`mail to ${singleLine(mail.to)}: ${singleLine(mail.subject)}`);
    if (mail.link !== undefined) this.#options.print(`  ${singleLine(mail.link)}`);
    return Promise.resolve();
  }

  /** The latest first. */
  list(): readonly ReceivedMail[] {
    return [...this.#mails.values()].reverse();
  }

  find(id: string): ReceivedMail | undefined {
    return this.#mails.get(id);
  }
}
