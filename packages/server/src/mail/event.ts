/** The kinds of mails. Mails with a link let the recipient act; the others only inform. */
export const MAIL_KINDS = [
  'verifyEmail',
  'resetPassword',
  'changeEmail',
  'emailSignIn',
  'recoverEmail',
  'secondFactorAdded',
  'secondFactorRemoved',
  'recoveryCodesMade',
  'passwordChanged',
  'phoneNumberChanged',
  'passkeyAdded',
  'passkeyRemoved',
  'emailInUse',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

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
          | 'passwordChanged'
          | 'phoneNumberChanged'
          | 'passkeyAdded'
          | 'passkeyRemoved'
          | 'emailInUse';
        readonly email: string;
      }
  );

export const MAIL_VARIABLES = ['APP_NAME', 'DISPLAY_NAME', 'EMAIL', 'NEW_EMAIL', 'LINK'] as const;
/** Written in templates between percent signs, as in `%APP_NAME%`. */
export type MailVariable = (typeof MAIL_VARIABLES)[number];

const LINKED = ['APP_NAME', 'DISPLAY_NAME', 'EMAIL', 'LINK'] as const;
const UNLINKED = ['APP_NAME', 'DISPLAY_NAME', 'EMAIL'] as const;

/** The variables that templates of each kind may use. */
export const VARIABLES_OF: Readonly<Record<MailKind, readonly MailVariable[]>> = {
  verifyEmail: LINKED,
  resetPassword: LINKED,
  changeEmail: ['APP_NAME', 'DISPLAY_NAME', 'NEW_EMAIL', 'LINK'],
  emailSignIn: LINKED,
  recoverEmail: ['APP_NAME', 'DISPLAY_NAME', 'EMAIL', 'NEW_EMAIL', 'LINK'],
  secondFactorAdded: LINKED,
  secondFactorRemoved: UNLINKED,
  recoveryCodesMade: UNLINKED,
  passwordChanged: UNLINKED,
  phoneNumberChanged: UNLINKED,
  passkeyAdded: UNLINKED,
  passkeyRemoved: UNLINKED,
  emailInUse: UNLINKED,
};

export function hasLink(kind: MailKind): boolean {
  return VARIABLES_OF[kind].includes('LINK');
}
