import type { MailKind } from './mail-kind.ts';

interface Addressee {
  /** As the account has it; anything that somebody chose for it. */
  readonly displayName?: string;
}

/** Why a mail is written, with what is different in each of its kind. */
export type MailOccasion = Addressee &
  (
    | {
        readonly kind: 'verifyEmail' | 'resetPassword' | 'emailSignIn' | 'secondFactorAdded';
        readonly email: string;
        readonly link: string;
      }
    /** Goes to the address that is to be confirmed, which is told nothing of the present one. */
    | { readonly kind: 'changeEmail'; readonly newEmail: string; readonly link: string }
    /** Goes to the address that the account had. */
    | {
        readonly kind: 'recoverEmail';
        readonly email: string;
        readonly newEmail: string;
        readonly link: string;
      }
    | {
        readonly kind: 'secondFactorRemoved' | 'recoveryCodesMade' | 'passwordChanged' | 'emailInUse';
        readonly email: string;
      }
  );

export const MAIL_VARIABLES = ['APP_NAME', 'DISPLAY_NAME', 'EMAIL', 'NEW_EMAIL', 'LINK'] as const;
/** Stands in templates between percent signs, as in `%APP_NAME%`. */
export type MailVariable = (typeof MAIL_VARIABLES)[number];

const LINKED = ['APP_NAME', 'DISPLAY_NAME', 'EMAIL', 'LINK'] as const;
const UNLINKED = ['APP_NAME', 'DISPLAY_NAME', 'EMAIL'] as const;

/** What the templates of each kind may name. */
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
  emailInUse: UNLINKED,
};

export function hasLink(kind: MailKind): boolean {
  return VARIABLES_OF[kind].includes('LINK');
}
