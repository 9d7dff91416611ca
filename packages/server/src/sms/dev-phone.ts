import { singleLine } from '../mail/mailer.ts';
import { requireNotStopped } from '../outbox/message.ts';
import type { OutgoingTextMessage, SmsSender } from './text-message.ts';

/** Maximum number of stored messages. When it is reached, the next message replaces the oldest one. */
const MAX_MESSAGES = 200;

export interface ReceivedSms extends OutgoingTextMessage {
  readonly receivedAtMs: number;
}

export interface DevPhoneOptions {
  readonly nowMs: () => number;
  /** Prints a line for the developer. */
  readonly print: (line: string) => void;
}

/** Replaces the SMS service in development mode: messages appear only in the terminal and on a page. */
export class DevPhone implements SmsSender {
  readonly #options: DevPhoneOptions;
  /** Messages by id, oldest first. */
  readonly #messages = new Map<string, ReceivedSms>();

  constructor(options: DevPhoneOptions) {
    this.#options = options;
  }

  async send(message: OutgoingTextMessage, signal: AbortSignal): Promise<void> {
    requireNotStopped(signal);
    this.#messages.set(message.id, { ...message, receivedAtMs: this.#options.nowMs() });
    if (this.#messages.size > MAX_MESSAGES)
      for (const oldest of this.#messages.keys().take(1)) this.#messages.delete(oldest);
    this.#options.print(`SMS to ${message.to}: ${singleLine(message.text)}`);
  }

  /** Returns the messages, newest first. */
  list(): readonly ReceivedSms[] {
    return [...this.#messages.values()].reverse();
  }
}
