import { isMailKind } from '../mail/mail-kind.ts';
import type { MailTemplates } from '../mail/mail-template.ts';
import type { MailStyle } from '../mail/render-mail.ts';
import type { Project } from './project.ts';
import { defaultLanguage, findOwnServer, type ProjectMail } from './project-mail.ts';

/** How the mails of a project look. `origin` is this server as its clients name it. */
export function mailStyle(project: Project, origin: string): MailStyle {
  const { mail } = project.settings;
  const { hostname } = new URL(origin);
  return {
    appName: mail.appName ?? project.id,
    ...(mail.senderName === null ? {} : { senderName: mail.senderName }),
    // Without a mail server of the project's own, the one that sends it knows better.
    senderAddress: findOwnServer(mail)?.senderAddress ?? `noreply@${hostname}`,
    ...(mail.replyTo === null ? {} : { replyTo: mail.replyTo }),
    templates: allTemplates(mail),
  };
}

function allTemplates(mail: ProjectMail): MailTemplates {
  const language = defaultLanguage(mail);
  const official = Object.entries(mail.officialTemplates).map(([kind, template]) => [
    kind,
    { [language]: template, ...(isMailKind(kind) ? mail.templates[kind] : {}) },
  ]);
  return { ...mail.templates, ...Object.fromEntries(official) };
}
