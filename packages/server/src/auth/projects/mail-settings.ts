import type { MailKind } from '@hearth/core/api/mail-kinds.ts';
import type { MailServer } from '../../mail/smtp-settings.ts';
import type { MailTemplate, MailTemplates } from '../../mail/template.ts';
import { chooseLanguage, type Language } from '../../mail/templates/language.ts';

/** The settings for a project's mails: texts, links and mail server. */
export interface ProjectMail {
  /** The language for recipients who request none. */
  readonly defaultLocale: string;
  /** URL of the project's own page that handles mailed codes; `null` for Hearth's page. */
  readonly actionUrl: string | null;
  /** The app's name in mails; `null` for the project's id. */
  readonly appName: string | null;
  /** The sender's name; `null` for the app's name. */
  readonly senderName: string | null;
  readonly replyTo: string | null;
  /** `DEFAULT`: the mail server that all projects share. `CUSTOM_SMTP`: the project's own. */
  readonly method: 'DEFAULT' | 'CUSTOM_SMTP';
  /** The project's own mail server. It may be set without being in use. */
  readonly server: MailServer | null;
  /** Templates in the default language, as in Firebase's configuration. */
  readonly officialTemplates: Readonly<Partial<Record<MailKind, OfficialTemplate>>>;
  /** Templates by language. They take precedence over `officialTemplates`. */
  readonly templates: MailTemplates;
}

export interface OfficialTemplate extends MailTemplate {
  /** Stored and returned, but without effect: the sender address is that of the mail server. */
  readonly senderLocalPart?: string;
}

export const INITIAL_MAIL: ProjectMail = {
  defaultLocale: 'en',
  actionUrl: null,
  appName: null,
  senderName: null,
  replyTo: null,
  method: 'DEFAULT',
  server: null,
  officialTemplates: {},
  templates: {},
};

/** Returns the project's own mail server, or `undefined` if it has none or does not use it. */
export function findOwnServer({ method, server }: ProjectMail): MailServer | undefined {
  return method === 'CUSTOM_SMTP' ? (server ?? undefined) : undefined;
}

/** Returns the language of mails to recipients who request none. */
export function defaultLanguage({ defaultLocale }: Pick<ProjectMail, 'defaultLocale'>): Language {
  return chooseLanguage(defaultLocale, 'en');
}
