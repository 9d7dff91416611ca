/** What a mail can be about. Those with a link let the recipient do something; the others only tell. */
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
  'emailInUse',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export function isMailKind(value: unknown): value is MailKind {
  return MAIL_KINDS.some((kind) => kind === value);
}

export function mustMailKind(text: string): MailKind {
  if (!isMailKind(text)) throw new Error(`Bug: there is no mail "${text}".`);
  return text;
}
