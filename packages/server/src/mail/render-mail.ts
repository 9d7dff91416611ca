import { courteousName } from './courteous-name.ts';
import { escapeHtml } from './escape-html.ts';
import { fillTemplate, type MailValues } from './fill-template.ts';
import type { Language } from './language.ts';
import type { Mail, MailSender } from './mail.ts';
import { bareLink, button, mailDocument, paragraph, smallParagraph } from './mail-document.ts';
import type { MailOccasion } from './mail-occasion.ts';
import type { MailBody, MailTemplate, MailTemplates } from './mail-template.ts';
import { singleLine } from './single-line.ts';
import type { LanguageTexts, MailText } from './templates/mail-text.ts';
import { TEMPLATES } from './templates/templates.ts';

/** How the mails of a project look. */
export interface MailStyle {
  readonly appName: string;
  /** Without a name of its own, the sender has the name of the app. */
  readonly senderName?: string;
  readonly senderAddress: string;
  readonly replyTo?: string;
  readonly templates: MailTemplates;
}

export interface MailRequest {
  readonly project: string;
  readonly style: MailStyle;
  readonly language: Language;
  readonly to: string;
  readonly occasion: MailOccasion;
  readonly validUntilMs?: number;
}

/** Writes a mail. Names are made harmless and escaped; a project's own template wins over Hearth's. */
export function renderMail({ project, style, language, to, occasion, validUntilMs }: MailRequest): Mail {
  const template = style.templates[occasion.kind]?.[language] ?? {};
  const values = valuesOf(occasion, style);
  const words = TEMPLATES[language];
  const mail = words.mails[occasion.kind];
  const subject = fillTemplate(template.subject ?? mail.subject, values);
  const replyTo = template.replyTo ?? style.replyTo;
  return {
    project,
    kind: occasion.kind,
    from: senderOf(template, style, values),
    ...(replyTo === undefined ? {} : { replyTo }),
    to,
    subject,
    ...renderBody({ body: template.body, language, title: subject, words, mail, values }),
    ...('link' in occasion ? { link: occasion.link } : {}),
    ...(validUntilMs === undefined ? {} : { validUntilMs }),
  };
}

function senderOf(template: MailTemplate, style: MailStyle, values: MailValues): MailSender {
  const name = template.senderName ?? style.senderName ?? style.appName;
  return { name: singleLine(fillTemplate(name, values)), address: style.senderAddress };
}

/** Values of a kind's variables as plain text. A name that is not known is empty. */
function valuesOf(occasion: MailOccasion, style: MailStyle): MailValues {
  return {
    APP_NAME: singleLine(style.appName),
    DISPLAY_NAME: courteousName(occasion.displayName) ?? '',
    ...('email' in occasion ? { EMAIL: occasion.email } : {}),
    ...('newEmail' in occasion ? { NEW_EMAIL: occasion.newEmail } : {}),
    ...('link' in occasion ? { LINK: occasion.link } : {}),
  };
}

interface BodyRequest {
  readonly body: MailBody | undefined;
  readonly language: Language;
  readonly title: string;
  readonly words: LanguageTexts;
  readonly mail: MailText;
  readonly values: MailValues;
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
      return { text: usualText(request), html: fillTemplate(body.html, escapedValues(values)) };
    case undefined:
      return {
        text: usualText(request),
        html: mailDocument({ language, title, blocks: usualBlocks(request) }),
      };
    default:
      return body satisfies never;
  }
}

function usualText({ words, mail, values }: BodyRequest): string {
  const link = mail.button === undefined ? [] : [`${mail.button}:\n%LINK%`];
  const paragraphs = [greetingOf(words, values), ...mail.before, ...link, ...mail.after, words.closing];
  return `${paragraphs.map((text) => fillTemplate(text, values)).join('\n\n')}\n`;
}

function usualBlocks({ words, mail, values }: BodyRequest): readonly string[] {
  const write = (text: string): string => paragraph(fillHtml(text, values));
  return [
    ...[greetingOf(words, values), ...mail.before].map(write),
    ...(mail.button === undefined ? [] : [fillTemplate(button(mail.button), escapedValues(values))]),
    ...[...mail.after, words.closing].map(write),
    ...(mail.button === undefined ? [] : [smallParagraph(fillHtml(`${words.linkHint}\n%LINK%`, values))]),
  ];
}

function greetingOf(words: LanguageTexts, { DISPLAY_NAME }: MailValues): string {
  return DISPLAY_NAME === '' ? words.namelessGreeting : words.greeting;
}

function escapedValues(values: MailValues): MailValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeHtml(value)]));
}

/** Running text as HTML. An address or a name in another script keeps its own direction. */
function fillHtml(text: string, { LINK, ...values }: MailValues): string {
  const isolated = Object.entries(values).map(([name, value]) => [
    name,
    `<span dir="auto">${escapeHtml(value)}</span>`,
  ]);
  const link = LINK === undefined ? {} : { LINK: bareLink(LINK) };
  return fillTemplate(escapeHtml(text), { ...Object.fromEntries(isolated), ...link });
}
