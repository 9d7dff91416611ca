import {
  MAIL_KINDS,
  MAIL_VARIABLES,
  type MailKind,
  type MailVariable,
  VARIABLES_OF,
} from '@hearth/core/api/mail-kinds.ts';
import { hasLink, isMailKind } from './event.ts';
import { isMailAddress } from './mailer.ts';
import { isLanguage, LANGUAGES, type Language } from './templates/language.ts';

/** A project's own texts for one kind of mail in one language. Missing fields keep their defaults. */
export interface MailTemplate {
  readonly subject?: string;
  readonly senderName?: string;
  readonly replyTo?: string;
  readonly body?: MailBody;
}

/**
 * In `text`, empty lines separate paragraphs. `html` is a whole document, and is sent next to the default text.
 */
export type MailBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'html'; readonly html: string };

export type MailTemplates = Readonly<
  Partial<Record<MailKind, Readonly<Partial<Record<Language, MailTemplate>>>>>
>;

/** Thrown if templates are invalid. Each problem names its position and the allowed values. */
export class InvalidMailTemplates extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid mail templates: ${problems.join(' ')}`);
    this.name = 'InvalidMailTemplates';
    this.problems = problems;
  }
}

const MAX_LINE_LENGTH = 200;
export const MAX_BODY_LENGTH = 50_000;

/**
 * Variables that a mail header may contain. Clients can choose the values of the others, and a client must not
 * control the subject of a mail to another person.
 */
const LINE_VARIABLES: readonly MailVariable[] = ['APP_NAME'];

/**
 * Parses templates as they are stored and received: kind → language → template, in JSON. Throws
 * `InvalidMailTemplates` with every problem. History: the first version of the format.
 */
export function parseMailTemplates(json: unknown): MailTemplates {
  const problems = checkMembers(json ?? {}, '', isMailKind, MAIL_KINDS, (kind, ofKind) =>
    checkMembers(ofKind, `${kind}.`, isLanguage, LANGUAGES, (language, template) =>
      checkMailTemplate(kind, template).map((problem) => `${kind}.${language}: ${problem}`),
    ),
  );
  if (problems.length > 0) throw new InvalidMailTemplates(problems);
  return (json ?? {}) as MailTemplates;
}

function checkMembers<Name extends string>(
  json: unknown,
  location: string,
  isName: (name: unknown) => name is Name,
  names: readonly Name[],
  check: (name: Name, value: unknown) => readonly string[],
): readonly string[] {
  if (!isObject(json)) return [`${location} Use an object with any of ${names.join(', ')}.`.trim()];
  return Object.entries(json).flatMap(([name, value]) =>
    isName(name) ? check(name, value) : [`${location}${name} is unknown. Use one of ${names.join(', ')}.`],
  );
}

/** Returns the problems of a template for a kind of mail, one sentence each. */
export function checkMailTemplate(kind: MailKind, json: unknown): readonly string[] {
  if (!isObject(json)) return ['Use an object.'];
  const { subject, senderName, replyTo, body, ...others } = json;
  return [
    ...checkLine('subject', subject),
    ...checkLine('senderName', senderName),
    ...(replyTo === undefined || isMailAddress(replyTo) ? [] : ['replyTo must be one email address.']),
    ...(body === undefined ? [] : checkBody(kind, body)),
    ...Object.keys(others).map((name) => `${name} is unknown. Use subject, senderName, replyTo or body.`),
  ];
}

/** Returns the problems of a text for a mail header, such as a subject. */
export function checkLine(name: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_LINE_LENGTH || isBroken(value))
    return [`${name} must be one line of 1 to ${MAX_LINE_LENGTH} characters.`];
  return checkVariables(name, value, LINE_VARIABLES);
}

function checkBody(kind: MailKind, json: unknown): readonly string[] {
  const { kind: form, text, html } = isObject(json) ? json : {};
  const content = form === 'text' ? text : form === 'html' ? html : undefined;
  if (typeof content !== 'string' || content.trim() === '' || content.length > MAX_BODY_LENGTH)
    return [
      `body must be {"kind":"text","text":…} or {"kind":"html","html":…} with 1 to ${MAX_BODY_LENGTH} characters.`,
    ];
  const problems = [...checkVariables('body', content, VARIABLES_OF[kind])];
  if (hasLink(kind) && !content.includes('%LINK%')) problems.push('body needs %LINK%.');
  if (form === 'html' && hasUnquotedVariable(content))
    problems.push('body has a variable in a tag. Put it between quotes, as in href="%LINK%".');
  return problems;
}

function checkVariables(name: string, text: string, allowed: readonly MailVariable[]): readonly string[] {
  const named = MAIL_VARIABLES.filter((variable) => text.includes(`%${variable}%`));
  return named
    .filter((variable) => !allowed.includes(variable))
    .map(
      (variable) =>
        `${name} must not contain %${variable}%. Allowed: ${allowed.map((other) => `%${other}%`).join(', ')}.`,
    );
}

/** Returns whether a variable is inside a tag but outside quotes, where escaping does not protect it. */
function hasUnquotedVariable(html: string): boolean {
  return (html.match(/<[a-z!/][^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*/gi) ?? [])
    .map((tag) => tag.replace(/"[^"]*"|'[^']*'/g, ''))
    .some((tag) => MAIL_VARIABLES.some((variable) => tag.includes(`%${variable}%`)));
}

function isBroken(line: string): boolean {
  return /\p{Cc}/u.test(line);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
