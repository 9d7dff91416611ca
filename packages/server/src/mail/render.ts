import { MAIL_VARIABLES, type MailVariable } from '@hearth/core/api/mail-kinds.ts';
import type { MailEvent } from './event.ts';
import { type Mail, type MailSender, singleLine } from './mailer.ts';
import type { MailBody, MailTemplate, MailTemplates } from './template.ts';
import { ARABIC } from './templates/ar.ts';
import { GERMAN } from './templates/de.ts';
import { ENGLISH } from './templates/en.ts';
import { SPANISH } from './templates/es.ts';
import { FRENCH } from './templates/fr.ts';
import { JAPANESE } from './templates/ja.ts';
import { directionOf, type Language, type LanguageTexts, type MailText } from './templates/language.ts';
import { PORTUGUESE } from './templates/pt.ts';
import { CHINESE } from './templates/zh.ts';

/** Maximum length of a name, in characters. */
const MAX_LENGTH = 50;

/** Maximum length of the scanned text, in UTF-16 code units. */
const MAX_SCANNED = 1_000;

const JOINERS = /[\u200c\u200d]/g;

/**
 * Matches text that mail programs turn into links: `a.bc` with any of the full stops that browsers accept, and text
 * that contains `://` or `@` or begins with `www.`.
 */
const LINK_LIKE = /:\/\/|@|^www\.|[\p{L}\p{N}][.\u3002\uff0e\uff61][\p{L}\p{N}]{2}/u;

/**
 * Returns a display name for the greeting of a mail: one short line, without text that a mail program would
 * turn into a link, because the recipient may not be the person who chose the name. Returns `undefined` if no
 * text remains.
 */
export function safeDisplayName(displayName: string | undefined): string | undefined {
  const words = singleLine((displayName ?? '').slice(0, MAX_SCANNED))
    .split(' ')
    .filter((word) => !LINK_LIKE.test(word.replace(JOINERS, '')));
  const characters = [...words.join(' ')];
  if (characters.length === 0) return undefined;
  return characters.length <= MAX_LENGTH
    ? characters.join('')
    : `${characters
        .slice(0, MAX_LENGTH - 1)
        .join('')
        .trimEnd()}…`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for an HTML document, between tags and between quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export type MailValues = Readonly<Partial<Record<MailVariable, string>>>;

const VARIABLE = new RegExp(`%(${MAIL_VARIABLES.join('|')})%`, 'g');

/**
 * Replaces the variables that have values. Inserts each value unchanged, even if the value looks like a variable.
 */
function fillTemplate(template: string, values: MailValues): string {
  return template.replace(VARIABLE, (name) => values[name.slice(1, -1) as MailVariable] ?? name);
}

export interface MailDocument {
  readonly language: Language;
  readonly title: string;
  /** Paragraphs and buttons, as HTML. */
  readonly blocks: readonly string[];
}

/** No colors except the button's: mail programs choose colors for light and dark mode. */
const BODY_STYLE =
  "margin:0;padding:24px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif";
const BUTTON_STYLE =
  'display:inline-block;padding:12px 24px;border-radius:6px;color:#ffffff;font-weight:600;text-decoration:none';
/** The main color of the hosted pages. */
const BUTTON_COLOR = '#a83c0c';

/** Returns the HTML part of a mail. */
function mailDocument({ language, title, blocks }: MailDocument): string {
  const direction = directionOf(language);
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="${BODY_STYLE}">
<div dir="${direction}" style="max-width:560px;margin:0 auto;text-align:start">
${blocks.join('\n')}
</div>
</body>
</html>
`;
}

/** Returns a paragraph of HTML that keeps line breaks. */
function paragraph(html: string): string {
  return `<p style="margin:0 0 16px">${lines(html)}</p>`;
}

/** Returns the HTML of a button that opens `%LINK%`. */
function button(label: string, color: string): string {
  return `<p style="margin:24px 0"><a href="%LINK%" style="${BUTTON_STYLE};background-color:${color}">${escapeHtml(label)}</a></p>`;
}

function smallParagraph(html: string): string {
  return `<p style="margin:0 0 16px;font-size:13px;opacity:0.8">${lines(html)}</p>`;
}

/** Returns a link whose text is its URL, left-to-right in every language. */
function bareLink(link: string): string {
  return `<a href="${escapeHtml(link)}" dir="ltr" style="word-break:break-all">${escapeHtml(link)}</a>`;
}

function lines(html: string): string {
  return html.replaceAll('\n', '<br>');
}

/** The default texts. A project can replace them with its own. */
export const TEMPLATES: Readonly<Record<Language, LanguageTexts>> = {
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  de: GERMAN,
  pt: PORTUGUESE,
  zh: CHINESE,
  ja: JAPANESE,
  ar: ARABIC,
};

/** The style of a project's mails. */
export interface MailStyle {
  readonly appName: string;
  /** If absent, the name of the app is the sender name. */
  readonly senderName?: string;
  readonly senderAddress: string;
  readonly replyTo?: string;
  /** The background of the button, such as `#a83c0c`, on which white text is readable. */
  readonly buttonColor?: string;
  readonly templates: MailTemplates;
}

export interface MailRequest {
  readonly project: string;
  readonly style: MailStyle;
  readonly language: Language;
  readonly to: string;
  readonly event: MailEvent;
  readonly validUntilMs?: number;
  /** How long the link in the mail works, which the mail says. */
  readonly linkLifetimeMs?: number;
}

/**
 * Renders a mail, with names sanitized and values escaped. A project's own template takes precedence over the
 * default one.
 */
export function renderMail(request: MailRequest): Mail {
  const { project, style, language, to, event, validUntilMs } = request;
  const template = style.templates[event.kind]?.[language] ?? {};
  const values = valuesOf(request);
  const words = TEMPLATES[language];
  const mail = words.mails[event.kind];
  const subject = fillTemplate(template.subject ?? mail.subject, values);
  const replyTo = template.replyTo ?? style.replyTo;
  return {
    project,
    kind: event.kind,
    from: senderOf(template, style, values),
    ...(replyTo === undefined ? {} : { replyTo }),
    to,
    subject,
    ...renderBody({
      body: template.body,
      language,
      title: subject,
      words,
      mail,
      values,
      buttonColor: style.buttonColor ?? BUTTON_COLOR,
    }),
    ...('link' in event ? { link: event.link } : {}),
    ...(validUntilMs === undefined ? {} : { validUntilMs }),
  };
}

/** A notice to an owner of a project: plain paragraphs in the owner's language. */
export interface NoticeRequest extends Pick<MailRequest, 'project' | 'style' | 'language' | 'to'> {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

/** Renders a notice to an owner of a project. Values in it are escaped, and projects have no own templates for it. */
export function renderNotice({ project, style, language, to, subject, paragraphs }: NoticeRequest): Mail {
  const title = singleLine(subject);
  return {
    project,
    kind: 'ownerNotice',
    from: { name: singleLine(style.senderName ?? style.appName), address: style.senderAddress },
    to,
    subject: title,
    text: `${paragraphs.join('\n\n')}\n`,
    html: mailDocument({
      language,
      title,
      blocks: paragraphs.map((text) => paragraph(escapeHtml(text))),
    }),
  };
}

function senderOf(template: MailTemplate, style: MailStyle, values: MailValues): MailSender {
  const name = template.senderName ?? style.senderName ?? style.appName;
  return { name: singleLine(fillTemplate(name, values)), address: style.senderAddress };
}

/** Returns the values of the variables as plain text. A missing name is empty. */
function valuesOf({ event, style, language, linkLifetimeMs }: MailRequest): MailValues {
  return {
    APP_NAME: singleLine(style.appName),
    DISPLAY_NAME: safeDisplayName(event.displayName) ?? '',
    ...('email' in event ? { EMAIL: event.email } : {}),
    ...('newEmail' in event ? { NEW_EMAIL: event.newEmail } : {}),
    ...('link' in event ? { LINK: event.link } : {}),
    ...(linkLifetimeMs === undefined ? {} : { VALID_FOR: formatLifetime(linkLifetimeMs, language) }),
  };
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** Returns a time of whole hours in words, such as "3 days". */
function formatLifetime(lifetimeMs: number, language: Language): string {
  const hours = Math.floor(lifetimeMs / HOUR_MS);
  const [unit, count] = hours < DAY_HOURS ? ['hour', hours] : ['day', Math.floor(hours / DAY_HOURS)];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

interface BodyRequest {
  readonly body: MailBody | undefined;
  readonly language: Language;
  readonly title: string;
  readonly words: LanguageTexts;
  readonly mail: MailText;
  readonly values: MailValues;
  readonly buttonColor: string;
}

type Body = Pick<Mail, 'text' | 'html'>;

function renderBody(request: BodyRequest): Body {
  const { body, language, title, values } = request;
  switch (body?.kind) {
    case 'text': {
      const paragraphs = body.text.trim().split(/\n\s*\n/);
      const blocks = paragraphs.map((text) => paragraph(fillHtml(text, values)));
      return {
        text: `${fillTemplate(paragraphs.join('\n\n'), values)}\n`,
        html: mailDocument({ language, title, blocks }),
      };
    }
    case 'html':
      return { text: defaultText(request), html: fillTemplate(body.html, escapedValues(values)) };
    case undefined:
      return {
        text: defaultText(request),
        html: mailDocument({ language, title, blocks: defaultBlocks(request) }),
      };
    default:
      return body satisfies never;
  }
}

/** Returns how long the link of the mail works, as a paragraph; none for a mail without a link. */
function validityOf({ words, values }: BodyRequest): readonly string[] {
  return values.VALID_FOR === undefined ? [] : [words.validity];
}

function defaultText(request: BodyRequest): string {
  const { words, mail, values } = request;
  const link = mail.button === undefined ? [] : [`${mail.button}:\n%LINK%`, ...validityOf(request)];
  const paragraphs = [greetingOf(words, values), ...mail.before, ...link, ...mail.after, words.closing];
  return `${paragraphs.map((text) => fillTemplate(text, values)).join('\n\n')}\n`;
}

function defaultBlocks(request: BodyRequest): readonly string[] {
  const { words, mail, values, buttonColor } = request;
  const write = (text: string): string => paragraph(fillHtml(text, values));
  return [
    ...[greetingOf(words, values), ...mail.before].map(write),
    ...(mail.button === undefined
      ? []
      : [fillTemplate(button(mail.button, buttonColor), escapedValues(values))]),
    ...[...validityOf(request), ...mail.after, words.closing].map(write),
    ...(mail.button === undefined ? [] : [smallParagraph(fillHtml(`${words.linkHint}\n%LINK%`, values))]),
  ];
}

function greetingOf(words: LanguageTexts, { DISPLAY_NAME }: MailValues): string {
  return DISPLAY_NAME === '' ? words.namelessGreeting : words.greeting;
}

function escapedValues(values: MailValues): MailValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeHtml(value)]));
}

/** Fills a text template and returns it as HTML. A name or an address keeps its own writing direction. */
function fillHtml(text: string, { LINK, ...values }: MailValues): string {
  const isolated = Object.entries(values).map(([name, value]) => [
    name,
    `<span dir="auto">${escapeHtml(value)}</span>`,
  ]);
  const link = LINK === undefined ? {} : { LINK: bareLink(LINK) };
  return fillTemplate(escapeHtml(text), { ...Object.fromEntries(isolated), ...link });
}
