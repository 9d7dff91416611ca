import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AuditReader, AuditSearch } from '../audit/search.ts';
import { AUDIT_SERIES, type AuditSeries } from '../audit/series.ts';
import { isEntryId } from '../audit/store.ts';
import type { AuditEventName, AuditTrail } from '../audit/trail.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import type { DataActionName, DataActions, DataSubject } from '../realtime/monitoring/data-actions.ts';
import { parseLimitParameter, requireKnownParameters } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface AuditServices {
  readonly auditReader: AuditReader;
}

/** Returns the routes that list the audit log. */
export function auditRoutes(services: AuditServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/audit',
      run: (request) => listServerAudit(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: '/api/projects/{project}/audit',
      run: (request) => listAudit(services, request),
      right: 'read',
      isFor: 'accounts',
    },
  ];
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** Matches every possible project id. */
const PROJECT_ID = /^[a-z0-9:._-]{1,128}$/i;

/**
 * `GET /api/projects/<project>/audit`: lists the security-relevant events of a project, most recent first.
 */
async function listAudit(services: AuditServices, { segments, query }: ApiRequest): Promise<Answer> {
  const project = segments['project'] ?? '';
  if (!PROJECT_ID.test(project))
    throw new RequestError('http/parameter', `${JSON.stringify(project)} is not a valid project id.`);
  return jsonAnswer(await services.auditReader.search(project, parseSearch(query)));
}

/**
 * `GET /api/audit`: lists the security-relevant events that belong to no particular project, most recent
 * first.
 */
async function listServerAudit(services: AuditServices, { query }: ApiRequest): Promise<Answer> {
  return jsonAnswer(await services.auditReader.search(null, parseSearch(query)));
}

function parseSearch(query: URLSearchParams): AuditSearch {
  requireKnownParameters(query, [
    'before',
    'since',
    'until',
    'limit',
    'event',
    'series',
    'database',
    'uid',
    'tenant',
    'actor',
    'result',
    'requestId',
  ]);
  const before = query.get('before');
  if (before !== null && !isEntryId(before))
    throw new RequestError('http/parameter', 'The query parameter before must be the id of an entry.');
  return {
    limit: parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT),
    before,
    sinceMs: parseTime(query, 'since'),
    untilMs: parseTime(query, 'until'),
    series: parseSeries(query),
    filter: {
      events: parseEvents(query.get('event')),
      database: query.get('database'),
      uid: query.get('uid'),
      tenant: query.get('tenant'),
      actor: query.get('actor'),
      result: query.get('result'),
      requestId: query.get('requestId'),
    },
  };
}

function parseSeries(query: URLSearchParams): AuditSeries | null {
  const text = query.get('series');
  if (text === null) return null;
  const series = AUDIT_SERIES.find((known) => known === text);
  if (series !== undefined) return series;
  throw new RequestError(
    'http/parameter',
    `The query parameter series must be one of ${AUDIT_SERIES.join(', ')}.`,
  );
}

/** Maximum number of events that one search names. There are fewer kinds of events. */
const MAX_EVENTS = 200;

/** Parses names of events with commas between them. */
function parseEvents(text: string | null): ReadonlySet<string> | null {
  if (text === null) return null;
  const events = text.split(',', MAX_EVENTS + 1);
  if (events.length <= MAX_EVENTS) return new Set(events);
  throw new RequestError(
    'http/parameter',
    `The query parameter event may name at most ${MAX_EVENTS} events.`,
  );
}

function parseTime(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (!/^[0-9]{1,15}$/.test(text))
    throw new RequestError(
      'http/parameter',
      `The query parameter ${name} must be a time in milliseconds since 1970.`,
    );
  return Number(text);
}

/** Records an administrator's action over the admin API in the audit log of a project or of the server. */
export function recordAdminAction(
  audit: AuditTrail,
  { admin, client }: ApiRequest,
  projectId: string | null,
  event: AuditEventName,
  detail: string | null = null,
  uid: string | null = null,
): void {
  audit.notify({
    event,
    projectId,
    uid,
    actor: admin.name,
    ...client,
    result: 'ok',
    detail,
  });
}

/** Records an administrator's action on a database over the admin API. */
export function recordDataAction(
  actions: DataActions,
  { identity, client }: ApiRequest,
  name: DataActionName,
  subject: DataSubject,
  detail?: string,
): void {
  actions.record(identity, client, { name, subject, ...(detail === undefined ? {} : { detail }) });
}
