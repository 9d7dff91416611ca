import { isMailAddress } from '../../mail/mail-address.ts';
import type { MailKind } from '../../mail/mail-kind.ts';
import { checkLine } from '../../mail/mail-template.ts';
import type { ProjectMail } from '../project-mail.ts';
import type { ProjectSettings } from '../project-settings.ts';
import type { ConfigMember } from './config-member.ts';
import { invalidConfig, mustBeLocale, mustBeOneOf, mustBePageUrl, refuseProblems } from './config-value.ts';
import { decodeSmtp, encodeSmtp } from './smtp-config.ts';
import { decodeOfficialTemplate, decodeTemplates, encodeOfficialTemplate } from './template-config.ts';

/** Where the configuration says how mails are sent. */
const SEND_EMAIL = 'notification.sendEmail';

/** Mails that the official configuration has a template for. Its "change" is told to the address that was. */
const OFFICIAL_TEMPLATES: readonly (readonly [string, MailKind])[] = [
  ['resetPasswordTemplate', 'resetPassword'],
  ['verifyEmailTemplate', 'verifyEmail'],
  ['changeEmailTemplate', 'recoverEmail'],
  ['revertSecondFactorAdditionTemplate', 'secondFactorAdded'],
];

/** What of the configuration is about mails. `hearth` holds what the official one does not have. */
export const MAIL_MEMBERS: readonly ConfigMember[] = [
  {
    path: 'notification.defaultLocale',
    encode: ({ mail }) => mail.defaultLocale,
    apply: (settings, value, path) => withMail(settings, { defaultLocale: mustBeLocale(value, path) }),
  },
  {
    path: `${SEND_EMAIL}.callbackUri`,
    encode: ({ mail }) => mail.actionUrl ?? '',
    apply: (settings, value, path) => withMail(settings, { actionUrl: mustBePageUrl(value, path) }),
  },
  {
    path: `${SEND_EMAIL}.method`,
    encode: ({ mail }) => mail.method,
    apply: (settings, value, path) =>
      withMail(settings, { method: mustBeOneOf(value, path, ['DEFAULT', 'CUSTOM_SMTP']) }),
  },
  {
    path: `${SEND_EMAIL}.smtp`,
    encode: ({ mail }) => encodeSmtp(mail.server),
    untold: ({ mail }) => mail.server?.settings.sealedPassword,
    apply: (settings, value, path, { before, secretBox }) =>
      withMail(settings, { server: decodeSmtp(value, path, before.mail.server, secretBox) }),
  },
  ...OFFICIAL_TEMPLATES.map(([name, kind]) => officialTemplate(`${SEND_EMAIL}.${name}`, kind)),
  ownLine('appName'),
  ownLine('senderName'),
  {
    path: `${SEND_EMAIL}.hearth.replyTo`,
    encode: ({ mail }) => mail.replyTo ?? undefined,
    apply: (settings, value, path) => withMail(settings, { replyTo: readAddress(value, path) }),
  },
  {
    path: `${SEND_EMAIL}.hearth.templates`,
    encode: ({ mail: { templates } }) => (Object.keys(templates).length === 0 ? undefined : templates),
    apply: (settings, value, path) => withMail(settings, { templates: decodeTemplates(value, path) }),
  },
];

/** Refuses what only the members together tell. */
export function mustBeSendable({ mail }: ProjectSettings): void {
  if (mail.method === 'CUSTOM_SMTP' && mail.server === null)
    throw invalidConfig(`${SEND_EMAIL}.smtp`, `given where ${SEND_EMAIL}.method is CUSTOM_SMTP`);
}

function officialTemplate(path: string, kind: MailKind): ConfigMember {
  return {
    path,
    encode: ({ mail }) => encodeOfficialTemplate(mail.officialTemplates[kind]),
    apply: (settings, value) => {
      const template = decodeOfficialTemplate(value, path, kind);
      const { [kind]: _before, ...others } = settings.mail.officialTemplates;
      const officialTemplates = template === undefined ? others : { ...others, [kind]: template };
      return withMail(settings, { officialTemplates });
    },
  };
}

function ownLine(name: 'appName' | 'senderName'): ConfigMember {
  return {
    path: `${SEND_EMAIL}.hearth.${name}`,
    encode: ({ mail }) => mail[name] ?? undefined,
    apply: (settings, value, path) => {
      const line = value === '' ? undefined : value;
      refuseProblems(`${SEND_EMAIL}.hearth`, checkLine(name, line));
      if (line !== undefined && typeof line !== 'string') throw invalidConfig(path, 'a text');
      return withMail(settings, { [name]: line ?? null });
    },
  };
}

function readAddress(value: unknown, path: string): string | null {
  if (value === undefined || value === '') return null;
  if (!isMailAddress(value)) throw invalidConfig(path, 'one e-mail address');
  return value;
}

function withMail(settings: ProjectSettings, change: Partial<ProjectMail>): ProjectSettings {
  return { ...settings, mail: { ...settings.mail, ...change } };
}
