import { MailFailure } from './mail-failure.ts';
import type { Mailer } from './mailer.ts';

/** Stands for a mail server that nobody has set up: mails wait for it. */
export const MISSING_MAILER: Mailer = {
  send: () => Promise.reject(new MailFailure('unavailable', 'No mail server is set up.')),
};
