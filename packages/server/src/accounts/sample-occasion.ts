import type { MailKind } from '../mail/mail-kind.ts';
import type { MailOccasion } from '../mail/mail-occasion.ts';

const DISPLAY_NAME = 'Ada Lovelace';
/** Ends like the addresses that are nobody's. */
const OTHER_EMAIL = 'ada@example.com';

/** Something that a mail of a kind could be about, to see how it looks. `link` is in mails that have one. */
export function sampleOccasion(kind: MailKind, email: string, link: string): MailOccasion {
  switch (kind) {
    case 'changeEmail':
      return { kind, newEmail: email, link, displayName: DISPLAY_NAME };
    case 'recoverEmail':
      return { kind, email, newEmail: OTHER_EMAIL, link, displayName: DISPLAY_NAME };
    case 'secondFactorRemoved':
    case 'recoveryCodesMade':
    case 'passwordChanged':
    case 'emailInUse':
      return { kind, email, displayName: DISPLAY_NAME };
    default:
      return { kind, email, link, displayName: DISPLAY_NAME };
  }
}
