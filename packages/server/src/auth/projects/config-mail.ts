import type { MailKind } from '@hearth/core/api/mail-kinds.ts';
import { isMailAddress } from '../../mail/mailer.ts';
import {
  checkSmtpSettings,
  decodeSmtpSettings,
  type MailServer,
  type SmtpSecurity,
  sealSmtpPassword,
} from '../../mail/smtp-settings.ts';
import {
  checkLine,
  checkMailTemplate,
  InvalidMailTemplates,
  MAX_BODY_LENGTH,
  type MailTemplate,
  type MailTemplates,
  parseMailTemplates,
} from '../../mail/template.ts';
import { Secret, type SecretBox } from '../../platform/secret-box.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import {
  type ConfigMember,
  invalidConfig,
  invalidProblems,
  rejectProblems,
  requireLocale,
  requireOneOf,
  requirePageUrl,
} from './config-fields.ts';
import type { OfficialTemplate, ProjectMail } from './mail-settings.ts';
import type { ProjectSettings } from './project.ts';

/** The values of `securityMode` in the API. Only Hearth has `NONE`. */
const SECURITIES = { SSL: 'ssl', START_TLS: 'starttls', NONE: 'none' } as const satisfies Readonly<
  Record<string, SmtpSecurity>
>;
const MAX_PASSWORD_LENGTH = 1_000;

/** Encodes `notification.sendEmail.smtp`, without the password. Returns `undefined` if no server is set. */
function encodeSmtp(server: MailServer | null): JsonObject | undefined {
  if (server === null) return undefined;
  const { host, port, security, user } = server.settings;
  return {
    senderEmail: server.senderAddress,
    host,
    port,
    ...(user === undefined ? {} : { username: user }),
    securityMode: Object.entries(SECURITIES).find(([, known]) => known === security)?.[0],
  };
}

/**
 * Decodes a mail server; an empty object means none. If no password is given, the password of `before` stays,
 * provided that server and user are the same.
 */
function decodeSmtp(
  value: unknown,
  path: string,
  before: MailServer | null,
  box: SecretBox,
): MailServer | null {
  if (value === undefined) return null;
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object');
  if (Object.keys(value).length === 0) return null;
  const { senderEmail, host, port, username, password, securityMode, ...others } = value;
  const security = Object.entries(SECURITIES).find(([word]) => word === securityMode)?.[1];
  const user = username === '' ? undefined : username;
  const address = { host, port, ...(user === undefined ? {} : { user }) };
  const newPassword = password === '' ? undefined : password;
  const kept = newPassword === undefined ? findStored(address, before) : undefined;
  const hasPassword = newPassword !== undefined || kept !== undefined;
  const settings = {
    ...address,
    security: security ?? 'ssl',
    // The password is sealed after all values have been checked.
    ...(hasPassword || user !== undefined ? { sealedPassword: kept ?? 'given' } : {}),
  };
  rejectProblems(path, [
    ...Object.keys(others).map((name) => `${name} is not a setting of this server.`),
    ...(isMailAddress(senderEmail) ? [] : ['"senderEmail" must be one email address.']),
    ...(security === undefined
      ? [`"securityMode" must be one of ${Object.keys(SECURITIES).join(', ')}.`]
      : []),
    ...(isPassword(newPassword) ? [] : [`"password" must have 1 to ${MAX_PASSWORD_LENGTH} characters.`]),
    ...(user !== undefined && !hasPassword
      ? ['"password" is required for a new host, port or username.']
      : []),
    ...checkSmtpSettings(settings),
  ]);
  const decoded = decodeSmtpSettings(settings);
  const sealed =
    typeof newPassword === 'string'
      ? { sealedPassword: sealSmtpPassword(box, decoded, new Secret(newPassword)) }
      : {};
  return { settings: { ...decoded, ...sealed }, senderAddress: String(senderEmail) };
}

/** Returns the previous sealed password, if it is for the same user of the same server. */
function findStored(
  { host, port, user }: { readonly host: unknown; readonly port: unknown; readonly user?: unknown },
  before: MailServer | null,
): string | undefined {
  if (before === null || user === undefined) return undefined;
  const { settings } = before;
  const isSame = settings.host === host && settings.port === port && settings.user === user;
  return isSame ? settings.sealedPassword : undefined;
}

function isPassword(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.length <= MAX_PASSWORD_LENGTH);
}

const FORMATS: readonly unknown[] = [undefined, 'BODY_FORMAT_UNSPECIFIED', 'PLAIN_TEXT', 'HTML'];
const MAX_LOCAL_PART_LENGTH = 64;

/** Longest JSON text of the templates of all languages together. */
const MAX_TEMPLATES_LENGTH = 262_144;

/** Encodes a template of the official configuration. Returns `undefined` if Hearth's default text is used. */
function encodeOfficialTemplate(template: OfficialTemplate | undefined): JsonObject | undefined {
  if (template === undefined) return undefined;
  const { senderLocalPart, subject, senderName, replyTo, body } = template;
  return {
    ...(senderLocalPart === undefined ? {} : { senderLocalPart }),
    ...(subject === undefined ? {} : { subject }),
    ...(senderName === undefined ? {} : { senderDisplayName: senderName }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...encodeBody(body),
    customized: true,
  };
}

/** Decodes a template of the official configuration. Returns `undefined` for a template without content. */
function decodeOfficialTemplate(value: unknown, path: string, kind: MailKind): OfficialTemplate | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object');
  const given = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== ''));
  const { senderLocalPart, subject, senderDisplayName, replyTo, body, bodyFormat, customized, ...others } =
    given;
  const content = body === undefined ? undefined : bodyOf(body, bodyFormat);
  const template = {
    ...(subject === undefined ? {} : { subject }),
    ...(senderDisplayName === undefined ? {} : { senderName: senderDisplayName }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(content === undefined ? {} : { body: content }),
  };
  rejectProblems(path, [
    ...Object.keys(others).map((name) => `${name} is not a setting of this server.`),
    ...(isLocalPart(senderLocalPart) ? [] : ['senderLocalPart must be the part of an address before the @.']),
    ...(FORMATS.includes(bodyFormat) ? [] : ['bodyFormat must be PLAIN_TEXT or HTML.']),
    ...(body === undefined || content !== undefined
      ? []
      : [`body must have 1 to ${MAX_BODY_LENGTH} characters.`]),
    ...checkMailTemplate(kind, template).map((problem) =>
      problem.replace(/^senderName\b/, 'senderDisplayName'),
    ),
  ]);
  const decoded = { ...(senderLocalPart === undefined ? {} : { senderLocalPart }), ...template };
  return Object.keys(decoded).length === 0 ? undefined : (decoded as OfficialTemplate);
}

/** Parses templates by kind, then by language. Only Hearth's configuration has this member. */
function decodeTemplates(value: unknown, path: string): MailTemplates {
  if (JSON.stringify(value ?? {}).length > MAX_TEMPLATES_LENGTH)
    throw invalidConfig(path, `at most ${MAX_TEMPLATES_LENGTH} characters of JSON`);
  try {
    return parseMailTemplates(value);
  } catch (error) {
    if (!(error instanceof InvalidMailTemplates)) throw error;
    throw invalidProblems(path, error.problems);
  }
}

function encodeBody(body: MailTemplate['body']): JsonObject {
  switch (body?.kind) {
    case 'text':
      return { body: body.text, bodyFormat: 'PLAIN_TEXT' };
    case 'html':
      return { body: body.html, bodyFormat: 'HTML' };
    case undefined:
      return {};
    default:
      return body satisfies never;
  }
}

function bodyOf(body: unknown, format: unknown): MailTemplate['body'] {
  if (typeof body !== 'string' || body.trim() === '' || body.length > MAX_BODY_LENGTH) return undefined;
  return format === 'HTML' ? { kind: 'html', html: body } : { kind: 'text', text: body };
}

function isLocalPart(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === 'string' && value.length <= MAX_LOCAL_PART_LENGTH && /^[\w.+-]+$/.test(value);
}

/** The member of the configuration for sending mails. */
const SEND_EMAIL = 'notification.sendEmail';

/**
 * Mails for which the official configuration has a template. Its "change" template is the mail to the previous
 * address.
 */
const OFFICIAL_TEMPLATES: readonly (readonly [string, MailKind])[] = [
  ['resetPasswordTemplate', 'resetPassword'],
  ['verifyEmailTemplate', 'verifyEmail'],
  ['changeEmailTemplate', 'recoverEmail'],
  ['revertSecondFactorAdditionTemplate', 'secondFactorAdded'],
];

/**
 * The members of the configuration for mails. `hearth` holds members that the official configuration does not
 * have.
 */
export const MAIL_MEMBERS: readonly ConfigMember[] = [
  {
    path: 'notification.defaultLocale',
    encode: ({ mail }) => mail.defaultLocale,
    apply: (settings, value, path) => withMail(settings, { defaultLocale: requireLocale(value, path) }),
  },
  {
    path: `${SEND_EMAIL}.callbackUri`,
    encode: ({ mail }) => mail.actionUrl ?? '',
    apply: (settings, value, path) => withMail(settings, { actionUrl: requirePageUrl(value, path) }),
  },
  {
    path: `${SEND_EMAIL}.method`,
    encode: ({ mail }) => mail.method,
    apply: (settings, value, path) =>
      withMail(settings, { method: requireOneOf(value, path, ['DEFAULT', 'CUSTOM_SMTP']) }),
  },
  {
    path: `${SEND_EMAIL}.smtp`,
    encode: ({ mail }) => encodeSmtp(mail.server),
    unencoded: ({ mail }) => mail.server?.settings.sealedPassword,
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

/** Throws `INVALID_CONFIG` if the project should send mails with its own mail server, but has none. */
export function requireSendable({ mail }: ProjectSettings): void {
  if (mail.method === 'CUSTOM_SMTP' && mail.server === null)
    throw invalidConfig(`${SEND_EMAIL}.smtp`, `set when ${SEND_EMAIL}.method is CUSTOM_SMTP`);
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
      rejectProblems(`${SEND_EMAIL}.hearth`, checkLine(name, line));
      if (line !== undefined && typeof line !== 'string') throw invalidConfig(path, 'a text');
      return withMail(settings, { [name]: line ?? null });
    },
  };
}

function readAddress(value: unknown, path: string): string | null {
  if (value === undefined || value === '') return null;
  if (!isMailAddress(value)) throw invalidConfig(path, 'one email address');
  return value;
}

function withMail(settings: ProjectSettings, change: Partial<ProjectMail>): ProjectSettings {
  return { ...settings, mail: { ...settings.mail, ...change } };
}
