import type { MailKind, MailTemplate } from '../../server/mail.ts';

const LINKED = ['APP_NAME', 'DISPLAY_NAME', 'EMAIL', 'LINK'] as const;
const UNLINKED = ['APP_NAME', 'DISPLAY_NAME', 'EMAIL'] as const;

/** What the words of each mail may name, between percent signs. */
export const VARIABLES: Readonly<Record<MailKind, readonly string[]>> = {
  verifyEmail: LINKED,
  resetPassword: LINKED,
  emailSignIn: LINKED,
  changeEmail: ['APP_NAME', 'DISPLAY_NAME', 'NEW_EMAIL', 'LINK'],
  recoverEmail: ['APP_NAME', 'DISPLAY_NAME', 'EMAIL', 'NEW_EMAIL', 'LINK'],
  secondFactorAdded: LINKED,
  secondFactorRemoved: UNLINKED,
  recoveryCodesMade: UNLINKED,
  passwordChanged: UNLINKED,
  emailInUse: UNLINKED,
};

/** The words of a mail as they are filled in; empty for the usual ones. */
export interface MailWords {
  readonly subject: string;
  readonly senderName: string;
  readonly replyTo: string;
  readonly bodyKind: BodyKind;
  readonly body: string;
}

export const BODY_KINDS = ['usual', 'text', 'html'] as const;
export type BodyKind = (typeof BODY_KINDS)[number];

export function decodeWords(json: unknown): MailWords {
  const { subject = '', senderName = '', replyTo = '', body }: MailTemplate = Object(json);
  const words = { subject, senderName, replyTo };
  if (body === undefined) return { ...words, bodyKind: 'usual', body: '' };
  return { ...words, bodyKind: body.kind, body: body.kind === 'text' ? body.text : body.html };
}

/** As the configuration has them; without any words, nothing. */
export function encodeWords({ bodyKind, body, ...lines }: MailWords): MailTemplate {
  const given = Object.entries(lines).filter(([, line]) => line.trim() !== '');
  const isUsual = bodyKind === 'usual' || body.trim() === '';
  return {
    ...Object.fromEntries(given),
    ...(isUsual
      ? {}
      : { body: bodyKind === 'text' ? { kind: 'text', text: body } : { kind: 'html', html: body } }),
  };
}
