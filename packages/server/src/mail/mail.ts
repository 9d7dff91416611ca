import type { MailKind } from './mail-kind.ts';

/** A mail as it is to be sent. */
export interface Mail {
  /** The project whose account it is about. */
  readonly project: string;
  readonly kind: MailKind;
  readonly from: MailSender;
  readonly replyTo?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for programs that show HTML; a whole document. */
  readonly html: string;
  /** Where it leads. Whoever has it can do what it is for, so that it is never logged. */
  readonly link?: string;
  /** When its link stops working: later it is not sent any more. */
  readonly validUntilMs?: number;
}

export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** A mail on its way. */
export interface OutgoingMail extends Mail {
  /** The same however often it is tried. */
  readonly id: string;
}
