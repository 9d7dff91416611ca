import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { SmsAdministration } from '../auth/phone/sms-administration.ts';
import type { SmsSample, SmsSamples } from '../auth/phone/sms-samples.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import { checkSmsTemplate } from '../sms/texts.ts';
import { recordAdminAction } from './audit.ts';
import { parseLimitParameter, readFields, requireKnownParameters } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface TextMessageServices {
  readonly audit: AuditTrail;
  readonly textMessages: SmsAdministration;
  readonly smsSamples: SmsSamples;
}

const SMS = '/api/projects/{project}/sms';

/** Returns the routes of the text messages of a project. */
export function textMessageRoutes(services: TextMessageServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: SMS,
      run: (request) => readTextMessages(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'GET',
      path: `${SMS}/dead`,
      run: (request) => listDeadTextMessages(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'POST',
      path: `${SMS}/resume`,
      run: (request) => resumeCountry(services, request),
      right: 'admin',
      isFor: 'accounts',
    },
    {
      method: 'POST',
      path: `${SMS}/preview`,
      run: (request) => previewTextMessage(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'POST',
      path: `${SMS}/test`,
      run: (request) => sendTestMessage(services, request),
      right: 'admin',
      isFor: 'accounts',
    },
  ];
}

/**
 * `GET /api/projects/<project>/sms`: returns the state of the queue and the statistics of the countries,
 * `{"waiting","oldestAtMs","dead","lastFailure","countries":[…],"blocked"}`, each with
 * `{"country","accepted","delivered","failed","used","pausedAtMs"}`. `blocked` is the number of accounts that cannot sign in
 * because the project has no SMS service, `{"count","isExact"}`, or `null`.
 */
async function readTextMessages(
  { textMessages }: TextMessageServices,
  { segments }: ApiRequest,
): Promise<Answer> {
  const project = segments['project'] ?? '';
  const [status, countries] = [textMessages.status(project), textMessages.countries(project)];
  return jsonAnswer({ ...status, countries, blocked: await textMessages.countBlocked(project) });
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/**
 * `GET /api/projects/<project>/sms/dead`: lists text messages that could not be delivered, without their texts,
 * `{"messages":[{"id","kind","to","queuedAtMs","diedAtMs","attempts","reason"},…]}`.
 */
async function listDeadTextMessages(
  { textMessages }: TextMessageServices,
  { segments, query }: ApiRequest,
): Promise<Answer> {
  requireKnownParameters(query, ['limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const messages = textMessages.listDead(segments['project'] ?? '', limit);
  return jsonAnswer({ messages: messages.map(({ project: _project, ...message }) => message) });
}

/**
 * `POST /api/projects/<project>/sms/resume` with `{"country"}`: allows text messages to a paused country again; `null`
 * means numbers without a country. Responds with `{}`.
 */
async function resumeCountry(services: TextMessageServices, request: ApiRequest): Promise<Answer> {
  const country = (await readFields(request, ['country'])).get('country');
  if (country !== null && (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)))
    throw new RequestError('request/malformed', '"country" must be two capital letters, or null.');
  const project = request.segments['project'] ?? '';
  if (!(await services.textMessages.resume(project, country)))
    throw new RequestError('request/malformed', 'Text messages to this country are not paused.');
  recordAdminAction(services.audit, request, project, 'sms_country_resumed', country ?? 'unknown country');
  return jsonAnswer({});
}

/**
 * `POST /api/projects/<project>/sms/preview`, optionally with `"language"` and `"template"`: returns a message without
 * sending it, `{"text","segments","isUnicode"}`. The template `null` is the default text.
 */
async function previewTextMessage({ smsSamples }: TextMessageServices, request: ApiRequest): Promise<Answer> {
  const fields = await readFields(request, ['language', 'template']);
  return jsonAnswer({ ...smsSamples.preview(request.segments['project'] ?? '', readSample(fields)) });
}

/**
 * `POST /api/projects/<project>/sms/test` with `{"to"}`, and optionally `"language"` and `"template"`: sends a message
 * immediately. Responds with `{"outcome":"accepted"}`, or with the outcome "refused" and the `reason`.
 */
async function sendTestMessage(services: TextMessageServices, request: ApiRequest): Promise<Answer> {
  const fields = await readFields(request, ['to', 'language', 'template']);
  const to = fields.get('to');
  if (typeof to !== 'string')
    throw new RequestError('request/malformed', '"to" must be a phone number such as "+14155550100".');
  const project = request.segments['project'] ?? '';
  const test = { to, origin: request.origin, ...readSample(fields) };
  const { kind, ...rest } = await services.smsSamples.sendTest(project, test);
  recordAdminAction(services.audit, request, project, 'test_sms_sent', kind);
  return jsonAnswer({ outcome: kind, ...rest });
}

function readSample(fields: ReadonlyMap<string, unknown>): SmsSample {
  const language = fields.get('language');
  if (language !== undefined && typeof language !== 'string')
    throw new RequestError('request/malformed', '"language" must be a code such as "en".');
  const template = fields.get('template');
  if (template === undefined || template === null) return { language, template };
  const problems = checkSmsTemplate(template);
  if (problems.length > 0) throw new RequestError('request/malformed', problems.join(' '));
  return { language, template: String(template) };
}
