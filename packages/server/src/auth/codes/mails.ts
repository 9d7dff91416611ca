import type { MailKind } from '@hearth/core/api/mail-kinds.ts';
import { isMailKind, type MailEvent } from '../../mail/event.ts';
import { type MailStyle, renderMail } from '../../mail/render.ts';
import type { MailTemplates } from '../../mail/template.ts';
import { chooseLanguage, type Language } from '../../mail/templates/language.ts';
import { QueueFull } from '../../outbox/outbox.ts';
import type { RecordStoreTransaction } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { defaultLanguage, findOwnServer, type ProjectMail } from '../projects/mail-settings.ts';
import type { Project } from '../projects/project.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { type CodeKind, LIFETIMES_MS } from './code.ts';

/** Returns the style of a project's mails. `origin` is the server's own URL, as clients address it. */
export function mailStyle(project: Project, origin: string): MailStyle {
  const { mail, theme } = project.settings;
  const { hostname } = new URL(origin);
  return {
    appName: mail.appName ?? project.id,
    ...(mail.senderName === null ? {} : { senderName: mail.senderName }),
    // If the project has no mail server, the mailer may replace this address.
    senderAddress: findOwnServer(mail)?.senderAddress ?? `noreply@${hostname}`,
    ...(mail.replyTo === null ? {} : { replyTo: mail.replyTo }),
    ...(theme.lightColor === null ? {} : { buttonColor: theme.lightColor }),
    templates: allTemplates(mail),
  };
}

/** The codes that the links of mails contain. */
const CODE_KINDS: Readonly<Partial<Record<MailKind, CodeKind>>> = {
  resetPassword: 'PASSWORD_RESET',
  verifyEmail: 'VERIFY_EMAIL',
  emailSignIn: 'EMAIL_SIGNIN',
  changeEmail: 'VERIFY_AND_CHANGE_EMAIL',
  recoverEmail: 'RECOVER_EMAIL',
  secondFactorAdded: 'REVERT_SECOND_FACTOR_ADDITION',
};

/** Returns how long the link of a mail works, as a member of its request; none for a mail without a link. */
export function linkLifetime(kind: MailKind): { readonly linkLifetimeMs?: number } {
  const code = CODE_KINDS[kind];
  return code === undefined ? {} : { linkLifetimeMs: LIFETIMES_MS[code] };
}

function allTemplates(mail: ProjectMail): MailTemplates {
  const language = defaultLanguage(mail);
  const official = Object.entries(mail.officialTemplates).map(([kind, template]) => [
    kind,
    { [language]: template, ...(isMailKind(kind) ? mail.templates[kind] : {}) },
  ]);
  return { ...mail.templates, ...Object.fromEntries(official) };
}

/** An email about an account. */
export interface AccountMail {
  readonly to: string;
  readonly event: MailEvent;
  /** When the link in the mail stops working. */
  readonly validUntilMs?: number;
}

/**
 * `full`: too many mails are waiting to be sent. `limited`: the recipient has received too many mails of the
 * kind.
 */
export type MailOutcome = 'queued' | 'limited' | 'full';

/** Queues a mail in the language of the client. The mail is sent only if the transaction commits. */
export function mailAccount(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  mail: AccountMail,
): MailOutcome {
  const language = languageOf(call);
  const rendered = renderMail({
    project: call.project.id,
    style: mailStyle(call.project, call.origin),
    language,
    ...linkLifetime(mail.event.kind),
    ...mail,
  });
  try {
    return services.outbox.enqueue(transaction, rendered).kind;
  } catch (error) {
    if (error instanceof QueueFull) return 'full';
    throw error;
  }
}

/** Returns the language that a request asks for, or else the project's default language. */
export function languageOf({ client, project }: AuthRequest): Language {
  return chooseLanguage(client.locale, defaultLanguage(project.settings.mail));
}

/** A change of how a user signs in, or a sign-in without the second factor. */
type Notice =
  | 'passwordChanged'
  | 'phoneNumberChanged'
  | 'secondFactorRemoved'
  | 'recoveryCodesMade'
  | 'recoveryCodeUsed'
  | 'passkeyAdded'
  | 'passkeyRemoved';

/** Notifies the owner of an account by mail. The mail is sent only if the transaction commits. */
export function mailNotice(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  { email, displayName }: Pick<Account, 'email' | 'displayName'>,
  kind: Notice,
): void {
  if (email === null) return;
  const name = displayName === null ? {} : { displayName };
  mailAccount(transaction, call, services, { to: email, event: { kind, email, ...name } });
}

/**
 * Notifies the owner of an account by mail that the password was changed. The mail is sent only if the
 * transaction commits.
 */
export function mailPasswordChanged(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  account: Account,
): void {
  mailNotice(transaction, call, services, account, 'passwordChanged');
}
