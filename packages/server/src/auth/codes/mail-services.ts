import type { Mail } from '../../mail/mailer.ts';
import { MAIL_QUEUE, UNLIMITED_MAIL_QUEUE } from '../../mail/queue.ts';
import { Outbox } from '../../outbox/outbox.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { RecordStore } from '../../records/store.ts';
import { RecentCodes } from './code-store.ts';

/** The services for mails and their codes. */
export interface MailServices {
  readonly outbox: Outbox<Mail>;
  /** Codes of mails in clear text; `null` except in development mode. */
  readonly recentCodes: RecentCodes | null;
}

export function openMailServices(options: {
  readonly recordStore: RecordStore;
  readonly box: SecretBox;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly isDevelopment: boolean;
}): MailServices {
  const { isDevelopment, ...shared } = options;
  return {
    // No limits in development mode, where the mailbox of the developer gets all mails.
    outbox: new Outbox({ ...shared, policy: isDevelopment ? UNLIMITED_MAIL_QUEUE : MAIL_QUEUE }),
    recentCodes: isDevelopment ? new RecentCodes() : null,
  };
}
