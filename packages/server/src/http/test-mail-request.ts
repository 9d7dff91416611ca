import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { TestMail } from '../accounts/mail-administration.ts';
import { isMailKind, MAIL_KINDS, type MailKind } from '../mail/mail-kind.ts';
import { checkMailTemplate, type MailTemplate } from '../mail/mail-template.ts';
import type { ApiRequest } from './api-request.ts';
import { readFields } from './rules-request.ts';

/** Whom a preview is for that says nobody. */
const SAMPLE_ADDRESS = 'ada@example.com';

/** Reads `to`, and perhaps `language`, `mail` and `template`. Refuses a template with every problem. */
export async function readTestMail(
  request: ApiRequest,
  { needsAddress }: { readonly needsAddress: boolean },
): Promise<TestMail> {
  const fields = await readFields(request, ['to', 'language', 'mail', 'template']);
  const to = fields.get('to') ?? (needsAddress ? undefined : SAMPLE_ADDRESS);
  const language = fields.get('language');
  if (typeof to !== 'string' || (language !== undefined && typeof language !== 'string'))
    throw new Refusal('request/malformed', '"to" must be an e-mail address, and "language" such as "en".');
  const kind = parseKind(fields.get('mail') ?? 'verifyEmail');
  return {
    to,
    language,
    kind,
    template: parseTemplate(kind, fields.get('template')),
    origin: request.origin,
  };
}

function parseKind(value: unknown): MailKind {
  if (isMailKind(value)) return value;
  throw new Refusal('request/malformed', `"mail" must be one of ${MAIL_KINDS.join(', ')}.`);
}

function parseTemplate(kind: MailKind, json: unknown): MailTemplate | undefined {
  if (json === undefined) return undefined;
  const problems = checkMailTemplate(kind, json);
  if (problems.length > 0) throw new Refusal('request/malformed', problems.join(' '));
  return json as MailTemplate;
}
