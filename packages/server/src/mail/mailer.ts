import {
  DeliveryFailure,
  type MessageSender,
  type OutgoingMessage,
  type QueuedMessage,
} from '../outbox/message.ts';
import type { SentMailKind } from './event.ts';

/** A mail to send. */
export interface Mail extends QueuedMessage {
  readonly kind: SentMailKind;
  readonly from: MailSender;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  /** The same content as HTML; a whole document. */
  readonly html: string;
  /** The link in the mail. Anyone with the link can use it, so it is never logged. */
  readonly link?: string;
}

export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** A mail that is being sent. */
export type OutgoingMail = OutgoingMessage<Mail>;

/** Passes mails to a mail server, each for its only recipient, `mail.to`. */
export type Mailer = MessageSender<Mail>;

/** The mailer if no mail server is configured. Mails wait until the operator or an owner configures one. */
export const MISSING_MAILER: Mailer = {
  send: () => Promise.reject(new DeliveryFailure('unavailable', 'No mail server is set up.')),
};

/** Returns whether a value is one address without a display name. The mail server makes stricter checks. */
export function isMailAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 254 && /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(value);
}

/**
 * Returns a text as one line: replaces white space and control characters by single spaces, and removes invisible
 * characters, such as those that change the writing direction.
 */
export function singleLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .trim();
}
