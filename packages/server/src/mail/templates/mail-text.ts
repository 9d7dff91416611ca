import type { MailKind } from '../mail-kind.ts';

/** The words of a mail, with variables. */
export interface MailText {
  readonly subject: string;
  /** Paragraphs; the button stands behind them. */
  readonly before: readonly string[];
  /** Label of the link, in mails that have one. */
  readonly button?: string;
  /** Paragraphs behind the button. */
  readonly after: readonly string[];
}

/** Every mail in one language. */
export interface LanguageTexts {
  readonly greeting: string;
  /** For somebody whose name is not known. */
  readonly namelessGreeting: string;
  /** Stands before the address that the button leads to. */
  readonly linkHint: string;
  readonly closing: string;
  readonly mails: Readonly<Record<MailKind, MailText>>;
}
