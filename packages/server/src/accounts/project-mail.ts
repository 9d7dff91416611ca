import { chooseLanguage } from '../mail/choose-language.ts';
import type { Language } from '../mail/language.ts';
import type { MailKind } from '../mail/mail-kind.ts';
import type { MailServer } from '../mail/mail-server.ts';
import type { MailTemplate, MailTemplates } from '../mail/mail-template.ts';

/** What mails of a project say, where they lead, and what sends them. */
export interface ProjectMail {
  /** Language of who asks for none. */
  readonly defaultLocale: string;
  /** Address of a page of the project's own for codes in mails; `null` for Hearth's. */
  readonly actionUrl: string | null;
  /** What mails call the app; `null` for the project's id. */
  readonly appName: string | null;
  /** Name of the sender; `null` for that of the app. */
  readonly senderName: string | null;
  readonly replyTo: string | null;
  /** By the mail server that all projects share, or by the project's own? */
  readonly method: 'DEFAULT' | 'CUSTOM_SMTP';
  /** The project's own mail server, which may be there without being used. */
  readonly server: MailServer | null;
  /** In the default language, as the official configuration has them. */
  readonly officialTemplates: Readonly<Partial<Record<MailKind, OfficialTemplate>>>;
  /** By language; these count before the official ones. */
  readonly templates: MailTemplates;
}

export interface OfficialTemplate extends MailTemplate {
  /** Kept and told, without an effect: mails come from the address of their mail server. */
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

/** The mail server that a project has for itself alone; nothing if it has none, or does not use it. */
export function findOwnServer({ method, server }: ProjectMail): MailServer | undefined {
  return method === 'CUSTOM_SMTP' ? (server ?? undefined) : undefined;
}

/** The language of mails to those who ask for none. */
export function defaultLanguage({ defaultLocale }: Pick<ProjectMail, 'defaultLocale'>): Language {
  return chooseLanguage(defaultLocale, 'en');
}
