import type { MailKind } from './event.ts';

/** A mail to send. */
export interface Mail {
  /** The project whose account the mail is about. */
  readonly project: string;
  readonly kind: MailKind;
  readonly from: MailSender;
  readonly replyTo?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same content as HTML; a whole document. */
  readonly html: string;
  /** The link in the mail. Anyone with the link can use it, so it is never logged. */
  readonly link?: string;
  /** When the link expires. The mail is not sent after this time. */
  readonly validUntilMs?: number;
}

export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** A mail that is being sent. */
export interface OutgoingMail extends Mail {
  /** The same for every attempt. */
  readonly id: string;
}

/** Passes mails to a mail server. Several mails may be sent at the same time. */
export interface Mailer {
  /**
   * Resolves when the mail server has accepted the whole mail for its only recipient, `mail.to`. Otherwise rejects
   * with a `MailFailure`; the mail server may nevertheless have accepted the mail. If `signal` is aborted before
   * sending begins, the mail server does not receive the mail and the failure is `unavailable`. A mailer can be used
   * again after a failure.
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
}

/**
 * `unavailable`: currently, no mail can be sent. `temporary`: currently, this mail cannot be sent. `permanent`: this
 * mail can never be sent.
 */
export type MailFailureKind = 'unavailable' | 'temporary' | 'permanent';

/**
 * Thrown if a mail server did not accept a mail. The message is for operators, and contains neither links nor
 * codes.
 */
export class MailFailure extends Error {
  readonly kind: MailFailureKind;

  constructor(kind: MailFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailFailure';
    this.kind = kind;
  }
}

/** Throws a `MailFailure` if sending has been stopped. */
export function requireNotStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new MailFailure('unavailable', 'Sending stopped before the mail was accepted.');
}

/** The mailer if no mail server is configured. Mails wait until the operator or an owner configures one. */
export const MISSING_MAILER: Mailer = {
  send: () => Promise.reject(new MailFailure('unavailable', 'No mail server is set up.')),
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
