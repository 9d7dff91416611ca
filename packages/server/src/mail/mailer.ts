import type { OutgoingMail } from './mail.ts';

/** Hands mails to whatever delivers them. */
export interface Mailer {
  /** Resolves once the mail is accepted; rejects with a `MailFailure`. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
}
