/** The kinds of emails to users, in the order of the console. Emails with a link let the user act; the others only inform. */
export const MAIL_KINDS = [
  'verifyEmail',
  'resetPassword',
  'emailSignIn',
  'changeEmail',
  'recoverEmail',
  'secondFactorAdded',
  'secondFactorRemoved',
  'recoveryCodesMade',
  'recoveryCodeUsed',
  'passwordChanged',
  'phoneNumberChanged',
  'passkeyAdded',
  'passkeyRemoved',
  'emailInUse',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export const MAIL_VARIABLES = [
  'APP_NAME',
  'DISPLAY_NAME',
  'EMAIL',
  'NEW_EMAIL',
  'LINK',
  'VALID_FOR',
] as const;
/** Written in templates between percent signs, as in `%APP_NAME%`. */
export type MailVariable = (typeof MAIL_VARIABLES)[number];

const LINKED = ['APP_NAME', 'DISPLAY_NAME', 'EMAIL', 'LINK', 'VALID_FOR'] as const;
const UNLINKED = ['APP_NAME', 'DISPLAY_NAME', 'EMAIL'] as const;

/** The variables that templates of each kind may use. */
export const VARIABLES_OF: Readonly<Record<MailKind, readonly MailVariable[]>> = {
  verifyEmail: LINKED,
  resetPassword: LINKED,
  emailSignIn: LINKED,
  changeEmail: ['APP_NAME', 'DISPLAY_NAME', 'NEW_EMAIL', 'LINK', 'VALID_FOR'],
  recoverEmail: ['APP_NAME', 'DISPLAY_NAME', 'EMAIL', 'NEW_EMAIL', 'LINK', 'VALID_FOR'],
  secondFactorAdded: LINKED,
  secondFactorRemoved: UNLINKED,
  recoveryCodesMade: UNLINKED,
  recoveryCodeUsed: UNLINKED,
  passwordChanged: UNLINKED,
  phoneNumberChanged: UNLINKED,
  passkeyAdded: UNLINKED,
  passkeyRemoved: UNLINKED,
  emailInUse: UNLINKED,
};
