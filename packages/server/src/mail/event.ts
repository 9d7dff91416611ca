import { MAIL_KINDS, type MailKind, VARIABLES_OF } from '@hearth/core/api/mail-kinds.ts';

/** Mails to the users of an app, and notices to the owners of a project, which have no templates. */
export type SentMailKind = MailKind | 'ownerNotice';

export function isMailKind(value: unknown): value is MailKind {
  return MAIL_KINDS.some((kind) => kind === value);
}

interface Addressee {
  /** The display name of the account, which an attacker may have chosen. */
  readonly displayName?: string;
}

/** The event that a mail is about, with the data of each kind. */
export type MailEvent = Addressee &
  (
    | {
        readonly kind: 'verifyEmail' | 'resetPassword' | 'emailSignIn' | 'secondFactorAdded';
        readonly email: string;
        readonly link: string;
      }
    /** Sent to the new address, which the recipient confirms. Does not reveal the current address. */
    | { readonly kind: 'changeEmail'; readonly newEmail: string; readonly link: string }
    /** Sent to the previous address of the account. */
    | {
        readonly kind: 'recoverEmail';
        readonly email: string;
        readonly newEmail: string;
        readonly link: string;
      }
    | {
        readonly kind:
          | 'secondFactorRemoved'
          | 'recoveryCodesMade'
          | 'recoveryCodeUsed'
          | 'passwordChanged'
          | 'phoneNumberChanged'
          | 'passkeyAdded'
          | 'passkeyRemoved'
          | 'emailInUse';
        readonly email: string;
      }
  );

export function hasLink(kind: MailKind): boolean {
  return VARIABLES_OF[kind].includes('LINK');
}
