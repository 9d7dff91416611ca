import type { BooksTurn } from '../../books/books.ts';
import { chooseLanguage } from '../../mail/choose-language.ts';
import type { Language } from '../../mail/language.ts';
import type { MailOccasion } from '../../mail/mail-occasion.ts';
import { MailQueueFull } from '../../mail/outbox.ts';
import { renderMail } from '../../mail/render-mail.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mailStyle } from '../mail-style.ts';
import { defaultLanguage } from '../project-mail.ts';

/** A mail about an account. */
export interface AccountMail {
  readonly to: string;
  readonly occasion: MailOccasion;
  /** When its link stops working. */
  readonly validUntilMs?: number;
}

/** `full`: too many mails wait. `limited`: the recipient got too many of the kind. */
export type MailOutcome = 'queued' | 'limited' | 'full';

/** Queues a mail that leaves if the change is made, in the language of whoever made the request. */
export function mailAccount(
  turn: BooksTurn,
  call: IdentityCall,
  services: IdentityServices,
  mail: AccountMail,
): MailOutcome {
  const language = languageOf(call);
  const rendered = renderMail({
    project: call.project.id,
    style: mailStyle(call.project, call.origin),
    language,
    ...mail,
  });
  try {
    return services.outbox.enqueue(turn, rendered).kind;
  } catch (error) {
    if (error instanceof MailQueueFull) return 'full';
    throw error;
  }
}

/** The language that a request asks for, or else the project's. */
export function languageOf({ client, project }: IdentityCall): Language {
  return chooseLanguage(client.locale, defaultLanguage(project.settings.mail));
}
