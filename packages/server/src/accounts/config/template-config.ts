import type { MailKind } from '../../mail/mail-kind.ts';
import {
  checkMailTemplate,
  InvalidMailTemplates,
  MAX_BODY_LENGTH,
  type MailTemplate,
  type MailTemplates,
  parseMailTemplates,
} from '../../mail/mail-template.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import type { OfficialTemplate } from '../project-mail.ts';
import { invalidConfig, invalidProblems, refuseProblems } from './config-value.ts';

const FORMATS: readonly unknown[] = [undefined, 'BODY_FORMAT_UNSPECIFIED', 'PLAIN_TEXT', 'HTML'];
const MAX_LOCAL_PART_LENGTH = 64;

/** Longest JSON text of all templates by language. */
const MAX_TEMPLATES_LENGTH = 262_144;

/** One of the templates of the official configuration; `undefined` for Hearth's own words. */
export function encodeOfficialTemplate(template: OfficialTemplate | undefined): JsonObject | undefined {
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

/** A template without anything of its own is none. */
export function decodeOfficialTemplate(
  value: unknown,
  path: string,
  kind: MailKind,
): OfficialTemplate | undefined {
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
  refuseProblems(path, [
    ...Object.keys(others).map((name) => `${name} is no setting of this server.`),
    ...(isLocalPart(senderLocalPart) ? [] : ['senderLocalPart is what an address has before its @.']),
    ...(FORMATS.includes(bodyFormat) ? [] : ['bodyFormat is PLAIN_TEXT or HTML.']),
    ...(body === undefined || content !== undefined
      ? []
      : [`body is a text of 1 to ${MAX_BODY_LENGTH} characters.`]),
    ...checkMailTemplate(kind, template).map((problem) =>
      problem.replace(/^senderName\b/, 'senderDisplayName'),
    ),
  ]);
  const decoded = { ...(senderLocalPart === undefined ? {} : { senderLocalPart }), ...template };
  return Object.keys(decoded).length === 0 ? undefined : (decoded as OfficialTemplate);
}

/** Hearth's own member: kind → language → template. */
export function decodeTemplates(value: unknown, path: string): MailTemplates {
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
