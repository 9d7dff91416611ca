import { MAIL_KINDS, type MailKind } from '@hearth/core/api/mail-kinds.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { MailAdministration, TestMail } from '../auth/projects/mail-administration.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import { isMailKind } from '../mail/event.ts';
import { checkMailTemplate, type MailTemplate } from '../mail/template.ts';
import { recordAdminAction } from './audit.ts';
import { parseLimitParameter, readFields, requireKnownParameters } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface MailServices {
  readonly audit: AuditTrail;
  readonly mails: MailAdministration;
}

const MAIL = '/api/projects/{project}/mail';

/** Returns the routes of the mails of a project. */
export function mailRoutes(services: MailServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: MAIL,
      run: (request) => readMail(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'GET',
      path: `${MAIL}/dead`,
      run: (request) => listDeadMails(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'POST',
      path: `${MAIL}/preview`,
      run: (request) => previewMail(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'POST',
      path: `${MAIL}/test`,
      run: (request) => sendTestMail(services, request),
      right: 'admin',
      isFor: 'accounts',
    },
  ];
}

/**
 * `GET /api/projects/<project>/mail`: returns the state of the mail queue,
 * `{"waiting","oldestAtMs","dead","lastFailure":{"atMs","project","reason"}}`.
 */
async function readMail(services: MailServices, { segments }: ApiRequest): Promise<Answer> {
  return jsonAnswer(services.mails.status(segments['project'] ?? ''));
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/**
 * `GET /api/projects/<project>/mail/dead`: lists emails that could not be delivered,
 * `{"mails":[{"id","kind","to","queuedAtMs","diedAtMs","attempts","reason"},…]}`.
 */
async function listDeadMails(services: MailServices, { segments, query }: ApiRequest): Promise<Answer> {
  requireKnownParameters(query, ['limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const mails = services.mails.listDead(segments['project'] ?? '', limit);
  return jsonAnswer({ mails: mails.map(({ project: _project, ...mail }) => mail) });
}

/**
 * `POST /api/projects/<project>/mail/preview`, optionally with `"to"`, `"language"`, `"mail"` and
 * `"template"`: returns an email without sending it,
 * `{"from":{"name","address"},"replyTo","subject","text","html"}`.
 */
async function previewMail(services: MailServices, request: ApiRequest): Promise<Answer> {
  const project = request.segments['project'] ?? '';
  const mail = services.mails.preview(project, await readTestMail(request, { needsAddress: false }));
  const { from, replyTo = null, subject, text, html } = mail;
  return jsonAnswer({ from, replyTo, subject, text, html });
}

/**
 * `POST /api/projects/<project>/mail/test` with `{"to"}`, and optionally `"language"`, `"mail"` and
 * `"template"`: sends an email immediately. Responds with `{"outcome":"accepted"}`, or with the outcome
 * "refused" and the `reason`.
 */
async function sendTestMail(services: MailServices, request: ApiRequest): Promise<Answer> {
  const project = request.segments['project'] ?? '';
  const test = await readTestMail(request, { needsAddress: true });
  const { kind, ...rest } = await services.mails.sendTest(project, test);
  recordAdminAction(services.audit, request, project, 'test_mail_sent', kind);
  return jsonAnswer({ outcome: kind, ...rest });
}

/** The recipient in a preview whose request names none. */
const SAMPLE_ADDRESS = 'ada@example.com';

/**
 * Reads `to`, and optionally `language`, `mail` and `template`. If the template is invalid, the error lists
 * all of its problems.
 */
async function readTestMail(
  request: ApiRequest,
  { needsAddress }: { readonly needsAddress: boolean },
): Promise<TestMail> {
  const fields = await readFields(request, ['to', 'language', 'mail', 'template']);
  const to = fields.get('to') ?? (needsAddress ? undefined : SAMPLE_ADDRESS);
  const language = fields.get('language');
  if (typeof to !== 'string' || (language !== undefined && typeof language !== 'string'))
    throw new RequestError(
      'request/malformed',
      '"to" must be an email address, and "language" must be a code such as "en".',
    );
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
  throw new RequestError('request/malformed', `"mail" must be one of ${MAIL_KINDS.join(', ')}.`);
}

function parseTemplate(kind: MailKind, json: unknown): MailTemplate | undefined {
  if (json === undefined) return undefined;
  const problems = checkMailTemplate(kind, json);
  if (problems.length > 0) throw new RequestError('request/malformed', problems.join(' '));
  return json as MailTemplate;
}
